"""The order of keys and sections after a merge.

What a side has taken out or put in does not change the order of the others: a name that comes back stands where it
stood, whichever side it comes from.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

from gitinstinct.instinct.fields import DERIVED
from gitinstinct.instinct.merge.choice import three_way

_OURS = frozenset(DERIVED) | {"conflicts"}
"""Fields that come and go with the evidence: where they stand is nobody's change of the order."""


def in_order(
    canonical: Sequence[str], present: Iterable[str], base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]
) -> list[str]:
    """The names that are present, in order.

    Args:
        canonical: the order of known names.
        present: the names to be put in order.
        base, ours, theirs: the names of each side in its order.
    """
    wanted = set(present)
    if _only(ours, wanted - _OURS) == _only(theirs, wanted - _OURS):
        kept = min(_only(ours, wanted), _only(theirs, wanted))
    else:
        kept = _old(_only(base, wanted), ours, theirs)
    for name in (name for name in canonical if name in wanted and name not in kept):
        kept.insert(_place(canonical, kept, name), name)
    known = [*dict.fromkeys([*base, *canonical])]
    for name in sorted(wanted.difference(kept), reverse=True):
        kept.insert(_behind_known(known, kept, ours, theirs, name), name)
    return kept


def _behind_known(
    known: Sequence[str], kept: Sequence[str], ours: Sequence[str], theirs: Sequence[str], name: str
) -> int:
    """The place of a new name: behind the known one that it stands behind on its side; of two places the first."""
    places = []
    for side in (ours, theirs):
        if name in side:
            before = [other for other in side[: side.index(name)] if other in known and other in kept]
            places.append(known.index(before[-1]) if before else -1)
    first = min(places, default=-1)
    return kept.index(known[first]) + 1 if first >= 0 else 0


def _old(base: list[str], ours: Sequence[str], theirs: Sequence[str]) -> list[str]:
    """The base's names in the order of the side that changed it."""
    one, other = (_as_in(base, side) for side in (ours, theirs))
    return three_way(base, one, other, min)


def _as_in(base: list[str], side: Sequence[str]) -> list[str]:
    """The base's names in a side's order; those that the side lacks stand where the base has them."""
    theirs, names = [name for name in side if name in base and name not in _OURS], set(side) - _OURS
    if theirs == [name for name in base if name in names]:
        return base
    found = [name for name in side if name in base]
    for name in base:
        if name not in found:
            found.insert(_behind(base, found, name), name)
    return found


def _behind(side: Sequence[str], kept: Sequence[str], name: str) -> int:
    """The place behind the nearest name that stands before it on a side."""
    before = side[: side.index(name)]
    return next((kept.index(other) + 1 for other in reversed(before) if other in kept), 0)


def _only(names: Sequence[str], wanted: Container[str]) -> list[str]:
    return [name for name in names if name in wanted]


def _place(canonical: Sequence[str], kept: Sequence[str], name: str) -> int:
    """Behind the last of those that stand before it in the canonical order."""
    before = set(canonical[: canonical.index(name)])
    return max((index + 1 for index, other in enumerate(kept) if other in before), default=0)
