"""The order of keys and sections after a merge."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

from gitinstinct.instinct.fields import DERIVED
from gitinstinct.instinct.merge.choice import three_way

_OURS = frozenset(DERIVED) | {"conflicts"}
"""Fields that come and go with the evidence: where they stand is nobody's change of the order."""


def in_order(
    canonical: Sequence[str], present: Iterable[str], base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]
) -> list[str]:
    """The names that are present: in the order of the side that changed it, else in the base's with new ones in place.

    Args:
        canonical: the order of known names; unknown ones that are new go to the end, sorted.
        present: the names to be put in order.
        base, ours, theirs: the names of each side in its order.
    """
    wanted = set(present)
    kept = [name for name in _frame(base, ours, theirs) if name in wanted]
    for name in sorted(wanted.difference(kept), key=lambda name: (_rank(canonical, name), name)):
        kept.insert(_place(canonical, kept, name), name)
    return kept


def _frame(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> Sequence[str]:
    before, one, other = (_only(side, _OURS) for side in (base, ours, theirs))
    if one == other:
        return three_way([*base], [*ours], [*theirs], min)
    if other == before:
        return ours
    if one == before:
        return theirs
    unknown = {*one, *other}.difference(before)
    return three_way(before, _only(one, unknown), _only(other, unknown), min)


def _only(names: Sequence[str], others: Container[str]) -> list[str]:
    return [name for name in names if name not in others]


def _rank(canonical: Sequence[str], name: str) -> int:
    return canonical.index(name) if name in canonical else len(canonical)


def _place(canonical: Sequence[str], kept: Sequence[str], name: str) -> int:
    """Behind the last of those that stand before it in the canonical order."""
    if name not in canonical:
        return len(kept)
    before = set(canonical[: canonical.index(name)])
    return max((index + 1 for index, other in enumerate(kept) if other in before), default=0)
