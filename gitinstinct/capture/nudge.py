"""Starts an observer run in the background when a turn or a session ends.

No resident process is needed: the run asks its gates itself and mostly ends at once. A project gets one start in a
while, whatever number of hooks ask for it in the same moment; an event that comes too soon for the next leaves a mark,
and a run that is at work then looks once more. Each start has a number that the process which was started repeats: what
did not is counted at the next start, so that a background that never comes to life is no secret.
"""

from __future__ import annotations

import os
import time

from gitinstinct import paths
from gitinstinct.capture import detached, spool
from gitinstinct.paths import GLOBAL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitinstinct.capture.project import Project

FAILED = "failed.start"
CLAIMED, BACK, PENDING = ".claim", ".back", ".pending"
"""What stands beside the mark of a project: somebody is about to start, the start came to life, look once more."""
NOT_MADE = "!"
_CLAIM_SECONDS = 10.0  # longer than any hook lives
_LEAST = 10.0  # seconds that a start has to come to life


def nudge(project: Project, env: Mapping[str, str], pause: float) -> None:
    """Starts a run for a project, or leaves word for one that was started within `pause` seconds.

    Never raises OSError.
    """
    mark, pause = paths.nudges(project.id), max(pause, _LEAST)
    try:
        if _is_recent(mark, pause):
            touch(mark + PENDING)
        elif _claim(mark + CLAIMED):
            try:
                if not _is_recent(mark, pause):  # somebody may have been quicker
                    _start(project, env, mark)
            finally:
                os.unlink(mark + CLAIMED)
        else:
            touch(mark + PENDING)
    except OSError:
        pass  # no run now is no harm: the next turn's end tries again, and `observe` can be called by hand


def _is_recent(mark: str, pause: float) -> bool:
    """Whether a file was written within so many seconds. A clock that went back does not matter."""
    try:
        return 0 <= time.time() - os.stat(mark).st_mtime < pause
    except FileNotFoundError:
        return False


def _claim(place: str) -> bool:
    """Whether it is for this process to start; a claim that a killed one left is taken away for the next."""
    try:
        os.close(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        if not _is_recent(place, _CLAIM_SECONDS):
            os.unlink(place)
        return False
    except FileNotFoundError:
        paths.make_private(os.path.dirname(place))
        return _claim(place)
    return True


def _start(project: Project, env: Mapping[str, str], mark: str) -> None:
    before = read(mark)
    if before and not before.startswith(NOT_MADE) and before != read(mark + BACK):
        spool.count(FAILED)
    number = f"{time.time_ns():x}-{os.getpid():x}"
    write(mark, number)
    where = ["--global"] if project.id == GLOBAL else ["--project", project.root or project.id]
    # A folder that the agent named, or that another one's session leads to, must not decide which project is meant.
    kept = {name: value for name, value in env.items() if name != "CLAUDE_PROJECT_DIR"}
    try:
        detached.start(detached.ourselves("observe", "--started", number, *where), kept)
    except OSError as error:
        spool.count(FAILED)
        write(mark, f"{NOT_MADE}{error.strerror}")


def read(place: str) -> str:
    """What a mark says; "" where there is none."""
    try:
        with open(place, encoding="utf-8", errors="replace") as file:
            return file.read(200)
    except OSError:
        return ""


def write(place: str, text: str) -> None:
    """Leaves a mark that says something."""
    descriptor = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)


def touch(place: str) -> None:
    """Leaves a mark whose time is now."""
    os.close(os.open(place, os.O_WRONLY | os.O_CREAT, 0o600))
    os.utime(place)
