"""A run that nobody typed: the hook started it, or the daemon.

It reports back first, so that a background which never comes to life is seen. Where another run is at work it leaves
word; a run that ends looks once more at every project that word was left for, and at each only once, so that no run
follows another without end. That look asks the gates again, but not for the pause since the run that has just ended. A
model is only asked about the project that the run was started in, whose environment it has.
"""

from __future__ import annotations

import contextlib
import os

from gitinstinct import clock, config
from gitinstinct.capture.project import Project
from gitinstinct.config import Config
from gitinstinct.errors import ExitCode, FatalError
from gitinstinct.inject import begin
from gitinstinct.measure.strata import Stratum
from gitinstinct.observer import gates, known, run, starts
from gitinstinct.observer.daemon import control
from gitinstinct.observer.detector import LOCAL


def attend(project: Project, number: str, settings: Config) -> int:
    """One run, if the gates are open, and one look at what asked for it meanwhile.

    Args:
        project: whose observations.
        number: the number of the start.
        settings: the person's settings.
    """
    starts.report_back(project.id, number)
    if config.forbids(settings, os.environ) or not settings.enabled:
        return ExitCode.DONE
    if number != starts.DAEMON and control.is_due():
        with contextlib.suppress(OSError):
            control.begin()
    if _look(project, settings):
        for asked in starts.asked_for():
            if asked == project.id:
                _look(project, settings, gates.COOLDOWNS)
            elif settings.observer.detector == LOCAL:
                with contextlib.suppress(FatalError, OSError):  # remembered where it is theirs
                    _look(known.project(asked), settings, gates.COOLDOWNS[:1])
        verdicts()
    return ExitCode.DONE


def _look(project: Project, settings: Config, without: tuple[str, ...] = ()) -> bool:
    """One run, if the gates are open; whether nobody else was at work."""
    starts.take_word(project.id)
    outcome = run.observe(project, clock.now(), settings, without=without)
    if outcome.commit:
        begin.ahead(project.id, os.environ)
    if outcome.stopped is not None and outcome.stopped.name == "lock":
        starts.leave_word(project.id)
        return False
    return True


def verdicts() -> list[Stratum]:
    """What is held back from now on because it was measured to do harm, or nothing."""
    from gitinstinct.measure import settle, switch

    return settle.update(clock.now()) if switch.state() else []
