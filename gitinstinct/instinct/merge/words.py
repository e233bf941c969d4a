"""What people wrote: each text is one of those that are possible, or a conflict between them.

A conflict is data: the bytewise smaller text stands in its place, and `conflicts` lists them all.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from gitinstinct.instinct.merge.choice import disputed, smaller, three_way
from gitinstinct.instinct.merge.side import Side


class Word(NamedTuple):
    """What a text has become: what stands in its place, and the values in dispute, if there are several."""

    raw: str
    dispute: AbstractSet[str]


class Reading(NamedTuple):
    """How one text is found on a side: its value, compared and listed, and its lines, kept byte by byte.

    `write` makes the lines for a value that stands on neither side.
    """

    value: Callable[[Side], str]
    raw: Callable[[Side], str]
    write: Callable[[str], str]


def merge(name: str, reading: Reading, base: Side, ours: Side, theirs: Side) -> Word:
    """One text. `name` is what `conflicts` calls it."""
    sides = (base, ours, theirs)
    values = [reading.value(side) for side in sides]
    possible = disputed(
        *(side.disputes.get(name, frozenset()) | {value} for side, value in zip(sides, values, strict=True))
    )
    chosen = standing(possible)
    raws = [reading.raw(side) if value == chosen else "" for side, value in zip(sides, values, strict=True)]
    raw = one_of(*raws) if any(value == chosen for value in values[1:]) else reading.write(chosen)
    return Word(raw, possible if len(possible) > 1 else frozenset())


def standing(possible: AbstractSet[str]) -> str:
    """The value that stands in the field: the smallest, nothing only where there is nothing else."""
    first, *rest = possible
    for other in rest:
        first = smaller(first, other)
    return first


def one_of(base: str, ours: str, theirs: str) -> str:
    """One of the ways in which the same value is written; a side that has another value has nothing here."""
    if not (ours and theirs):
        return ours or theirs
    return three_way(base, ours, theirs, smaller)


def file_dispute(base: Side, ours: Side, theirs: Side, name: str) -> AbstractSet[str]:
    """What an earlier merge left open about the file as a whole; it goes when a side settled it."""
    known, one, other = (side.disputes.get(name, frozenset[str]()) for side in (base, ours, theirs))
    return three_way(known, one, other, lambda one, other: one | other if one and other else frozenset())
