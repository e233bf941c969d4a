"""Reads the log of who would get what: of each session and instinct the first line, whatever came later.

A line that cannot be read is counted and left out; behind a torn one a whole one may stand.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from gitinstinct import paths
from gitinstinct.instinct.ids import is_id
from gitinstinct.measure import log, texts
from gitinstinct.measure.process import SHARE

_START = '{"v":'
_SCOPES = ("project", paths.GLOBAL)


@dataclass(frozen=True, slots=True)
class Assigned:
    """A session and an instinct that it would get: whether it went without, and out of which share."""

    project: str
    at: datetime
    session: str
    instinct: str
    text: str
    scope: str
    model: str
    withheld: bool
    probation: bool
    share: float

    @property
    def key(self) -> tuple[str, str, str]:
        """The unit: what came of this is written down once."""
        return (self.session, self.scope, self.instinct)


@dataclass(frozen=True, slots=True)
class Log:
    """The lines of one project that count, oldest first, and how many could not be read."""

    lines: tuple[Assigned, ...]
    broken: int


def projects() -> list[str]:
    """The ids of all projects with a log."""
    return sorted(path.stem for path in Path(paths.measure("x")).parent.glob(f"*{log.SUFFIX}"))


def read(project: str) -> Log:
    """The log of a project; empty where there is none."""
    first: dict[tuple[str, str, str], Assigned] = {}
    broken = 0
    for record in records(Path(paths.measure(project + log.SUFFIX))):
        line = _line(project, record) if record is not None else None
        if line is None:
            broken += 1
        else:
            first.setdefault(line.key, line)
    return Log(tuple(first.values()), broken)


def records(path: Path) -> Iterator[dict[str, Any] | None]:
    """The records of a file of lines; None for one that cannot be read. Nothing where there is no file."""
    try:
        text = path.read_text("ascii", "replace")
    except OSError:
        return
    for line in text.split("\n"):
        if not line.strip():
            continue
        found = _parsed(line)
        if found is None:
            yield None
            found = _parsed(line[line.rfind(_START) :]) if line.rfind(_START) > 0 else None
        if found is not None:
            yield found


def _parsed(line: str) -> dict[str, Any] | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _line(project: str, record: dict[str, Any]) -> Assigned | None:
    """A record with the types that it must have; None if it says nothing."""
    session, name, text = (_text(record, key) for key in ("session", "instinct", "text"))
    at, arm, scope = moment(record.get("at")), record.get("arm"), record.get("scope")
    share = record.get("share", SHARE)
    if not session or not is_id(name) or len(text) < texts.LEAST or at is None:
        return None
    if arm not in (log.INJECTED, log.WITHHELD) or scope not in _SCOPES or not _is_share(share):
        return None
    is_out, on_probation = arm == log.WITHHELD, record.get("probation") is True
    return Assigned(project, at, session, name, text, scope, _text(record, "model"), is_out, on_probation, share)


def _is_share(value: object) -> bool:
    return isinstance(value, float) and 0 < value < 1


def _text(record: dict[str, Any], key: str) -> str:
    value = record.get(key)
    return value if isinstance(value, str) else ""


def moment(value: object) -> datetime | None:
    """An ISO 8601 time as an aware one; None if it is none."""
    try:
        found = datetime.fromisoformat(str(value))
        return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
