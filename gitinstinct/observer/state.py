"""What the observer remembers between two runs on this machine: how far it has read, which sessions are still open,
the tally, and how the last runs went.

Everything here can be made again from the observations that are kept, so a file that is lost or damaged costs a second
reading and no truth.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from gitinstinct import paths
from gitinstinct.observer import tally_file
from gitinstinct.observer.detector import KINDS, LOCAL
from gitinstinct.observer.events import Observation
from gitinstinct.observer.sessions import is_over
from gitinstinct.observer.source import Found
from gitinstinct.observer.tally import Tally

VERSION = 2
Cursor = dict[str, int]
"""Segment name → the offset up to which it was read."""
Mark = tuple[Cursor, dict[str, tuple[str, int, str]], dict[str, str]]


@dataclass(slots=True)
class State:
    """The memory of one project's observer, of one kind of detector.

    Attributes:
        detector: which kind.
        cursor: how far was read.
        open: session that has not ended → where its first event lies (segment, offset) and when it last spoke (ISO).
            The events of these sessions are read again as context.
        tally: the sightings.
        foreign: session → the former id of the project that it was captured under.
        last: the last good run, with `at` and more; empty if there was none.
        failure: the last failed run since then, with `at` and `reason`; `again` and `times` where the detector rests.
        problem: why the file could not be used.
    """

    cursor: Cursor = field(default_factory=dict)
    open: dict[str, tuple[str, int, str]] = field(default_factory=dict)
    tally: Tally = field(default_factory=Tally)
    foreign: dict[str, str] = field(default_factory=dict)
    last: dict[str, Any] = field(default_factory=dict)
    failure: dict[str, Any] = field(default_factory=dict)
    problem: str = ""
    detector: str = LOCAL

    def forget_reading(self) -> None:
        """Begins again at the first observation that is kept. Known origins keep anything from counting twice."""
        self.cursor, self.open, self.foreign, self.tally = {}, {}, {}, Tally()

    def mark(self) -> Mark:
        """How far was read, to come back to."""
        return dict(self.cursor), dict(self.open), dict(self.foreign)

    def back_to(self, mark: Mark) -> None:
        """As if nothing had been read since."""
        self.cursor, self.open, self.foreign = mark

    def start(self) -> Cursor:
        """Where reading begins: at the cursor, or before it where a session that is still open began."""
        begin = dict(self.cursor)
        for segment, offset, _ in self.open.values():
            begin[segment] = min(begin.get(segment, 0), offset)
        return begin

    def follow(self, observation: Observation, found: Found) -> None:
        """Remembers where a session began, until it ends, and the former id that it was captured under."""
        if "/" in found.segment:
            self.foreign[observation.session] = found.project
        spoke = observation.at.isoformat() if observation.at else ""
        if observation.event == "session_end" or not observation.session:
            self.open.pop(observation.session, None)
            return
        begun = self.open.get(observation.session)
        where = begun[:2] if begun and not _is_over(begun[2], observation.at) else (found.segment, found.offset)
        self.open[observation.session] = (*where, spoke or (begun[2] if begun else ""))

    def close_idle(self, now: datetime | None) -> None:
        """Forgets sessions that have not spoken for a day before `now`: the detector begins them anew as well."""
        self.open = {name: where for name, where in self.open.items() if not _is_over(where[2], now)}


def _is_over(spoke: str, now: datetime | None) -> bool:
    return is_over(datetime.fromisoformat(spoke) if spoke else None, now)


def load(project: str, detector: str = LOCAL) -> State:
    """What a kind of detector remembers of a project; empty where there is nothing or it cannot be used."""
    place = paths.tally(project, detector)
    try:
        with Path(place).open(encoding="ascii") as file:
            return _state(json.loads(file.readline()), file, detector)
    except FileNotFoundError:
        return State(detector=detector)
    except (OSError, *tally_file.DAMAGE) as error:
        return State(problem=f"{place} cannot be used ({type(error).__name__}); it is made anew", detector=detector)


def known(project: str) -> list[str]:
    """The kinds of detector that have read anything of a project."""
    return [one for one in KINDS if Path(paths.tally(project, one)).exists()]


def _state(data: Mapping[str, Any], patterns: Iterable[str], detector: str) -> State:
    if data["version"] != VERSION or data.get("detector", LOCAL) != detector:
        raise ValueError("another version, or another detector's")
    tally = tally_file.read(patterns)
    if len(tally.records()) != data["patterns"]:
        raise ValueError("patterns are missing")
    return State(
        cursor={str(segment): int(offset) for segment, offset in data["cursor"].items()},
        open={str(s): (str(where[0]), int(where[1]), str(where[2])) for s, where in data["open"].items()},
        tally=tally,
        foreign={str(session): str(old) for session, old in data["foreign"].items()},
        last=dict(data["last"]),
        failure=dict(data["failure"]),
        detector=detector,
    )


def save(project: str, state: State) -> None:
    """Writes the state at once or not at all: one line about the reading, then one a pattern.

    Raises:
        OSError: the disk does not take it; the old state stays.
    """
    path = Path(paths.tally(project, state.detector))
    paths.make_private(str(path.parent))
    head = {
        "version": VERSION,
        "detector": state.detector,
        "cursor": state.cursor,
        "open": state.open,
        "foreign": state.foreign,
        "last": state.last,
        "failure": state.failure,
        "patterns": len(state.tally.records()),
    }
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(json.dumps(head, separators=(",", ":")) + "\n")
            file.writelines(tally_file.lines(state.tally))
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
