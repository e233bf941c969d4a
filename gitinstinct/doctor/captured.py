"""What hooks have left behind, and what the observer made of it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from gitinstinct import paths
from gitinstinct.capture import reader
from gitinstinct.capture.spool import DISK
from gitinstinct.config import Config
from gitinstinct.doctor.diagnosis import Diagnosis, ok, warning
from gitinstinct.observer import state
from gitinstinct.observer.state import State

_RECENT = timedelta(days=7)


def look(settings: Config, now: datetime) -> Iterator[Diagnosis]:
    """The settings, the spool, what was lost, and the observer's last runs."""
    yield from _settings(settings)
    memories = {project: state.load(project, settings.observer.detector) for project in reader.projects()}
    yield _spool(list(memories), now)
    yield from _unreadable(memories)
    yield from _lost(now)
    yield from _observer(memories)


def _settings(settings: Config) -> Iterator[Diagnosis]:
    yield from (warning("settings", problem, "mend that key; its default holds") for problem in settings.problems)
    if not settings.enabled:
        yield warning("settings", "gitinstinct is switched off: nothing is captured", "enabled: true in config.yaml")
    if settings.enabled and not settings.problems:
        yield ok("settings", f"{paths.config_file()}" if Path(paths.config_file()).exists() else "the defaults")


def _spool(projects: list[str], now: datetime) -> Diagnosis:
    times = [segment.path.stat().st_mtime for project in projects for segment in reader.segments(project)]
    if not times:
        return ok("spool", "nothing was captured yet")
    ago = max(now - datetime.fromtimestamp(max(times), UTC), timedelta())
    return ok("spool", f"projects: {len(projects)}; last event {_span(ago)} ago")


def _span(span: timedelta) -> str:
    minutes = int(span.total_seconds() // 60)
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h" if minutes < 2880 else f"{minutes // 1440} days"


def _unreadable(memories: dict[str, State]) -> Iterator[Diagnosis]:
    """Lines that the next run will not be able to read."""
    for project, memory in memories.items():
        reading = reader.read(project, memory.cursor)
        for _ in reading:
            pass
        if reading.broken:
            first = reading.problems[0]
            where = Path(paths.spool(project)) / first.segment
            text = f"{reading.broken} lines of {project} are no observations, the first in {where}, line {first.line}"
            yield warning("spool", f"{text}: it {first.reason}", "nothing to do: they are passed over, the rest counts")


def _advice(lost: list[reader.Count]) -> str:
    """The way out, by what was lost: a disk without room, or payloads that are none."""
    if any(count.reason == DISK for count in lost):
        return f"is the disk full, or read-only? {paths.counts()} holds the counters"
    return f"something called the hook with what is no event of its harness; {paths.counts()} holds the counters"


def _lost(now: datetime) -> Iterator[Diagnosis]:
    lost = [count for count in reader.counts() if count.reason.startswith("lost.")]
    recent = [count for count in lost if now - count.last <= _RECENT]
    told = ", ".join(
        f"{count.number} {count.reason.removeprefix('lost.')} (last {count.last:%Y-%m-%d})" for count in lost
    )
    if recent:
        yield warning("lost", told, _advice(recent))
    elif lost:
        yield ok("lost", f"nothing in the last week; before: {told}")


def _observer(memories: dict[str, State]) -> Iterator[Diagnosis]:
    troubles = 0
    for project, memory in memories.items():
        if memory.problem:
            yield warning("observer", memory.problem, "nothing to do: known evidence counts once")
        if memory.failure:
            text = f"the last run for {project} failed on {str(memory.failure.get('at', ''))[:16]}: "
            hint = f"try it: gitinstinct observe --now --project {project}"
            yield warning("observer", text + str(memory.failure.get("reason", "")), hint)
        troubles += bool(memory.problem or memory.failure)
    last = max((str(memory.last["at"]) for memory in memories.values() if memory.last.get("at")), default="")
    if not troubles:
        yield ok("observer", f"last run {last[:16]}" if last else "no run yet")
