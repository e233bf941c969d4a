"""Everything that was measured, put together: one test for each instinct, its words, and the model.

Other words or another model are another test. A global instinct is measured in all projects at once. The sessions stand
in the order in which their outcomes became known, so that a later look only ever adds to an earlier one.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from gitinstinct.measure import assigned, outcomes, verdicts
from gitinstinct.measure.assigned import Assigned
from gitinstinct.measure.decision import Decision, decide
from gitinstinct.measure.outcomes import CHECK, Outcome
from gitinstinct.measure.process import Unit
from gitinstinct.measure.shelves import owner


@dataclass(frozen=True)
class Stratum:
    """One test: the sessions that would have got these words with this model, and what came of them.

    `sessions` are those that are over, in order; `waiting` counts those that are not.
    """

    owner: str
    instinct: str
    text: str
    model: str
    sessions: tuple[tuple[Assigned, Outcome], ...]
    waiting: int = 0

    @property
    def words(self) -> tuple[str, str, str]:
        """Owner, id and text: what is held back, whatever the model."""
        return (self.owner, self.instinct, self.text)

    @property
    def units(self) -> list[Unit]:
        """The sessions that say something."""
        return [
            Unit(line.withheld, outcome.value, line.share)
            for line, outcome in self.sessions
            if outcome.value is not None
        ]

    @cached_property
    def decision(self) -> Decision:
        """What they say together."""
        return decide(self.units, may_be_inert=self.kind == CHECK)

    @property
    def kind(self) -> str:
        """How the sessions were judged; "" if none was yet."""
        return next((outcome.kind for _, outcome in self.sessions if outcome.value is not None), "")

    @property
    def last(self) -> datetime:
        """When the newest of its sessions began."""
        return max(line.at for line, _ in self.sessions)


def gather() -> list[Stratum]:
    """All tests with at least one session, by owner and id."""
    found: dict[tuple[str, str, str, str], list[tuple[Assigned, Outcome]]] = defaultdict(list)
    waiting: dict[tuple[str, str, str, str], int] = defaultdict(int)
    released = verdicts.released()
    for project in assigned.projects():
        known = {outcome.key: (place, outcome) for place, outcome in enumerate(outcomes.read(project))}
        for line in assigned.read(project).lines:
            whose = owner(project, line.scope)
            key = (whose, line.instinct, line.text, line.model)
            if not line.probation or line.at.isoformat() <= released.get((whose, line.instinct), ""):
                continue
            if line.key in known:
                found[key].append((line, known[line.key][1]))
            else:
                waiting[key] += 1
    return [
        Stratum(*key, tuple(sorted(found.get(key, ()), key=_known)), waiting.get(key, 0))
        for key in sorted(found.keys() | waiting.keys())
    ]


def _known(session: tuple[Assigned, Outcome]) -> tuple[str, datetime, str]:
    """In the order in which the outcomes became known; those of one look by when the sessions began."""
    line, outcome = session
    return (outcome.settled, line.at, line.session)
