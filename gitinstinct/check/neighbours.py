"""Instincts beside each other: those that say the same, and those that cannot both be followed.

Comparing each with each would take minutes for thousands. Only those with the same facts (the terms in backticks) can
say the same, so they are compared within such groups, and there by a search in C that drops what is too unlike. What
the search finds is put to the same judge that the observer asks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from gitinstinct.check.rules import Found
from gitinstinct.instinct.model import Instinct
from gitinstinct.instinct.similar import ALIKE, contrary, preference, same, words


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


def compare(own: Sequence[Neighbour], elsewhere: Sequence[Neighbour] = ()) -> Iterator[tuple[str, Found]]:
    """What is found between instincts, and between them and the global ones: (file, what).

    Each pair is told once: at the one whose file comes later, or at the own one.
    """
    own = sorted(own, key=lambda one: one.file)
    for first, second in _pairs([*own, *elsewhere]):
        if second < len(own):
            yield from _judged(own[second], own[first])
        elif first < len(own):
            yield from _judged(own[first], elsewhere[second - len(own)], " (global)")
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


def _pairs(every: Sequence[Neighbour]) -> list[tuple[int, int]]:
    """The places of those that may be the same or contrary, the earlier one first; each pair once."""
    return sorted({*_alike(every), *_swapped(every)})


def _alike(every: Sequence[Neighbour]) -> Iterator[tuple[int, int]]:
    """Places of instincts with the same facts and nearly the same words."""
    from rapidfuzz import fuzz, process

    groups: dict[frozenset[str], list[int]] = defaultdict(list)
    for at, one in enumerate(every):
        if one.instinct.action:
            groups[words(one.instinct.action).terms].append(at)
    for group in groups.values():
        texts = [" ".join(sorted(words(every[at].instinct.action).stems.split())) for at in group]
        for index, text in enumerate(texts[:-1]):
            later = texts[index + 1 :]
            for _, _, step in process.extract(text, later, scorer=fuzz.ratio, score_cutoff=ALIKE, limit=None):
                yield group[index], group[index + 1 + step]


def _swapped(every: Sequence[Neighbour]) -> Iterator[tuple[int, int]]:
    """Places of preferences that are each other's swap."""
    wanted: dict[tuple[str, str], list[int]] = defaultdict(list)
    for at, one in enumerate(every):
        pair = preference(one.instinct.action)
        if pair is not None:
            yield from ((before, at) for before in wanted.get((pair[1], pair[0]), ()))
            wanted[pair].append(at)
