"""Sessions for tests, written as one would tell them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from gitinstinct.observer.events import Observation
from gitinstinct.observer.local import LocalDetector
from gitinstinct.observer.pattern import BASE, Pattern, Sighting
from gitinstinct.observer.tally import Tally

START = datetime(2026, 10, 1, 8, 0, tzinfo=UTC)


class Script:
    """A growing list of observations, one every ten seconds, all in one spool segment."""

    def __init__(self) -> None:
        self.events: list[Observation] = []
        self.name = "s1"
        self.at = START

    def session(self, name: str, hours: float = 1) -> Script:
        """Go on in another session, some hours later."""
        self.name, self.at = name, self.at + timedelta(hours=hours)
        return self

    def put(self, event: str, **fields: Any) -> Script:
        """One observation with these fields of the spool's record."""
        self.at += timedelta(seconds=10)
        record = {"event": event, "session": self.name, "at": self.at.isoformat(), **fields}
        self.events.append(Observation.from_record(record, f"1:{len(self.events) * 100}"))
        return self

    def tool(self, name: str, given: object, error: str | None = None, **fields: Any) -> Script:
        """A call, start and end."""
        call = f"call{len(self.events)}"
        self.put("tool_start", tool=name, input=given, id=call)
        ended = {"error": error} if error is not None else {"output": {"stdout": "fine", "stderr": ""}}
        return self.put("tool_complete" if error is None else "tool_failed", tool=name, id=call, **(ended | fields))

    def run(self, *commands: str, error: str | None = None) -> Script:
        """Shell commands, one call each."""
        for command in commands:
            self.tool("Bash", {"command": command}, error)
        return self

    def edit(self, *paths: str) -> Script:
        """Edits of files."""
        for path in paths:
            self.tool("Edit", {"file_path": path, "old_string": "a", "new_string": "b"})
        return self

    def says(self, text: str, **fields: Any) -> Script:
        """A prompt."""
        return self.put("prompt", prompt=text, **fields)

    def ends(self) -> Script:
        """The end of the session."""
        return self.put("stop").put("session_end", source="exit")

    def sightings(self) -> list[Sighting]:
        """What the detector sees, mere occasions left out."""
        return [sighting for sighting in detect(self.events) if sighting.pattern.family != BASE]

    def learned(self) -> list[Pattern]:
        """What qualifies."""
        tally = Tally()
        for sighting in detect(self.events):
            tally.add(sighting)
        return [record.pattern for record in tally.records() if record.qualified]

    def lessons(self) -> list[tuple[str, str]]:
        """Trigger and action of what qualifies."""
        return [(pattern.trigger, pattern.action) for pattern in self.learned()]


def detect(events: Iterable[Observation]) -> list[Sighting]:
    """All sightings of a fresh detector."""
    detector = LocalDetector()
    return [sighting for event in events for sighting in detector.feed(event)]
