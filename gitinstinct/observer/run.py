"""One observer run: read what is new, detect, validate, reconcile, commit.

The cursor moves in the same transaction as the branch, on the private ref of the store; the tally follows. Whatever is
killed in between is healed by reading again: evidence that is known adds nothing. A run that fails consumes nothing;
one that fails after some answers keeps those. Each kind of detector reads for itself.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from gitinstinct.capture import reader
from gitinstinct.clock import milliseconds
from gitinstinct.config import REVIEW_ALL, Config
from gitinstinct.errors import FatalError
from gitinstinct.instinct.ledger import encode_time
from gitinstinct.observer import detectors, facts, failing, landing, locks, message, reading, state
from gitinstinct.observer.detector import LOCAL, Detector, Spent, kind
from gitinstinct.observer.gates import Gate, closed
from gitinstinct.observer.landing import Run
from gitinstinct.observer.reading import Reading
from gitinstinct.observer.recall import recall
from gitinstinct.observer.reconcile import Learned, Reconciled
from gitinstinct.observer.setting import Setting
from gitinstinct.observer.state import Cursor, State
from gitinstinct.observer.tally import Tally
from gitinstinct.store import homes, library
from gitinstinct.store.commit import Written

if TYPE_CHECKING:
    from gitinstinct.capture.project import Project
    from gitinstinct.instinct.model import Instinct

_IN_USE = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run did.

    `stopped` is the gate that kept it from starting, or None; `commit` is None if nothing was learned. `pending` says
    why the files of the store's work tree could not follow yet, `held` names a person's edits that are not committed.
    `fault` says why the detector went no further, after it had answered a part; `spent` is what it cost.
    """

    run: str = ""
    observations: int = 0
    learned: tuple[Learned, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()
    commit: str | None = None
    stopped: Gate | None = None
    pending: str = ""
    held: tuple[tuple[str, str], ...] = ()
    detector: str = ""
    spent: Spent = field(default_factory=Spent)
    fault: str = ""


def observe(
    project: Project, now: datetime, config: Config, *,
    skip_gates: bool = False, without: Collection[str] = (), dry_run: bool = False, detector: str | None = None,
) -> Outcome:  # fmt: skip
    """Analyses what a project's sessions showed since the last run, and commits what was learned.

    Args:
        project: whose observations.
        now: the time of the run; dates of the evidence are those of the sessions.
        config: the person's settings.
        skip_gates: run whatever the gates say. Ceilings of spending are none, and one run at a time is the rule still.
        without: gates that are not asked, by name.
        dry_run: tell what would be learned and write nothing. A model is asked all the same, and its answers are kept
            for the run that follows.
        detector: the kind of detector for this run; the one of the settings if None.

    Raises:
        EnvironmentFault: the store has to wait, git, the disk or the detector failed; nothing was consumed.
        UsageError: there is no such detector.
    """
    chosen = detectors.known(detector or config.observer.detector)
    with alone(project, now, skip_gates) as busy:
        if busy:
            return Outcome(stopped=Gate("lock", False, busy))
        if not dry_run:
            homes.settle(project, now)
        memory = recall(project, chosen)
        gate = None if skip_gates else closed(config, facts.gather(project, memory, now), without)
        if gate is not None:
            return Outcome(stopped=gate)
        finder = detectors.make(chosen, config, setting(project, memory.tally, now, chosen))
        run = Run(encode_time(milliseconds(now)), now, finder, 0, dict(memory.cursor), is_trusted(finder, config))
        try:
            return _rehearsed(project, memory, run) if dry_run else _run(project, memory, run, config)
        except Exception as error:
            if not dry_run:
                failing.remember(project.id, chosen, error, now)
                with contextlib.suppress(FatalError, OSError):
                    landing.note_failure(project, run, failing.reason(error))
            raise


def is_trusted(detector: Detector, config: Config) -> bool:
    """Whether the words of a detector need nobody's consent: not where a person wants to see all that is proposed.

    The local detector's words are templates of ours. A model's can be steered by what it reads, so they wait.
    """
    return config.review != REVIEW_ALL and (config.trust.models or kind(detector.name) == LOCAL)


def setting(project: Project, tally: Tally, now: datetime, kind: str) -> Setting:
    """What a detector of that kind has to know besides events."""
    instincts = [] if kind == LOCAL else _instincts(project, now)
    return Setting(project.id, project.root, now, tally, instincts)


def _instincts(project: Project, now: datetime) -> list[Instinct]:
    """What the store holds, the surest first."""
    store = homes.find(project)
    held = library.read(store).items.values() if store is not None else ()
    day = now.date().isoformat()
    found = [(-item.fold(day).confidence, item.instinct) for item in held]
    return [one for _, one in sorted(found, key=lambda pair: (pair[0], pair[1].id)) if not one.forgotten]


def _rehearsed(project: Project, memory: State, run: Run) -> Outcome:
    before = memory.cursor
    read = reading.read(project, memory, run.detector)
    if memory.cursor == before:
        return Outcome(run.name, detector=run.detector.name)
    found = landing.rehearse(project, read.collector.proposals(memory.tally, project.id, memory.foreign))
    return _outcome(run, read, found, Written())


def _run(project: Project, memory: State, run: Run, config: Config) -> Outcome:
    before = memory.cursor
    read = reading.read(project, memory, run.detector)
    if memory.cursor == before:
        return Outcome(run.name, detector=run.detector.name)
    proposals = read.collector.proposals(memory.tally, project.id, memory.foreign)
    done = Run(run.name, run.now, run.detector, read.observations, memory.cursor, run.is_trusted)
    landed, written = landing.land(project, proposals, done)
    memory.tally.prune(read.newest or run.now)
    memory.last = {
        "run": run.name, "at": run.now.isoformat(), "detector": run.detector.name, "observations": read.observations,
        "learned": message.subject(landed.learned), "faults": read.faults,
        "refused": [list(pair) for pair in (*run.detector.refused, *landed.refused)],
    }  # fmt: skip
    facts.note_run(run.now)
    memory.failure = {}
    if read.stopped is not None:
        memory.failure = failing.told(memory, read.stopped, run.now)
    state.save(project.id, memory)
    run.detector.committed()
    reader.expire(project.id, _passed(project.id, memory, config.observer.detector, run.now), run.now)
    return _outcome(run, read, landed, written)


def _outcome(run: Run, read: Reading, landed: Reconciled, written: Written) -> Outcome:
    return Outcome(
        run.name, read.observations, tuple(landed.learned), (*run.detector.refused, *landed.refused), written.commit,
        None, written.pending, tuple((refusal.path, refusal.reason) for refusal in written.held),
        run.detector.name, run.detector.spent, read.stopped.message if read.stopped else "",
    )  # fmt: skip


def _passed(project: str, memory: State, chosen: str, now: datetime) -> Cursor:
    """How far all detectors in use have read: this one, the chosen one, and what ran within thirty days."""
    others = [state.load(project, one) for one in {*state.known(project), chosen} - {memory.detector}]
    used = [other.cursor for other in others if other.detector == chosen or _is_recent(other, now)]
    return {name: min(end, *(cursor.get(name, 0) for cursor in used)) if used else end
            for name, end in memory.cursor.items()}  # fmt: skip


def _is_recent(memory: State, now: datetime) -> bool:
    last = memory.last.get("at")
    return last is not None and now - datetime.fromisoformat(str(last)) <= _IN_USE


_PATIENCE = 10.0  # seconds that a person waits for a run of another project


@contextmanager
def alone(project: Project, now: datetime, is_asked_for: bool) -> Iterator[str]:
    """Holds the locks of a run, that of the project and that of the machine; gives what is at work instead, or ""."""
    what = f"a run of {project.name or project.id}"
    with locks.held(locks.of_project(project.id), what, now) as own:
        if own is None:
            yield locks.busy(locks.of_project(project.id)) or locks.ANOTHER
            return
        patience = {"seconds": _PATIENCE} if is_asked_for else {}
        with locks.held(locks.MACHINE, what, now, **patience) as only:
            yield "" if only is not None else locks.busy(locks.MACHINE) or locks.ANOTHER
