"""Locks that are held, not left lying: the system frees them when their process ends, however it ends.

Beside each lies a note with whom it belongs to: host, process, since when, what for. The note is for people and never
decides: one that was left behind, or names a process that is somebody else's by now, keeps nobody out.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from gitinstinct import paths
from gitinstinct.observer import whole

if TYPE_CHECKING:
    from filelock import BaseFileLock

MACHINE = "observe"
"""The lock that every run holds: one at a time on this machine."""
DAEMON = "daemon"
ANOTHER = "another run is at work"
_MOMENT = 0.5  # seconds; somebody may be looking whether the lock is held, and that takes it for an instant
_GLANCE = 0.06  # seconds that one who looks gives another one who does


@dataclass(frozen=True, slots=True)
class Owner:
    """Who holds a lock, or held it when it was killed. `token` is new for each holding."""

    what: str
    host: str
    pid: int
    since: str
    token: str


def of_project(project: str) -> str:
    """The name of the lock of a project's runs."""
    return f"observe-{project}"


@contextmanager
def held(name: str, what: str, now: datetime, seconds: float = _MOMENT) -> Iterator[Owner | None]:
    """Holds a lock while the block runs; gives its owner, None where another process kept it.

    Args:
        name: which lock.
        what: what for, in a few words for people.
        now: since when, for people.
        seconds: how long to wait for it.

    Raises:
        OSError: the lock's file cannot be made.
    """
    lock = _acquired(name, seconds)
    if lock is None:
        yield None
        return
    ours = Owner(what, platform.node(), os.getpid(), now.isoformat(), secrets.token_hex(8))
    try:
        _write(name, ours)
        yield ours
    finally:
        with contextlib.suppress(OSError):
            if owner(name) == ours:  # where the folder was made anew, the note may be another's
                forget(name)
        lock.release()


def owner(name: str) -> Owner | None:
    """What the note beside a lock says, whether or not it is held; None where there is none that can be read."""
    try:
        found = json.loads(_note(name).read_text("utf-8"))
        return Owner(**{key: kind(found[key]) for key, kind in _FIELDS.items()})
    except (OSError, ValueError, TypeError, KeyError):
        return None


_FIELDS = {"what": str, "host": str, "pid": int, "since": str, "token": str}


def forget(name: str) -> None:
    """Takes the note away. The lock stays held; a holder that looks after its note sees that it is meant.

    Raises:
        OSError: it cannot be taken away.
    """
    _note(name).unlink(missing_ok=True)


def is_held(name: str, *, even_unnoted: bool = False) -> bool:
    """Whether a living process holds a lock.

    Args:
        name: which lock.
        even_unnoted: also in the moments before its note is written and after that was taken away.
    """
    if not (even_unnoted or _note(name).exists()):  # mostly so, and then nobody is disturbed by a try
        return False
    try:
        lock = _acquired(name, _GLANCE)
    except OSError:
        return False
    if lock is not None:
        lock.release()
    return lock is None


def busy(name: str) -> str:
    """Who is at work, in a few words; "" if the lock is free."""
    if not is_held(name):
        return ""
    found = owner(name)
    return f"{found.what} is at work, process {found.pid} since {clock_time(found.since)}" if found else ANOTHER


def clock_time(moment: str) -> str:
    """A moment of a note as the wall clock here showed it."""
    with contextlib.suppress(ValueError):
        return datetime.fromisoformat(moment).astimezone().strftime("%Y-%m-%d %H:%M")
    return "an unknown time"


def _acquired(name: str, seconds: float) -> BaseFileLock | None:
    from filelock import FileLock, Timeout

    file = Path(paths.lock(name))
    paths.make_private(str(file.parent))
    lock = FileLock(file, timeout=seconds, mode=0o600)
    try:
        lock.acquire(poll_interval=0.02)
    except Timeout:
        return None
    return lock


def _note(name: str) -> Path:
    return Path(paths.lock(name)).with_suffix(".owner")


def _write(name: str, owner: Owner) -> None:
    """Leaves the note. Without room for it the lock holds all the same."""
    with contextlib.suppress(OSError):
        whole.write(str(_note(name)), json.dumps(asdict(owner)))
