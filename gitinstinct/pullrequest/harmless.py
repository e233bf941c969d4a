"""Foreign text on a page that a host renders: it is read, and does nothing.

A pull request's page is markdown, HTML and more: a mention calls people, `fixes #1` closes an issue, an image tells
who has looked, a comment hides what a merge brings. In code none of that is understood, so every foreign word stands in
a code span or in a fence that is longer than any row of back-ticks inside. What a reader would not see is written out.

Some hosts look for orders (`/merge`) and for `fixes #1` in the text itself and are known to overlook long fences. A
blank, which every reader sees, keeps both from being understood.
"""

from __future__ import annotations

import re

from gitinstinct.instinct import hidden

CELL = 300  # bytes of one cell
_TICKS = re.compile("`+")
_ROW = re.compile("`{12}(?=`)")  # a longer one would make the fence itself long
_NUMBER = re.compile(r"#(?=[0-9])")
_TAB = "    "
_ROOM = 4  # signs looked at for each byte that is shown: rows of blanks become one


class Safe(str):
    """Markdown that may stand on the page as it is."""

    __slots__ = ()


def visible(line: str) -> str:
    """A line of which a reader sees every sign: what is hidden or turns the writing is shown as an escape."""
    plain = line.replace("\t", _TAB)
    unseen = {one.place for one in hidden.find(plain)}
    return "".join(_escaped(sign) if at in unseen else sign for at, sign in enumerate(plain)) if unseen else plain


def _escaped(sign: str) -> str:
    return " " if hidden.is_space(sign) else sign.encode("unicode_escape").decode("ascii")


def span(text: str, most: int = CELL) -> Safe:
    """Text on one line, as a code span that fits into a cell of a table; empty for no text.

    A bar would end the cell even in code, and hosts differ in how it is escaped, so another sign stands for it.
    """
    text = text[: most * _ROOM]
    line = " ".join(_told(text.replace("\n", " ").replace("\r", " ")).split()).replace("|", "¦")
    line = cut(line, most)
    if not line:
        return Safe("")
    ticks = "`" * (_longest(line) + 1)
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return Safe(f"{ticks}{pad}{line}{pad}{ticks}")


def fence(text: str, most: int, language: str = "text") -> Safe:
    """Text of several lines, as a block of code; what is cut is told in its last line.

    Args:
        text: whatever it is.
        most: bytes of the text at most.
        language: what the block is called; ours, never foreign.
    """
    whole = text.strip("\r\n")
    lines = [_told(line) for line in whole[: most + 1].replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    given = "\n".join(lines)
    shown = cut(given, most)
    if shown != given or len(whole) > most + 1:
        shown += f"\n[cut: {len(whole):,} signs in all; the file has the rest]"
    ticks = "`" * max(3, _longest(shown) + 1)
    return Safe(f"{ticks}{language}\n{shown}\n{ticks}")


def _told(line: str) -> str:
    plain = _ROW.sub(lambda found: f"{found[0]} ", _NUMBER.sub("# ", visible(line)))
    return f" {plain}" if plain.startswith("/") else plain


def _longest(text: str) -> int:
    return max((len(row) for row in _TICKS.findall(text)), default=0)


def cut(text: str, most: int) -> str:
    """The text as far as it has room in so many bytes, with a mark where it was cut."""
    data = text.encode("utf-8", "replace")
    if len(data) <= most:
        return data.decode("utf-8")
    return data[: max(0, most - 3)].decode("utf-8", "ignore").rstrip() + "…"
