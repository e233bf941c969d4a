"""Instincts beside each other: those that say the same, and those that cannot both be followed.

Which pairs are worth a look, `instinct.pairs` says; they are put to the same judge that the observer asks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from gitinstinct.check.rules import Found
from gitinstinct.instinct.model import Instinct
from gitinstinct.instinct.pairs import pairs
from gitinstinct.instinct.similar import contrary, same


@dataclass(frozen=True, slots=True)
class Neighbour:
    """An instinct among others: the file and the line by which a finding names it."""

    file: str
    line: int | None
    instinct: Instinct

    @property
    def name(self) -> str:
        """How another one's finding calls it."""
        found = self.instinct.id
        return found if self.file.endswith(f"{found}.md") else f"{found} in {self.file}"


def compare(
    own: Sequence[Neighbour], elsewhere: Sequence[Neighbour] = (), beside: Sequence[Neighbour] = ()
) -> Iterator[tuple[str, Found]]:
    """What is found between instincts, and between them and others: (file, what).

    Each pair is told once: at the one whose file comes later, or at the own one.

    Args:
        own: those that are checked.
        elsewhere: the global ones.
        beside: others of the same store, of which nothing is told.
    """
    own = sorted(own, key=lambda one: one.file)
    others = [*((one, "") for one in beside), *((one, " (global)") for one in elsewhere)]
    for first, second in pairs([one.instinct for one in (*own, *beside, *elsewhere)]):
        if second < len(own):
            yield from _judged(own[second], own[first])
        elif first < len(own):
            yield from _judged(own[first], *others[second - len(own)])
    yield from _hidden(own, elsewhere)


def _judged(at: Neighbour, other: Neighbour, where: str = "") -> Iterator[tuple[str, Found]]:
    one, two = at.instinct, other.instinct
    if where and one.id == two.id:
        return
    if contrary(one.action, two.action):
        yield at.file, Found("contrary", at.line, f"it says the contrary of {other.name}{where}")
    elif same(one.trigger, one.action, two.trigger, two.action):
        yield at.file, Found("duplicate", at.line, f"it says the same as {other.name}{where}")


def _hidden(own: Iterable[Neighbour], everywhere: Iterable[Neighbour]) -> Iterator[tuple[str, Found]]:
    """A project's instinct takes the place of a global one of its id."""
    known = {other.instinct.id: other.instinct for other in everywhere}
    for one in own:
        twin = known.get(one.instinct.id)
        if twin is not None and (twin.trigger, twin.action) != (one.instinct.trigger, one.instinct.action):
            yield one.file, Found("hides-global", one.line, f"the global {one.instinct.id} says something else")
