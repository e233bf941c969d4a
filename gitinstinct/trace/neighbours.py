"""Who else says the same as an instinct, or the contrary: in its own store and in the other one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from gitinstinct.instinct import similar
from gitinstinct.instinct.model import Instinct
from gitinstinct.trace.wordbook import Said


@dataclass(frozen=True, slots=True)
class Neighbour:
    """Another instinct; `relation` is `same`, `contrary`, or `same id` for a text that differs under one name."""

    relation: str
    scope: str
    said: Said


def find(subject: Instinct, scope: str, others: Iterable[tuple[str, Said]]) -> list[Neighbour]:
    """The neighbours of an instinct, the contrary ones first.

    Args:
        subject: the instinct.
        scope: of its own store, so that it is not its own neighbour.
        others: all instincts of all stores that count, each with its scope.
    """
    found = []
    for other, said in others:
        relation = _relation(subject, said) if (other, said.id) != (scope, subject.id) else ""
        if relation:
            found.append(Neighbour(relation, other, said))
    return sorted(found, key=lambda one: (one.relation, one.scope, one.said.id))


class Crowd:
    """Many instincts, so that the neighbours of each of many others are found quickly.

    Only those with the same facts (the terms in backticks) can say the same or the contrary, but for a preference and
    its swap; so nobody else is looked at.
    """

    def __init__(self, every: Iterable[tuple[str, Said]]) -> None:
        self._by_terms: dict[frozenset[str], list[tuple[str, Said]]] = defaultdict(list)
        self._by_wish: dict[tuple[str, str], list[tuple[str, Said]]] = defaultdict(list)
        self._by_id: dict[str, list[tuple[str, Said]]] = defaultdict(list)
        for one in every:
            said = one[1]
            self._by_terms[similar.terms(said.action)].append(one)
            self._by_id[said.id].append(one)
            if (wish := similar.preference(said.action)) is not None:
                self._by_wish[wish].append(one)

    def around(self, subject: Instinct, scope: str) -> list[Neighbour]:
        """The neighbours of an instinct, as `find` tells them."""
        wish = similar.preference(subject.action)
        swapped = self._by_wish.get((wish[1], wish[0]), []) if wish else []
        alike = self._by_terms.get(similar.terms(subject.action), []) if subject.action else []
        return find(subject, scope, dict.fromkeys((*alike, *swapped, *self._by_id.get(subject.id, []))))


def _relation(subject: Instinct, said: Said) -> str:
    if similar.contrary(subject.action, said.action):
        return "contrary"
    if similar.same(subject.trigger, subject.action, said.trigger, said.action):
        return "same"
    return "same id" if said.id == subject.id else ""
