"""Sessions in a spool, written line by line as the hook writes them, for runs that ask a model."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

from tests.support.work import PROJECT, spool

BEGIN = datetime(2026, 11, 29, 8, tzinfo=UTC)


class Talk:
    """Events of a project, one a second."""

    def __init__(self, begin: datetime = BEGIN, project: str = PROJECT.id) -> None:
        self.at, self.project, self.number = begin, project, 0
        self.lines: list[bytes] = []

    def put(self, event: str, session: str, **fields: object) -> Talk:
        """One event."""
        self.at += timedelta(seconds=1)
        self.number += 1
        record = {"v": 1, "at": self.at.isoformat().replace("+00:00", "Z"), "harness": "claude-code",
                  "project": self.project, "event": event, "session": session, **fields}  # fmt: skip
        self.lines.append(json.dumps(record).encode() + b"\n")
        return self

    def say(self, session: str, text: str) -> Talk:
        """A prompt."""
        return self.put("prompt", session, prompt=text)

    def run(self, session: str, command: str, output: str = "fine") -> Talk:
        """A shell call, start and end."""
        call = f"c{self.number}"
        self.put("tool_start", session, tool="Bash", input={"command": command}, id=call)
        return self.put("tool_complete", session, tool="Bash", output={"stdout": output}, id=call)

    def work(self, session: str, calls: int) -> Talk:
        """Calls that mean nothing."""
        for number in range(calls):
            self.run(session, f"ls part{self.number + number}")
        return self

    def spool(self) -> Talk:
        """Into the spool with it."""
        return self.spool_into("000001.jsonl")

    def spool_into(self, segment: str) -> Talk:
        """Into one segment of it."""
        spool(self.lines, self.project, segment)
        self.lines = []
        return self
