"""What runs by itself: the starts by the hook, and the daemon where somebody wants one."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from gitinstinct.capture import reader
from gitinstinct.capture.nudge import FAILED
from gitinstinct.config import Config
from gitinstinct.doctor.diagnosis import Diagnosis, ok, warning
from gitinstinct.observer import starts
from gitinstinct.observer.daemon import place

_BY_HAND = "try it: gitinstinct observe"
_OVERDUE = 3  # intervals, and as long as an analysis may take
_LONGEST = timedelta(minutes=30)
_RECENT = timedelta(days=7)


def look(settings: Config, now: datetime) -> Iterator[Diagnosis]:
    """The last starts, and the daemon."""
    yield from _starts(now)
    yield from _daemon(settings, now)


def _starts(now: datetime) -> Iterator[Diagnosis]:
    faults = 0
    for project in reader.projects():
        start = starts.last(project, now)
        if start is not None and start.fault:
            faults += 1
            name = reader.about(project).get("name", project)
            text = f"the last start of a run for {name}, {start.at:%Y-%m-%d %H:%M}, {start.fault}"
            yield warning("starts", text, _BY_HAND)
    failed = next((count for count in reader.counts() if count.reason == FAILED), None)
    if failed is not None and not faults and now - failed.last <= _RECENT:
        yield warning("starts", f"{failed.number} runs that the hook started never came to life", _BY_HAND)


def _daemon(settings: Config, now: datetime) -> Iterator[Diagnosis]:
    found, told = place.running(), place.told()
    if found is None:
        if place.is_wanted():
            yield ok("daemon", f"does not run now ({told.why or 'it was cut off'}); the next turn's end brings it back")
        return
    due = _moment(told.due)
    if due is not None and now - due > max(_LONGEST, _OVERDUE * timedelta(seconds=settings.observer.interval)):
        text = f"process {found.pid} has not looked since {told.looked[:16]}"
        yield warning("daemon", text, "gitinstinct daemon stop, then start")
    elif told.error and told.erred >= told.looked:
        yield warning("daemon", f"its last look: {told.error}", "gitinstinct daemon status")
    else:
        yield ok("daemon", f"runs, process {found.pid}")


def _moment(text: str) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
