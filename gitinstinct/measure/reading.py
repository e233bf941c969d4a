"""What the spool tells of the sessions that are waited for, and where to begin reading next time.

Reading begins where the first session that is not over yet began, or a day back: a session that is logged later may
have begun by then. When that is lost, all that is kept is read again, which costs time and no truth.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from gitinstinct import paths
from gitinstinct.measure import files
from gitinstinct.measure.calls import Conduct, Listener
from gitinstinct.observer.events import Observation
from gitinstinct.observer.sessions import is_over
from gitinstinct.observer.source import Found, Source
from gitinstinct.store import homes

_FILE = "reading.json"
_BACK = timedelta(days=1)
_Place = tuple[int, int]
"""The number of a segment in this reading, and an offset in it."""


@dataclass(slots=True)
class Heard:
    """A session: what happened in it, when it last spoke, and whether it said that it ends."""

    listener: Listener
    place: _Place
    last: datetime | None = None
    has_ended: bool = False

    @property
    def conduct(self) -> Conduct:
        """What happened."""
        return self.listener.found

    def is_over(self, now: datetime) -> bool:
        """Whether nothing more is expected of it."""
        return self.has_ended or is_over(self.last, now)


@dataclass(slots=True)
class Reading:
    """One pass over what is kept of a project: the sessions by their id, and what is needed to tell where to go on."""

    project: str
    sessions: dict[str, Heard] = field(default_factory=dict)
    cursor: dict[str, int] = field(default_factory=dict)
    segments: list[str] = field(default_factory=list)
    recent: _Place | None = None

    def remember(self, waiting: Collection[str]) -> None:
        """Writes down where the next reading begins, so that the sessions that are waited for are read again.

        Raises:
            OSError: it cannot be written; the next reading reads more.
        """
        needed = [heard.place for name, heard in self.sessions.items() if name in waiting]
        needed += [self.recent] if self.recent is not None else []
        if needed:
            first, offset = min(needed)
            self.cursor |= dict.fromkeys(self.segments[first:], 0) | {self.segments[first]: offset}
        path = paths.measure(_FILE)
        known = files.read_map(path) or {}
        if known.get(self.project) != self.cursor:
            files.write_map(path, known | {self.project: self.cursor})


def read(project: str, wanted: Collection[str], now: datetime) -> Reading:
    """What is known of these sessions of a project."""
    source, made = Source(project, homes.aliases(project), _begin(project)), Reading(project)
    for found in source:
        _hear(made, found, wanted, now)
    made.cursor = source.cursor
    return made


def _hear(made: Reading, found: Found, wanted: Collection[str], now: datetime) -> None:
    if not made.segments or made.segments[-1] != found.segment:
        made.segments.append(found.segment)
    place = (len(made.segments) - 1, found.offset)
    observation = Observation.from_record(found.record, found.id)
    if made.recent is None and observation.at is not None and now - observation.at < _BACK:
        made.recent = place
    if observation.session not in wanted:
        return
    heard = made.sessions.setdefault(observation.session, Heard(Listener(), place))
    heard.listener.feed(observation, found.record.get("edited") is True)
    heard.last = observation.at or heard.last
    heard.has_ended = observation.event == "session_end"


def _begin(project: str) -> dict[str, int]:
    known = (files.read_map(paths.measure(_FILE)) or {}).get(project)
    if not isinstance(known, dict) or not all(isinstance(offset, int) for offset in known.values()):
        return {}
    return known
