"""What past sessions look like: one module a kind of file, told by its content and never by its name.

A module has `FAMILY`, `HARNESS`, `knows` (whether a line is of its kind) and `Reader`. A new kind is a new module here
and its place in `KINDS`; earlier ones are asked first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from gitinstinct.backfill.event import Account, Event
from gitinstinct.backfill.readers import claude, codex, ecc, opencode, toollog

Value = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Setting:
    """What a reader is told about the file: its first objects, and whether what subagents did counts.

    `projects` are the ids under which another observer keeps this project; None takes every line for this one.
    """

    head: Sequence[Value] = ()
    subagents: bool = False
    projects: frozenset[str] | None = None


class Reader(Protocol):
    """Reads the objects of one file in their order."""

    def feed(self, value: Value, offset: int) -> Iterable[Event]:
        """The events that an object of the line at that offset tells."""
        ...

    def finish(self, *, over: bool) -> Iterable[Event]:
        """The events that follow from the end of the file; `over` tells that nothing will be added to it."""
        ...

    @property
    def waiting(self) -> int | None:
        """Where the next reading has to begin again because something is not complete; None for the end."""
        ...


class Kind(Protocol):
    """The module of a kind of file."""

    FAMILY: str
    HARNESS: str

    def knows(self, value: Value) -> bool:
        """Whether an object is of this kind."""
        ...

    def Reader(self, setting: Setting, account: Account) -> Reader:
        """A reader for one file."""
        ...

    def is_observer(self, head: list[Value]) -> bool:
        """Whether the file, told by its first objects, is a session of a program that observes."""
        ...


KINDS: tuple[Kind, ...] = (claude, codex, opencode, ecc, toollog)


def kind_of(head: Iterable[Value]) -> Kind | None:
    """The kind that knows most of the first objects of a file; None where none knows any."""
    values = list(head)
    counts = [len([value for value in values if kind.knows(value)]) for kind in KINDS]
    return KINDS[counts.index(max(counts))] if max(counts) else None
