"""Work trees and what is unfinished in them, read from the files that git itself keeps for this.

Git has no question for most of it; the names of these files are documented (gitrepository-layout, git-worktree) and
its own prompt script reads them. No process is started where none is needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from gitinstinct.git.repo import Repo, head_branch

_UNFINISHED = (
    ("MERGE_HEAD", "merge"),
    ("CHERRY_PICK_HEAD", "cherry-pick"),
    ("REVERT_HEAD", "revert"),
    ("rebase-apply/applying", "am"),
    ("rebase-apply", "rebase"),
    ("rebase-merge", "rebase"),
    ("sequencer/todo", "cherry-pick"),
)


def operation(repo: Repo) -> str | None:
    """What a person has begun in this work tree and not ended: `merge`, `cherry-pick`, `revert`, `rebase` …"""
    return next((name for file, name in _UNFINISHED if (repo.git_dir / file).exists()), None)


def being_rewritten(repo: Repo, branch: str) -> Repo | None:
    """The work tree, the main one or a linked one, where this branch is being rebased or receives an `am`.

    HEAD is detached during a rebase; git notes the branch's full name in a file.
    """
    return next((tree for tree in (repo, *linked(repo)) if _rewrites(tree, branch)), None)


def _rewrites(tree: Repo, branch: str) -> bool:
    rebased = [_first_line(tree.git_dir / folder / "head-name") for folder in ("rebase-merge", "rebase-apply")]
    return branch in rebased or (operation(tree) == "am" and head_branch(tree) == branch)


def linked(repo: Repo) -> Iterator[Repo]:
    """The linked work trees of a repository that are still there."""
    folder = repo.git_dir / "worktrees"
    for git_dir in sorted(folder.iterdir()) if folder.is_dir() else ():
        pointer = _first_line(git_dir / "gitdir")
        work_tree = (git_dir / pointer).parent if pointer else None
        if work_tree is not None and (work_tree / ".git").is_file():
            yield Repo(git_dir, work_tree)


def _first_line(file: Path) -> str | None:
    try:
        return file.read_text(encoding="utf-8", errors="surrogateescape").strip() or None
    except OSError:
        return None
