"""The daemon's world as it is: signals, the clock that nobody sets, files, and a process for each analysis.

Signals only set flags; the loop sees them at its next tick. The daemon ends by itself when its place is gone (the
lock's note is not its own any more, because somebody removed the state) or when the program was replaced or removed.
"""

from __future__ import annotations

import logging
import logging.handlers
import os
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from types import FrameType

import gitinstinct
from gitinstinct import config, paths
from gitinstinct.capture.project import Project
from gitinstinct.config import Config
from gitinstinct.observer import locks
from gitinstinct.observer.daemon import child, place
from gitinstinct.observer.daemon.look import Eyes, Round, go_round, pause
from gitinstinct.observer.daemon.place import Told
from gitinstinct.observer.daemon.plan import Asked, Looked
from gitinstinct.observer.locks import Owner

_LOG_BYTES = 256_000
_ENDING = ("SIGTERM", "SIGINT", "SIGHUP", "SIGBREAK")
_LOOKING = "SIGUSR1"
STOPPED = "it was asked to stop"


class System:
    """What `loop.World` asks for. `signal` is the last one that asked for the end."""

    def __init__(
        self, owner: Owner, now: Callable[[], datetime], settings: Callable[[], Config], log: logging.Logger
    ) -> None:
        self.signal = ""
        self._owner, self._now, self._settings, self._log = owner, now, settings, log
        self._wants_look = False
        self._eyes = Eyes()
        self._told = Told(token=owner.token, since=now().isoformat())
        self._program = _program()
        self._analysing = child.Analysis(self.moment, self.sleep, self.why_end)

    # --- what the loop asks

    def moment(self) -> float:
        """Seconds, by a clock that nobody sets."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Waits."""
        time.sleep(seconds)

    def asked(self) -> Asked:
        """What signals and files asked for."""
        wants_look, self._wants_look = self._wants_look, False
        return Asked(wants_look, self.why_end())

    def look(self) -> Looked:
        """One look. What goes wrong in it is told and ends nothing."""
        if hasattr(time, "tzset"):
            time.tzset()  # the zone may have changed since
        settings = self._settings()
        started = self._now()
        try:
            found = go_round(
                self._eyes, self._now, settings, config.forbids(settings, os.environ), self._analyse,
                lambda: bool(self.why_end()),
            )  # fmt: skip
        except Exception as error:
            found = Round(faults=[f"the look failed: {type(error).__name__}: {error}"])
        interval = pause(settings, found, self._now())
        self._tell(found, started, interval)
        return Looked(found.was_active, interval, settings.observer.idle_minutes * 60.0)

    # --- what it says

    def begin(self) -> None:
        """Says that it lives."""
        place.tell(self._told)
        self.log(f"began, process {self._owner.pid}")

    def end(self, why: str) -> None:
        """Says that it ends, and why."""
        self.log(f"ended: {why}")
        if not self._is_homeless():
            place.tell(replace(self._told, due="", ended=self._now().isoformat(), why=why))

    def log(self, text: str) -> None:
        """One line."""
        self._log.info("%s  %s", self._now().strftime("%Y-%m-%d %H:%M:%SZ"), " ".join(text.split()))

    def _tell(self, found: Round, started: datetime, interval: float) -> None:
        due = self._now() + timedelta(seconds=interval)
        self._told = replace(self._told, looked=started.isoformat(), due=due.isoformat(), projects=found.projects)
        for name in found.analysed:
            self.log(f"analysed {name}")
        for fault in found.faults:
            self.log(fault)
            self._told = replace(self._told, error=" ".join(fault.split())[:300], erred=self._now().isoformat())
        place.tell(self._told)

    def _analyse(self, project: Project) -> str:
        return self._analysing.run(project, self._settings().observer.detector)

    # --- what ends it

    def listen(self) -> None:
        """Takes the signals that the system has. One that was ignored when we came (`nohup`) stays so."""
        for name in (*_ENDING, _LOOKING):
            number = getattr(signal, name, None)
            if number is not None and not (name == "SIGHUP" and signal.getsignal(number) is signal.SIG_IGN):
                signal.signal(number, self._on_signal)

    def _on_signal(self, number: int, _: FrameType | None) -> None:
        name = signal.Signals(number).name
        if name == _LOOKING:
            self._wants_look = True
        else:
            self.signal = name

    def why_end(self) -> str:
        """Why it has to end; "" if it has not."""
        if self.signal:
            return self.signal
        if self._is_homeless():
            return "its folder is gone"
        if _program() != self._program:
            return "the program was replaced or removed"
        return STOPPED if place.is_asked_to_stop(self._owner.token) else ""

    def _is_homeless(self) -> bool:
        found = locks.owner(locks.DAEMON)
        return found is None or found.token != self._owner.token


def _program() -> tuple[int, int] | None:
    """What tells this program from the one that an update puts in its place; None if it is gone."""
    try:
        found = Path(gitinstinct.__file__).stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ino


def logger() -> logging.Logger:
    """The daemon's log: private, of two files at most. A disk without room costs lines and nothing else."""
    logging.raiseExceptions = False
    made = logging.Logger("gitinstinct.daemon")
    paths.make_private(str(Path(paths.daemon("log")).parent))
    made.addHandler(
        logging.handlers.RotatingFileHandler(
            paths.daemon("log"),
            maxBytes=_LOG_BYTES,
            backupCount=1,
            encoding="utf-8",
            errors="backslashreplace",
            delay=True,
        )
    )
    return made
