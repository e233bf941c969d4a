"""What makes lines without an id the same in two copies of a file, and different within one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

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
