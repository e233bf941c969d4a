"""One back-fill: the files that hold this project's past are read, each from where it was left, into the spool.

The cursor of a file moves after its events are in the spool. A process that is killed in between finds them there at
the next start, so nothing is told twice and nothing is missed.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from gitinstinct import paths
from gitinstinct.backfill import lines, sources
from gitinstinct.backfill.event import Account
from gitinstinct.backfill.memory import Mark, Memory
from gitinstinct.backfill.readers import Reader, Setting
from gitinstinct.backfill.recording import Recorder
from gitinstinct.backfill.sources import Past, Survey
from gitinstinct.capture import codec, redact, settings, spool
from gitinstinct.errors import EnvironmentFault
from gitinstinct.observer import locks

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gitinstinct.backfill.sources import Candidate
    from gitinstinct.capture.project import Project

Progress = Callable[[int, int], None]

_BATCH = 500  # events between two commits of the memory
_OVER = timedelta(days=1)
_PATIENCE = 30.0  # seconds that a run may need to end
_HEAD, _TAIL, _DIGITS = 1024, 256, 16


@dataclass(frozen=True, slots=True)
class Plan:
    """What there is to read: files, and how much of each is new, in bytes. `passed` are the files that are not read."""

    project: Project
    former: tuple[str, ...]
    unread: tuple[tuple[Past, int], ...]
    done: int
    passed: Counter[str]

    @property
    def size(self) -> int:
        """How much is to be read, in bytes."""
        return sum(past.size - start for past, start in self.unread)

    @property
    def sessions(self) -> int:
        """How many files of one session each there are to read."""
        return sum(past.kind.FAMILY != "observations" for past, _ in self.unread)


@dataclass(slots=True)
class Summary:
    """What was read: events and sessions that are new, what was left out and why, how files are damaged, and which
    files could not be read."""

    files: int = 0
    events: int = 0
    sessions: int = 0
    read: int = 0
    written: int = 0
    left: Counter[str] = field(default_factory=Counter)
    remarks: Counter[str] = field(default_factory=Counter)
    damage: list[tuple[Path, Counter[str]]] = field(default_factory=list)
    failed: list[tuple[Path, str]] = field(default_factory=list)

    def add(self, past: Past, start: int, account: Account) -> None:
        """Adds what became of a file that was read from an offset on."""
        self.files += 1
        self.read += past.size - start
        self.left += account.left
        self.remarks += account.remarks
        if account.damage:
            self.damage.append((past.path, account.damage))


def plan(project: Project, former: Iterable[str], candidates: Iterable[Candidate]) -> Plan:
    """What a back-fill would read. Nothing is written.

    Raises:
        EnvironmentFault: what is remembered of earlier ones cannot be read.
    """
    kept = tuple(former)
    found: Survey = sources.survey(candidates, project, kept, subagents=settings.read().subagents)
    with _remembered(project, rehearsed=True) as memory:
        starts = [(past, _start(memory, past)) for past in found.files]
    unread = tuple((past, start) for past, start in starts if start is not None)
    return Plan(project, kept, unread, len(starts) - len(unread), found.passed)


def backfill(
    planned: Plan, now: datetime, env: Mapping[str, str], progress: Progress | None = None, *, dry_run: bool = False
) -> Summary:
    """Reads the past into the project's spool.

    Args:
        planned: what to read.
        now: the time of the reading; events keep their own.
        env: whose secret values are blanked wherever they stand.
        progress: is told how many bytes of how many are done.
        dry_run: read everything and write nothing.

    Raises:
        EnvironmentFault: another one is at work, or the disk is full; what was done is kept.
    """
    project, summary, total = planned.project, Summary(), planned.size
    alone = contextlib.nullcontext() if dry_run else _alone(project, now)
    with alone, _remembered(project, rehearsed=dry_run) as memory:
        memory.learn_spool([project.id, *planned.former])
        recorder = Recorder(
            project, memory, settings.read(), redact.known_values(env), now,
            (lambda line: True) if dry_run else (lambda line: spool.append(project.id, line)),
        )  # fmt: skip
        try:
            for past, start in planned.unread:
                account = Account()
                try:
                    _read(past, start, recorder, account, _reporting(progress, summary.read, total))
                except OSError as error:  # it was there a moment ago; the others still are
                    summary.failed.append((past.path, error.strerror or str(error)))
                summary.add(past, start, account)
        finally:
            memory.commit()
            if not dry_run:
                spool.introduce(project)  # it has a place to lie in once there is a first event
            summary.events, summary.sessions = recorder.events, len(recorder.sessions)
            summary.written = recorder.written
    return summary


def _reporting(progress: Progress | None, done: int, total: int) -> Callable[[int], None]:
    return lambda further: progress(done + further, total) if progress else None


def _read(past: Past, start: int, recorder: Recorder, account: Account, report: Callable[[int], None]) -> None:
    """Reads one file from an offset on, and notes how far."""
    head = tuple(sources.head(past.path))
    reader = past.kind.Reader(Setting(head, recorder.choice.subagents, past.projects), account)
    recorder.begin()
    end, noted = start, recorder.events
    for line in lines.read(past.path, start):
        end = line.end
        if line.damage:
            account.damage[line.damage] += 1
        for value in line.values:
            for event in reader.feed(value, line.offset):
                recorder.tell(event, past.kind, account)
        if recorder.events - noted >= _BATCH:
            noted = recorder.events
            _note(past, reader, end, recorder, is_whole=False)
            report(end - start)
    is_over = recorder.newest is not None and recorder.now - recorder.newest > _OVER
    for event in reader.finish(over=is_over):
        recorder.tell(event, past.kind, account)
    _note(past, reader, end, recorder, is_whole=True)
    report(past.size - start)


def _note(past: Past, reader: Reader, end: int, recorder: Recorder, *, is_whole: bool) -> None:
    """The cursor of a file, in one commit with the events that it stands for. `is_whole` tells that all of it was read:
    only then is there nothing to do as long as its size stays."""
    waiting = reader.waiting
    offset = end if waiting is None else waiting
    mark = Mark(past.inode, past.size if is_whole else 0, _mark(past.path, offset), offset)
    recorder.memory.read_file(past.path, mark, recorder.now)
    recorder.memory.commit()


def _start(memory: Memory, past: Past) -> int | None:
    """Where to begin: where it was left, at 0 if it is another file by now, None if nothing was added."""
    known = memory.file(past.path)
    if known is None or past.size < known.offset or _mark(past.path, known.offset) != known.mark:
        return 0
    return None if (past.size, past.inode) == (known.size, known.inode) else known.offset


def _mark(path: Path, offset: int) -> str:
    """A hash of the beginning of a file and of what lies before an offset: if both stay, the file only grew."""
    try:
        with path.open("rb") as file:
            data = file.read(min(_HEAD, offset))
            file.seek(max(0, offset - _TAIL))
            return codec.hash_bytes(data + file.read(min(_TAIL, offset)), _DIGITS)
    except OSError:
        return ""


@contextmanager
def _remembered(project: Project, *, rehearsed: bool) -> Iterator[Memory]:
    place = paths.backfill(project.id)
    try:
        memory = Memory(place, rehearsed=rehearsed)
        try:
            yield memory
        finally:
            memory.close()
    except (sqlite3.Error, OSError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise EnvironmentFault(f"{place} cannot be used: {reason}", "what was done is kept; call it again") from error


@contextmanager
def _alone(project: Project, now: datetime) -> Iterator[None]:
    """Neither another back-fill nor a run: what the past teaches is to be one commit."""
    name = locks.of_project(project.id)
    with locks.held(name, f"a back-fill of {project.name}", now, _PATIENCE) as own:
        if own is None:
            raise EnvironmentFault(locks.busy(name) or "a run of this project is at work", "call it again afterwards")
        yield
