"""What a detector hands over: patterns with their evidence, as data."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one session showed of a pattern.

    `early` tells that the session had shown it by the moment when the pattern first qualified; `count` are its
    sightings so far, `first` the moment of the first one, `observations` the ids of some that are cited.
    """

    project: str
    session: str
    first: datetime
    count: int
    observations: tuple[str, ...]
    early: bool


@dataclass(frozen=True, slots=True)
class Proposal:
    """A pattern in words, with its evidence in order of time.

    `qualified` tells whether there were sightings enough for an instinct of its own; one that is not may still
    confirm or contradict what is there. `seen` is the verb of its evidence: "asked for", "used".
    """

    family: str
    name: str
    title: str
    trigger: str
    action: str
    domain: str
    seen: str
    evidence: tuple[Evidence, ...]
    qualified: bool

    @property
    def sightings(self) -> int:
        """All sightings in all sessions."""
        return sum(shown.count for shown in self.evidence)
