"""The trees of a range beside each other, read only as far as a store may be large."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gitinstinct.check.span.asked import Span
from gitinstinct.git.repo import Repo
from gitinstinct.instinct import ids
from gitinstinct.store import incoming
from gitinstinct.store.tree import Tree


@dataclass(frozen=True, slots=True)
class States:
    """What a range changes.

    Attributes:
        new: the newest tree.
        bases: the trees that it is compared with; none for a tree alone.
        target: the older side of the range where that is not one of them.
        changed: paths that the newest tree has and none of the bases has so.
        gone: paths of a base that the newest tree lacks.
        boundless: why nothing can be said: a tree goes beyond a limit, or there is nothing to compare with.
    """

    new: Tree
    bases: tuple[Tree, ...] = ()
    target: Tree | None = None
    changed: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    boundless: str = ""

    @property
    def old(self) -> Tree:
        """The older side of the range. There must be one."""
        return self.target or self.bases[0]

    @property
    def instincts(self) -> list[str]:
        """Those of the changed paths that are instincts."""
        return [path for path in self.changed if ids.of_path(path)]


def read(span: Span) -> States:
    """Reads the trees of a range.

    Raises:
        GitError: a commit cannot be read.
    """
    judged = [(commit, incoming.judged(span.repo, commit)) for commit in (span.new, *span.bases)]
    new, *bases = (_tree(span.repo, commit, one) for commit, one in judged)
    limits = [(commit, one.refusals[0]) for commit, one in judged if one.is_boundless]
    if limits:
        commit, refusal = limits[0]
        why = f"the tree of {commit[:10]}: {incoming.shown(refusal.path)}: {refusal.reason}"
        return States(new, boundless=why)
    changed = [path for path, oid in new.files.items() if all(one.files.get(path) != oid for one in bases)]
    gone = {path for one in bases for path in one.files} - new.files.keys()
    return States(new, tuple(bases), _target(span), tuple(sorted(changed)), tuple(sorted(gone)))


def _tree(repo: Repo, commit: str, judged: incoming.Judged) -> Tree:
    return Tree(commit, judged.files, judged.refusals, repo)


def _target(span: Span) -> Tree | None:
    if span.old is None or span.old in span.bases:
        return None
    return _tree(span.repo, span.old, incoming.judged(span.repo, span.old))


def instincts(tree: Tree, paths: Iterable[str]) -> dict[str, bytes]:
    """Those of the paths that are instincts of a tree and can be read, with their bytes."""
    return tree.read_all(path for path in paths if ids.of_path(path))[0]
