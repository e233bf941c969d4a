"""Which commit each line of a file is from: git's own blame, and what those commits say."""

from __future__ import annotations

from dataclasses import dataclass

from gitinstinct.git import blame
from gitinstinct.git.repo import Repo
from gitinstinct.store import history
from gitinstinct.store.history import Logged


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file: its number from 1, its text without its end, the commit that it is from."""

    number: int
    text: str
    commit: Logged


def read(repo: Repo, path: str, commit: str) -> list[Line]:
    """The lines of a file as a commit holds it.

    Raises:
        GitError: the commit has no such file.
    """
    found = blame.lines(repo, path, commit)
    told = history.told(repo, (line.commit for line in found))
    return [
        Line(number, line.content.decode("utf-8", "replace").rstrip("\r\n"), told[line.commit])
        for number, line in enumerate(found, 1)
    ]
