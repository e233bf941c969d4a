"""Runs that start by themselves: whether the last one came to life, and who is to be looked at once more.

The marks are the hook's, see `capture.nudge`. A process that was started repeats its number as the first thing it does;
one that did not is seen at the next look, not guessed at when it was started.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from gitinstinct import paths
from gitinstinct.capture import nudge

_LONG_ENOUGH = timedelta(seconds=30)
DAEMON = "daemon"
"""The number that the daemon gives to what it starts; it waits for the end itself."""


@dataclass(frozen=True, slots=True)
class Start:
    """The last start by the hook: when, and what became of it; `fault` is "" if it came to life, or still may."""

    at: datetime
    fault: str


def report_back(project: str, number: str) -> None:
    """Says that the start of that number came to life."""
    if number != DAEMON:
        with contextlib.suppress(OSError):
            nudge.write(paths.nudges(project) + nudge.BACK, number)


def last(project: str, now: datetime) -> Start | None:
    """The last start for a project; None if there was none."""
    mark = paths.nudges(project)
    try:
        at = datetime.fromtimestamp(Path(mark).stat().st_mtime, UTC)
    except OSError:
        return None
    number = nudge.read(mark)
    if number.startswith(nudge.NOT_MADE):
        return Start(at, f"could not be made: {number.removeprefix(nudge.NOT_MADE)}")
    is_back = not number or number == nudge.read(mark + nudge.BACK)
    return Start(at, "" if is_back or abs(now - at) < _LONG_ENOUGH else "did not report back")


def leave_word(project: str) -> None:
    """Asks for one more look at a project, because another run is at work."""
    with contextlib.suppress(OSError):
        paths.make_private(str(Path(paths.nudges(project)).parent))
        nudge.touch(paths.nudges(project) + nudge.PENDING)


def take_word(project: str) -> bool:
    """Whether one more look was asked for; it no longer is."""
    try:
        Path(paths.nudges(project) + nudge.PENDING).unlink()
    except OSError:
        return False
    return True


def asked_for() -> list[str]:
    """The projects that one more look was asked for, the one that waits longest first."""
    found = Path(paths.nudges("x")).parent.glob(f"*{nudge.PENDING}")
    with contextlib.suppress(OSError):
        return [path.name.removesuffix(nudge.PENDING) for path in sorted(found, key=lambda path: path.stat().st_mtime)]
    return []
