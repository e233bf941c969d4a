"""How much lower the bad rate is with an instinct, and how far that may be off.

Each arm's rate is Beta(1 + bad, 1 + good); their difference is summed up numerically, which needs no library.
"""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from gitinstinct.measure.process import Arm

_CELLS = 250
_STEPS = 16  # halvings of the interval of length 2
MASS = 0.90


class Interval(NamedTuple):
    """From where to where."""

    low: float
    high: float


def difference(injected: Arm, withheld: Arm, mass: float = MASS) -> Interval:
    """Where withheld rate minus injected rate lies with that probability; above 0 the instinct helps."""
    tail = (1 - mass) / 2
    below, theirs = (0.0, *accumulate(_weights(injected))), _weights(withheld)
    return Interval(_quantile(tail, theirs, below), _quantile(1 - tail, theirs, below))


def lies_within(injected: Arm, withheld: Arm, band: float, mass: float = MASS) -> bool:
    """Whether that interval lies inside of ±band."""
    tail = (1 - mass) / 2
    below, theirs = (0.0, *accumulate(_weights(injected))), _weights(withheld)
    return _at_most(-band, theirs, below) < tail and _at_most(band, theirs, below) > 1 - tail


@lru_cache(maxsize=64)
def _weights(arm: Arm) -> tuple[float, ...]:
    """The probability of each cell of 0 … 1."""
    a, b = arm.bad, arm.sessions - arm.bad
    middles = [(cell + 0.5) / _CELLS for cell in range(_CELLS)]
    logs = [a * math.log(x) + b * math.log(1 - x) for x in middles]
    highest = max(logs)
    raw = [math.exp(value - highest) for value in logs]
    total = math.fsum(raw)
    return tuple(value / total for value in raw)


def _quantile(wanted: float, theirs: tuple[float, ...], below: tuple[float, ...]) -> float:
    low, high = -1.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if _at_most(middle, theirs, below) < wanted:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _at_most(difference: float, theirs: tuple[float, ...], below: tuple[float, ...]) -> float:
    """The probability that withheld minus injected is at most that."""
    return math.fsum(
        weight * (1 - _under((cell + 0.5) / _CELLS - difference, below)) for cell, weight in enumerate(theirs)
    )


def _under(x: float, below: tuple[float, ...]) -> float:
    """The probability that a rate is below x."""
    place = min(max(x, 0.0), 1.0) * _CELLS
    cell = min(int(place), _CELLS - 1)
    return below[cell] + (place - cell) * (below[cell + 1] - below[cell])
