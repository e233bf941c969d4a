"""What has been seen and is not yet learned: sightings by pattern and session, for thirty days.

A pattern qualifies at one point of the stream of events, never by where a run happened to end: the sessions that had
shown it by then founded it, later ones confirm it. The tally is plain data, bounded, and kept as JSON; losing it loses
no truth, for it can be made again from the observations that are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import lru_cache

from gitinstinct.observer.pattern import (
    BASE,
    CORRECTION,
    EDIT,
    ERROR_FIX,
    MODEL,
    PREFERENCE,
    STEP,
    WORKFLOW,
    Pattern,
    Sighting,
)

KEPT = timedelta(days=30)
"""How long a sighting counts."""

_MOST_PATTERNS = 5_000
_MOST_SESSIONS = 256  # of one pattern; the oldest go first
_MOST_IDS = 4  # of one session
_MOST_VARIANTS = 8
_COMPANY = 0.66  # of the runs of its rarest other step, those that a workflow must make up


@dataclass(frozen=True, slots=True)
class _Rule:
    """What a family asks for; `share` is the part of its occasions that a pattern must make up."""

    sightings: int
    sessions: int = 1
    variants: int = 0
    share: float = 0.0


_RULES = {
    CORRECTION: _Rule(3),
    ERROR_FIX: _Rule(3, share=0.5),
    WORKFLOW: _Rule(3, share=0.66),
    PREFERENCE: _Rule(8, sessions=3, variants=2, share=0.6),
}
_MODEL_RULE = _Rule(3)


@dataclass(slots=True)
class Evidence:
    """What one session has shown of one pattern.

    `is_founding` tells that it was shown when the pattern qualified, or before: such sessions are worth one `observed`
    line each, later ones one `confirmed`. `observations` are the anchors of the first four sightings.
    """

    session: str
    count: int
    first: datetime
    last: datetime
    observations: tuple[str, ...] = ()
    is_founding: bool = False


@dataclass(slots=True)
class Record:
    """One pattern with its sessions, oldest first. `qualified` is when it qualified, in the time of events.

    `mark` is the place of the last sighting that was counted: those of a replay lie before it.
    """

    pattern: Pattern
    sessions: dict[str, Evidence] = field(default_factory=dict)
    variants: tuple[str, ...] = ()
    qualified: datetime | None = None
    mark: tuple[int, ...] = ()
    count: int = field(init=False)

    def __post_init__(self) -> None:
        """`count` are all sightings that are kept: it is asked for at every sighting of a related pattern."""
        self.count = sum(evidence.count for evidence in self.sessions.values())

    def add(self, sighting: Sighting) -> bool:
        """Count a sighting; False if it was counted before."""
        mark = _place(sighting)
        if mark <= self.mark:
            return False
        self.mark = mark
        self.forget(sighting.at)
        if sighting.variant not in self.variants:
            self.variants = (*self.variants, sighting.variant)[-_MOST_VARIANTS:]
        # Mere occasions are many and belong to no ledger line, so a day of them is one entry.
        session = sighting.session if sighting.pattern.family != BASE else sighting.at.date().isoformat()
        evidence = self.sessions.get(session)
        if evidence is None:
            evidence = self.sessions[session] = Evidence(session, 0, sighting.at, sighting.at)
        evidence.count += 1
        self.count += 1
        evidence.first, evidence.last = min(evidence.first, sighting.at), max(evidence.last, sighting.at)
        if sighting.pattern.family != BASE:
            evidence.observations = (*evidence.observations, sighting.anchor)[:_MOST_IDS]
        return True

    def near(self, at: datetime) -> list[Evidence]:
        """The sessions that are not thirty days later than a sighting: a past is told when newer ones are known."""
        return [evidence for evidence in self.sessions.values() if evidence.last - at <= KEPT]

    def forget(self, now: datetime) -> None:
        """Drop the sessions that are too old, or too many."""
        recent = [evidence for evidence in self.sessions.values() if now - evidence.last <= KEPT]
        if len(recent) < len(self.sessions) or len(recent) > _MOST_SESSIONS:
            self.sessions = {evidence.session: evidence for evidence in recent[-_MOST_SESSIONS:]}
            self.count = sum(evidence.count for evidence in self.sessions.values())


class Tally:
    """The sightings of one project."""

    def __init__(self, records: Sequence[Record] = ()) -> None:
        self._records = {record.pattern.signature: record for record in records}
        self._index()

    def add(self, sighting: Sighting) -> Record | None:
        """Count a sighting; its record, if it counted and the pattern is qualified now.

        What was counted before changes nothing. Sightings have to come in the order of events, as a detector finds
        them; a replay may begin anywhere.
        """
        record = self._record(sighting.pattern)
        if not record.add(sighting):
            return None
        if record.qualified is None and self._qualifies(record, sighting.at):
            record.qualified = sighting.at
            record.pattern = _worded(record)
            for evidence in record.near(sighting.at):
                evidence.is_founding = True
            self._index()
        return record if record.qualified else None

    def get(self, signature: str) -> Record | None:
        """What is known of a pattern."""
        return self._records.get(signature)

    def qualified(self, signature: str) -> bool:
        """Whether a pattern was seen often enough."""
        record = self._records.get(signature)
        return record is not None and record.qualified is not None

    def records(self) -> list[Record]:
        """Everything that is kept, what was seen last at the end."""
        return list(self._records.values())

    def prune(self, now: datetime) -> None:
        """Forget what was last seen more than thirty days before."""
        for record in self._records.values():
            record.forget(now)
        self._records = {key: record for key, record in self._records.items() if record.sessions}
        self._index()

    def _record(self, pattern: Pattern) -> Record:
        """The pattern's record, moved to the end; it takes the newest words until it qualifies, specific ones first."""
        record = self._records.pop(pattern.signature, None)
        if record is None:
            record = Record(pattern)
            self._note_steps(pattern)
        if record.qualified is None and (pattern.specific or not record.pattern.specific):
            record.pattern = pattern
        self._records[pattern.signature] = record
        if len(self._records) > _MOST_PATTERNS:
            self._thin()
        return record

    def _thin(self) -> None:
        """Drop a tenth: what qualified stays, then what more sessions showed, then what was seen last."""

        def worth(record: Record) -> tuple[bool, int]:
            return record.qualified is not None, len(record.sessions)

        *others, newest = self._records.values()
        kept = {record.pattern.signature for record in sorted(others, key=worth)[_MOST_PATTERNS // 10 :]}
        kept.add(newest.pattern.signature)
        self._records = {key: record for key, record in self._records.items() if key in kept}
        self._index()

    def _qualifies(self, record: Record, at: datetime) -> bool:
        family = record.pattern.family
        rule = _MODEL_RULE if family.startswith(MODEL) else _RULES.get(family)
        return (
            rule is not None
            and sum(evidence.count for evidence in record.near(at)) >= rule.sightings
            and len(record.near(at)) >= rule.sessions
            and len(record.variants) >= rule.variants
            and self._is_usual(record, rule)
            and not _is_recital(record)
            and not self._is_refused(record.pattern)
            and not (record.pattern.family == WORKFLOW and self._is_lesser(record))
        )

    def _is_usual(self, record: Record, rule: _Rule) -> bool:
        """Whether it makes up enough of its occasions."""
        found = (self._records.get(signature) for signature in record.pattern.occasions)
        return record.count >= rule.share * sum(other.count for other in found if other)

    def _is_refused(self, pattern: Pattern) -> bool:
        """A preference for what a person corrected away from, in any session that is remembered."""
        if pattern.family != PREFERENCE:
            return False
        words = set(pattern.signature.split("\0")[1].casefold().split())
        refused = (key.split("\0")[2] for key in self._records if key.startswith(f"{CORRECTION}\0"))
        return any(term in words for term in refused)

    def _is_lesser(self, record: Record) -> bool:
        """A workflow that another one tells better, or that only chance makes."""
        steps = _steps(record.pattern)
        is_told = any(_tells_same(steps, known) for known in self._workflows)
        return is_told or self._is_chance(record, steps) or self._is_growing(record, steps)

    def _is_chance(self, record: Record, steps: tuple[str, ...]) -> bool:
        """Where every other step runs mostly without it; what follows an edit may follow other edits as well."""
        if steps[0].startswith(EDIT):
            return False
        others = (self._records.get(f"{STEP}\0{step}") for step in steps)
        counts = [other.count for other in others if other and other.pattern.signature not in record.pattern.occasions]
        return bool(counts) and record.count < _COMPANY * min(counts)

    def _is_growing(self, record: Record, steps: tuple[str, ...]) -> bool:
        """Where a longer one that holds it was seen almost as often: that one may yet qualify, and says more."""
        rule = _RULES[WORKFLOW]
        rarest = min((self._by_step.get(step, _NOWHERE) for step in steps), key=len)
        others = (self._records[signature] for signature in rarest)
        return any(
            other.count >= rule.share * record.count
            and _is_longer(_steps(other.pattern), steps)
            and self._is_usual(other, rule)
            for other in others
        )

    def _index(self) -> None:
        """Which workflows qualified, and in which workflows each step stands."""
        workflows = [record for record in self._records.values() if record.pattern.family == WORKFLOW]
        self._workflows = [_steps(record.pattern) for record in workflows if record.qualified]
        self._by_step: dict[str, set[str]] = {}
        for record in workflows:
            self._note_steps(record.pattern)

    def _note_steps(self, pattern: Pattern) -> None:
        if pattern.family == WORKFLOW:
            for step in _steps(pattern):
                self._by_step.setdefault(step, set()).add(pattern.signature)


_NOWHERE: frozenset[str] = frozenset()


def _is_recital(record: Record) -> bool:
    """A correction that was only ever said in the very same text, with no sign that it is about tools."""
    return record.pattern.family == CORRECTION and len(record.variants) == 1 and record.variants != ("",)


def _worded(record: Record) -> Pattern:
    """The pattern in the words that it keeps: the exact ones where nothing ever varied."""
    if not record.pattern.exact or len(record.variants) > 1:
        return record.pattern
    action, title = record.pattern.exact
    return replace(record.pattern, action=action, title=title)


def _steps(workflow: Pattern) -> tuple[str, ...]:
    return _split(workflow.signature)


@lru_cache(maxsize=2 * _MOST_PATTERNS)
def _split(signature: str) -> tuple[str, ...]:
    return tuple(signature.split("\0")[1:])


def _tells_same(steps: Sequence[str], known: Sequence[str]) -> bool:
    """Whether one is a part of the other, or both hold the same two commands and do not begin with different edits."""
    begin = {steps[0], known[0]}
    is_other = len(begin) == 2 and all(step.startswith(EDIT) for step in begin)
    return is_part(steps, known) or is_part(known, steps) or (len({*steps} & {*known}) > 1 and not is_other)


def _is_longer(whole: Sequence[str], part: Sequence[str]) -> bool:
    return len(whole) > len(part) and is_part(part, whole)


def is_part(part: Sequence[str], whole: Sequence[str]) -> bool:
    """Whether steps stand in this order in a sequence that may begin at any of its steps."""
    rotations = ([*whole[place:], *whole[:place]] for place in range(len(whole)))
    return any(_is_within(part, rotation) for rotation in rotations)


def _is_within(part: Sequence[str], whole: Sequence[str]) -> bool:
    steps = iter(whole)
    return all(step in steps for step in part)


def _place(sighting: Sighting) -> tuple[int, ...]:
    """Where a sighting stands in the order of events: by its anchor, then by its first observation."""
    ids = (sighting.anchor, sighting.observations[0])
    return tuple(int(part) if part.isdecimal() else 0 for identity in ids for part in (identity + ":").split(":")[:2])
