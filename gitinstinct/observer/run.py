"""One observer run: read what is new, detect, validate, reconcile, commit.

The cursor moves in the same transaction as the branch, on the private ref of the store; the tally follows. Whatever is
killed in between is healed by reading again: evidence that is known adds nothing. A run that fails consumes nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from gitinstinct import paths
from gitinstinct.capture import reader
from gitinstinct.capture.redact import findings
from gitinstinct.clock import milliseconds
from gitinstinct.config import REVIEW_ALL, Config
from gitinstinct.errors import EnvironmentFault, FatalError
from gitinstinct.git.blobs import blobs
from gitinstinct.git.identity import OBSERVER
from gitinstinct.instinct import ids, markdown
from gitinstinct.instinct.ledger import encode_time, origins, parse_line
from gitinstinct.instinct.shelf import Shelf
from gitinstinct.observer import message, reading, source, state
from gitinstinct.observer.gates import Facts, Gate, closed
from gitinstinct.observer.proposals import Proposal
from gitinstinct.observer.reading import Reading
from gitinstinct.observer.reconcile import Home, Learned, Reconciled, reconcile
from gitinstinct.observer.state import State
from gitinstinct.store import commit, history, homes, layout, library, runs
from gitinstinct.store.commit import Change
from gitinstinct.store.tree import Tree
from gitinstinct.trust import giving

if TYPE_CHECKING:
    from gitinstinct.capture.project import Project


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run did.

    `stopped` is the gate that kept it from starting, or None; `commit` is None if nothing was learned. `pending` says
    why the files of the store's work tree could not follow yet, `held` names a person's edits that are not committed.
    """

    run: str = ""
    observations: int = 0
    learned: tuple[Learned, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()
    commit: str | None = None
    stopped: Gate | None = None
    pending: str = ""
    held: tuple[tuple[str, str], ...] = ()


def observe(
    project: Project, now: datetime, config: Config, *, skip_gates: bool = False, dry_run: bool = False
) -> Outcome:
    """Analyses what a project's sessions showed since the last run, and commits what was learned.

    Args:
        project: whose observations.
        now: the time of the run; dates of the evidence are those of the sessions.
        config: the person's settings.
        skip_gates: run whatever the gates say.
        dry_run: tell what would be learned and write nothing.

    Raises:
        EnvironmentFault: the store has to wait, or git or the disk failed; nothing was consumed.
    """
    with _alone(project.id) as is_alone:
        if not is_alone:
            return Outcome(stopped=Gate("lock", False, "another run is at work"))
        if not dry_run:
            homes.settle(project, now)
        memory = _memory(project)
        gate = None if skip_gates else closed(config, facts(project, memory, now))
        if gate is not None:
            return Outcome(stopped=gate)
        try:
            return _run(project, memory, now, config, dry_run)
        except Exception as error:
            if not dry_run:
                _remember_failure(project, error, now)
            raise


def facts(project: Project, memory: State, now: datetime) -> Facts:
    """What the gates look at."""
    waiting = source.waiting(project.id, homes.aliases(project.id), memory.cursor)
    last = memory.last.get("at")
    return Facts(
        now=now,
        local_hour=now.astimezone().hour,
        waiting=waiting.lines,
        last_run=datetime.fromisoformat(last) if last else None,
        last_captured=waiting.newest,
    )


def _memory(project: Project) -> State:
    """The state, or a fresh start where it and the store do not agree on how far was read."""
    memory = state.load(project.id)
    store = homes.find(project)
    record = runs.latest(store.repo) if store is not None else None
    known = dict(record.get("cursor", {})) if record else {}  # type: ignore[arg-type]
    if store is not None and known != memory.cursor:
        memory.forget_reading()
    return memory


def _run(project: Project, memory: State, now: datetime, config: Config, dry_run: bool) -> Outcome:
    name = encode_time(milliseconds(now))
    before = memory.cursor
    read = reading.read(project, memory)
    if memory.cursor == before:
        return Outcome(name)
    proposals = read.collector.proposals(memory.tally, project.id, memory.foreign)
    if dry_run:
        return _rehearsed(project, proposals, name, read)
    outcome = _committed(project, proposals, memory, name, read, now, config)
    memory.tally.prune(read.newest or now)
    memory.last = {
        "run": name, "at": now.isoformat(), "detector": read.detector.name, "observations": read.observations,
        "learned": message.subject(outcome.learned), "refused": [list(pair) for pair in outcome.refused],
        "faults": read.faults,
    }  # fmt: skip
    memory.failure = {}
    state.save(project.id, memory)
    reader.expire(project.id, memory.cursor, now)
    return outcome


def _rehearsed(project: Project, proposals: list[Proposal], name: str, read: Reading) -> Outcome:
    store = homes.find(project)
    found = _reconciled(project, proposals, library.newest(store) if store is not None else None)
    return Outcome(name, read.observations, tuple(found.learned), tuple(found.refused))


def _reconciled(project: Project, proposals: list[Proposal], tree: Tree | None) -> Reconciled:
    if tree is None:
        return reconcile(Shelf(), proposals, _home(project), findings)
    return reconcile(library.of_tree(tree), proposals, _home(project), findings, cache(partial(_past, tree)))


def _committed(
    project: Project, proposals: list[Proposal], memory: State, name: str, read: Reading, now: datetime,
    config: Config,
) -> Outcome:  # fmt: skip
    """Lands the evidence and the cursor in one transaction. Without a store, one is made once there is something."""
    store = homes.find(project)
    if store is None:
        if not _reconciled(project, proposals, None).learned:
            return Outcome(name, read.observations)
        store = homes.make(project, now)
    landed = Reconciled()

    def plan(tree: Tree) -> Change:
        nonlocal landed
        landed = _reconciled(project, proposals, tree)
        told = message.message(
            landed.learned, landed.refused, run=name, detector=read.detector.name, observations=read.observations
        )
        record = _record(landed, memory, name, read, now)
        return Change(dict(landed.files), told, author=OBSERVER, record=record)

    written = commit.write(store, plan, now)
    if written.commit is not None:
        if _is_trusted(read.detector.name, config):
            _trust(landed, read.detector.name, now)
        history.keep_up(store.repo)
    held = tuple((refusal.path, refusal.reason) for refusal in written.held)
    return Outcome(
        name,
        read.observations,
        tuple(landed.learned),
        tuple(landed.refused),
        written.commit,
        None,
        written.pending,
        held,
    )


_TEMPLATES = "local/"
"""The detector whose words are templates of ours. A model's can be steered by what it reads, so they wait."""


def _is_trusted(detector: str, config: Config) -> bool:
    """Whether the words of a detector need nobody's consent: not where a person wants to see all that is proposed."""
    return config.review != REVIEW_ALL and (config.trust.models or detector.startswith(_TEMPLATES))


def _trust(landed: Reconciled, detector: str, now: datetime) -> None:
    made = (landed.files[ids.path_of(told.id)] for told in landed.learned if told.verb == "new")
    giving.landed((markdown.parse(data) for data in made), detector, now)


def _record(landed: Reconciled, memory: State, name: str, read: Reading, now: datetime) -> runs.Record:
    """What is private to this machine: never pushed, moved with the branch."""
    cited = sorted({one for told in landed.learned for one in told.cited})
    return {
        "run": name,
        "at": now.isoformat(),
        "detector": read.detector.name,
        "observations": read.observations,
        "cursor": memory.cursor,
        "cited": cited,
        "digest": hashlib.sha256("\n".join(cited).encode()).hexdigest(),
        "learned": [told.id for told in landed.learned],
        "refused": [list(pair) for pair in landed.refused],
        "tokens": 0,
        "cost": 0,
    }


def _past(tree: Tree, name: str) -> frozenset[str]:
    """Every origin that an instinct's file knew in any version, also those that were taken out again."""
    states = history.versions(tree.repo, ids.path_of(name), tree.commit)
    found = blobs(tree.repo, [state.blob for state in states if state.blob], layout.CAP)
    texts = [data.decode("utf-8", "replace") for data in found.values() if isinstance(data, bytes)]
    entries = [entry for text in texts for line in text.split("\n") if (entry := parse_line(line))]
    return frozenset(origins(entries))


def _home(project: Project) -> Home:
    if project.id == paths.GLOBAL:
        return Home(paths.GLOBAL)
    return Home("project", project.id, project.name)


def _remember_failure(project: Project, error: Exception, now: datetime) -> None:
    """For `status`. The state is loaded afresh: a failed run leaves nothing else behind."""
    memory = state.load(project.id)
    memory.failure = {"at": now.isoformat(), "reason": _reason(error)}
    try:
        state.save(project.id, memory)
    except OSError as full:
        place = paths.tally(project.id)
        raise EnvironmentFault(f"{_reason(error)}; and {place} cannot be written: {full.strerror}") from error


def _reason(error: Exception) -> str:
    if isinstance(error, FatalError):
        return error.message
    if isinstance(error, OSError):
        return f"{error.filename or 'the disk'}: {error.strerror or error}"
    return f"a bug: {type(error).__name__}"


@contextmanager
def _alone(project: str) -> Iterator[bool]:
    """Whether this is the only run of the project: a held lock, which a killed process cannot keep."""
    from filelock import FileLock, Timeout

    file = Path(paths.lock(f"observe-{project}"))
    paths.make_private(str(file.parent))
    lock = FileLock(file, timeout=0, mode=0o600)
    try:
        lock.acquire()
    except Timeout:
        yield False
        return
    try:
        yield True
    finally:
        lock.release()
