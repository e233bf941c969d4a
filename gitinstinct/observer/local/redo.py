"""A correction that shows only in what follows: told off, the agent does the same thing again with another tool.

People correct in ways that no grammar foresees ("we are a yarn shop", "didn't I say ruff?"). What they meant shows when
the agent repeats what it did before with one word changed, and the new word was in what the person said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from gitinstinct.observer.local import programs
from gitinstinct.observer.local.acts import Act
from gitinstinct.observer.local.commands import Command
from gitinstinct.observer.local.needs import are_rivals
from gitinstinct.observer.local.opposition import Pair, is_term
from gitinstinct.observer.local.safe import TERM

_LONGEST = 400  # characters: a longer prompt is a task
_SOON = 6  # acts
_INSTALLING = programs.ACTIVITIES["when installing packages"]
_WORD = re.compile(TERM)


class Redone(NamedTuple):
    """The pair, and the earlier act that was done again."""

    pair: Pair
    before: Act


class Redo:
    """What the agent did before the person spoke, and what was said."""

    def __init__(self, prompt: str = "", acts: tuple[Act, ...] = ()) -> None:
        is_short = len(prompt) <= _LONGEST
        self._words = {word.strip(".-/").casefold() for word in _WORD.findall(prompt)} if is_short else set()
        self._acts = acts
        self._left = _SOON

    def feed(self, act: Act) -> Redone | None:
        """Take the agent's next act; the pair, if it does an earlier one again in the way that was asked for."""
        self._left -= 1
        if self._left < 0 or not self._words:
            return None
        for before in reversed(self._acts):
            for old, new in product(before.doings, act.doings):
                for pair in _changed(old, new):
                    if self._is_asked(pair):
                        self._left = 0
                        return Redone(pair, before)
        return None

    def _is_asked(self, pair: Pair) -> bool:
        """The new word was said, and the old one too unless everybody knows that they stand for each other."""
        is_known = are_rivals(*pair) or pair.unwanted.casefold() in self._words
        return pair.wanted.casefold() in self._words and is_known


def _changed(old: Command, new: Command) -> Iterator[Pair]:
    """What differs: the program, for the same words or rivals on one thing; or the package that is installed."""
    rest, again = set(old.raw[1:]), set(new.raw[1:])
    if are_rivals(old.raw[0], new.raw[0]) and (rest & again or not again):
        yield Pair(new.raw[0], old.raw[0])
    if len(old.raw) != len(new.raw):
        return
    places = [place for place, words in enumerate(zip(old.raw, new.raw, strict=True)) if words[0] != words[1]]
    if len(places) == 1:
        pair = Pair(new.raw[places[0]], old.raw[places[0]])
        is_package = places[0] >= len(old.head.split()) and not _INSTALLING.isdisjoint(old.head.split())
        is_program = places[0] in (0, len(old.wrapper.split()))
        if are_rivals(*pair) or ((is_program or is_package) and all(is_term(term, is_package) for term in pair)):
            yield pair
