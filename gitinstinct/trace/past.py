"""The past of one instinct: every state that its file was in, and what each of them was worth at its time.

A file is its path: no guess at renames. What cannot be read is a state like any other, with its reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from gitinstinct.git.blobs import Unreadable, blobs
from gitinstinct.git.repo import Repo, ls_tree
from gitinstinct.instinct import ids, markdown
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.model import Instinct
from gitinstinct.store import history, layout
from gitinstinct.store.history import Logged
from gitinstinct.store.layout import BRANCH


@dataclass(frozen=True)
class State:
    """The file as one commit left it; `content` is None where the commit removed it."""

    name: str
    commit: str
    blob: str | None
    content: bytes | Unreadable | None

    @cached_property
    def instinct(self) -> Instinct | None:
        """What it says; None if the file is not there or cannot be read."""
        return markdown.parse(self.content, self.name) if isinstance(self.content, bytes) and not self.fault else None

    @cached_property
    def fault(self) -> str:
        """Why it cannot be read; empty if it can, and where there is no file."""
        if not isinstance(self.content, bytes):
            return self.content.reason if self.content else ""
        try:
            markdown.check(self.content, self.name)
        except Invalid as error:
            return str(error)
        return ""


@dataclass(frozen=True)
class Past:
    """All states of one instinct's file, newest first; `present` is the one that `main` holds, if it holds one."""

    name: str
    states: tuple[State, ...]
    present: State | None

    @property
    def removed(self) -> State | None:
        """Where the file went away, if it is gone."""
        gone = (state for state in self.states if state.blob is None)
        return next(gone, None) if self.present is None else None

    @cached_property
    def last(self) -> State | None:
        """The newest state that can be read: what `main` says, if it can be."""
        first = [self.present] if self.present else []
        return next((state for state in (*first, *self.states) if state.instinct), None)

    @property
    def commits(self) -> list[str]:
        """The commits that changed the file, newest first."""
        return [state.commit for state in self.states]


def read(repo: Repo, name: str, revision: str = BRANCH) -> Past | None:
    """The past of an instinct; None if no commit ever touched its file. Three processes, however long it is.

    Raises:
        GitError: the revision cannot be read.
    """
    path = ids.path_of(name)
    found = history.versions(repo, path, revision)
    if not found:
        return None
    contents = blobs(repo, [version.blob for version in found if version.blob], layout.CAP)
    states = tuple(State(name, one.commit, one.blob, contents[one.blob] if one.blob else None) for one in found)
    here = next((entry.oid for entry in ls_tree(repo, revision, path)), None)
    # A merge that took one side whole is no version of its own, so the newest version may be the side that lost.
    return Past(name, states, next((state for state in states if state.blob == here), None) if here else None)


def last_change(repo: Repo, name: str) -> str | None:
    """The commit that made the instinct's file what it is in `main`, or removed it; None if there never was one."""
    return repo.ask("rev-list", "--max-count=1", BRANCH, "--", ids.path_of(name)) or None


@dataclass(frozen=True, slots=True)
class Point:
    """What an instinct was worth when a commit was made: hundredths, or None where there was nothing to read."""

    commit: str
    date: datetime
    confidence: int | None


def curve(past: Past, told: Mapping[str, Logged], most: int) -> list[Point]:
    """How the confidence went, oldest first: by the evidence in each version, as of that commit's day.

    Of more than `most` versions some are left out, evenly; the first and the last stay.
    """
    return [_point(state, told[state.commit]) for state in _some(past.states[::-1], most)]


def _point(state: State, told: Logged) -> Point:
    day, instinct = told.date.date().isoformat(), state.instinct
    return Point(state.commit, told.date, instinct.fold(day, day).confidence if instinct else None)


def _some(states: Sequence[State], most: int) -> Iterator[State]:
    if len(states) <= most:
        yield from states
        return
    for place in range(most):
        yield states[place * (len(states) - 1) // (most - 1)]
