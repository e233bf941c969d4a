"""A file taken apart: fence, fields, body, bullets; every line with its end, so that joining them gives the file back.

Whoever changes a file changes lines here, so that no other byte moves. A field's value is replaced inside its line:
comments, quoting and order stay.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from gitinstinct.instinct import body as bodies
from gitinstinct.instinct import dialect
from gitinstinct.instinct import fields as known
from gitinstinct.instinct.body import Body, Bullet
from gitinstinct.instinct.dialect import Field, Value
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.ledger import Entry

LENGTH = 65_536  # bytes; more is no instinct
_BOM = "\ufeff"
_MARKED = (b"<<<<<<< ", b">>>>>>> ", b"||||||| ")
_MARKERS = ("<<<<<<< ", ">>>>>>> ", "||||||| ")


class Document(NamedTuple):
    """A file in its parts. `head` is the BOM, if there is one, and the opening fence."""

    head: str
    fields: tuple[str, ...]
    fence: str
    body: tuple[str, ...]

    @property
    def newline(self) -> str:
        """The file's own line end."""
        return "\r\n" if self.head.endswith("\r\n") else "\n"

    def encode(self) -> bytes:
        """The file's bytes."""
        return "".join((self.head, *self.fields, self.fence, *self.body)).encode()


class Sheet(NamedTuple):
    """A readable instinct file: its lines, what stands where in them, and what that says.

    `written` holds the derived fields as they stand there, `entries` the ledger in the order of the file.
    """

    document: Document
    fields: Mapping[str, Field]
    values: Mapping[str, Value]
    written: Mapping[str, int | str]
    body: Body
    bullets: Sequence[Bullet]
    entries: tuple[Entry, ...]


def split(data: bytes) -> Document:
    """Cuts a file into its parts.

    Raises:
        Invalid: too long, not UTF-8, odd line ends, no frontmatter at the top.
    """
    text = _decoded(data)
    bom = _BOM if text.startswith(_BOM) else ""
    lines = dialect.cut(text.removeprefix(_BOM))
    end = dialect.closing_fence(lines)
    return Document(bom + lines[0], tuple(lines[1:end]), lines[end], tuple(lines[end + 1 :]))


def _decoded(data: bytes) -> str:
    if len(data) > LENGTH:
        raise Invalid(f"the file has {len(data):,} bytes; {LENGTH:,} is the most for one instinct")
    text = utf8(data)
    if "\r" in text.replace("\r\n", ""):
        raise Invalid("a carriage return without a line feed", text.split("\r", 1)[0].count("\n") + 1)
    return text


def utf8(data: bytes) -> str:
    """The text of bytes.

    Raises:
        Invalid: they are no UTF-8, with the line of the first that is wrong.
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise Invalid(f"not UTF-8: byte {data[error.start]:#04x} at offset {error.start}", line) from error


def read(data: bytes, stem: str | None = None) -> Sheet:
    """Takes a file apart and judges it.

    Args:
        data: the file's bytes.
        stem: the file's name without `.md`, which must equal the id; None for a file outside a store.

    Raises:
        Invalid: the file is no readable instinct; the reason says why.
    """
    document = split(data)
    if any(marker in data for marker in _MARKED):
        refuse_markers(document)
    found = dialect.fields(document.fields)
    values = {name: field.value for name, field in found.items()}
    body = bodies.read(document.body)
    bullets = body.bullets()
    entries = tuple(bullet.entry for bullet in bullets if bullet.entry)
    sheet = Sheet(document, found, values, known.derived(values), body, bullets, entries)
    _refuse_unfit(sheet, stem)
    return sheet


def _refuse_unfit(sheet: Sheet, stem: str | None) -> None:
    """What an instinct must have to be one."""
    name = known.read_id(sheet.values)
    if stem is not None and name != stem:
        raise Invalid(f"the id {known.shown(name)} is not the file's name")
    forgotten = any(entry.kind == "forgotten" for entry in sheet.entries)
    if not known.text(sheet.values, "trigger") and not forgotten:
        raise Invalid("no trigger")
    if not sheet.entries and "confidence" not in sheet.written:
        raise Invalid("no confidence, and no evidence that would give one")


def refuse_markers(document: Document) -> None:
    """A file that a merge left half done is nobody's word."""
    lines = (document.head, *document.fields, document.fence, *document.body)
    for number, line in enumerate(lines, 1):
        if line.startswith(_MARKERS):
            raise Invalid("a conflict marker of an unfinished merge", number)


# --- changing a field


def with_field(document: Document, name: str, value: object) -> Document:
    """The document with a field set: its value replaced in place, or a new line at its place in the order."""
    spans = dialect.fields(document.fields)
    text = field_line(name, value).removesuffix("\n")
    if name in spans:
        return document._replace(fields=replaced(document.fields, spans[name], text))
    at = _place(name, spans, len(document.fields))
    return document._replace(fields=(*document.fields[:at], text + document.newline, *document.fields[at:]))


def without_field(document: Document, name: str) -> Document:
    """The document without a field's lines."""
    span = dialect.fields(document.fields).get(name)
    if span is None:
        return document
    return document._replace(fields=document.fields[: span.start] + document.fields[span.end :])


def replaced(fields: Sequence[str], span: Field, text: str) -> tuple[str, ...]:
    """The lines with one field's value replaced; a value over several lines becomes one line."""
    line = fields[span.start]
    end = "\r\n" if line.endswith("\r\n") else "\n"
    value = text.partition(": ")[2]
    if not span.on_one_line:
        return (*fields[: span.start], text + end, *fields[span.end :])
    begin, stop = span.begin, span.stop
    if begin == stop:  # nothing stood there: both are right behind the colon
        value = " " + value
    elif span.style in ("'", '"') and not value.startswith('"'):
        fits = span.style not in value and "\\" not in value
        value = f"{span.style}{value}{span.style}" if fits else dialect.quoted(value)
    return (*fields[: span.start], line[:begin] + value + line[stop:], *fields[span.start + 1 :])


def _place(name: str, spans: Mapping[str, Field], last: int) -> int:
    """The line before which a new field goes: behind the nearest field that stands before it in the order."""
    if name not in known.ORDER:
        return last
    before = [spans[other].end for other in known.ORDER[: known.ORDER.index(name)] if other in spans]
    return max(before, default=0)


def field_line(name: str, value: object) -> str:
    """A canonical line of the frontmatter. Our own dates and numbers stay plain: our reader takes them as text."""
    plain = name in known.DERIVED
    return f"{name}: {value}\n" if plain else dialect.field(name, value) + "\n"
