"""One file under the eye: its bytes, what could be read of them, and which line everything stands in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from gitinstinct.instinct import body as bodies
from gitinstinct.instinct import dialect, markdown, sheet
from gitinstinct.instinct.body import Body, Bullet
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.ledger import Entry
from gitinstinct.instinct.model import Instinct
from gitinstinct.instinct.sheet import Document


@dataclass(frozen=True, slots=True)
class Home:
    """The store that a file is in; `project_id` is empty for the global one."""

    scope: str
    project_id: str


@dataclass(frozen=True)
class Subject:
    """A file to be checked.

    Attributes:
        file: its path, as findings name it.
        data: its bytes.
        stem: its name without the suffix.
        home: the store, or None for a bare file.
        uncommitted: whether it is a person's version in the work tree.
    """

    file: str
    data: bytes
    stem: str
    home: Home | None = None
    uncommitted: bool = False

    @cached_property
    def lines(self) -> list[str]:
        """The lines without their ends; none if it is too long, or no text at all."""
        if len(self.data) > sheet.LENGTH:
            return []
        text = self.data.decode("utf-8", "replace").removeprefix("\ufeff")
        return [line.removesuffix("\r") for line in text.split("\n")]

    @cached_property
    def read(self) -> Readable | Invalid:
        """What the file says, or why it says nothing."""
        try:
            instinct = markdown.parse(self.data)
            return Readable(instinct, sheet.split(self.data))
        except Invalid as error:
            return error


@dataclass(frozen=True)
class Readable:
    """A file that can be read, and the places of its parts. All lines are counted from 1, in the whole file."""

    instinct: Instinct
    document: Document

    @cached_property
    def body(self) -> Body:
        """Title and sections."""
        return bodies.read(self.document.body)

    @cached_property
    def fields(self) -> dict[str, tuple[int, dialect.Value]]:
        """Every field of the frontmatter: its line, and its value with escapes resolved."""
        return {name: (found.start + 2, found.value) for name, found in dialect.fields(self.document.fields).items()}

    @cached_property
    def escaped(self) -> list[tuple[int, str]]:
        """Line and text of each key and value that may be written otherwise than it reads; none without a backslash."""
        if not any("\\" in line for line in self.document.fields):
            return []
        return [(line, text) for name, (line, value) in self.fields.items() for text in (name, *_texts(value))]

    def line_of(self, field: str) -> int | None:
        """The line of a field; None if it is missing."""
        return self.fields[field][0] if field in self.fields else None

    def body_line(self, index: int) -> int:
        """The line of the body's line of that index."""
        return len(self.document.fields) + 3 + index

    def section_line(self, name: str) -> int | None:
        """The line of the first heading of that name."""
        first = next(iter(self.body.named(name)), None)
        return self.body_line(first.start) if first else None

    @cached_property
    def bullets(self) -> list[tuple[int, Bullet]]:
        """The bullets of the evidence with their lines."""
        return [(self.body_line(bullet.start), bullet) for bullet in self.body.bullets()]

    @property
    def entries(self) -> Iterator[tuple[int, Entry]]:
        """The entries of the ledger with their lines, as they stand."""
        return ((line, bullet.entry) for line, bullet in self.bullets if bullet.entry)


def _texts(value: dialect.Value) -> Iterator[str]:
    """Every text in a value, keys too."""
    if isinstance(value, str):
        yield value
        return
    for item in value:
        yield from _texts(item)
        if isinstance(value, dict):
            yield from _texts(value[item])
