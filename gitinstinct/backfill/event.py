"""What a reader makes of a line: an event as a hook would have reported it, or a reason why there is none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

CLOSING = frozenset({"stop", "session_end"})
"""Events that no line tells: they follow from a turn's or a file's end, and mean nothing where nothing is new."""

_LEAST, _MOST = 946_684_800.0, 32_503_680_000.0  # the years 2000 and 3000, in seconds
_MILLISECONDS = 100_000_000_000.0  # numbers above it count them


@dataclass(frozen=True, slots=True)
class Event:
    """One event of a past session.

    `payload` has the field names of Claude Code's hooks and our kinds as event names; `key` is what makes the event the
    same wherever it is read: the id of a tool call (then `payload` has it too) or of a line. `at` is None where the
    file does not tell.
    """

    payload: Mapping[str, Any]
    at: datetime | None
    key: str

    @property
    def kind(self) -> str:
        """One of our kinds, as in `capture.payloads`."""
        return str(self.payload["hook_event_name"])


@dataclass(slots=True)
class Account:
    """What became of one file's lines: left out by reason, damaged by reason, taken with a remark by remark."""

    left: Counter[str] = field(default_factory=Counter)
    damage: Counter[str] = field(default_factory=Counter)
    remarks: Counter[str] = field(default_factory=Counter)


def moment(value: Any) -> datetime | None:
    """The time that a file tells: ISO 8601 (UTC where no zone stands), or seconds or milliseconds since 1970."""
    if isinstance(value, bool):
        return None
    try:
        if isinstance(value, int | float):
            seconds = value / 1000 if value > _MILLISECONDS else value
            return datetime.fromtimestamp(seconds, UTC) if _LEAST <= seconds < _MOST else None
        found = datetime.fromisoformat(value.strip()) if isinstance(value, str) else None
        if found is None:
            return None
        found = found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
        return found if _LEAST <= found.timestamp() < _MOST else None
    except (ValueError, OverflowError):
        return None


def text_of(value: Any) -> str:
    """The value if it is a text, else ""."""
    return value if isinstance(value, str) else ""


def map_of(value: Any) -> dict[str, Any]:
    """The value if it is a map, else an empty one."""
    return value if isinstance(value, dict) else {}
