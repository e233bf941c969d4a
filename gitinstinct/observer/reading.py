"""Going over what was captured: the new observations go through the detector, their sightings into the tally.

In portions, as the detector wants them. A portion counts whole or not at all: where the detector cannot answer, the
memory stands where the last answer ended, and what was answered before is kept.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from gitinstinct.observer.detector import Detector, DetectorFault
from gitinstinct.observer.events import Observation
from gitinstinct.observer.proposals import Collector
from gitinstinct.observer.source import Source
from gitinstinct.observer.state import Cursor, State
from gitinstinct.store import homes

if TYPE_CHECKING:
    from gitinstinct.capture.project import Project


@dataclass(slots=True)
class Reading:
    """What was read: how many new observations, the newest moment among them, and what was no record.

    `stopped` is why the detector went no further, where it had answered something before.
    """

    detector: Detector
    collector: Collector = field(default_factory=Collector)
    observations: int = 0
    newest: datetime | None = None
    faults: list[str] = field(default_factory=list)
    stopped: DetectorFault | None = None

    def add(self, portion: _Portion) -> None:
        """One portion that was answered."""
        self.observations += portion.observations
        self.newest = max(filter(None, (self.newest, portion.newest)), default=None)
        self.faults += [told for told in portion.faults if told not in self.faults]


@dataclass(slots=True)
class _Portion:
    observations: int = 0
    newest: datetime | None = None
    faults: list[str] = field(default_factory=list)
    is_last: bool = True

    def count(self, observation: Observation) -> None:
        self.observations += 1
        if observation.at and (self.newest is None or observation.at > self.newest):
            self.newest = observation.at


def read(project: Project, memory: State, detector: Detector) -> Reading:
    """Feeds the detector with what is new, and with the beginnings of open sessions as context.

    Moves the memory's cursor and fills its tally; the caller decides whether that is kept.

    Raises:
        DetectorFault: the detector could not answer even once; the memory is as it was.
    """
    made = Reading(detector)
    is_last = False
    while not is_last:
        mark = memory.mark()
        try:
            portion = _portion(project, memory, made)
        except DetectorFault as fault:
            memory.back_to(mark)
            if not made.observations:
                raise
            made.stopped = fault
            break
        made.add(portion)
        is_last = portion.is_last
    return made


def _portion(project: Project, memory: State, made: Reading) -> _Portion:
    """Reads until the detector is full or nothing is left."""
    portion, was_open, before = _Portion(), set(memory.open), memory.cursor
    source = Source(project.id, homes.aliases(project.id), memory.start())
    for found in source:
        observation = Observation.from_record(found.record, found.id)
        is_new = found.offset >= before.get(found.segment, 0)
        if is_new:
            portion.count(observation)
            memory.follow(observation, found)
        elif observation.session not in was_open:
            continue
        for sighting in made.detector.feed(observation, is_new=is_new):
            made.collector.add(memory.tally, sighting)
        if is_new and made.detector.full:
            portion.is_last = False
            break
    for sighting in made.detector.finish():
        made.collector.add(memory.tally, sighting)
    memory.cursor = source.cursor if portion.is_last else _furthest(before, source.cursor)
    memory.close_idle(portion.newest)
    portion.faults = source.faults
    return portion


def _furthest(before: Cursor, reached: Cursor) -> Cursor:
    """How far was read when reading ended early: segments that were not come to stand where they stood."""
    return {name: max(end, before.get(name, 0)) for name, end in reached.items()}
