"""What a detector that asks a model has to know besides events: for which project, when, and what is known already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from gitinstinct.instinct.model import Instinct
from gitinstinct.observer.tally import Tally


@dataclass(frozen=True, slots=True)
class Setting:
    """The circumstances of a run.

    Attributes:
        project: the id of the project; its spending is written down under it.
        root: the project's folder; "" if it is not known. What its files set in the environment is not believed.
        now: the time of the run.
        tally: what was sighted before. It grows while the run reads.
        instincts: what the store holds, the surest first.
    """

    project: str
    root: str
    now: datetime
    tally: Tally = field(default_factory=Tally)
    instincts: Sequence[Instinct] = ()
