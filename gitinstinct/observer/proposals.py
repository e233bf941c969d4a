"""What is proposed to the store: patterns in words with their evidence, made from what was sighted."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from gitinstinct.observer.pattern import BASE, CORRECTION, ERROR_FIX, MODEL, PREFERENCE, WORKFLOW, Sighting
from gitinstinct.observer.tally import Evidence as Shown
from gitinstinct.observer.tally import Record, Tally

_SEEN = {
    CORRECTION: "asked for",
    ERROR_FIX: "mended the failure",
    WORKFLOW: "done in this order",
    PREFERENCE: "used",
}


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one session showed of a pattern.

    `is_founding` tells that the session had shown it by the moment when the pattern first qualified; `count` are its
    sightings so far, `first` the moment of the first one, `observations` the ids of some that are cited.
    """

    project: str
    session: str
    first: datetime
    count: int
    observations: tuple[str, ...]
    is_founding: bool


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


class Collector:
    """What one pass over the observations showed, kept whole.

    The tally forgets after thirty days of events. A pass over a longer past must not lose what qualified in its
    beginning, so the evidence of what qualified, and of every correction, is kept here until the pass is reconciled.
    """

    def __init__(self) -> None:
        self._kept: dict[str, tuple[Record, dict[str, Shown]]] = {}

    def add(self, tally: Tally, sighting: Sighting) -> None:
        """Counts a sighting in the tally and keeps what it proves."""
        record = tally.add(sighting)
        if record is None and sighting.pattern.family == CORRECTION:
            record = tally.get(sighting.pattern.signature)
        if record is not None:
            _, sessions = self._kept.setdefault(sighting.pattern.signature, (record, dict(record.sessions)))
            if sighting.session in record.sessions:
                sessions[sighting.session] = record.sessions[sighting.session]

    def keep_only(self, signatures: Collection[str]) -> None:
        """Drops what is kept of all other patterns."""
        self._kept = {name: kept for name, kept in self._kept.items() if name in signatures}

    def proposals(self, tally: Tally, project: str, foreign: Mapping[str, str]) -> list[Proposal]:
        """Every pattern that is remembered, also those that have not qualified: they may confirm or contradict.

        Args:
            tally: the sightings.
            project: the id under which they were captured.
            foreign: session → another id that was recorded with it (the project's former one).
        """
        told = {record.pattern.signature: (record, record.sessions) for record in tally.records()}
        told |= {
            name: (record, sessions | told[name][1] if name in told else sessions)
            for name, (record, sessions) in self._kept.items()
        }
        return [
            _proposal(record, sessions, project, foreign)
            for record, sessions in told.values()
            if record.pattern.family != BASE and sessions
        ]


def _proposal(record: Record, sessions: Mapping[str, Shown], project: str, foreign: Mapping[str, str]) -> Proposal:
    pattern = record.pattern
    shown = sorted(sessions.values(), key=lambda one: (one.first, one.session))
    evidence = [
        Evidence(
            foreign.get(one.session, project), one.session, one.first, one.count, one.observations, one.is_founding
        )
        for one in shown
    ]
    return Proposal(
        family=pattern.family,
        name=pattern.name,
        title=pattern.title,
        trigger=pattern.trigger,
        action=pattern.action,
        domain=pattern.domain,
        seen=_SEEN[pattern.family.removeprefix(MODEL)],
        evidence=tuple(evidence),
        qualified=record.qualified is not None and any(one.is_founding for one in shown),
    )
