"""Where a project's observations come from: its own spool, and before it what waits in those of its former ids.

A segment of a former id is named `<id>/<segment>` in the cursor. Its observations come before all of the own spool, and
their ids say so: the tally goes by their order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from gitinstinct.capture import reader
from gitinstinct.capture.reader import Line, Waiting

_SEGMENT_ROOM = 10_000_000_000  # bytes; more than any segment has


@dataclass(frozen=True, slots=True)
class Read:
    """A line, the name of its segment in the cursor, its observation's id, and the project that it was captured for."""

    line: Line
    segment: str
    id: str
    project: str
    is_former: bool = False


def read(project: str, former: list[str], begin: Mapping[str, int]) -> Iterator[Read]:
    """Every whole line behind `begin`, former ids first."""
    for old in former:
        for line in reader.read(old, _own(begin, old)):
            place = int(line.segment[:6]) * _SEGMENT_ROOM + line.offset
            yield Read(line, f"{old}/{line.segment}", f"0:{place}", old, True)
    for line in reader.read(project, begin):
        yield Read(line, line.segment, line.id, project)


def waiting(project: str, former: list[str], cursor: Mapping[str, int]) -> Waiting:
    """How much lies behind the cursor, and when somebody was last at work."""
    found = [*(reader.waiting(old, _own(cursor, old)) for old in former), reader.waiting(project, cursor)]
    newest = max((one.newest for one in found if one.newest), default=None)
    return Waiting(sum(one.lines for one in found), newest)


def _own(cursor: Mapping[str, int], project: str) -> dict[str, int]:
    """The part of a cursor that speaks of a former id's spool, with that spool's own names."""
    head = f"{project}/"
    return {name.removeprefix(head): offset for name, offset in cursor.items() if name.startswith(head)}
