"""Which events were met before. A hook may be registered twice, by a plugin and by settings, and then fires twice."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

_REMEMBERED = 10_000
_SAME_SECONDS = 2.0


class Seen:
    """The events met lately. With a tool-use id: the same harness, session, id and event. Without one: the same kind
    and content in the same session within two seconds."""

    def __init__(self) -> None:
        self._times: dict[tuple[str, ...], float] = {}

    @property
    def empty(self) -> bool:
        """Whether nothing was met yet."""
        return not self._times

    def again(self, record: Mapping[str, Any]) -> bool:
        """Whether an event was met before; from now on it was."""
        key, named = _identity(record)
        at, before = _seconds(record), self._times.pop(key, None)
        self._times[key] = at
        if len(self._times) > _REMEMBERED:
            del self._times[next(iter(self._times))]
        return before is not None and (named or abs(at - before) <= _SAME_SECONDS)


def _identity(record: Mapping[str, Any]) -> tuple[tuple[str, ...], bool]:
    """What makes two records the same event, and whether that is an id."""
    place = tuple(str(record.get(name, "")) for name in ("harness", "session", "event", "agent"))
    if record.get("id"):
        return (*place, str(record["id"])), True
    content = {key: value for key, value in record.items() if key not in ("at", "v")}
    return (*place, json.dumps(content, sort_keys=True)), False


def _seconds(record: Mapping[str, Any]) -> float:
    try:
        return datetime.fromisoformat(str(record.get("at", ""))).timestamp()
    except ValueError:
        return 0.0
