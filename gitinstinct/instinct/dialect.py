"""The upper half of a file: YAML frontmatter, in a dialect without YAML's surprises.

Frontmatter stands only at the top, between two lines `---`. Every scalar is the text that is written there, so that
`no`, `0123` and `2026-01-02` stay what a person reads; `fields` converts by field. Plain lines, which is what we write
and most people too, are read here; everything else goes to PyYAML (`nodes`), with the same result and more time.
`handler` gives the dialect to python-frontmatter.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from gitinstinct.instinct.errors import Invalid

Value = str | list[Any] | dict[str, Any]
"""A frontmatter value: text, or lists and maps of text."""

LENGTH = 16_384  # characters of frontmatter; more is not parsed at all
_FENCE = re.compile(r"---[ \t]*\r?\n?")
# What a reader of YAML 1.1 or 1.2 takes for a number, a time or a date. Compiled when something is written: the merge
# driver seldom does.
_NUMBER_LIKE = r"""(?xi)[-+]?(?: [0-9][0-9_.,:+-]* | 0[xob][0-9a-f_]+
        | (?:[0-9][0-9_]*\.?[0-9_]*|\.[0-9_]+)(?:e[-+]?[0-9]+)?
        | \.(?:inf|nan) | [0-9]{4}-[0-9]{1,2}-[0-9]{1,2}[t\ ].* )"""
_PLAIN = r"(?s)[^\s\-?:,\[\]{}#&*!|>'\"%@`=~<](?:.*[^\s:])?"


class Field(NamedTuple):
    """A top-level field, and where it stands in the frontmatter's lines.

    `start` to `end` are its lines; `begin` to `stop` are the columns of its value, quotes included, if all of it is on
    one line, else both are the column behind the name. `style` is the value's quote, or another sign of YAML's.
    """

    start: int
    end: int
    value: Value
    begin: int
    stop: int
    style: str
    on_one_line: bool


# What no YAML reader can take for anything but this text: no indicator at its head, no comment, no second colon. That
# nothing in the line is invisible is asked before, in a way that is cheaper than a set of characters.
_WORD = r"[A-Za-z0-9_.][A-Za-z0-9_./+-]*"
_SIMPLE = re.compile(
    rf"""([A-Za-z_][A-Za-z0-9_-]*):(?:\ +(?:
        (?P<plain>[^\s\-?:,\[\]{{}}\#&*!|>'"%@`](?:[^\#:]+|:(?!\s|$)|(?<!\s)\#)*)
        | "(?P<double>[^"\\]*)" | '(?P<single>[^']*)' | \[(?P<list>(?:{_WORD}(?:,\ *{_WORD})*)?)\]
        ))?\ *""",
    re.VERBOSE,
)
_KINDS = {"plain": "", "double": '"', "single": "'", "list": ""}


def fields(lines: Sequence[str]) -> dict[str, Field]:
    """The top-level fields of a frontmatter's lines, each with its end.

    Raises:
        Invalid: with the line of the file, the opening fence being line 1.
    """
    if sum(map(len, lines)) > LENGTH:
        raise Invalid(f"the frontmatter is longer than {LENGTH} characters")
    found: dict[str, Field] = {}
    for index, line in enumerate(lines):
        simple = _simple(index, line)
        if simple is None or simple[0] in found:
            from gitinstinct.instinct import nodes

            return nodes.fields(lines)
        found[simple[0]] = simple[1]
    return found


@lru_cache(maxsize=2048)  # most lines stand in many files, and in all sides of a merge
def _simple(index: int, line: str) -> tuple[str, Field] | None:
    bare = line.rstrip("\r\n")
    found = _SIMPLE.fullmatch(bare) if bare.isprintable() else None
    return (found[1], _simple_field(index, found)) if found else None


def _simple_field(index: int, found: re.Match[str]) -> Field:
    kind = found.lastgroup
    if kind is None:  # nothing stands behind the colon
        return Field(index, index + 1, "", found.end(1) + 1, found.end(1) + 1, "", True)
    begin, text = found.start(kind), found[kind].rstrip(" ") if kind == "plain" else found[kind]
    value: Value = text if kind != "list" else [word.strip() for word in text.split(",") if word]
    outside = 0 if kind == "plain" else 1
    return Field(index, index + 1, value, begin - outside, begin + len(text) + outside, _KINDS[kind], True)


def cut(text: str) -> list[str]:
    """The text's lines, each with its end. A line ends at a line feed and nowhere else."""
    lines = text.split("\n")
    return [line + "\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


def closing_fence(lines: Sequence[str]) -> int:
    """The index of the line that ends the frontmatter.

    Raises:
        Invalid: there is no frontmatter at the top, or it does not end.
    """
    if not lines or not _FENCE.fullmatch(lines[0]):
        raise Invalid(_no_fence(lines), 1)
    for index, line in enumerate(lines[1:], 1):
        if line.startswith("---") and _FENCE.fullmatch(line):
            return index
    raise Invalid("the frontmatter does not end: no second line ---", 1)


def _no_fence(lines: Sequence[str]) -> str:
    later = next((number for number, line in enumerate(lines, 1) if _FENCE.fullmatch(line)), None)
    further = f" (one begins in line {later}: a collection of instincts is not an instinct)" if later else ""
    return f"no frontmatter: the first line is not ---{further}"


# --- writing


def field(name: str, value: object) -> str:
    """One canonical line `name: value`; lists of words in flow form, maps in flow form."""
    return f"{_key(name)}: {flow(value)}"


def flow(value: object) -> str:
    """A value on one line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(str(key))}: {_in_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_in_flow(item) for item in value) + "]"
    return scalar(str(value))


def _in_flow(value: object) -> str:
    text = flow(value)
    plain = isinstance(value, str) and not text.startswith('"')
    return quoted(text) if plain and any(sign in text for sign in ",[]{}") else text


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z_][\w-]*", name) and not is_ambiguous(name) else quoted(name)


def scalar(text: str) -> str:
    """Text as a YAML scalar on one line: plain where every reader takes it as that text, else in double quotes."""
    plain = re.fullmatch(_PLAIN, text) and text.isprintable() and ": " not in text and " #" not in text
    return text if plain and not is_ambiguous(text) else quoted(text)


def is_ambiguous(text: str) -> bool:
    """Whether a YAML 1.1 or 1.2 reader could take the plain text for a number, a date, a boolean or nothing."""
    words = {"true", "false", "yes", "no", "on", "off", "y", "n", "null", "nan", ""}
    return text.lower() in words or re.fullmatch(_NUMBER_LIKE, text) is not None


def quoted(text: str) -> str:
    """Text in double quotes, with what cannot be printed escaped."""
    return '"' + "".join(_escaped(sign) for sign in text) + '"'


_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}


def _escaped(sign: str) -> str:
    if sign in _ESCAPES:
        return _ESCAPES[sign]
    if sign.isprintable():
        return sign
    code = ord(sign)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
