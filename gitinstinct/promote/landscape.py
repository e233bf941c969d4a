"""Everything live on this machine: what the projects have learned, and what is global already."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gitinstinct import paths
from gitinstinct.errors import FatalError
from gitinstinct.instinct.shelf import Item
from gitinstinct.promote import branches, sources
from gitinstinct.promote.sources import Source
from gitinstinct.store import library, store
from gitinstinct.store.errors import Missing
from gitinstinct.store.layout import Refusal
from gitinstinct.store.store import Store


@dataclass(frozen=True, slots=True)
class Landscape:
    """All that is live on this machine.

    Attributes:
        day: today, as an ISO day.
        everybody: the global store; None while there is none.
        globals: its instincts, put away ones too, by id.
        sources: the live instincts of all projects.
        waiting: ids whose branch waits.
        problems: stores and files that cannot be used, each with the reason.
    """

    day: str
    everybody: Store | None
    globals: dict[str, Item]
    sources: tuple[Source, ...]
    waiting: frozenset[str] = frozenset()
    problems: tuple[Refusal, ...] = ()


def survey(day: str) -> Landscape:
    """Reads every store of this machine. What cannot be used is named, and the rest goes on.

    Raises:
        EnvironmentFault: the global store is there and cannot be opened.
    """
    problems: list[Refusal] = []
    try:
        everybody = store.open(Path(paths.store(paths.GLOBAL)))
    except Missing:
        everybody = None
    found = tuple(source for held in sources.projects(problems) for source in _live(held, day, problems))
    known = library.read(everybody).items if everybody else {}
    waiting = frozenset(one.id for one in branches.waiting(everybody.repo)) if everybody else frozenset()
    return Landscape(day, everybody, known, found, waiting, tuple(problems))


def _live(held: Store, day: str, problems: list[Refusal]) -> Iterator[Source]:
    try:
        newest = library.newest(held)
        shelf = library.of_tree(newest)
    except FatalError as fault:
        problems.append(Refusal(str(held.path), fault.message))
        return
    problems += [Refusal(f"{held.path}/{one.path}", one.reason) for one in shelf.problems]
    for item in shelf.items.values():
        if is_live(item, day):
            yield Source(held, newest.commit, item)


def is_live(item: Item, day: str) -> bool:
    """Whether it is neither put away nor in conflict."""
    return item.fold(day).status == "active" and not item.instinct.conflicts
