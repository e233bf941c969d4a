"""All instincts of one tree, read: those that can be, and those that cannot, each named with its reason."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from gitinstinct.instinct import markdown
from gitinstinct.instinct.confidence import Fold
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.ids import path_of
from gitinstinct.instinct.model import Instinct


@dataclass(frozen=True, slots=True)
class Problem:
    """A file that cannot be used, and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Item:
    """An instinct with its file. `as_written` is the ISO day from which it counts while it has no ledger."""

    path: str
    data: bytes
    instinct: Instinct
    as_written: str

    def fold(self, day: str) -> Fold:
        """What it is worth on a day."""
        return self.instinct.fold(day, self.as_written)

    @property
    def held(self) -> str | None:
        """Why it is kept back although its evidence would do, or None."""
        return "conflicted" if self.instinct.conflicts else None


@dataclass(slots=True)
class Shelf:
    """Id → item, and what could not be read."""

    items: dict[str, Item] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


def read(files: Mapping[str, bytes], as_written: Callable[[str], str]) -> Shelf:
    """Reads instinct files.

    Args:
        files: id (the file's stem) → bytes.
        as_written: tells the ISO day on which an id's file was committed; asked for unadopted files only.
    """
    shelf = Shelf()
    for name, data in files.items():
        try:
            instinct = markdown.parse(data, name)
        except Invalid as error:
            shelf.problems.append(Problem(path_of(name), str(error)))
            continue
        day = "" if instinct.adopted else as_written(name)
        shelf.items[name] = Item(path_of(name), data, instinct, day)
    return shelf
