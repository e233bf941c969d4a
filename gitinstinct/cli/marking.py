"""Two texts side by side, with the words marked that differ: a person should not have to look for the one letter."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

OLD, NEW = "red", "green"
_MARKED = "bold underline"
_WORD = re.compile(r"\s+|\w+|[^\w\s]")
_MOST = 2_000  # words of a text; comparing more takes seconds, and nobody reads them


def marked(old: str, new: str) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """The pieces of both texts, coloured, what only one of them has marked besides."""
    before, after = _WORD.findall(old), _WORD.findall(new)
    if not before or not after or max(len(before), len(after)) > _MOST:
        return [(old, OLD)], [(new, NEW)]
    found = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return (
        list(_pieces(before, [(tag, start, end) for tag, start, end, _, _ in found], OLD)),
        list(_pieces(after, [(tag, start, end) for tag, _, _, start, end in found], NEW)),
    )


def _pieces(words: Sequence[str], spans: Sequence[tuple[str, int, int]], colour: str) -> Iterator[tuple[str, str]]:
    for tag, start, end in spans:
        if end > start:
            yield "".join(words[start:end]), colour if tag == "equal" else f"{_MARKED} {colour}"
