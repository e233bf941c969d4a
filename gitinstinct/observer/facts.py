"""What the gates of a project look at, gathered; and when any project was last analysed, which all of them share."""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gitinstinct import paths
from gitinstinct.observer import locks, source, whole
from gitinstinct.observer.gates import Facts
from gitinstinct.observer.state import State
from gitinstinct.store import homes

if TYPE_CHECKING:
    from gitinstinct.capture.project import Project


_LAST_RUN = "last-run"


def gather(project: Project, memory: State, now: datetime, *, forbidden: str = "", busy: str = "") -> Facts:
    """The facts about a project.

    Args:
        project: whose run it would be.
        memory: what the detector that would run remembers of it.
        now: the time.
        forbidden: why nothing may start by itself.
        busy: what is at work; see `at_work`.
    """
    waiting = source.waiting(project.id, homes.aliases(project.id), memory.cursor)
    return Facts(
        now=now,
        wall=now.astimezone().replace(tzinfo=None),
        waiting=waiting.lines,
        last_run=_moment(memory.last.get("at")),
        last_captured=_moment(waiting.newest),
        any_run=_moment(_noted()),
        failed=_moment(memory.failure.get("at")),
        again=_moment(memory.failure.get("again")),
        forbidden=forbidden,
        busy=busy,
    )


def at_work(project: str) -> str:
    """What holds a lock that a run of the project needs, in a few words; "" if nothing does."""
    return locks.busy(locks.of_project(project)) or locks.busy(locks.MACHINE)


def note_run(now: datetime) -> None:
    """Remembers that something was analysed. Without room for it the next run is merely sooner."""
    with contextlib.suppress(OSError):
        whole.write(paths.nudges(_LAST_RUN), now.isoformat())


def _noted() -> str:
    with contextlib.suppress(OSError, UnicodeDecodeError):
        return Path(paths.nudges(_LAST_RUN)).read_text("utf-8")
    return ""


def _moment(said: Any) -> datetime | None:
    """An aware time; None for what is none. Without a zone it is taken as UTC."""
    try:
        found = datetime.fromisoformat(str(said))
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
