"""What injection costs: characters that sessions were told, estimated.

The record of what reached a session names instincts and not their length. So each counts with the words that it has
today, one that is gone with the mean of the others, and every event with the frame around it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from gitinstinct.inject import block, log, render
from gitinstinct.instinct.shelf import Shelf

CHARACTERS_A_TOKEN = 4
"""Of English prose, about."""

_USUAL = 160  # characters of one instinct where none is known
_FRAME = len(block.text(block.START, [""]))


@dataclass(frozen=True, slots=True)
class Injected:
    """What the sessions of a project were told: how many sessions, how often, and about how many characters."""

    project: str
    sessions: int
    events: int
    characters: int

    @property
    def tokens(self) -> int:
        """About as many tokens."""
        return self.characters // CHARACTERS_A_TOKEN


def lengths(shelves: Iterable[tuple[str, Shelf]]) -> dict[tuple[str, str], int]:
    """(scope, id) → characters of its line today."""
    return {
        (scope, name): len(render.line(scope, item.instinct, 0)) + 1
        for scope, shelf in shelves
        for name, item in shelf.items.items()
    }


def of(project: str, known: Mapping[tuple[str, str], int], since: str = "") -> Injected:
    """What a project's sessions were told since an ISO time."""
    sessions, events, characters = set(), 0, 0
    usual = sum(known.values()) // len(known) if known else _USUAL
    for record in log.records(project):
        items, at = record.get("items") or (), str(record.get("at", ""))
        if items and at >= since:
            events += 1
            sessions.add(str(record.get("session") or at))
            characters += _FRAME + sum(known.get((str(scope), str(name)), usual) for name, scope, _ in items)
    return Injected(project, len(sessions), events, characters)
