"""The test: how much the sessions so far speak against "it makes no difference", at any time.

A session is a block of its own. In it an arm bets, with the rate that its earlier sessions showed, against both
arms mixed:

    E ← E · [q_arm^y (1-q_arm)^(1-y)] / [q̄^y (1-q̄)^(1-y)]    with  q̄ = (1-h)·q_injected + h·q_withheld

`h` is the share that is withheld, `y` the share of bad events in the session, `q` an arm's mean of earlier sessions,
one good and one bad one added. Since a hash with the share `h` decides the arm, whatever `y` is, E stays near 1 on
average when the instinct does nothing: in every order of sessions, also when all sessions get better or worse with
time. So one may look after each session and stop at E ≥ 20, and is wrong once in twenty instincts at most.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

ENOUGH = 20.0
SHARE = 0.33


class Unit(NamedTuple):
    """A session: whether it went without the instinct, its value from 0 (nothing bad) to 1, and the share withheld."""

    withheld: bool
    bad: float
    share: float = SHARE


class Arm(NamedTuple):
    """The sessions of one arm, and the sum of their values."""

    sessions: int = 0
    bad: float = 0.0

    @property
    def rate(self) -> float | None:
        """The mean of the values; None without sessions."""
        return self.bad / self.sessions if self.sessions else None

    @property
    def expected(self) -> float:
        """What the next session is expected to be: the mean, drawn a little to the middle while there are few."""
        return (self.bad + 1) / (self.sessions + 2)

    def plus(self, bad: float) -> Arm:
        """With one session more."""
        return Arm(self.sessions + 1, self.bad + bad)


class Evidence(NamedTuple):
    """How much speaks for "it helps" and for "it harms" (natural logarithms of E), and the arms so far."""

    helps: float = 0.0
    harms: float = 0.0
    injected: Arm = Arm()
    withheld: Arm = Arm()

    @property
    def sessions(self) -> int:
        """All of them."""
        return self.injected.sessions + self.withheld.sessions

    def after(self, unit: Unit) -> Evidence:
        """With one session more. The bet uses the arms as they were before it."""
        bad = min(1.0, max(0.0, unit.bad))
        with_it, without = self.injected.expected, self.withheld.expected
        mixed = (1 - unit.share) * with_it + unit.share * without
        own = without if unit.withheld else with_it
        won = bad * math.log(own / mixed) + (1 - bad) * math.log((1 - own) / (1 - mixed))
        return Evidence(
            self.helps + (won if with_it < without else 0.0),
            self.harms + (won if with_it > without else 0.0),
            self.injected if unit.withheld else self.injected.plus(bad),
            self.withheld.plus(bad) if unit.withheld else self.withheld,
        )


def is_enough(evidence: float) -> bool:
    """Whether a logarithm of E is large enough to stop."""
    return evidence >= math.log(ENOUGH)


def run(units: Iterable[Unit]) -> Evidence:
    """The evidence after all of these sessions."""
    found = Evidence()
    for unit in units:
        found = found.after(unit)
    return found


def together(evidence: Sequence[float], level: float = 1 / ENOUGH) -> list[bool]:
    """Which of many tests hold when they are looked at together (e-BH): of those, one in twenty is wrong at most.

    Args:
        evidence: logarithms of E, one for each test.
        level: the share of wrong ones.
    """
    count = len(evidence)
    ranked = sorted(evidence, reverse=True)
    held = [k for k, value in enumerate(ranked, 1) if value >= math.log(count / (level * k))]
    return [bool(held) and value >= ranked[held[-1] - 1] for value in evidence]
