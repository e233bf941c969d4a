"""Index and files follow the branch.

`main` is moved by `update-ref`, which leaves index and files behind. The marker `refs/worktree/gitinstinct/checkout`
is set in the same transaction, to the commit that they still show; it goes when they have followed. A kill at any
point leaves either nothing to do or a marker, and the next command finishes what the marker tells.

The index comes first and in one step; a file is touched only after it. So where `index.lock` is in the way, index and
files both still show the marker's commit, whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gitinstinct.git import refs, status, worktrees
from gitinstinct.git.blobs import Unreadable, blob_id, blobs, merge_text
from gitinstinct.git.identity import Actor
from gitinstinct.git.repo import Change, Ref, Repo, diff_tree, head_branch
from gitinstinct.git.repo import refs as read_refs
from gitinstinct.git.status import Dirty
from gitinstinct.store import files, layout
from gitinstinct.store.layout import BRANCH, Refusal

MARKER = "refs/worktree/gitinstinct/checkout"
RUNS = "refs/gitinstinct/runs"
_ZERO = "0"


@dataclass(frozen=True, slots=True)
class View:
    """How the refs of a store stand.

    Attributes:
        main: the branch; None if it is missing or damaged.
        runs: the private record's newest commit, if there is one.
        marker: the commit that index and files still show, while they are behind.
        desk: the work tree where `main` is checked out: the store's own, a linked one, or None.
    """

    main: Ref | None
    runs: Ref | None
    marker: str | None
    desk: Repo | None


def look(repo: Repo) -> View:
    """Reads the refs of a store."""
    found = read_refs(repo, BRANCH, RUNS, MARKER)
    main, desk = found.get(BRANCH), repo
    if main is None or not main.is_head:
        elsewhere = next((tree for tree in worktrees.linked(repo) if head_branch(tree) == BRANCH), None)
        if elsewhere is None:
            return View(main, found.get(RUNS), None, None)
        desk, found = elsewhere, read_refs(elsewhere, BRANCH, RUNS, MARKER)
    marker = found.get(MARKER)
    return View(found.get(BRANCH), found.get(RUNS), marker.oid if marker else None, desk)


def finish(desk: Repo, marker: str, tip: str, actor: Actor) -> list[Refusal]:
    """Brings index and files from the marker's commit to `tip`, and takes the marker away.

    Returns:
        What could not follow, because a person changed the same lines meanwhile; the marker then stays.

    Raises:
        GitError: the index is locked or damaged; no file was touched.
    """
    left = _follow(desk, marker, tip)
    if not left:
        refs.move(desk, [refs.Move(MARKER, marker, None)], actor, "gitinstinct: index and files are there")
    return left


def steps(desk: Repo, old: str, new: str) -> dict[str, Change]:
    """What index and files have to follow between two commits."""
    if old == new:
        return {}
    return {change.path: change for change in diff_tree(desk, old, new) if layout.is_known(change.path)}


def _follow(desk: Repo, old: str, new: str) -> list[Refusal]:
    todo = steps(desk, old, new)
    seen = status.dirty(desk) if todo else {}
    behind = [(step, seen[path]) for path, step in todo.items() if path in seen]
    left = _stage(desk, behind)
    names = {refusal.path for refusal in left}
    left += _bring(desk, [step for step, _ in behind if step.path not in names])
    if behind:
        desk.run("update-index", "-q", "--refresh", expect=range(256))  # only saves the next `git status` some work
    return left


def _stage(desk: Repo, behind: Sequence[tuple[Change, Dirty]]) -> list[Refusal]:
    """Moves the index entries that a person has not staged otherwise."""
    lines, left = [], []
    for step, dirty in behind:
        if dirty.unmerged:
            left.append(Refusal(step.path, "an unfinished merge has not decided it"))
        elif dirty.index == blob(step.old):
            lines.append(f"{step.new_mode.replace('000000', '0')} {step.new}\t{step.path}\0")
        elif dirty.index != blob(step.new):
            left.append(Refusal(step.path, "something else is staged"))
    if lines:
        desk.run("update-index", "-z", "--index-info", stdin="".join(lines).encode())
    return left


def _bring(desk: Repo, todo: Sequence[Change]) -> list[Refusal]:
    contents = blobs(desk, [oid for step in todo for oid in (step.old, step.new) if blob(oid)], layout.CAP)
    left = []
    for step in todo:
        try:
            reason = _bring_one(desk, step, contents.get(step.old, b""), contents.get(step.new))
        except (files.NotPlain, OSError) as error:
            reason = str(error)
        if reason:
            left.append(Refusal(step.path, reason))
    return left


def _bring_one(desk: Repo, step: Change, old: bytes | Unreadable, new: bytes | Unreadable | None) -> str | None:
    """Replaces one file if it is as the old commit has it. A person's own change in it is merged or left alone."""
    top = _top(desk)
    present = files.read(top, step.path)
    here = None if present is None else blob_id(present, step.new)
    if here == blob(step.new):
        return None
    if isinstance(new, Unreadable) or isinstance(old, Unreadable):
        return "its content is missing or damaged in the repository"
    if present is None or here == blob(step.old):  # a file that a person deleted meanwhile comes back: the edit stays
        files.replace(top, step.path, new)
        return None
    if new is None:  # edited while the run deleted it: the edit stays
        return None
    merged = merge_text(desk, present, old, new)
    if merged is None:
        return "changed by hand while a run changed the same lines"
    if merged != present:
        files.replace(top, step.path, merged)
    return None


def blob(oid: str) -> str | None:
    """An id, or None for git's id of nothing."""
    return oid if oid.strip(_ZERO) else None


def _top(desk: Repo) -> Path:
    assert desk.work_tree is not None
    return desk.work_tree
