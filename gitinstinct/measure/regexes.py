"""Regular expressions that come from a file and must not keep the machine busy.

Python's engine tries every way in which a text may match. How many ways there can be is told from the expression before
it is used: what repeats a choice, and what needs too many tries on a text of ordinary length, is refused.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable
from functools import lru_cache
from importlib import import_module
from math import prod
from typing import Any

from gitinstinct.measure.errors import Malformed

LONGEST = 200
"""Characters of an expression."""
LENGTH, SHORT = 2_000, 500
"""Characters of a text that are looked at; the fewer where an expression has two open ends."""
_TRIES = 150_000_000  # on a text of that length; half a second where all of them are needed

_REPEATS = frozenset({"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"})
_GROUPS = {"SUBPATTERN": 3, "ATOMIC_GROUP": None, "ASSERT": 1, "ASSERT_NOT": 1}


class Pattern:
    """An expression that may be searched for."""

    __slots__ = ("_expression", "_length", "text")

    def __init__(self, text: str, expression: re.Pattern[str], length: int) -> None:
        self.text = text
        self._expression = expression
        self._length = length

    def found(self, text: str) -> bool:
        """Whether it occurs anywhere in the beginning of a text."""
        return self._expression.search(text[: self._length]) is not None


@lru_cache(maxsize=512)
def compiled(text: str) -> Pattern:
    """The expression of a text.

    Raises:
        Malformed: it is none, or it may take too long.
    """
    if len(text) > LONGEST:
        raise Malformed(f"has {len(text)} characters; {LONGEST} are enough")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # what may mean something else one day
            tree = import_module("re._parser").parse(text)
            expression = re.compile(text)
    except (re.error, RecursionError, OverflowError, Warning) as error:
        raise Malformed(f"is no regular expression ({error})") from None
    for length in (LENGTH, SHORT):
        if _tries(tree, length) * length <= _TRIES:
            return Pattern(text, expression, length)
    raise Malformed("may match in too many ways: leave out a `.*`, or what may also be missing")


def _tries(items: Iterable[Any], length: int) -> int:
    """In how many ways a sequence can match from one place on, at most."""
    return prod(_of_item(str(kind), value, length) for kind, value in items)


def _of_item(kind: str, value: Any, length: int) -> int:
    if kind in _REPEATS:
        least, most, body = value
        return _of_repeat(least, most, body, length)
    if kind == "BRANCH":
        return sum(_tries(branch, length) for branch in value[1])
    if kind in _GROUPS:
        place = _GROUPS[kind]
        return _tries(value if place is None else value[place], length)
    if kind.startswith("GROUPREF"):
        raise Malformed("refers back to a group, which is not allowed")
    return 1


def _of_repeat(least: int, most: int, body: Any, length: int) -> int:
    """What repeats must match in one way only: a choice within a repetition multiplies with each round."""
    ways = _tries(body, length)
    if ways > 1 and most > 1:
        raise Malformed("repeats what can itself match in several ways, such as (a*)* or (a|ab)*")
    return ways * max(1, min(most, length) - min(least, length) + 1)
