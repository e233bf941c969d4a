"""Starts a program that outlives the one that started it and holds nothing of it.

It has a session of its own, none of the pipes, terminals or files that the agent gave to its hook, and no shell in
between. So nothing can wait for it, and what ends the agent, its terminal or its session does not end it.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_OPEN = ("/proc/self/fd", "/dev/fd")
_KILL = 9
# Of the Windows API; a console of its own that nobody sees, so that git opens none, and out of the job that an agent
# may end as a whole.
_NEW_GROUP, _AWAY_FROM_JOB, _NO_WINDOW = 0x200, 0x1000000, 0x8000000


class Started:
    """A program that was started: its number, and how it ended."""

    __slots__ = ("_code", "_process", "number")

    def __init__(self, number: int, process: Any = None) -> None:
        self.number = number
        self._process = process
        self._code: int | None = None

    def ended(self) -> int | None:
        """Its exit code, below 0 for a signal; None while it runs."""
        if self._process is not None:
            code: int | None = self._process.poll()
            return code
        if self._code is None:
            try:
                number, status = os.waitpid(self.number, os.WNOHANG)
                self._code = os.waitstatus_to_exitcode(status) if number else None
            except ChildProcessError:  # somebody else has asked
                self._code = 0
        return self._code

    def kill(self) -> None:
        """Ends it at once. Until it was asked how it ended, its number is nobody else's."""
        if self._process is not None:
            self._process.kill()
        elif self.ended() is None:
            os.kill(self.number, _KILL)


def start(command: list[str], env: Mapping[str, str]) -> Started:
    """Starts a program, the first word being its path.

    Raises:
        OSError: it cannot be started.
    """
    if os.name == "nt":
        return _on_windows(command, env)
    _keep_to_oneself()
    silent = [(os.POSIX_SPAWN_OPEN, descriptor, os.devnull, os.O_RDWR, 0) for descriptor in (0, 1, 2)]
    try:
        return Started(os.posix_spawn(command[0], command, env, file_actions=silent, setsid=True))
    except NotImplementedError:  # the system's library knows no sessions there
        return _popen(command, env, start_new_session=True)


def _keep_to_oneself() -> None:
    """See that no file that this process was given goes on to the next; those that Python opens do not anyway."""
    folder = next(filter(os.path.isdir, _OPEN), "")
    for name in os.listdir(folder) if folder else ():
        if name.isdigit() and int(name) > 2:
            try:
                os.set_inheritable(int(name), False)
            except OSError:  # the listing's own, which is closed by now
                continue


def _on_windows(command: list[str], env: Mapping[str, str]) -> Started:
    flags = _NEW_GROUP | _NO_WINDOW
    try:
        return _popen(command, env, creationflags=flags | _AWAY_FROM_JOB)
    except OSError:  # the job lets nothing go
        return _popen(command, env, creationflags=flags)


def _popen(command: list[str], env: Mapping[str, str], **more: Any) -> Started:
    import subprocess

    null = subprocess.DEVNULL
    process = subprocess.Popen(command, env=dict(env), stdin=null, stdout=null, stderr=null, close_fds=True, **more)
    return Started(process.pid, process)


def ourselves(*arguments: str) -> list[str]:
    """The command that calls gitinstinct with these arguments, whatever lies in the working directory."""
    return [sys.executable, "-I", "-m", "gitinstinct", *arguments]
