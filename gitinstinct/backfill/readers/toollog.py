"""Plain logs of tools and prompts that hooks of people's own have written, without sessions.

`{type: "tool", tool, input, response}` with `{type: "prompt", prompt}`, `{timestamp, tool, input_summary}` and
`{timestamp, phase, tool}`. A day stands for a session, so that one busy day is no recurring habit.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from gitinstinct.backfill.event import Account, Event, moment, text_of
from gitinstinct.backfill.readers.prompts import spoken
from gitinstinct.backfill.readers.repeats import Standalone

if TYPE_CHECKING:
    from gitinstinct.backfill.readers import Setting

FAMILY = "observations"
HARNESS = "claude-code"

_PHASES = {"pre": "tool_start", "post": "tool_complete"}
_FOREIGN = ("event", "payload", "sessionId", "sessionID", "uuid", "message")


def knows(value: dict[str, Any]) -> bool:
    """Whether an object is a line of such a log."""
    if ("timestamp" not in value and "ts" not in value) or any(name in value for name in _FOREIGN):
        return False
    if isinstance(value.get("tool"), str):
        return value.get("type") == "tool" or "input_summary" in value or text_of(value.get("phase")) in _PHASES
    return value.get("type") == "prompt" and isinstance(value.get("prompt"), str)


class Reader(Standalone):
    """One event a line."""

    def __init__(self, setting: Setting, account: Account) -> None:
        super().__init__(account)

    def feed(self, value: dict[str, Any], offset: int) -> Iterator[Event]:
        """The event of a line."""
        if not knows(value):
            self._account.left["lines of another kind"] += 1
            return
        time = value.get("timestamp", value.get("ts"))
        at, key = moment(time), self._repeats.key(value, str(time), offset)
        base = {"session_id": f"day-{at.date().isoformat()}" if at else "day"}
        if value.get("type") == "prompt":
            text, reason = spoken([value["prompt"]])
            if reason:
                self._account.left[reason] += 1
            else:
                yield Event(base | {"hook_event_name": "prompt", "prompt": text}, at, key)
            return
        yield Event(base | self._call(value), at, key)

    def _call(self, value: dict[str, Any]) -> dict[str, Any]:
        kind = _PHASES.get(text_of(value.get("phase")), "tool_complete")
        told = {"tool_input": value.get("input", value.get("input_summary")), "tool_response": value.get("response")}
        if kind == "tool_complete" and not value.get("response"):
            self._account.remarks["calls whose output nobody kept"] += 1
        kept = {name: found for name, found in told.items() if found not in (None, "")}
        return {"hook_event_name": kind, "tool_name": value.get("tool")} | kept


def is_observer(head: list[dict[str, Any]]) -> bool:
    """Never: such a log holds many sessions."""
    return False
