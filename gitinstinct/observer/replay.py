"""Analysing again what an earlier run saw, with today's detector or another one.

No cursor moves and no evidence counts twice: what is known by its origin adds nothing. What is new lands as a commit
of its own that names the run which it replays.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from gitinstinct.clock import milliseconds
from gitinstinct.config import Config
from gitinstinct.instinct.ledger import encode_time
from gitinstinct.observer import detectors, landing, past, run, state
from gitinstinct.observer.detector import kind
from gitinstinct.observer.gates import Gate
from gitinstinct.observer.landing import Run
from gitinstinct.observer.past import Range
from gitinstinct.observer.run import Outcome
from gitinstinct.observer.tally import Tally
from gitinstinct.store import homes, runs
from gitinstinct.store.commit import Written

if TYPE_CHECKING:
    from gitinstinct.capture.project import Project


def replay(
    project: Project, now: datetime, config: Config, within: Range, *,
    detector: str | None = None, dry_run: bool = False,
) -> Outcome:  # fmt: skip
    """Analyses a range of observations again and commits what is new.

    Args:
        project: whose observations.
        now: the time of the run; dates of the evidence are those of the sessions.
        config: the person's settings.
        within: what to analyse.
        detector: the kind of detector; the one of the settings if None.
        dry_run: tell what would be learned and write nothing.

    Raises:
        EnvironmentFault: the store has to wait, git, the disk or the detector failed; nothing was written.
        UsageError: there is no such detector.
    """
    chosen = detector or config.observer.detector
    with run.alone(project, now, True) as busy:
        if busy:
            return Outcome(stopped=Gate("lock", False, busy))
        tally = Tally()
        finder = detectors.make(chosen, config, run.setting(project, tally, now, chosen))
        read = past.again(project, within, tally, finder)
        told = Run(
            encode_time(milliseconds(now)), now, finder, read.observations, _cursor(project, chosen),
            run.is_trusted(finder, config), within.name,
        )  # fmt: skip
        if dry_run:
            landed, written = landing.rehearse(project, read.proposals), Written()
        else:
            landed, written = landing.land(project, read.proposals, told)
            finder.committed()
        refused = (*finder.refused, *landed.refused)
        held = tuple((refusal.path, refusal.reason) for refusal in written.held)
        return Outcome(
            told.name, read.observations, tuple(landed.learned), refused, written.commit, None, written.pending, held,
            finder.name, finder.spent,
        )  # fmt: skip


def _cursor(project: Project, chosen: str) -> dict[str, int]:
    """How far that kind of detector has read: a replay's record says so again."""
    store = homes.find(project)
    record = runs.latest(store.repo, kind(chosen)) if store is not None else None
    return past.cursor(record) if record is not None else dict(state.load(project.id, chosen).cursor)
