"""Bringing proposals into a store: reconciled with what it holds, as one commit with the evidence and the private
record in one transaction.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime
from functools import cache, partial
from typing import TYPE_CHECKING

from gitinstinct import paths
from gitinstinct.capture.redact import findings
from gitinstinct.git.blobs import blobs
from gitinstinct.git.identity import OBSERVER
from gitinstinct.instinct import ids, markdown
from gitinstinct.instinct.ledger import origins, parse_line
from gitinstinct.instinct.shelf import Shelf
from gitinstinct.observer import message
from gitinstinct.observer.detector import Detector
from gitinstinct.observer.proposals import Proposal
from gitinstinct.observer.reconcile import Home, Reconciled, reconcile
from gitinstinct.observer.state import Cursor
from gitinstinct.store import commit, history, homes, layout, library, runs
from gitinstinct.store.commit import Change, Written
from gitinstinct.store.tree import Tree
from gitinstinct.trust import giving

if TYPE_CHECKING:
    from gitinstinct.capture.project import Project


@dataclass(frozen=True, slots=True)
class Run:
    """What a run was: its name and time, who found, how much was read and up to where, whether its words need consent.

    `is_trusted`: they need none.
    """

    name: str
    now: datetime
    detector: Detector
    observations: int
    cursor: Cursor
    is_trusted: bool = False
    replays: str = ""


def rehearse(project: Project, proposals: list[Proposal]) -> Reconciled:
    """What would be learned; nothing is written."""
    store = homes.find(project)
    return _reconciled(project, proposals, library.newest(store) if store is not None else None)


def land(project: Project, proposals: list[Proposal], run: Run) -> tuple[Reconciled, Written]:
    """Lands the evidence and the cursor in one transaction. Without a store, one is made once there is something.

    Raises:
        EnvironmentFault: the store has to wait, or git or the disk failed; nothing was consumed.
    """
    store = homes.find(project)
    if store is None:
        found = _reconciled(project, proposals, None)
        if not found.learned:
            return found, Written()
        store = homes.make(project, run.now)
    landed = Reconciled()

    def plan(tree: Tree) -> Change:
        nonlocal landed
        landed = _reconciled(project, proposals, tree)
        refused = [*run.detector.refused, *landed.refused]
        told = message.message(
            landed.learned, refused, run=run.name, detector=run.detector.name, observations=run.observations,
            prompt=run.detector.prompt, replays=run.replays,
        )  # fmt: skip
        return Change(dict(landed.files), told, author=OBSERVER, record=record(project.id, run, landed))

    written = commit.write(store, plan, run.now)
    if written.commit is not None:
        if run.is_trusted:
            _trust(landed, run.detector.name, run.now)
        history.keep_up(store.repo)
    return landed, written


def note_failure(project: Project, run: Run, reason: str) -> None:
    """A failed run that cost something leaves its private record: the cursor as it was, and what it cost."""
    store = homes.find(project)
    if store is not None and run.detector.spent.tokens:
        kept = record(project.id, run, Reconciled()) | {"failed": reason}
        commit.write(store, lambda tree: Change({}, message.failure(run.name), record=kept), run.now)


def _reconciled(project: Project, proposals: list[Proposal], tree: Tree | None) -> Reconciled:
    if tree is None:
        return reconcile(Shelf(), proposals, _home(project), findings)
    return reconcile(library.of_tree(tree), proposals, _home(project), findings, cache(partial(_past, tree)))


def _trust(landed: Reconciled, detector: str, now: datetime) -> None:
    made = (landed.files[ids.path_of(told.id)] for told in landed.learned if told.verb == "new")
    giving.landed((markdown.parse(data) for data in made), detector, now)


def record(project: str, run: Run, landed: Reconciled) -> dict[str, runs.JSON]:
    """What is private to this machine: never pushed, moved with the branch."""
    cited = sorted({one for told in landed.learned for one in told.cited})
    spent = run.detector.spent
    told: dict[str, runs.JSON] = {
        "run": run.name,
        "project": project,
        "at": run.now.isoformat(),
        "detector": run.detector.name,
        "observations": run.observations,
        "cursor": run.cursor,
        "cited": cited,
        "digest": hashlib.sha256("\n".join(cited).encode()).hexdigest(),
        "learned": [told.id for told in landed.learned],
        "refused": [list(pair) for pair in (*run.detector.refused, *landed.refused)],
        "calls": spent.calls,
        "tokens": spent.tokens,
        "usage": {
            "input": spent.input, "output": spent.output,
            "cache_read": spent.cache_read, "cache_write": spent.cache_write,
        },
        "cost": spent.dollars,
    }  # fmt: skip
    return told | ({"replays": run.replays} if run.replays else {})


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
