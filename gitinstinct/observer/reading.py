"""One pass over what was captured: the new observations go through the detector, their sightings into the tally."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from gitinstinct.capture.reader import Line
from gitinstinct.observer import source
from gitinstinct.observer.events import Observation
from gitinstinct.observer.local.detector import LocalDetector
from gitinstinct.observer.state import State
from gitinstinct.store import homes

if TYPE_CHECKING:
    from gitinstinct.capture.project import Project


@dataclass(slots=True)
class Reading:
    """What one pass over the spool brought."""

    detector: LocalDetector
    observations: int = 0
    newest: datetime | None = None
    faults: Counter[str] = field(default_factory=Counter)
    first: dict[str, str] = field(default_factory=dict)

    def told(self) -> dict[str, str]:
        """Fault → how often, and where first."""
        return {fault: f"{number}, first in {self.first[fault]}" for fault, number in sorted(self.faults.items())}

    def count(self, observation: Observation) -> None:
        """One new observation."""
        self.observations += 1
        if observation.at and (self.newest is None or observation.at > self.newest):
            self.newest = observation.at

    def note(self, line: Line) -> None:
        """Lines that are no observation, or were mended, each kind with the place of its first one."""
        if line.fault:
            self.faults[line.fault] += 1
            self.first.setdefault(line.fault, f"{line.segment}, byte {line.offset}")


def read(project: Project, memory: State) -> Reading:
    """Feeds the detector with what is new, and with the beginnings of open sessions as context.

    Moves the memory's cursor and fills its tally; the caller decides whether that is kept.
    """
    pass_ = Reading(LocalDetector())
    was_open, cursor = set(memory.open), dict(memory.cursor)
    for found in source.read(project.id, homes.aliases(project.id), memory.start()):
        line, is_new = found.line, found.line.offset >= cursor.get(found.segment, 0)
        if is_new:
            memory.cursor[found.segment] = line.end
            pass_.note(line)
        if line.record is None:
            continue
        observation = Observation.from_record(line.record, found.id)
        if is_new:
            pass_.count(observation)
            memory.follow(observation, found.segment, line.offset, found.project if found.is_former else "")
        elif observation.session not in was_open:
            continue
        for sighting in pass_.detector.feed(observation):
            memory.tally.add(sighting)
    memory.close_idle(pass_.newest)
    return pass_
