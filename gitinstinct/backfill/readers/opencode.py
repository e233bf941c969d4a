"""Events of OpenCode as a plugin has written them: a call begins with `tool.execute.before` and ends with `…after`.

The end has neither input nor output and no id of the call, so the oldest open call of that tool in the session is the
one that ended. Everything else in such a file is about the screen and the server.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from gitinstinct.backfill.event import Account, Event, moment, text_of

if TYPE_CHECKING:
    from gitinstinct.backfill.readers import Setting

FAMILY = "observations"
HARNESS = "opencode"

_BEFORE, _AFTER = "tool.execute.before", "tool.execute.after"
_KINDS = ("tool.", "session.", "message.", "file.", "tui.", "lsp.", "server.", "installation.", "todo.", "permission.")
_MOST_OPEN = 64


def knows(value: dict[str, Any]) -> bool:
    """Whether an object is such an event."""
    return "sessionID" in value and text_of(value.get("type")).startswith(_KINDS)


class Reader:
    """Pairs the beginnings and ends of calls."""

    def __init__(self, setting: Setting, account: Account) -> None:
        self._account = account
        self._open: list[tuple[int, dict[str, Any]]] = []

    @property
    def waiting(self) -> int | None:
        """Where the oldest call stands that has not ended."""
        return self._open[0][0] if self._open else None

    def feed(self, value: dict[str, Any], offset: int) -> Iterator[Event]:
        """The event of a line."""
        kind = value.get("type") if knows(value) else None
        if kind == _BEFORE:
            self._open = [*self._open[1 - _MOST_OPEN :], (offset, value)]
        elif kind == _AFTER:
            yield self._end(value)
        elif kind == "session.idle" and value.get("sessionID"):
            yield Event(_payload(value, "stop"), moment(value.get("ts")), text_of(value.get("id")))
        else:
            self._account.left["events about the screen or the server"] += 1

    def finish(self, *, over: bool) -> Iterator[Event]:
        """Nothing follows."""
        yield from ()

    def _end(self, value: dict[str, Any]) -> Event:
        same = ("sessionID", "tool")
        begun = next((one for one in self._open if all(one[1].get(key) == value.get(key) for key in same)), None)
        if begun is not None:
            self._open.remove(begun)
        given = value.get("args") or (begun[1].get("args") if begun else None)
        failed = value.get("ok") is False
        told = {"tool_name": value.get("tool"), "tool_input": given} | ({"error": "failed"} if failed else {})
        kind = "tool_failed" if failed else "tool_complete"
        self._account.remarks["calls whose output nobody kept"] += 1
        return Event(_payload(value, kind) | told, moment(value.get("ts")), text_of(value.get("id")))


def _payload(value: dict[str, Any], kind: str) -> dict[str, Any]:
    return {"hook_event_name": kind, "session_id": value.get("sessionID")}


def is_observer(head: list[dict[str, Any]]) -> bool:
    """Never: such a file holds many sessions."""
    return False
