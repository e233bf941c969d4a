"""The instincts that are measured, as they are today: of each store only what is asked for is read, and once."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from gitinstinct import paths
from gitinstinct.errors import EnvironmentFault
from gitinstinct.instinct import ids, markdown
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.model import Instinct
from gitinstinct.measure import texts
from gitinstinct.measure.assigned import Assigned
from gitinstinct.store import homes, library, store
from gitinstinct.store.errors import Missing
from gitinstinct.store.tree import Tree


class Shelves:
    """The stores by their owner: a project's id, or `global`."""

    def __init__(self) -> None:
        self.current = cache(self._current)
        self._tree = cache(_tree)

    def _current(self, owner: str, name: str) -> Instinct | None:
        """The instinct of that id; None if there is none that can be read."""
        tree = self._tree(owner)
        data = tree.read(ids.path_of(name)) if tree is not None else None
        try:
            return markdown.parse(data, name) if data is not None else None
        except Invalid:
            return None

    def find(self, line: Assigned) -> Instinct | None:
        """The instinct that a line of the log speaks of; None if it says something else by now."""
        found = self.current(owner(line.project, line.scope), line.instinct)
        return found if found is not None and texts.same(texts.of(found), line.text) else None

    def is_damaged(self, line: Assigned) -> bool:
        """Whether the line's store is there and cannot be read: then there is no telling yet."""
        whose = owner(line.project, line.scope)
        return self._tree(whose) is None and (Path(paths.store(whose)) / ".git").exists()


def owner(project: str, scope: str) -> str:
    """Whose instinct it is: `global`, or the project under the id that it has today."""
    return paths.GLOBAL if scope == paths.GLOBAL else homes.current(project)


def _tree(owner: str) -> Tree | None:
    try:
        return library.newest(store.open(Path(paths.store(owner))))
    except (Missing, EnvironmentFault):
        return None
