"""Index and files follow the branch.

`main` is moved by `update-ref`, which leaves index and files behind. The marker `refs/worktree/gitinstinct/checkout`
is set in the same transaction, to the commit that they still show; it goes when they have followed. A kill at any
point leaves either nothing to do or a marker, and the next command finishes what the marker tells.

The index comes first and in one step; a file is touched only after it. So where `index.lock` is in the way, index and
files both still show the marker's commit, whole.
"""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gitinstinct.git import refs, status, worktrees
from gitinstinct.git.blobs import Unreadable, blob_id, blobs, merge_text
from gitinstinct.git.identity import Actor
from gitinstinct.git.repo import Change, Ref, Repo, diff_tree, head_branch
from gitinstinct.git.repo import refs as read_refs
from gitinstinct.git.run import GitError
from gitinstinct.git.status import Dirty
from gitinstinct.store import files, layout
from gitinstinct.store.errors import Waiting
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
    """Reads the refs of a store.

    Raises:
        Waiting: one of our own refs is damaged.
    """
    found = _refs(repo)
    main, desk = found.get(BRANCH), repo
    if main is None or not main.is_head:
        elsewhere = next((tree for tree in worktrees.linked(repo) if head_branch(tree) == BRANCH), None)
        if elsewhere is None:
            return View(main, found.get(RUNS), None, None)
        desk, found = elsewhere, _refs(elsewhere)
    marker = found.get(MARKER)
    return View(found.get(BRANCH), found.get(RUNS), marker.oid if marker else None, desk)


def _refs(repo: Repo) -> dict[str, Ref]:
    """What a power cut or a bad disk made of a ref is never taken for "there is none"."""
    try:
        found = read_refs(repo, BRANCH, RUNS, MARKER)
    except GitError as error:  # a ref whose commit is gone
        lost = next((name for name in _WAYS_OUT if name in error.stderr), None)
        if lost is None:
            raise
        raise _damaged(repo, lost, repo.by_hand(f"update-ref -d {lost}")) from error
    for name in _WAYS_OUT:
        file = repo.git_dir / name
        if name not in found and file.is_file():
            raise _damaged(repo, name, f"rm {shlex.quote(str(file))}")
    return found


def _damaged(repo: Repo, name: str, command: str) -> Waiting:
    return Waiting(f"{name} in {repo.work_tree} is damaged", f"{_WAYS_OUT[name]}: {command}")


_WAYS_OUT = {
    RUNS: "remove it, then all is read again and nothing counts twice",
    MARKER: "see that index and files are as main has them, then remove it",
}


def finish(desk: Repo, marker: str, tip: str, actor: Actor, *, files_too: bool = True) -> list[Refusal]:
    """Brings index and files from the marker's commit to `tip`, and takes the marker away.

    Args:
        desk: the work tree. If a person has left `main` there meanwhile, all stays until they come back.
        marker: the commit that index and files show.
        tip: the commit of `main`.
        actor: whose name the reflog shows.
        files_too: no for a person's own edits, whose files are further on than the branch if anything.

    Returns:
        What could not follow, because a person changed the same lines meanwhile; the marker then stays.

    Raises:
        GitError: the index is locked or damaged; no file was touched.
    """
    if head_branch(desk) != BRANCH:
        return []
    left = _follow(desk, marker, tip, files_too)
    if not left:
        refs.move(desk, [refs.Move(MARKER, marker, None)], actor, "gitinstinct: index and files are there")
    return left


def steps(desk: Repo, old: str, new: str) -> dict[str, Change]:
    """What index and files have to follow between two commits."""
    if old == new:
        return {}
    return {change.path: change for change in diff_tree(desk, old, new) if layout.is_known(change.path)}


def _follow(desk: Repo, old: str, new: str, files_too: bool) -> list[Refusal]:
    todo = steps(desk, old, new)
    seen = status.dirty(desk) if todo else {}
    behind = [(step, seen[path]) for path, step in todo.items() if path in seen]
    left = _stage(desk, behind)
    names = {refusal.path for refusal in left}
    if files_too:
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
        except files.NotPlain as error:
            reason = str(error)
        except OSError as error:
            reason = error.strerror or str(error)
        if reason:
            left.append(Refusal(step.path, reason))
    return left


def _bring_one(desk: Repo, step: Change, old: bytes | Unreadable, new: bytes | Unreadable | None) -> str | None:
    """Replaces one file if it is as the old commit has it. A person's own change in it is merged or left alone."""
    top = _top(desk)
    present = files.read(top, step.path)
    if (None if present is None else blob_id(present, step.new)) == blob(step.new):
        return None
    if isinstance(new, Unreadable):
        return _DAMAGED
    if present is None or holds(present, step.old):  # a file that a person deleted meanwhile comes back: the edit stays
        files.replace(top, step.path, new)
        return None
    if new is None:  # edited while the run deleted it: the edit stays
        return None
    if isinstance(old, Unreadable):
        return _DAMAGED
    merged = merge_text(desk, present, old, new)
    if merged is None:
        return "changed by hand while a run changed the same lines"
    if merged != present:
        files.replace(top, step.path, merged)
    return None


_DAMAGED = "its content is missing or damaged in the repository"


def holds(data: bytes, oid: str) -> bool:
    """Whether these are the blob's bytes, or git's own CRLF form of them.

    A clone made under `core.autocrlf` (the rule on Windows) has such files from before our attributes were in force;
    nobody has edited them.
    """
    return oid in (blob_id(data, oid), blob_id(data.replace(b"\r\n", b"\n"), oid))


def straighten(desk: Repo, crlf: Mapping[str, str]) -> None:
    """Gives files that differ from their blob in line ends only the blob's bytes; path to blob id."""
    if not crlf:
        return
    contents = blobs(desk, list(crlf.values()), layout.CAP)
    for path, oid in crlf.items():
        content = contents[oid]
        if isinstance(content, bytes):
            with contextlib.suppress(files.NotPlain, OSError):  # it stays as it is, and is no edit either way
                files.replace(_top(desk), path, content)
    # The index knows the old size, and git takes another size for another content without looking.
    paths = "".join(f"{path}\0" for path in crlf).encode("utf-8", "surrogateescape")
    desk.run("update-index", "-z", "--stdin", stdin=paths, expect=range(256))


def blob(oid: str) -> str | None:
    """An id, or None for git's id of nothing."""
    return oid if oid.strip(_ZERO) else None


def _top(desk: Repo) -> Path:
    assert desk.work_tree is not None
    return desk.work_tree
