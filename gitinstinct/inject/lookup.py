"""What a prompt asks for: a sum of weights over its terms, looked up in an index that was made before.

The index is one text: a line of JSON, a line a term with the places and weights of the instincts that it speaks for,
and a line of JSON an instinct. Only the lines of the prompt's own terms are ever read, so thousands of instincts that
have nothing to do with it cost nothing.
"""

from __future__ import annotations

from gitinstinct.inject import ready, terms
from gitinstinct.instinct import globs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ENOUGH = 500
"""A thousandth's worth of an instinct's own weight: from half of its trigger on it is meant."""

FILE = "*"
"""Begins the pseudo-terms of globs: `*.py` leads to those that are for such files, `*` to those for any."""

_BESIDE = 7  # tenths of the best one's weight: what is meant that much less is not meant
_MOST_WEIGHED = 40
_LONG = 40  # terms; a longer prompt touches much that it is not about
_HEADER = 4_096


class Index:
    """An index of words, opened."""

    __slots__ = ("_data", "_entries", "_terms", "header")

    def __init__(self, header: dict[str, Any], data: bytes) -> None:
        self.header = header
        self._data = data
        self._terms = data.index(b"\n")
        self._entries = self._terms + int(header["terms"])

    @classmethod
    def of(cls, data: bytes) -> Index:
        """The index that some bytes hold."""
        from gitinstinct.capture import codec

        header, _ = codec.parse(data[: data.index(b"\n")].decode())
        return cls(header, data)

    def postings(self, term: str) -> list[tuple[int, int]]:
        """(place, weight) of the instincts that a term speaks for."""
        found = self._data.find(b"\n" + term.encode("utf-8", "replace") + b"\t", self._terms, self._entries)
        if found < 0:
            return []
        line = self._data[found + 1 : self._data.index(b"\n", found + 1)].partition(b"\t")[2]
        pairs = [pair.split(b":") for pair in line.split()]
        return [(int(place), int(weight)) for place, weight in pairs]

    def entry(self, place: int) -> dict[str, Any]:
        """The instinct at a place."""
        from gitinstinct.capture import codec

        start = self._entries + place
        found, _ = codec.parse(self._data[start : self._data.index(b"\n", start)].decode())
        return dict(found)


def opened(project: str, state: str) -> Index | None:
    """The index for this state; None if there is none."""
    try:
        with open(ready.path(project, ready.WORDS), "rb") as file:
            data = file.read()
            line = data[: data.index(b"\n", 0, _HEADER)]
            header = ready.checked(file.fileno(), line, state)
        return Index(header, data) if header else None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def find(index: Index, prompt: str) -> list[dict[str, Any]]:
    """The instincts that a prompt asks for, those that it asks for most first."""
    asked = terms.shortened(prompt)
    named = terms.paths(asked)
    weights: dict[int, int] = {}
    words = dict.fromkeys(terms.of(asked))
    for term in words:
        for place, weight in index.postings(term):
            weights[place] = weights.get(place, 0) + weight
    needed = ENOUGH + 5 * max(0, min(len(words), 140) - _LONG)
    ranked = sorted(weights.items(), key=lambda pair: (-pair[1], pair[0]))
    found = _for_files(index, named, weights)
    for place, weight in ranked[:_MOST_WEIGHED]:
        if weight < needed:
            break
        entry = index.entry(place)
        if not entry["paths"]:
            found.append((weight, place, entry))
    found.sort(key=lambda one: (-one[0], one[1]))
    return [entry for weight, _, entry in found if weight * 10 >= found[0][0] * _BESIDE]


def _for_files(index: Index, named: list[str], weights: dict[int, int]) -> list[tuple[int, int, dict[str, Any]]]:
    """Those whose paths match a file that the prompt names."""
    places = {}
    for name in named:
        extension = name.rpartition(".")[2].lower() if "." in name.rpartition("/")[2] else ""
        for term in (f"{FILE}.{extension}", FILE):
            places.update(dict.fromkeys([place for place, _ in index.postings(term)]))
    found = []
    for place in list(places)[:_MOST_WEIGHED]:
        entry = index.entry(place)
        if any([globs.matches(pattern, name) for pattern in entry["paths"] for name in named]):
            found.append((ENOUGH + weights.get(place, 0), place, entry))
    return found
