"""Preferences: one program used again and again for a need that others could serve.

A use counts only when it has stood: it waits until the person's next word, or until enough has been done after it, so
that what is refused in that word never counts. The uses of the others for the same need are counted beside it, and so
are those of programs that everybody takes unasked, which are never learned themselves.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from gitinstinct.observer.local.acts import Act, Found
from gitinstinct.observer.local.commands import Command
from gitinstinct.observer.local.needs import NEED_OF, Need
from gitinstinct.observer.local.safe import code
from gitinstinct.observer.pattern import BASE, PREFERENCE, Pattern

_STANDS_AFTER = 20  # steps
_RUNNING = Need("when running the project's own tools", "run the project's tools", "workflow", frozenset())


class _Use(NamedTuple):
    key: str
    step: int
    anchor: str
    variant: str


class Preferences:
    """The uses in one session that may still be refused."""

    def __init__(self) -> None:
        self._waiting: list[_Use] = []
        self._refused: set[str] = set()

    def feed(self, act: Act) -> list[Found]:
        """Take one successful act; the earlier uses that stand by now."""
        standing = [use for use in self._waiting if act.step.number - use.step >= _STANDS_AFTER]
        self._waiting = [use for use in self._waiting if use not in standing]
        for command in act.commands:
            if key := _key(command):
                self._waiting.append(_Use(key, act.step.number, act.anchor, command.variant))
        return self._found(standing, act.anchor)

    def forget(self, steps: set[int]) -> None:
        """Take out the uses of an episode of repair."""
        self._waiting = [use for use in self._waiting if use.step not in steps]

    def refuse(self, term: str) -> None:
        """The person does not want this program: none of its uses in this session counts from now on."""
        self._refused.add(term.casefold())

    def settle(self, anchor: str) -> list[Found]:
        """The person went on, or the session ended: what waited stands."""
        standing, self._waiting = self._waiting, []
        return self._found(standing, anchor)

    def _found(self, uses: list[_Use], anchor: str) -> list[Found]:
        return [
            Found(_pattern(use.key), tuple(dict.fromkeys((use.anchor, anchor))), use.variant)
            for use in uses
            if not self._refused.intersection(use.key.split())
        ]


def _key(command: Command) -> str:
    """What the use counts for; a wrapper counts even if it stands in no table."""
    return command.key or command.wrapper


@lru_cache(maxsize=512)
def _pattern(key: str) -> Pattern:
    need = NEED_OF.get(key, _RUNNING)
    if key in need.usual:
        return Pattern(_signature(key), BASE)
    return Pattern(
        signature=_signature(key),
        family=PREFERENCE,
        trigger=need.when,
        action=f"Use {code(key)} for this.",
        title=f"Use {key} to {need.purpose}",
        name=f"use {key} to {need.purpose}",
        domain=need.domain,
        occasions=tuple(_signature(other) for other in sorted(need.members | need.usual | {key}))
        if need.is_exclusive
        else (),
    )


def _signature(key: str) -> str:
    return f"{PREFERENCE}\0{key}"
