"""A/A: the person's own sessions, given to two arms by lot. Nothing can help here, so nothing may be found.

The values are real, with whatever drift and odd spread they have; only the labels are drawn, many times, from a seed.
More than one in twenty would mean that the test is not to be trusted on this person's work.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from gitinstinct.capture import reader
from gitinstinct.measure import process, signals
from gitinstinct.measure.calls import Listener
from gitinstinct.measure.process import SHARE, Evidence, Unit
from gitinstinct.measure.strata import gather
from gitinstinct.observer.events import Observation

LEAST = 20
"""Sessions with which it begins to say anything."""
_STEPS = 300_000  # about a second
_DRAWS = 500
_EVENTS = 100_000


@dataclass(frozen=True, slots=True)
class Result:
    """How often something was found where nothing is.

    `series` are rows of sessions, `sessions` their sum, `draws` how often labels were drawn for one of them.
    """

    series: int
    sessions: int
    draws: int
    helps: int
    harms: int

    @property
    def allowed(self) -> int:
        """So often in one direction is within chance, if one in twenty is."""
        level = 1 / process.ENOUGH
        return math.floor(self.draws * level + 3 * math.sqrt(self.draws * level * (1 - level)))

    @property
    def is_sound(self) -> bool:
        """Whether no more was found than chance explains."""
        return max(self.helps, self.harms) <= self.allowed


def run(seed: int) -> Result | None:
    """Draws the labels of all sessions that are known; None where there are too few of them."""
    series = [values for values in (*_measured(), *_captured()) if len(values) >= LEAST]
    if not series:
        return None
    total = sum(map(len, series))
    draws = max(1, min(_DRAWS, _STEPS // total))
    lot = random.Random(seed)
    found = [_found(values, lot) for values in series for _ in range(draws)]
    return Result(len(series), total, len(found), found.count("helps"), found.count("harms"))


def _found(values: Sequence[float], lot: random.Random) -> str:
    evidence = Evidence()
    for value in values:
        evidence = evidence.after(Unit(lot.random() < SHARE, value))
        if process.is_enough(evidence.helps):
            return "helps"
        if process.is_enough(evidence.harms):
            return "harms"
    return ""


def _measured() -> Iterator[list[float]]:
    """The sessions of each test, whatever they really got."""
    return ([unit.bad for unit in stratum.units] for stratum in gather())


def _captured() -> Iterator[list[float]]:
    """The sessions that are kept of each project, by signals of trouble: there before anything was ever measured."""
    return (_values(project) for project in reader.projects())


def _values(project: str) -> list[float]:
    open_: dict[str, Listener] = {}
    values: list[float] = []
    for position, record in islice(reader.read(project), _EVENTS):
        observation = Observation.from_record(record, position.id)
        if not observation.session:
            continue
        listener = open_.setdefault(observation.session, Listener(words=False))
        listener.feed(observation, record.get("edited") is True)
        if observation.event == "session_end":
            values += _value(open_.pop(observation.session))
    return values + [value for listener in open_.values() for value in _value(listener)]


def _value(listener: Listener) -> list[float]:
    value = signals.pooled(listener.found.calls).value
    return [] if value is None else [value]


def today(now: datetime) -> int:
    """The seed of a day: looked at twice a day, it says the same."""
    return now.toordinal()
