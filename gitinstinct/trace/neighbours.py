"""Who else says the same as an instinct, or the contrary: in its own store and in the other one."""

from __future__ import annotations

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


def _relation(subject: Instinct, said: Said) -> str:
    if similar.contrary(subject.action, said.action):
        return "contrary"
    if similar.same(subject.trigger, subject.action, said.trigger, said.action):
        return "same"
    return "same id" if said.id == subject.id else ""
