"""The other side of the spool: what the observer and `status` read.

A segment is read line by line in bounded memory; what is no record is named with its segment and line, and the rest
goes on. A line without its newline is still being written and waits. The same event delivered twice (a hook registered
twice) counts once. Nothing is deleted that was not analysed.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from gitinstinct import paths
from gitinstinct.capture import gone
from gitinstinct.capture.doubles import Seen
from gitinstinct.capture.spool import ABOUT, DISK, SUFFIX

Record = dict[str, Any]
Cursor = Mapping[str, int]

KEPT_FOR = timedelta(days=30)
_PASSED = ".passed"
_LONGEST_LINE = 1_000_000
_LOOK_BACK = 256_000
_MOST_PROBLEMS = 100
_START = b'{"v":'


class Segment(NamedTuple):
    """One file of a spool: its name, its path, its size in bytes."""

    name: str
    path: Path
    size: int


class Position(NamedTuple):
    """Where a record lies: the name of its segment and the byte offset of its line."""

    segment: str
    offset: int

    @property
    def id(self) -> str:
        """The id of the observation, such as `1:5120`."""
        return f"{int(self.segment.split('.')[0])}:{self.offset}"


@dataclass(frozen=True, slots=True)
class Problem:
    """A line that is no record: where it is and why. Lines are counted from 1."""

    segment: str
    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class Count:
    """How often something was left out or lost, at least, and when last."""

    reason: str
    number: int
    last: datetime


def segments(project: str) -> list[Segment]:
    """The segments of a project, oldest first; empty if nothing was captured."""
    found = []
    for path in sorted(Path(paths.spool(project)).glob(f"[0-9]*{SUFFIX}")):
        with contextlib.suppress(OSError):
            found.append(Segment(path.name, path, path.stat().st_size))
    return found


def projects() -> list[str]:
    """The ids of all projects that something was captured in."""
    top = Path(paths.spool("x")).parent
    return sorted(path.name for path in top.iterdir() if path.is_dir()) if top.is_dir() else []


def about(project: str) -> dict[str, str]:
    """What the hook wrote down about a project: `id name root remote`; empty if nothing can be read."""
    try:
        found = json.loads((Path(paths.spool(project)) / ABOUT).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return {key: value for key, value in found.items() if isinstance(value, str)} if isinstance(found, dict) else {}


def read(project: str, cursor: Cursor | None = None) -> Reading:
    """The records of a project from a cursor on. Iterate over it; see `Reading` for what it tells besides."""
    return Reading(project, cursor or {})


class Reading:
    """One pass over a spool: yields (position, record), oldest first.

    `cursor` is where to go on after what was yielded so far; `problems` the lines that are no records (the first
    hundred), `broken` how many they are; `doubles` how many events were delivered again.
    """

    def __init__(self, project: str, cursor: Cursor) -> None:
        self.cursor: dict[str, int] = dict(cursor)
        self.problems: list[Problem] = []
        self.broken = 0
        self.doubles = 0
        self._project = project
        self._seen = Seen()

    def __iter__(self) -> Iterator[tuple[Position, Record]]:
        before: Segment | None = None
        for segment in segments(self._project):
            start = self.cursor.get(segment.name, 0)
            start = start if start <= segment.size else 0
            if start < segment.size:
                self._look_back(before, segment, start)
                yield from self._records(segment, start)
            before = segment

    def _records(self, segment: Segment, start: int) -> Iterator[tuple[Position, Record]]:
        for offset, line in _lines(segment.path, start):
            record, reason = _record(line)
            if reason:
                self._report(segment, offset, reason)
            self.cursor[segment.name] = offset + _size(line)
            if record is not None and self._seen.again(record):
                self.doubles += 1
            elif record is not None:
                yield Position(segment.name, offset), record

    def _look_back(self, before: Segment | None, segment: Segment, start: int) -> None:
        """Remember the events shortly before the cursor, so that their doubles behind it are known."""
        if self._seen.empty:
            if before and start < _LOOK_BACK:
                self._remember(before, before.size)
            self._remember(segment, start)

    def _remember(self, segment: Segment, stop: int) -> None:
        for offset, line in _lines(segment.path, max(0, stop - _LOOK_BACK)):
            if offset >= stop:
                return
            record, _ = _record(line)
            if record is not None:
                self._seen.again(record)

    def _report(self, segment: Segment, offset: int, reason: str) -> None:
        self.broken += 1
        if len(self.problems) < _MOST_PROBLEMS:
            self.problems.append(Problem(segment.name, _line_number(segment.path, offset), reason))


def counts() -> list[Count]:
    """All counters of the hook that are not zero, by reason (`skipped.<why>`, `lost.<why>`)."""
    folder = Path(paths.counts())
    found = []
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        with contextlib.suppress(OSError):
            status = path.stat()
            # Made in advance with the time 0; a later time without content tells of a disk without room.
            if status.st_size or status.st_mtime or path.name != DISK:
                last = datetime.fromtimestamp(status.st_mtime, UTC)
                found.append(Count(path.name, max(1, status.st_size), last))
    return found


def expire(project: str, cursor: Cursor, now: datetime) -> list[str]:
    """Delete the segments that the cursor passed at least 30 days ago; their names.

    When a cursor passed a segment is noted beside it at the first call that sees it. The newest segment stays, since
    hooks write to it.
    """
    deleted = []
    for segment in segments(project)[:-1]:
        note = segment.path.with_suffix(_PASSED)
        if cursor.get(segment.name, 0) < segment.size:
            note.unlink(missing_ok=True)
        elif not note.exists():
            note.write_text(now.astimezone(UTC).isoformat() + "\n", "ascii")
        elif now - _noted(note, now) >= KEPT_FOR:
            gone.note(project, _live_records(segment.path))
            segment.path.unlink(missing_ok=True)
            note.unlink(missing_ok=True)
            deleted.append(segment.name)
    return deleted


def _live_records(path: Path) -> Iterator[Record]:
    """The records of a segment that a hook has written, and no back-fill: that one remembers its own."""
    records = (_record(line)[0] for _, line in _lines(path, 0))
    return (record for record in records if record is not None and "past" not in record)


def _noted(note: Path, now: datetime) -> datetime:
    try:
        return min(now, datetime.fromisoformat(note.read_text("ascii").strip()))
    except ValueError:
        note.unlink(missing_ok=True)
        return now


# --- lines


def _lines(path: Path, start: int) -> Iterator[tuple[int, bytes]]:
    """(offset, line) of the complete lines from an offset on; of a line that is too long only its beginning."""
    with contextlib.suppress(FileNotFoundError), path.open("rb") as file:
        file.seek(start)
        while line := file.readline(_LONGEST_LINE):
            if line.endswith(b"\n"):
                yield start, line
            elif len(line) < _LONGEST_LINE or not _skip_line(file):
                return
            else:
                yield start, _LongLine(line, file.tell() - start)
            start = file.tell()


class _LongLine(bytes):
    """The beginning of a line that is too long, and how long all of it is."""

    whole: int

    def __new__(cls, start: bytes, whole: int) -> _LongLine:
        made = super().__new__(cls, start[:1])
        made.whole = whole
        return made


def _size(line: bytes) -> int:
    return line.whole if isinstance(line, _LongLine) else len(line)


def _skip_line(file: Any) -> bool:
    """Go behind the end of the line; False if it has none yet."""
    while part := file.readline(_LONGEST_LINE):
        if part.endswith(b"\n"):
            return True
    return False


def _record(line: bytes) -> tuple[Record | None, str]:
    """(the record of a line, what is wrong with the line). Behind a torn record a whole one may stand."""
    if isinstance(line, _LongLine):
        return None, "is too long"
    text = line.strip(b"\0 \t\r\n")
    if not text:
        return None, "" if b"\0" not in line else "holds nothing but NUL bytes"
    record = _parsed(text)
    if record is not None:
        return record, ""
    last = text.rfind(_START)
    return (_parsed(text[last:]) if last > 0 else None), "is torn"


def _parsed(text: bytes) -> Record | None:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and isinstance(found.get("event"), str) else None


def _line_number(path: Path, offset: int) -> int:
    """The number of the line that begins at an offset, from 1."""
    number = 1
    with path.open("rb") as file:
        while offset > 0 and (chunk := file.read(min(offset, 1 << 20))):
            number += chunk.count(b"\n")
            offset -= len(chunk)
    return number
