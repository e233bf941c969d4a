"""Three-way choices: of a value, of a set, of words that may be in dispute, of lines.

Every choice is the same with the sides swapped. Where the sides disagree and no person is asked, the bytewise smaller
stands, so that three replicas come out alike in whichever order they meet.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from typing import TypeVar

T = TypeVar("T")


def three_way(base: T, ours: T, theirs: T, both: Callable[[T, T], T]) -> T:
    """The side that changed; `both` decides where both did, each otherwise."""
    if ours == theirs or theirs == base:
        return ours
    return theirs if ours == base else both(ours, theirs)


def smaller(one: str, other: str) -> str:
    """The bytewise smaller of two texts; something before nothing."""
    return min(one, other, key=lambda text: (not text, text.encode("utf-8", "surrogatepass")))


def three_way_set(base: AbstractSet[T], ours: AbstractSet[T], theirs: AbstractSet[T]) -> set[T]:
    """What both have, and what either added."""
    return set(ours & theirs) | set(ours - base) | set(theirs - base)


def disputed(base: AbstractSet[str], ours: AbstractSet[str], theirs: AbstractSet[str]) -> AbstractSet[str]:
    """What a field may be after a merge. More than one value is a conflict.

    Each side is the set of values that it holds to be possible: one, unless an earlier merge left it open. A missing
    field is the empty text. A side that has settled keeps its say against one that has settled otherwise.
    """

    def both(one: AbstractSet[str], other: AbstractSet[str]) -> AbstractSet[str]:
        settled = {value for side in (one, other) if len(side) == 1 for value in side}
        return three_way_set(base, one, other) | settled

    return three_way(base, ours, theirs, both)


def lines(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> list[str] | None:
    """Both sides' changes to the lines of a text; None where they touch the same or neighbouring lines."""
    changes = sorted({*_changes(base, ours), *_changes(base, theirs)})
    if any(one[1] >= other[0] for one, other in itertools.pairwise(changes)):
        return None
    merged = list(base)
    for start, end, new in reversed(changes):
        merged[start:end] = new
    return merged


def _changes(base: Sequence[str], side: Sequence[str]) -> list[tuple[int, int, tuple[str, ...]]]:
    """What a side made of the base: lines `start` to `end` became others."""
    from difflib import SequenceMatcher  # costs the merge driver a tenth of its start, and is seldom needed

    found = SequenceMatcher(None, base, side, autojunk=False).get_opcodes()
    return [(start, end, tuple(side[first:last])) for tag, start, end, first, last in found if tag != "equal"]
