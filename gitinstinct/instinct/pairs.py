"""Which of many instincts may say the same, or the contrary.

Comparing each with each would take minutes for thousands. Only those with the same facts (the terms in backticks) can
say the same, so they are compared within such groups, and there by a search in C that drops what is too unlike. What
the search finds is for `similar` to judge.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from gitinstinct.instinct.model import Instinct
from gitinstinct.instinct.similar import ALIKE, preference, words


def pairs(every: Sequence[Instinct]) -> list[tuple[int, int]]:
    """The places of those that may be the same or contrary, the earlier one first; each pair once, to be judged."""
    return sorted({*_alike(every), *_swapped(every)})


def _alike(every: Sequence[Instinct]) -> Iterator[tuple[int, int]]:
    """Places of instincts with the same facts and nearly the same words."""
    from rapidfuzz import fuzz, process

    groups: dict[frozenset[str], list[int]] = defaultdict(list)
    for at, one in enumerate(every):
        if one.action:
            groups[words(one.action).terms].append(at)
    for group in groups.values():
        texts = [" ".join(sorted(words(every[at].action).stems.split())) for at in group]
        for index, text in enumerate(texts[:-1]):
            later = texts[index + 1 :]
            for _, _, step in process.extract(text, later, scorer=fuzz.ratio, score_cutoff=ALIKE, limit=None):
                yield group[index], group[index + 1 + step]


def _swapped(every: Sequence[Instinct]) -> Iterator[tuple[int, int]]:
    """Places of preferences that are each other's swap."""
    wanted: dict[tuple[str, str], list[int]] = defaultdict(list)
    for at, one in enumerate(every):
        pair = preference(one.action)
        if pair is not None:
            yield from ((before, at) for before in wanted.get((pair[1], pair[0]), ()))
            wanted[pair].append(at)
