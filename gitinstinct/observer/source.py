"""Where a project's observations come from: its own spool, and before it what waits in those of its former ids.

A segment of a former id is named `<id>/<segment>` in the cursor. Its observations come before all of the own spool, and
their ids say so: the tally goes by their order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from gitinstinct.capture import reader
from gitinstinct.capture.reader import Reading

_SEGMENT_ROOM = 10_000_000_000  # bytes; more than any segment has
_TAIL = 65_536
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Found:
    """A record, where it lies (segment as in the cursor, offset), its observation's id, the project it was kept for."""

    record: Mapping[str, Any]
    segment: str
    offset: int
    id: str
    project: str


class Source:
    """One pass over everything behind a cursor. Afterwards `cursor` tells how far, `faults` what was no record."""

    def __init__(self, project: str, former: list[str], begin: Mapping[str, int]) -> None:
        self._own = reader.read(project, begin)
        self._former = {old: reader.read(old, _part(begin, old)) for old in former}
        self._project = project

    def __iter__(self) -> Iterator[Found]:
        for old, reading in self._former.items():
            for position, record in reading:
                number = int(position.segment[:6]) * _SEGMENT_ROOM + position.offset
                yield Found(record, f"{old}/{position.segment}", position.offset, f"0:{number}", old)
        for position, record in self._own:
            yield Found(record, position.segment, position.offset, position.id, self._project)

    @property
    def cursor(self) -> dict[str, int]:
        """Segment → the offset up to which it was read."""
        cursor = {name: end for name, end in self._own.cursor.items() if "/" not in name}
        for old, reading in self._former.items():
            cursor |= {f"{old}/{name}": end for name, end in reading.cursor.items()}
        return cursor

    @property
    def faults(self) -> list[str]:
        """What was no record, and how many events came twice."""
        told = [told for reading in self._readings() for told in _faults(reading)]
        doubles = sum(reading.doubles for reading in self._readings())
        return [*told, f"{doubles} events came twice"] if doubles else told

    def _readings(self) -> list[Reading]:
        return [*self._former.values(), self._own]


def _faults(reading: Reading) -> list[str]:
    shown = [f"{one.segment} line {one.line} {one.reason}" for one in reading.problems[:3]]
    more = reading.broken - len(shown)
    return [*shown, f"and {more} more"] if more > 0 else shown


def _part(cursor: Mapping[str, int], project: str) -> dict[str, int]:
    """The part of a cursor that speaks of a former id's spool, with that spool's own names."""
    head = f"{project}/"
    return {name.removeprefix(head): offset for name, offset in cursor.items() if name.startswith(head)}


# --- what waits


@dataclass(frozen=True, slots=True)
class Waiting:
    """What was not analysed yet: how many lines, and when a person or a tool was last at work."""

    lines: int
    newest: datetime | None


def waiting(project: str, former: list[str], cursor: Mapping[str, int]) -> Waiting:
    """How much lies behind the cursor. Counts lines without reading what is in them."""
    spools = [*((old, _part(cursor, old)) for old in former), (project, cursor)]
    found = [(segment, part.get(segment.name, 0)) for name, part in spools for segment in reader.segments(name)]
    lines = sum(_lines_behind(segment.path, start if start <= segment.size else 0) for segment, start in found)
    newest = (_last_at_work(segment.path) for segment, _ in reversed(found[-2:]))
    return Waiting(lines, next(filter(None, newest), None))


def _lines_behind(path: Path, start: int) -> int:
    try:
        with path.open("rb") as file:
            file.seek(start)
            return sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(_CHUNK), b""))
    except OSError:
        return 0


def _last_at_work(path: Path) -> datetime | None:
    """When the last prompt or tool event of a segment was captured."""
    import json

    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - _TAIL))
            tail = file.read().split(b"\n")
    except OSError:
        return None
    for data in reversed(tail):
        try:
            record = json.loads(data)
            if str(record["event"]).startswith(("prompt", "tool_")):
                return datetime.fromisoformat(str(record["at"]))
        except (ValueError, TypeError, KeyError):
            continue
    return None
