"""A store's instincts, read: what the features and the command line work on."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache

from gitinstinct.git.repo import Repo, text
from gitinstinct.instinct import ids, shelf
from gitinstinct.instinct.shelf import Problem, Shelf
from gitinstinct.store import tree
from gitinstinct.store.layout import BRANCH
from gitinstinct.store.store import Store
from gitinstinct.store.tree import Tree

_EPOCH = "1970-01-01"
_MARK = "\x01"


def read(store: Store, revision: str = BRANCH) -> Shelf:
    """Every instinct of a commit, and everything that cannot be used, each with its reason.

    Raises:
        GitError: the commit cannot be read.
    """
    return of_tree(tree.read(store.repo, store.repo.ask("rev-parse", "--verify", "--end-of-options", revision).strip()))


def of_tree(found: Tree) -> Shelf:
    """The same for a tree that is open already."""
    files, refusals = found.instincts()

    @cache
    def days() -> dict[str, str]:
        return _committed(found.repo, found.commit)

    made = shelf.read(files, lambda name: days().get(ids.path_of(name), _EPOCH))
    made.problems += [Problem(refusal.path, refusal.reason) for refusal in refusals]
    return made


def _committed(repo: Repo, commit: str) -> dict[str, str]:
    """Path → the ISO day of the newest commit that touched it, by one walk."""
    form = f"--format={_MARK}%ct"
    listed = repo.run("log", "-z", "--name-only", form, "--end-of-options", commit, "--", ids.FOLDER).out
    days: dict[str, str] = {}
    day = _EPOCH
    for item in text(listed).split("\0"):
        if item.startswith(_MARK):
            day = datetime.fromtimestamp(int(item[1:]), UTC).date().isoformat()
        elif item.strip():
            days.setdefault(item.removeprefix("\n"), day)
    return days
