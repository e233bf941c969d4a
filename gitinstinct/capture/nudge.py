"""Starts an observer run in the background when a turn or a session ends.

No resident process is needed: the run asks its gates itself and mostly ends at once. At most one is started every five
minutes for a project. It has a session of its own and none of the agent's pipes, so nothing can wait for it.
"""

from __future__ import annotations

import os
import sys
import time

from gitinstinct import paths
from gitinstinct.paths import GLOBAL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitinstinct.capture.project import Project

_PAUSE = 300.0  # seconds


def nudge(project: Project, env: Mapping[str, str]) -> None:
    """Starts a run for a project, unless one was started shortly before. Never raises OSError."""
    try:
        if _is_due(os.path.join(paths.root("state"), "nudges", project.id)):
            _start(project, env)
    except (OSError, NotImplementedError):
        pass  # no run now is no harm: the next turn's end tries again, and `observe` can be called by hand


def _is_due(mark: str) -> bool:
    """Whether the last start was long enough ago; if so, this one is noted. A clock that went back does not matter."""
    try:
        if 0 <= time.time() - os.stat(mark).st_mtime < _PAUSE:
            return False
    except FileNotFoundError:
        paths.make_private(os.path.dirname(mark))
    os.close(os.open(mark, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
    os.utime(mark)
    return True


def _start(project: Project, env: Mapping[str, str]) -> None:
    where = ["--global"] if project.id == GLOBAL else ["--project", project.root or project.id]
    command = [sys.executable, "-I", "-m", "gitinstinct", "observe", *where]
    # A folder that the agent named, or that another one's session leads to, must not decide which project is meant.
    kept = {name: value for name, value in env.items() if name != "CLAUDE_PROJECT_DIR"}
    if os.name == "nt":
        os.spawnve(getattr(os, "P_DETACH", 4), command[0], command, kept)
        return
    silent = [(os.POSIX_SPAWN_OPEN, descriptor, os.devnull, os.O_RDWR, 0) for descriptor in (0, 1, 2)]
    os.posix_spawn(command[0], command, kept, file_actions=silent, setsid=True)
