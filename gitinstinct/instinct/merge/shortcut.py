"""The ordinary case, quickly: versions that differ in entries and in what follows from them, and in nothing else.

Teams mostly confirm. Such files need not be taken apart: their lines are compared as they stand, and one of them is
read. Whatever is not quite so ordinary is left to the whole merge; where this gives an answer, it is the same, byte by
byte (a test holds that).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from gitinstinct.instinct import dialect, fields
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.ledger import parse_line
from gitinstinct.instinct.merge.ledger import Line, of_lines

_DERIVED = re.compile(
    r"^(confidence): (0\.\d\d)$|^(status): (active|archived)$|^(created|last_observed): (\d{4}-\d\d-\d\d)$"
    r"|^(confirmations|contradictions): (\d{1,9})$",
    re.MULTILINE,
)
_EVIDENCE = "\n## Evidence\n"
_ODD = ("\r", "```", "~~~", "<<<<<<< ", ">>>>>>> ", "||||||| ", "\n## evidence")
"""What may stand in such a file nowhere."""


class _Cut(NamedTuple):
    """A file cut in three, and its derived fields. Two differ in evidence alone if their frames are equal."""

    front: str
    body: str
    lines: tuple[Line, ...]
    frame: str
    written: dict[str, str]


def merge(base: bytes, ours: bytes, theirs: bytes, stem: str | None) -> bytes | None:
    """The merge of three files, or None where they must be taken apart."""
    cuts = [_cut(data) for data in (base, ours, theirs)]
    before, one, other = cuts
    if before is None or one is None or other is None or not before.frame == one.frame == other.frame:
        return None
    source = _plain_source(one.front, stem)
    if source is None:
        return None
    merged = of_lines(before.lines, one.lines, other.lines)
    if not merged:
        return None
    created = min(one.written["created"], other.written["created"]) if "created" in one.written else None
    given = fields.derive([line.entry for line in merged], source, created)
    if given.keys() != one.written.keys() or given["status"] == "forgotten":
        return None
    front = _DERIVED.sub(lambda found: _line(found, given), one.front)
    return "".join((front, one.body, _EVIDENCE, *(f"{line.text}\n" for line in merged))).encode()


def _line(found: re.Match[str], given: dict[str, str]) -> str:
    name = next(filter(None, found.groups()))
    return f"{name}: {given[name]}"


def _cut(data: bytes) -> _Cut | None:
    text = _text(data)
    head, evidence, tail = text.partition(_EVIDENCE)
    end = head.find("\n---\n")
    if not evidence or end < 0 or not head.startswith("---\n") or not tail.endswith("\n"):
        return None
    lines = _lines(tail[:-1].split("\n"))
    if lines is None:
        return None
    front, body = head[: end + 1], head[end + 1 :]
    names, written = [], {}
    for found in _DERIVED.finditer(front):
        name, value = filter(None, found.groups())
        names.append(name)
        written[name] = value
    frame = _DERIVED.sub("", front) + "\0".join(names) + body
    return _Cut(front, body, lines, frame, written) if len(written) == len(names) else None


def _text(data: bytes) -> str:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return ""
    return "" if any(odd in text for odd in _ODD) else text


def _lines(texts: Iterable[str]) -> tuple[Line, ...] | None:
    """The entries, if there is nothing else."""
    found = []
    for text in texts:
        entry = parse_line(text)
        if entry is None or entry.kind == "forgotten" or text != text.rstrip():
            return None
        found.append(Line(entry, text))
    return tuple(found)


def _plain_source(front: str, stem: str | None) -> str | None:
    """The source of a file whose fields are as they must be, without a conflict, and with lists in order."""
    try:
        values = {name: field.value for name, field in dialect.fields(dialect.cut(front)[1:]).items()}
        name, trigger = fields.read_id(values), fields.text(values, "trigger")
        fields.derived(values)
        source = fields.text(values, "source")
    except Invalid:
        return None
    lists = (value for value in values.values() if not isinstance(value, str))
    fit = all(isinstance(value, list) and value == sorted({*map(str, value)}) for value in lists)
    words = all(isinstance(values.get(key, []), list) for key in ("tags", "paths", "anchors"))
    return source if fit and words and trigger and name == (stem or name) and "conflicts" not in values else None
