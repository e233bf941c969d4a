"""What a merge of plain git left undecided: the stages of the index, and taking a path out of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from gitinstinct.git.repo import Repo, text

BASE, OURS, THEIRS = 1, 2, 3


@dataclass(frozen=True, slots=True)
class Stages:
    """An unmerged path: the blob and the mode of each version that there is, by stage."""

    path: str
    blobs: Mapping[int, str] = field(default_factory=dict)
    modes: Mapping[int, str] = field(default_factory=dict)


def unmerged(repo: Repo) -> list[Stages]:
    """All unmerged paths, in the order of the index.

    Raises:
        GitError: the index is damaged.
    """
    found: dict[str, Stages] = {}
    for line in text(repo.run("ls-files", "--unmerged", "-z").out).split("\0")[:-1]:
        meta, path = line.split("\t", 1)
        mode, oid, stage = meta.split(" ")
        before = found.get(path, Stages(path))
        found[path] = Stages(path, {**before.blobs, int(stage): oid}, {**before.modes, int(stage): mode})
    return list(found.values())


def add(repo: Repo, paths: Iterable[str]) -> None:
    """Puts files into the index as they lie in the work tree, as `git add` would; what is gone there goes here."""
    given = "".join(f"{path}\0" for path in paths).encode("utf-8", "surrogateescape")
    repo.run("update-index", "--add", "--remove", "-z", "--stdin", stdin=given)


def keep(repo: Repo, data: bytes) -> str:
    """Keeps bytes as an object that nothing points at, until git's housekeeping some weeks later; its id."""
    return repo.ask("hash-object", "-w", "--stdin", stdin=data)
