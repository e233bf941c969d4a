"""The branch of a source: what it brought last, and the commit of what it brings now.

An import is a commit whose tree holds what its source has, and whose parent is the import before it. Which that is, the
history of `main` tells by the trailer `Import-Source:`, so a clone knows it, too. A file's name alone does not tell two
sources apart (half of the world's exports are called `instincts.yaml`); there the ids that they hold decide.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from gitinstinct.git import objects, refs
from gitinstinct.git.objects import Commit
from gitinstinct.git.repo import Repo, text
from gitinstinct.git.repo import refs as read_refs
from gitinstinct.git.trailers import Message
from gitinstinct.instinct import ids
from gitinstinct.store import tree
from gitinstinct.store.layout import BRANCH
from gitinstinct.store.store import Store, identity
from gitinstinct.store.tree import Tree

TRAILER = "Import-Source"
_REFS = "refs/gitinstinct/imports/"
_MARK = "~"  # between a file's name and what tells it from another of that name
_FORM = f"--format=%H%x00%P%x00%(trailers:key={TRAILER},valueonly,unfold)"


@dataclass(frozen=True, slots=True)
class Line:
    """A source's branch: its name, the commit to build on, and the tree of the last import; None for the first."""

    source: str
    parent: str
    last: Tree | None = None

    @property
    def names(self) -> set[str]:
        """The ids that the last import held."""
        return _names(self.last) if self.last else set()


def find(repo: Repo, source: str, names: Collection[str], *, loose: bool) -> Line:
    """The branch that an import continues.

    Args:
        repo: the store's repository.
        source: the source's name.
        names: the ids that it holds now.
        loose: whether others may go by that name.
    """
    genesis = objects.write_genesis(repo)
    tips = [(name, tree.read(repo, commit)) for name, commit in _tips(repo, source, genesis, loose=loose)]
    if not loose:
        return Line(source, tips[0][1].commit, tips[0][1]) if tips else Line(source, genesis)
    shared = [(len(_names(last).intersection(names)), -at) for at, (_, last) in enumerate(tips)]
    most, place = max(shared, default=(0, 0))
    if most:
        name, last = tips[-place]
        return Line(name, last.commit, last)
    if any(name == source for name, _ in tips):
        source += _MARK + ids.short_hash(*sorted(names))
    return Line(source, genesis)


def _names(found: Tree) -> set[str]:
    return {name for path in found.files if (name := ids.of_path(path))}


def _tips(repo: Repo, source: str, genesis: str, *, loose: bool) -> list[tuple[str, str]]:
    """The newest import of each line that fits: name and commit, newest first."""
    told = {
        commit: (name, parents)
        for commit, parents, name in _told(repo, source)
        if name == source or (loose and name.startswith(source + _MARK))
    }
    genuine: dict[str, str] = {}
    for commit in reversed(told):  # parents first
        name, parents = told[commit]
        if parents == [genesis] or (len(parents) == 1 and genuine.get(parents[0]) == name):
            genuine[commit] = name
    built_on = {told[commit][1][0] for commit in genuine}
    return [(genuine[commit], commit) for commit in told if commit in genuine and commit not in built_on]


def _told(repo: Repo, source: str) -> list[tuple[str, list[str], str]]:
    """Commits of `main` that name a source like this one, newest first. Whether they are imports, their parents tell:
    a copy of one on another branch holds everything else, too."""
    flags = ("log", "-z", "--topo-order", _FORM, "--fixed-strings", f"--grep={TRAILER}: {source}")
    fields = text(repo.run(*flags, "--end-of-options", BRANCH, "--").out).split("\0")
    return [(fields[at], fields[at + 1].split(), fields[at + 2].strip()) for at in range(0, len(fields) - 2, 3)]


def write(store: Store, line: Line, files: Mapping[str, bytes], message: Message, now: datetime) -> str:
    """Writes the commit of an import; no ref holds it yet."""
    person = identity(store)
    moment = max(int(now.timestamp()), objects.GENESIS_TIME)
    made = Commit(message.render(), person, person, moment, [line.parent], dict(files), empty=True)
    [commit] = objects.write(store.repo, [made])
    return commit


def keep(store: Store, source: str, commit: str) -> None:
    """Sets the source's own ref to its newest import. Nothing depends on it: `main` holds the commit, too."""
    name = _REFS + ids.short_hash(source, digits=12)
    known = read_refs(store.repo, name).get(name)
    old = known.oid if known else None
    if old != commit:
        refs.move(store.repo, [refs.Move(name, old, commit)], identity(store), f"gitinstinct: import {source}")


def subject(count: int, source: str, others: Sequence[str] = ()) -> str:
    """The first line of an import's commit."""
    what = f"{count} instinct{'' if count == 1 else 's'}"
    return f"import: {', '.join([what, *others])} from {source}"
