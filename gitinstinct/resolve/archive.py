"""What history was asked once: one merge may have left a hundred instincts in conflict, all with the same parents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from gitinstinct.git.repo import Repo, merge_bases
from gitinstinct.store import history
from gitinstinct.store.history import Logged
from gitinstinct.store.mergebase import Base


class Archive:
    """The history of a store, as far as it was asked for."""

    def __init__(self, repo: Repo) -> None:
        self.repo = repo
        self._told: dict[str, Logged] = {}
        self._base = cache(self._found)

    def told(self, commits: Iterable[str | None]) -> Mapping[str, Logged]:
        """What these commits say, and others; None stands for one that is not known."""
        new = [commit for commit in commits if commit is not None and commit not in self._told]
        self._told |= history.told(self.repo, new)
        return self._told

    def base(self, parents: tuple[str, ...], path: str) -> bytes | None:
        """What a file was before two commits parted; of several ancestors, what they merge to."""
        base = self._base(parents)
        found = base.virtual([path])[path] if base else None
        return found if isinstance(found, bytes) else None

    def _found(self, parents: tuple[str, ...]) -> Base | None:
        bases = merge_bases(self.repo, *parents)
        return Base(self.repo, bases, parents[0]) if bases else None
