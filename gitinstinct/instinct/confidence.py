"""Confidence: a pure function of the ledger, in integer hundredths.

Anyone can recompute it, so a forged number is found. Bands for sightings in one session, steps for confirmations and
contradictions, and a slow decay, a full week at a time. It says how sure we are that the pattern is real; whether it
*helps* is another matter and never mixed in.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from gitinstinct.instinct.ledger import COUNTING, Entry, live

CAP = 90
"""Evidence alone never makes surer than this."""
ARCHIVE_BELOW = 15
INJECT_FROM = 70
LIST_FROM = 30

_BANDS = ((11, 85), (6, 70), (3, 50), (1, 30))
_START = 30  # what a first contradiction is subtracted from
_CONFIRMED = 5
_FLOOR = 10  # a contradiction does not go below
_WINDOW = 30  # days
_GENTLE = frozenset({"manual", "reflection"})


class Step(NamedTuple):
    """One counting entry and what it did: decay since the entry before it, then its own effect (hundredths)."""

    entry: Entry
    decay: int
    before: int
    after: int


class Fold(NamedTuple):
    """What a ledger is worth on a day. `confidence` in hundredths; dates as ISO text or None."""

    confidence: int
    status: str
    confirmations: int
    contradictions: int
    created: str | None
    last_observed: str | None


def band(sightings: int) -> int:
    """The confidence that a number of sightings is worth."""
    return next((value for least, value in _BANDS if sightings >= least), 0)


def weeks(earlier: str, later: str) -> int:
    """Full weeks between two days, never negative."""
    return max(0, (_ordinal(later) - _ordinal(earlier)) // 7)


@lru_cache(maxsize=4096)
def _ordinal(day: str) -> int:
    """The number of a day, counted from the year 1."""
    return date.fromisoformat(day).toordinal()


def steps(entries: Iterable[Entry], source: str) -> list[Step]:
    """How the confidence came about: the live counting entries in order, each with what it changed."""
    return _steps(live(entries), source)


def _steps(alive: Sequence[Entry], source: str) -> list[Step]:
    counting = [entry for entry in alive if entry.kind in COUNTING]
    made: list[Step] = []
    value, since = 0, ""
    for index, entry in enumerate(counting):
        decay = min(value, weeks(since, entry.date) * weekly(source)) if made else 0
        before = value - decay
        value = _apply(before if made else None, counting, index, source)
        since = entry.date
        made.append(Step(entry, decay, before, value))
    return made


def fold(entries: Sequence[Entry], source: str, day: str) -> Fold:
    """What the ledger is worth on that day (ISO text). The order of the entries does not matter.

    A ledger without a live counting entry is worth 0 and is archived.
    """
    alive = live(entries)
    counting = _steps(alive, source)
    value = _decayed(counting[-1], source, day) if counting else 0
    return Fold(
        confidence=value,
        status=_status(alive, value),
        confirmations=sum(entry.sightings for entry in alive if entry.kind != "contradicted"),
        contradictions=sum(entry.sightings for entry in alive if entry.kind == "contradicted"),
        created=min((entry.date for entry in entries), default=None),
        last_observed=counting[-1].entry.date if counting else None,
    )


def _decayed(last: Step, source: str, day: str) -> int:
    return max(0, last.after - weeks(last.entry.date, day) * weekly(source))


def weekly(source: str) -> int:
    """Hundredths a week. What a person wrote fades half as fast."""
    return 1 if source in _GENTLE else 2


def _apply(value: int | None, counting: Sequence[Entry], index: int, source: str) -> int:
    """The confidence after the entry of that index. `value` is what it was before; None for the first."""
    entry = counting[index]
    if entry.kind == "set":
        return entry.amount if isinstance(entry.amount, int) else 0
    if entry.kind == "observed":
        return max(value or 0, band(_recently_observed(counting, index)))
    if entry.kind == "confirmed":
        return band(entry.sightings) if value is None else max(value, min(CAP, value + _CONFIRMED * entry.sightings))
    start = _START if value is None else value
    return min(start, max(_FLOOR, start - (5 if source in _GENTLE else 10) * entry.sightings))


def _recently_observed(counting: Sequence[Entry], index: int) -> int:
    """Sightings of the 30 days up to an entry, both ends included."""
    last, found = _ordinal(counting[index].date), 0
    for entry in reversed(counting[: index + 1]):
        if last - _ordinal(entry.date) > _WINDOW:
            break
        found += entry.sightings if entry.kind == "observed" else 0
    return found


def _status(alive: Sequence[Entry], value: int) -> str:
    if any(entry.kind == "forgotten" for entry in alive):
        return "forgotten"
    return "archived" if value < ARCHIVE_BELOW or is_put_away(alive) else "active"


def is_put_away(alive: Sequence[Entry]) -> bool:
    """Whether a person's newest word on it is `archived`, given the entries that count, in order."""
    switches = [entry.kind for entry in alive if entry.kind in {"archived", "restored"}]
    return switches[-1:] == ["archived"]
