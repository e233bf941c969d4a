"""JSON as text: find the children of a container, take one out, put one in, and leave every other byte alone.

Settings files belong to persons. They are edited by hand, formatted to taste and kept in dotfile repositories, so
writing the parsed value back would be a change of the whole file. Here a change is a change of text at a position:
the decoder of the standard library says where a value ends, and that is all that is needed.

Except for `load`, all functions expect text that `load` has accepted.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

_SPACE = re.compile(r"[ \t\n\r]*")
_LINE_END = re.compile(r"\r\n|\n|\r")


class NotJson(ValueError):
    """The text is no strict JSON document; the message says where and why."""


@dataclass(frozen=True, slots=True)
class Child:
    """One member of an object (`key` is set) or one item of a list: offsets into the text."""

    key: str | None
    start: int  # of the key in an object, else of the value
    value: int
    end: int


def load(text: str) -> object:
    """The value of a whole document, read as strictly as the harnesses do: no comments, no `NaN`.

    Raises:
        NotJson: it is not one JSON value.
    """
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise NotJson(f"line {error.lineno}, column {error.colno}: {error.msg}") from error
    except (ValueError, RecursionError) as error:
        raise NotJson(str(error)) from error


def _refuse_constant(name: str) -> object:
    raise NotJson(f"{name} is no JSON value")


_decode = json.JSONDecoder().raw_decode


def top(text: str) -> int:
    """Where the document's value begins."""
    return _skip(text, 0)


def value_at(text: str, at: int) -> object:
    """The value that begins at an offset."""
    value: object = _decode(text, at)[0]
    return value


def children(text: str, at: int) -> list[Child]:
    """The children, in order, of the object or list that begins at an offset."""
    closing = "}" if text[at] == "{" else "]"
    found: list[Child] = []
    at = _skip(text, at + 1)
    while text[at] != closing:
        start = at
        key: str | None = None
        if closing == "}":
            key, after = _decode(text, at)
            at = _skip(text, _skip(text, after) + 1)
        end = _decode(text, at)[1]
        found.append(Child(key, start, at, end))
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return found


def drop(text: str, at: int, index: int) -> str:
    """The text without one child of the container at an offset. Dropping what `append` added restores the text."""
    kids = children(text, at)
    if len(kids) == 1:
        return text[: at + 1] + text[_skip(text, kids[0].end) :]
    if index == 0:
        return text[: kids[0].start] + text[kids[1].start :]
    return text[: kids[index - 1].end] + text[kids[index].end :]


def append(text: str, at: int, value: object, key: str | None = None) -> str:
    """The text with one more child at the end of the container at an offset, written in the document's own style."""
    kids, style = children(text, at), _style(text)
    if not kids:
        return _fill(text, at, style, value, key)
    last = kids[-1]
    gap = _space_before(text, last.start)
    if not _LINE_END.search(gap) and len(kids) == 1:
        gap = style.blank
    spread = _LINE_END.search(gap) or _LINE_END.search(text, last.start, last.end)
    indent = _indent_of_line(text, last.start) if spread else None
    return text[: last.end] + "," + gap + style.render(value, key, indent) + text[last.end :]


def _fill(text: str, at: int, style: _Style, value: object, key: str | None) -> str:
    closing = _skip(text, at + 1)
    if style.unit is None:
        return text[: at + 1] + style.render(value, key, None) + text[closing:]
    outer = _indent_of_line(text, at)
    inner = outer + style.unit
    body = style.newline + inner + style.render(value, key, inner) + style.newline + outer
    return text[: at + 1] + body + text[closing:]


@dataclass(frozen=True, slots=True)
class _Style:
    """How a document is written: its line end, one step of indentation (None: all on one line), its colon."""

    newline: str
    unit: str | None
    colon: str

    @property
    def blank(self) -> str:
        """What follows a comma on one line."""
        return self.colon[1:]

    def render(self, value: object, key: str | None, indent: str | None) -> str:
        """A child as text; its lines after the first begin with `indent`, None writes it on one line."""
        unit = None if indent is None else self.unit
        comma = "," if unit is not None else "," + self.blank
        text = json.dumps(value, ensure_ascii=False, indent=unit, separators=(comma, self.colon))
        if unit is not None:
            text = text.replace("\n", self.newline + (indent or ""))
        return text if key is None else json.dumps(key, ensure_ascii=False) + self.colon + text


def _style(text: str) -> _Style:
    start = top(text)
    kids = children(text, start)
    line_end = _LINE_END.search(text)
    newline = line_end.group() if line_end else "\n"
    if not kids:
        return _Style(newline, "  ", ": ")
    gaps = [gap for kid in kids if _LINE_END.search(gap := _space_before(text, kid.start))]
    unit = _after_line_end(gaps[0]).removeprefix(_indent_of_line(text, start)) if gaps else None
    tight = text[_decode(text, kids[0].start)[1] : kids[0].value] == ":"
    return _Style(newline, unit, ":" if tight else ": ")


def _skip(text: str, at: int) -> int:
    space = _SPACE.match(text, at)
    return space.end() if space else at


def _space_before(text: str, at: int) -> str:
    start = at
    while start and text[start - 1] in " \t\n\r":
        start -= 1
    return text[start:at]


def _after_line_end(gap: str) -> str:
    return _LINE_END.split(gap)[-1]


def _indent_of_line(text: str, at: int) -> str:
    line = _LINE_END.split(text[:at])[-1]
    return line[: len(line) - len(line.lstrip(" \t"))]
