"""Lines that stand alone and have no id: what makes them the same in two copies of a file, and different within one."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from gitinstinct.backfill.event import Account, Event
from gitinstinct.capture import codec


class Repeats:
    """Counts lines that are alike within one time: the second `Read` of a second is another call than the first."""

    def __init__(self) -> None:
        self.begun: int | None = None
        self._time = ""
        self._met: dict[str, int] = {}

    def key(self, value: Mapping[str, Any], time: str, offset: int) -> str:
        """A name for the line: a hash of its content, and its number among those alike."""
        if time != self._time:
            self._time, self._met, self.begun = time, {}, offset
        content = codec.short_hash(json.dumps(value, sort_keys=True), 16)
        self._met[content] = self._met.get(content, 0) + 1
        return f"{content}-{self._met[content]}"


class Standalone:
    """A reader of such lines: no line tells anything of another one."""

    def __init__(self, account: Account) -> None:
        self._account = account
        self._repeats = Repeats()

    @property
    def waiting(self) -> int | None:
        """Where the lines of the newest time begin: more of them may be written."""
        return self._repeats.begun

    def finish(self, *, over: bool) -> Iterator[Event]:
        """Nothing follows."""
        yield from ()
