"""The verdict on one instinct: HELPS, HARMS, INERT, or not enough data, which is the usual answer.

HELPS and HARMS may be found after any session. That it does nothing may be found three times only, after 100, 200 and
400 sessions: looked for daily, it would be found of everything. And only where a check tells whether it was followed:
of all the trouble in a session no single instinct makes out so much. Whichever comes first decides, and what comes
later changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from gitinstinct.measure import interval, process
from gitinstinct.measure.interval import Interval
from gitinstinct.measure.process import Evidence, Unit

LOOKS = (100, 200, 400)
"""Eligible sessions after which an instinct may be found inert. After the last one it is no longer withheld."""
BAND = 0.20
_ENOUGH_FOR_AN_ESTIMATE = 5  # sessions in each arm, as long as nothing is decided


class Verdict(StrEnum):
    """What was found."""

    HELPS = "HELPS"
    HARMS = "HARMS"
    INERT = "INERT"
    UNKNOWN = "NOT ENOUGH DATA"


class Decision(NamedTuple):
    """A verdict, and what it rests on."""

    verdict: Verdict
    evidence: Evidence

    @property
    def is_over(self) -> bool:
        """Whether nothing is withheld any more: it is decided, or nothing came out of all the looks."""
        return self.verdict is not Verdict.UNKNOWN or self.evidence.sessions >= LOOKS[-1]

    @property
    def difference(self) -> float | None:
        """How much lower the bad rate is expected to be with it; None where it was not measured."""
        with_it, without = self.evidence.injected, self.evidence.withheld
        fewest = min(with_it.sessions, without.sessions)
        if fewest == 0 or (self.verdict is Verdict.UNKNOWN and fewest < _ENOUGH_FOR_AN_ESTIMATE):
            return None
        return without.expected - with_it.expected

    @property
    def interval(self) -> Interval | None:
        """The 90 % interval of that; None where it was not measured."""
        if self.difference is None:
            return None
        return interval.difference(self.evidence.injected, self.evidence.withheld)


def decide(units: Iterable[Unit], *, may_be_inert: bool = True) -> Decision:
    """The verdict after some sessions.

    Args:
        units: in the order in which they became known.
        may_be_inert: whether that is looked for at all.
    """
    found = Evidence()
    for unit in units:
        found = found.after(unit)
        verdict = _verdict(found, may_be_inert)
        if verdict is not Verdict.UNKNOWN or found.sessions >= LOOKS[-1]:
            return Decision(verdict, found)
    return Decision(Verdict.UNKNOWN, found)


def _verdict(found: Evidence, may_be_inert: bool) -> Verdict:
    if process.is_enough(found.helps):
        return Verdict.HELPS
    if process.is_enough(found.harms):
        return Verdict.HARMS
    is_look = may_be_inert and found.sessions in LOOKS
    is_inert = is_look and interval.lies_within(found.injected, found.withheld, BAND)
    return Verdict.INERT if is_inert else Verdict.UNKNOWN


# --- how long it takes

_NEEDED = ((0.7, 15), (0.55, 25), (0.4, 50), (0.3, 80), (0.2, 120), (0.15, 260))
"""Difference of the rates → eligible sessions until it is found, in half of the cases, with one in three withheld."""
NEEDED_AT_LEAST, NEEDED_AT_MOST = 15, LOOKS[-1]


def sessions_left(found: Decision) -> int | None:
    """About how many eligible sessions it takes from here, if the difference stays as it is; None when it is over, or
    where there is no telling."""
    if found.is_over or found.difference is None:
        return None
    size = abs(found.difference)
    needed = next((sessions for least, sessions in _NEEDED if size >= least), NEEDED_AT_MOST)
    return max(needed - found.evidence.sessions, 5)
