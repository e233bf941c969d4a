"""When two instincts say the same, and when they say the contrary.

The terms in backticks are the facts: two texts with different facts are never the same, however alike they sound
("run `npm test`" is not "run `npm lint`"). The words around them may differ a little. Contrary are a preference and
its swap, and a rule and its negation.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

ALIKE = 85
"""Per cent; below, two sentences about the same terms are two instincts."""
_TERM = re.compile(r"`([^`]+)`")
_WORD = re.compile(r"[^\W_]+(?:[-'.+#/][^\W_]+)*[+#]*")
_FILLER = frozenset("a an and the to in of for it its this that do please always then when whenever you your".split())
_NEGATION = frozenset("not never no don't dont avoid without stop".split())
_INSTEAD = re.compile(
    r"(?:use|prefer|choose|with|go with)\s+(?P<use>\S+?)[,;]?\s+"
    r"(?:instead of|rather than|over|in place of|and not|not|to)\s+(?P<drop>\S+?)[.,;]?(?:\s|$)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Words:
    """A sentence as it is compared: its terms, its other words reduced to stems, and whether it forbids."""

    terms: frozenset[str]
    stems: str
    negative: bool


@lru_cache(maxsize=65536)
def words(text: str) -> Words:
    """The comparable form of a sentence."""
    plain = [word.lower() for word in _WORD.findall(_TERM.sub(" ", text))]
    kept = [word for word in plain if word not in _FILLER and word not in _NEGATION]
    return Words(terms(text), " ".join(dict.fromkeys(map(_stem, kept))), bool(_NEGATION.intersection(plain)))


@lru_cache(maxsize=65536)
def terms(text: str) -> frozenset[str]:
    """The terms of a sentence. They are looked at first, because they tell most sentences apart at no cost."""
    return frozenset(" ".join(term.split()).lower() for term in _TERM.findall(text))


@lru_cache(maxsize=65536)
def _stem(word: str) -> str:
    return str(_stemmer().stemWord(word))


@cache
def _stemmer() -> Any:
    import snowballstemmer

    return snowballstemmer.stemmer("english")


def same(trigger: str, action: str, other_trigger: str, other_action: str) -> bool:
    """Whether two instincts say the same."""
    if (choice := _choice(action)) is not None and choice == _choice(other_action):
        return (
            _tells_no_more(trigger, choice) or _tells_no_more(other_trigger, choice) or _agree(trigger, other_trigger)
        )
    if terms(action) != terms(other_action) or contrary(action, other_action):
        return False
    return _alike(words(action), words(other_action)) and _agree(trigger, other_trigger)


def _choice(action: str) -> tuple[str, str] | None:
    """The preference that is all that an action says, in whatever words: `a` instead of `b`; `a`, not `b`."""
    found = preference(action)
    return (
        found if found and terms(action) == set(found) and not words(_INSTEAD.sub(" ", action, count=1)).stems else None
    )


def _tells_no_more(trigger: str, choice: tuple[str, str]) -> bool:
    """Whether a situation is the choice itself: when choosing between `a` and `b`."""
    return terms(trigger) == set(choice)


def _agree(trigger: str, other: str) -> bool:
    return terms(trigger) == terms(other) and _alike(words(trigger), words(other))


def contrary(action: str, other: str) -> bool:
    """Whether two actions cannot both be followed: swapped preferences, or one the negation of the other."""
    first, second = preference(action), preference(other)
    if first and second:
        return first == (second[1], second[0])
    if terms(action) != terms(other):
        return False
    one, two = words(action), words(other)
    return one.negative != two.negative and _ratio(one.stems, two.stems) >= ALIKE


@lru_cache(maxsize=65536)
def preference(action: str) -> tuple[str, str] | None:
    """What an action wants and what it wants it instead of, if it says so."""
    found = _INSTEAD.search(action)
    return (_bare(found["use"]), _bare(found["drop"])) if found else None


def _bare(term: str) -> str:
    return term.strip("`'\"").lower()


def _alike(one: Words, two: Words) -> bool:
    return one.negative == two.negative and _ratio(one.stems, two.stems) >= ALIKE


def _ratio(one: str, two: str) -> float:
    from rapidfuzz.fuzz import token_sort_ratio

    return 100.0 if one == two else float(token_sort_ratio(one, two))
