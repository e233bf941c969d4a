"""One side of a merge, taken apart: the raw text of each field and section, and what it says.

Line ends, a BOM and a missing final newline are taken off first and merged apart, so that a CRLF file and an LF file
differ in nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from gitinstinct.instinct import dialect
from gitinstinct.instinct import sheet as sheets
from gitinstinct.instinct.body import Body
from gitinstinct.instinct.dialect import Field, Value
from gitinstinct.instinct.fields import text as text_of
from gitinstinct.instinct.ledger import Entry
from gitinstinct.instinct.sheet import Sheet

PREAMBLE, TITLE, INTRO = "", "# title", "# intro"
EVIDENCE, _AGAIN = "## evidence", "## evidence ("
_BOM = b"\xef\xbb\xbf"


class Form:
    """How a file's bytes are dressed: BOM, CRLF, final newline."""

    def __init__(self, data: bytes) -> None:
        self.bom = data.startswith(_BOM)
        self.crlf = b"\r\n" in data.partition(b"\n")[0] + b"\n"
        self.ended = data.endswith(b"\n")

    def plain(self, data: bytes) -> bytes:
        """The bytes undressed."""
        bare = data.removeprefix(_BOM).replace(b"\r\n", b"\n")
        return bare if self.ended else bare + b"\n"


class Side:
    """What one side says. A side that is missing says nothing of anything."""

    def __init__(self, sheet: Sheet | None) -> None:
        document = sheet.document if sheet else None
        self.sheet = sheet
        self.fields: Mapping[str, Field] = sheet.fields if sheet else {}
        self.head = document.head if document else ""
        self.fence = document.fence if document else ""
        self.entries: tuple[Entry, ...] = sheet.entries if sheet else ()
        self.written: Mapping[str, int | str] = sheet.written if sheet else {}

    @cached_property
    def blocks(self) -> dict[str, str]:
        """Field → its lines, with the comments above it; the empty name has what stands behind the last field."""
        found, start = {}, 0
        lines = self.sheet.document.fields if self.sheet else ()
        for name, field in self.fields.items():  # both readers give them in the order of the file
            end = field.end
            found[name] = lines[start] if end == start + 1 else "".join(lines[start:end])
            start = end
        found[""] = "".join(lines[start:])
        return found

    @cached_property
    def parts(self) -> dict[str, str]:
        """Section → its lines, heading included, in the order of the file."""
        return parts(self.sheet.body) if self.sheet else {}

    @cached_property
    def evidence(self) -> str | None:
        """The evidence sections, one behind the other; None if there are none."""
        found = [text for name, text in self.parts.items() if is_evidence(name)]
        return "".join(found) if found else None

    @cached_property
    def disputes(self) -> dict[str, frozenset[str]]:
        """Field → the values between which an earlier merge could not decide."""
        return _disputes(self.value("conflicts")) if "conflicts" in self.fields else {}

    def value(self, name: str) -> Value | None:
        """A field's value; None if it is missing."""
        found = self.fields.get(name)
        return found.value if found else None

    def values_of(self, name: str) -> dict[str, Value]:
        """A field as a map with nothing else; empty if it is missing."""
        found = self.fields.get(name)
        return {name: found.value} if found else {}

    def text(self, name: str) -> str:
        """A field's value as text; empty if it is missing."""
        return text_of(self.values_of(name), name)

    def with_value(self, name: str, value: str) -> str:
        """A field's lines with another value; none if the field is missing."""
        if name not in self.fields:
            return ""
        field, text = self.fields[name], self.blocks[name]
        if field.on_one_line and not field.style and field.begin < field.stop and text.find("\n") == len(text) - 1:
            return text[: field.begin] + value + text[field.stop :]
        block = dialect.cut(text)
        above = len(block) - (field.end - field.start)
        moved = field._replace(start=above, end=len(block))
        return "".join(sheets.replaced(block, moved, f"{name}: {value}"))


def is_evidence(name: str) -> bool:
    """Whether a section of that name holds evidence."""
    return name == EVIDENCE or name.startswith(_AGAIN)


def parts(body: Body) -> dict[str, str]:
    """A body cut at its headings of the first and second level. A heading that comes twice is numbered."""
    starts: list[tuple[int, str]] = [(0, PREAMBLE)]
    names: set[str] = {PREAMBLE}
    for index, level, text in body.headings:
        if level > 2:
            continue
        if level == 1 and TITLE not in names:
            starts += [(index, TITLE), (index + 1, INTRO)]
            names |= {TITLE, INTRO}
            continue
        name = _unused(f"{'#' * level} {text.lower()}", names)
        starts.append((index, name))
        names.add(name)
    ends = [index for index, _ in starts[1:]] + [len(body.lines)]
    return {name: "".join(body.lines[start:end]) for (start, name), end in zip(starts, ends, strict=True)}


def _unused(name: str, names: set[str]) -> str:
    number = 2
    found = name
    while found in names:
        found, number = f"{name} ({number})", number + 1
    return found


def _disputes(listed: Value | None) -> dict[str, frozenset[str]]:
    """What `conflicts` says; entries that are none of ours say nothing."""
    found = {}
    for item in listed if isinstance(listed, list) else ():
        name, values = (item.get("field"), item.get("values")) if isinstance(item, dict) else (None, None)
        if isinstance(name, str) and isinstance(values, list):
            found[name] = frozenset(value for value in values if isinstance(value, str))
    return found
