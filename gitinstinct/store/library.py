"""A store's instincts, read: what the features and the command line work on."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import count

from gitinstinct.git.repo import Repo, moment, text
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
    return of_tree(newest(store, revision))


def newest(store: Store, revision: str = BRANCH) -> Tree:
    """The tree of a revision, of `main` unless another is named.

    Raises:
        GitError: the commit cannot be read.
    """
    return tree.read(store.repo, store.repo.ask("rev-parse", "--verify", "--end-of-options", revision).strip())


def of_tree(found: Tree) -> Shelf:
    """The same for a tree that is open already."""
    files, refusals = found.instincts()
    made = shelf.read(files, _committed(found.repo, found.commit))
    made.problems += [Problem(refusal.path, refusal.reason) for refusal in refusals]
    return made


def _committed(repo: Repo, commit: str) -> Callable[[str], str]:
    """Tells the ISO day of the newest commit that touched an id's file.

    One file is quick, thanks to the index of changed paths; one walk for all of them reads every tree of the history,
    and pays where many ask.
    """
    asked = count(1)

    @cache
    def everything() -> dict[str, str]:
        return _walked(repo, commit)

    def day(name: str) -> str:
        path = ids.path_of(name)
        if next(asked) > _SINGLY:
            return everything().get(path, _EPOCH)
        return _day(repo.ask("log", "-1", "--format=%ct", *_FLAGS, "--end-of-options", commit, "--", path))

    return day


_SINGLY = 8
_FLAGS = ("--full-history", "--no-merges")


def _walked(repo: Repo, commit: str) -> dict[str, str]:
    form = f"--format={_MARK}%ct"
    listed = repo.run("log", "-z", "--name-only", form, *_FLAGS, "--end-of-options", commit, "--", ids.FOLDER).out
    days: dict[str, str] = {}
    day = _EPOCH
    for item in text(listed).split("\0"):
        if item.startswith(_MARK):
            day = _day(item[1:])
        elif item.strip():
            days.setdefault(item.removeprefix("\n"), day)
    return days


def _day(seconds: str) -> str:
    return moment(seconds).date().isoformat()
