"""From the tally's records to proposals."""

from __future__ import annotations

from gitinstinct.observer.pattern import BASE, CORRECTION, ERROR_FIX, PREFERENCE, WORKFLOW
from gitinstinct.observer.proposals import Evidence, Proposal
from gitinstinct.observer.tally import Record, Tally

_SEEN = {
    CORRECTION: "asked for",
    ERROR_FIX: "mended the failure",
    WORKFLOW: "done in this order",
    PREFERENCE: "used",
}


def proposals(tally: Tally, project: str) -> list[Proposal]:
    """Every pattern that is remembered, also those that have not qualified: they may confirm or contradict."""
    return [
        _proposal(record, project) for record in tally.records() if record.pattern.family != BASE and record.sessions
    ]


def _is_told(record: Record) -> bool:
    return record.pattern.family != BASE and bool(record.sessions)


def _proposal(record: Record, project: str) -> Proposal:
    pattern = record.pattern
    shown = sorted(record.sessions.values(), key=lambda evidence: (evidence.first, evidence.session))
    return Proposal(
        family=pattern.family,
        name=pattern.name,
        title=pattern.title,
        trigger=pattern.trigger,
        action=pattern.action,
        domain=pattern.domain,
        seen=_SEEN[pattern.family],
        evidence=tuple(
            Evidence(project, one.session, one.first, one.count, one.observations, one.is_founding) for one in shown
        ),
        qualified=record.qualified is not None,
    )
