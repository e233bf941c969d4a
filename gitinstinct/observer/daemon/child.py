"""One analysis as a process of its own, watched until it ends.

It gives its memory back, and where it crashes the daemon does not. When the daemon is killed it goes on alone: it holds
its own locks and ends when it is done.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from dataclasses import dataclass

from gitinstinct import paths
from gitinstinct.capture import detached
from gitinstinct.capture.project import Project
from gitinstinct.observer import starts, state

_POLL = 0.1  # seconds
_LONGEST = 1800.0  # seconds; nothing that ends takes so long
_GRACE = 10.0  # seconds that an analysis has to end when the daemon has to


@dataclass(frozen=True, slots=True)
class Analysis:
    """Runs analyses: a clock, how to wait, and why the daemon has to end, "" if it has not."""

    moment: Callable[[], float]
    sleep: Callable[[float], None]
    why_end: Callable[[], str]

    def run(self, project: Project, detector: str) -> str:
        """Analyses a project; what went wrong, or ""."""
        where = ["--global"] if project.id == paths.GLOBAL else ["--project", _named(project)]
        try:
            started = detached.start(detached.ourselves("observe", "--started", starts.DAEMON, *where), os.environ)
        except OSError as error:
            return f"no process could be started: {error.strerror}"
        code = self._ended(started)
        if code is None:
            started.kill()
            return "ended when the daemon had to end" if self.why_end() else f"took longer than {_LONGEST / 60:.0f} min"
        return "" if code == 0 else _fault(project, detector, code)

    def _ended(self, started: detached.Started) -> int | None:
        """The exit code; None if it took too long."""
        last, is_ending = self.moment() + _LONGEST, False
        while (code := started.ended()) is None and self.moment() < last:
            if not is_ending and self.why_end():
                last, is_ending = min(last, self.moment() + _GRACE), True
            self.sleep(_POLL)
        return code


def _named(project: Project) -> str:
    """By its folder where that still is the project: only there is it known what it was called before."""
    return project.root if project.former else project.id


def _fault(project: Project, detector: str, code: int) -> str:
    if code < 0:
        return f"was ended by {_signal(-code)}"
    failure = state.load(project.id, detector).failure
    return str(failure["reason"]) if failure.get("reason") else f"ended with code {code}"


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
