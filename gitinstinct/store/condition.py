"""How a store is: what `status` and `doctor` tell. Looks only, mends nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from gitinstinct.git import locks as git_locks
from gitinstinct.git import worktrees
from gitinstinct.git.repo import Repo, head_branch
from gitinstinct.store import checkout, edits, vetting, wiring
from gitinstinct.store.edits import Survey, Vet
from gitinstinct.store.layout import BRANCH, Refusal
from gitinstinct.store.store import Store, is_protected

_FAULT = re.compile(r"^(?:error|missing|broken|dangling|unreachable|warning|bad)")
_OBJECT = re.compile(r"\b([0-9a-f]{64}|[0-9a-f]{40})\b(?: \((.*?)\))?")


@dataclass(frozen=True, slots=True)
class Lock:
    """A lock file of git: which, since when, and what to do if nobody holds it."""

    file: Path
    since: datetime
    way_out: str


@dataclass(frozen=True, slots=True)
class Condition:
    """The state of a store.

    Attributes:
        branch: what HEAD is, in full (`refs/heads/main`); None when it is detached.
        operation: the unfinished merge, cherry-pick, revert, rebase or am.
        pending: whether index and files still have to follow the branch.
        waiting: why a write would have to wait; empty if it would not.
        held: what a person changed and cannot be committed, each with its reason.
        locks: git's lock files that are there now.
        protected: whether `info/attributes` is in force; if not, the work tree was not looked at, because git would
            run the filters that the tree names.
        unwired: why plain git would not merge instincts there by our rules; empty if it would.
    """

    branch: str | None
    operation: str | None
    pending: bool
    waiting: str
    held: tuple[Refusal, ...]
    locks: tuple[Lock, ...]
    protected: bool
    unwired: str = ""


def of(store: Store, vet: Vet = vetting.reason) -> Condition:
    """The condition of a store.

    Raises:
        GitError: git cannot tell, because the index or HEAD is damaged.
    """
    repo = store.repo
    view, protected = checkout.look(repo), is_protected(repo)
    found = Survey()
    if view.desk is not None and view.main is not None and protected:
        found = edits.survey(view.desk, view.marker or view.main.oid, view.main.oid, vet)
    return Condition(
        branch=head_branch(repo),
        operation=worktrees.operation(repo),
        pending=view.marker is not None,
        waiting=_waiting(repo, view),
        held=found.held,
        locks=tuple(map(_lock, git_locks.locks(repo))),
        protected=protected,
        unwired=wiring.fault(repo),
    )


def _waiting(repo: Repo, view: checkout.View) -> str:
    if view.main is None:
        return "the branch main is missing or damaged"
    busy = worktrees.being_rewritten(repo, BRANCH)
    return f"main is being rewritten in {busy.work_tree}" if busy else ""


def _lock(file: Path) -> Lock:
    try:
        since = datetime.fromtimestamp(file.stat().st_mtime, UTC)
    except OSError:  # let go meanwhile
        since = datetime.now(UTC)
    return Lock(file, since, git_locks.way_out(file))


@dataclass(frozen=True, slots=True)
class Damage:
    """An object that cannot be read: its id, where it is used (`refs/heads/main:instincts/a.md`) if git can tell."""

    oid: str
    used_as: str


def damage(repo: Repo) -> list[Damage]:
    """Reads every object and names those that are missing or broken. Slow: for `doctor`."""
    result = repo.run("fsck", "--full", "--no-dangling", "--no-progress", "--name-objects", expect=range(256))
    found: dict[str, str] = {}
    for line in (result.out + result.err).decode("utf-8", "replace").splitlines():
        if _FAULT.match(line):
            for oid, name in _OBJECT.findall(line):
                found[oid] = name or found.get(oid, "")
    return [Damage(oid, name) for oid, name in sorted(found.items())]
