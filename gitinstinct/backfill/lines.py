"""Lines of JSON as other programs have left them: torn, glued, padded with NUL bytes, still being written.

One line at a time is held, and none that is longer than sixteen megabytes. What can be read of a damaged line is read,
and the damage is told. A last line that is not whole yet waits for the next reading.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

LONGEST = 16_000_000  # bytes of a line
TOO_LONG = "too long"
TORN = "torn"
NUL = "nothing but NUL bytes"
NO_OBJECT = "no object"

_DECODER = json.JSONDecoder(strict=False)
_PIECE = 1 << 20
_TRIES = 8


@dataclass(frozen=True, slots=True)
class Line:
    """The objects of one line, mostly one; where the line begins and ends; what is wrong with it, "" for nothing."""

    offset: int
    end: int
    values: tuple[dict[str, Any], ...]
    damage: str = ""


def read(path: Path, start: int = 0, longest: int = LONGEST) -> Iterator[Line]:
    """The lines of a file from an offset on, blank ones left out.

    Raises:
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        file.seek(start)
        at = start
        while data := file.readline(longest):
            end = at + len(data)
            if data.endswith(b"\n"):
                line = _line(at, end, data)
            elif len(data) == longest:
                whole = _line_end(file, end)
                if whole is None:
                    return
                line = Line(at, whole, (), TOO_LONG)
            else:
                line = _line(at, end, data)
                if line is None or line.damage:  # still being written
                    return
            at = end if line is None else line.end
            if line is not None:
                yield line


def _line_end(file: BinaryIO, at: int) -> int | None:
    """Where a line that is too long ends; None if it has no end yet."""
    while data := file.readline(_PIECE):
        at += len(data)
        if data.endswith(b"\n"):
            return at
    return None


def _line(offset: int, end: int, data: bytes) -> Line | None:
    text = data.strip(b"\0 \t\r\n\xef\xbb\xbf").decode("utf-8", "replace")
    if not text:
        return Line(offset, end, (), NUL) if b"\0" in data else None
    values, damage = _values(text.replace("\0", ""))
    return Line(offset, end, tuple(values), damage)


def _values(text: str) -> tuple[list[dict[str, Any]], str]:
    """The objects that stand in a text one after another, and what is wrong with the rest."""
    found: list[dict[str, Any]] = []
    damage, at = "", 0
    for _ in range(_TRIES):
        try:
            value, at = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            damage = TORN
            at = text.find('{"', at + 1)
            if at < 0:
                break
            continue
        if isinstance(value, dict):
            found.append(value)
        else:
            damage = damage or NO_OBJECT
        at += len(text[at : at + 64]) - len(text[at : at + 64].lstrip())
        if at >= len(text):
            break
    else:
        damage = TORN
    return found, damage
