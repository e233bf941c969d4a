"""The project stores of this machine, and where in them an instinct comes from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gitinstinct.errors import FatalError
from gitinstinct.instinct.shelf import Item
from gitinstinct.store import homes, store
from gitinstinct.store.layout import Refusal
from gitinstinct.store.store import Store


@dataclass(frozen=True, slots=True)
class Source:
    """An instinct as a project's store has it at a commit of its `main`."""

    store: Store
    commit: str
    item: Item

    @property
    def project(self) -> str:
        """The project's id."""
        return self.store.about.project_id

    @property
    def id(self) -> str:
        """The instinct's id in the project."""
        return self.item.instinct.id


def projects(problems: list[Refusal]) -> Iterator[Store]:
    """Every project's store that can be opened; the others are added to `problems`, each with the reason."""
    for path in homes.every():
        try:
            held = store.open(path)
        except FatalError as fault:
            problems.append(Refusal(str(path), fault.message))
            continue
        if held.about.project_id:
            yield held
