"""One pass over what was captured: the new observations go through the detector, their sightings into the tally."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from gitinstinct.observer.events import Observation
from gitinstinct.observer.local.detector import LocalDetector
from gitinstinct.observer.proposals import Collector
from gitinstinct.observer.source import Source
from gitinstinct.observer.state import State
from gitinstinct.store import homes

if TYPE_CHECKING:
    from gitinstinct.capture.project import Project


@dataclass(slots=True)
class Reading:
    """What one pass brought: how many new observations, the newest moment among them, and what was no record."""

    detector: LocalDetector
    collector: Collector = field(default_factory=Collector)
    observations: int = 0
    newest: datetime | None = None
    faults: list[str] = field(default_factory=list)

    def count(self, observation: Observation) -> None:
        """One new observation."""
        self.observations += 1
        if observation.at and (self.newest is None or observation.at > self.newest):
            self.newest = observation.at


def read(project: Project, memory: State) -> Reading:
    """Feeds the detector with what is new, and with the beginnings of open sessions as context.

    Moves the memory's cursor and fills its tally; the caller decides whether that is kept.
    """
    made = Reading(LocalDetector())
    was_open, cursor = set(memory.open), memory.cursor
    source = Source(project.id, homes.aliases(project.id), memory.start())
    for found in source:
        observation = Observation.from_record(found.record, found.id)
        if found.offset >= cursor.get(found.segment, 0):
            made.count(observation)
            memory.follow(observation, found)
        elif observation.session not in was_open:
            continue
        for sighting in made.detector.feed(observation):
            made.collector.add(memory.tally, sighting)
    memory.cursor = source.cursor
    memory.close_idle(made.newest)
    made.faults = source.faults
    return made
