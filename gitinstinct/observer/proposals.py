"""What is proposed to the store: patterns in words with their evidence, made from the tally."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from gitinstinct.observer.pattern import BASE, CORRECTION, ERROR_FIX, PREFERENCE, WORKFLOW
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


def from_tally(tally: Tally, project: str, foreign: Mapping[str, str]) -> list[Proposal]:
    """Every pattern that is remembered, also those that have not qualified: they may confirm or contradict.

    Args:
        tally: the sightings.
        project: the id under which they were captured.
        foreign: session → another id that was recorded with it (the project's former one).
    """
    told = (record for record in tally.records() if record.pattern.family != BASE and record.sessions)
    return [_proposal(record, project, foreign) for record in told]


def _proposal(record: Record, project: str, foreign: Mapping[str, str]) -> Proposal:
    pattern = record.pattern
    shown = sorted(record.sessions.values(), key=lambda evidence: (evidence.first, evidence.session))
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
        seen=_SEEN[pattern.family],
        evidence=tuple(evidence),
        qualified=record.qualified is not None,
    )
