"""Which instincts belong together: the same id, or the same words under another one; and which contradict each other.

Comparing each with each would take minutes for thousands, so only those pairs are judged that `check` would judge.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from gitinstinct import paths
from gitinstinct.instinct import pairs
from gitinstinct.instinct.shelf import Item
from gitinstinct.instinct.similar import contrary, same
from gitinstinct.promote.landscape import Landscape, is_live
from gitinstinct.promote.sources import Source


@dataclass(frozen=True, slots=True)
class Contrary:
    """Two instincts that cannot both be followed: where each is, and both."""

    where: str
    item: Item
    other_where: str
    other: Item


@dataclass(slots=True)
class Group:
    """Instincts that are one: as projects have them, and as the global store does; and what contradicts them."""

    mine: list[Source] = field(default_factory=list)
    theirs: list[Item] = field(default_factory=list)
    against: list[Contrary] = field(default_factory=list)

    @property
    def projects(self) -> int:
        """In how many projects it is."""
        return len({source.project for source in self.mine})

    @property
    def names(self) -> set[str]:
        """Every id by which it goes."""
        return {source.id for source in self.mine} | {item.instinct.id for item in self.theirs}


def groups(found: Landscape) -> list[Group]:
    """Every live instinct of a project in its group; those that only the global store has are left out."""
    own = [source.item for source in found.sources]
    everybody = [item for item in found.globals.values() if is_live(item, found.day)]
    every = [*own, *everybody]
    wheres = [*(source.store.about.name for source in found.sources), *([paths.GLOBAL] * len(everybody))]
    joined, against = _joined(every)
    made: dict[int, Group] = defaultdict(Group)
    for place, item in enumerate(every):
        group = made[joined.top(place)]
        if place < len(own):
            group.mine.append(found.sources[place])
        else:
            group.theirs.append(item)
    for one, two in against:
        pair = Contrary(wheres[one], every[one], wheres[two], every[two])
        for top in {joined.top(one), joined.top(two)}:
            made[top].against.append(pair)
    return [group for group in made.values() if group.mine]


@dataclass(slots=True)
class _Joined:
    """Places of a list, joined step by step; the top stands for all that are joined to it."""

    above: list[int]

    def top(self, place: int) -> int:
        while self.above[place] != place:
            self.above[place] = place = self.above[self.above[place]]
        return place

    def join(self, one: int, other: int) -> None:
        self.above[self.top(one)] = self.top(other)


def _joined(every: Sequence[Item]) -> tuple[_Joined, list[tuple[int, int]]]:
    joined, against = _Joined(list(range(len(every)))), []
    for one, two in sorted(_pairs(every)):
        if _is_contrary(every[one], every[two]):
            against.append((one, two))
        elif every[one].instinct.id == every[two].instinct.id or is_same(every[one], every[two]):
            joined.join(one, two)
    return joined, against


def _pairs(every: Sequence[Item]) -> Iterator[tuple[int, int]]:
    """Places of those that have to be judged; a pair may come twice."""
    yield from pairs.pairs([item.instinct for item in every])
    by_id: dict[str, list[int]] = defaultdict(list)
    for place, item in enumerate(every):
        by_id[item.instinct.id].append(place)
    for places in by_id.values():
        yield from ((one, two) for at, one in enumerate(places) for two in places[at + 1 :])


def is_same(one: Item, two: Item) -> bool:
    """Whether two instincts say the same."""
    first, second = one.instinct, two.instinct
    if (first.trigger, first.action) == (second.trigger, second.action):  # of many projects most say it so
        return True
    return same(first.trigger, first.action, second.trigger, second.action)


def _is_contrary(one: Item, two: Item) -> bool:
    """The contrary of what is to be done, on the same occasion: one id, or triggers that say the same."""
    first, second = one.instinct, two.instinct
    if first.action == second.action or not contrary(first.action, second.action):
        return False
    return first.id == second.id or same(first.trigger, "", second.trigger, "")
