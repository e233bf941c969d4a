"""The base of a merge: the best common ancestor of two commits, or what several of them merge to.

Two lines of work that have each taken the other in (a criss-cross) have more than one. Git merges those into a virtual
ancestor first; so does this, file by file and only for files in which they differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, reduce

from gitinstinct.git.blobs import Unreadable, blobs
from gitinstinct.git.repo import Change as Difference
from gitinstinct.git.repo import Repo, diff_tree, merge_bases
from gitinstinct.store import filemerge, layout

_DEEPEST = 8  # levels of criss-cross; below, the first of the ancestors stands for all


class Base:
    """What every file was before two sides parted."""

    def __init__(self, repo: Repo, commits: Sequence[str], ours: str) -> None:
        self._repo, self._commits = repo, tuple(commits)
        # A path that is missing here is in the base as it is on our side.
        self._before = [{one.path: one.old for one in diff_tree(repo, commit, ours)} for commit in commits]
        self._ancestors = cache(self._parted)

    def _found(self, path: str, ours: str) -> set[str]:
        return {before.get(path, ours) for before in self._before}

    def is_that_of(self, path: str, ours: str, *either: str) -> bool:
        """Whether the base certainly has one of these versions of a file, `ours` being that of our side."""
        found = self._found(path, ours)
        return len(found) == 1 and found <= set(either)

    def oids(self, differences: Iterable[Difference]) -> tuple[dict[str, str], list[str]]:
        """Each path's version in the base, and the paths of which the ancestors have several."""
        found = {one.path: self._found(one.path, one.old) for one in differences}
        return {path: min(oids) for path, oids in found.items()}, [
            path for path, oids in found.items() if len(oids) > 1
        ]

    def virtual(self, paths: Sequence[str]) -> dict[str, bytes | Unreadable | None]:
        """What the ancestors' versions of these files merge to."""
        commits = dict.fromkeys(self._needed(self._commits, _DEEPEST))
        contents = blobs(self._repo, [f"{commit}:{path}" for commit in commits for path in paths], layout.CAP)

        def version(commit: str, path: str) -> bytes | None:
            found = contents[f"{commit}:{path}"]
            return found if isinstance(found, bytes) else None

        def folded(path: str, some: Sequence[str], depth: int) -> bytes | None:
            first, *rest = some
            merged = version(first, path)
            for other in rest if depth else ():
                base = folded(path, self._ancestors(first, other), depth - 1)
                merged = filemerge.merge(path, base, merged, version(other, path)).data
            return merged

        return {path: folded(path, self._commits, _DEEPEST) for path in paths}

    def _needed(self, commits: Sequence[str], depth: int) -> list[str]:
        """The commits whose files a virtual ancestor is made of."""
        first, *rest = commits
        deeper = [self._needed(self._ancestors(first, other), depth - 1) for other in rest if depth]
        return reduce(lambda one, other: one + other, deeper, list(commits))

    def _parted(self, one: str, other: str) -> tuple[str, ...]:
        return tuple(merge_bases(self._repo, one, other))
