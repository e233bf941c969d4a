"""Observations of everything-claude-code, versions 2.0 and 2.1, and what became of payloads that it could not read.

2.0 kept the names of tools alone. 2.1 also kept input and output, as texts that hold JSON, cut at 5,000 characters.
`parse_error` holds the payload as it was sent, cut at 1,000: what stands before the cut is a hook's payload like any
other. Lines that are alike byte for byte are calls within one second, not doubles; a copy of the file repeats them in
the same number.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from gitinstinct.backfill.event import Account, Event, moment, text_of
from gitinstinct.backfill.readers.repeats import Standalone
from gitinstinct.capture import intake, payloads

if TYPE_CHECKING:
    from gitinstinct.backfill.readers import Setting

FAMILY = "observations"
HARNESS = "claude-code"

_EVENTS = {
    "tool_start": "tool_start", "tool_complete": "tool_complete", "tool_error": "tool_failed",
    "tool_failed": "tool_failed", "pre": "tool_start", "post": "tool_complete",
}  # fmt: skip
_UNREAD = "parse_error"
_HOOK = payloads.table(HARNESS)
_NOBODY = ("", "unknown", "default", "null")
_INPUT = '"tool_input":'


def knows(value: dict[str, Any]) -> bool:
    """Whether an object is an observation of this kind."""
    event = value.get("event")
    if "timestamp" not in value or not isinstance(event, str):
        return False
    return "raw" in value if event == _UNREAD else event in _EVENTS and isinstance(value.get("tool"), str)


class Reader(Standalone):
    """One observation a line; they stand alone."""

    def __init__(self, setting: Setting, account: Account) -> None:
        super().__init__(account)
        self._projects = setting.projects

    def feed(self, value: dict[str, Any], offset: int) -> Iterator[Event]:
        """The event of an observation."""
        if not knows(value):
            self._account.left["lines of another kind"] += 1
            return
        project = text_of(value.get("project_id"))
        if self._projects is not None and project and project not in self._projects:
            self._account.left["events of other projects"] += 1
            return
        key = self._repeats.key(value, text_of(value["timestamp"]), offset)
        payload = _recovered(text_of(value["raw"])) if value["event"] == _UNREAD else _told(value)
        if payload is None:
            self._account.left["payloads that could not be recovered"] += 1
            return
        if payload["hook_event_name"] == "tool_complete" and not payload.get("tool_response"):
            self._account.remarks["calls whose output nobody kept"] += 1
        if payload["session_id"] in _NOBODY:
            payload["session_id"] = "day-" + text_of(value["timestamp"])[:10]
        yield Event(payload, moment(value["timestamp"]), key)


def _told(value: dict[str, Any]) -> dict[str, Any]:
    told = {"tool_input": value.get("input"), "tool_response": value.get("output")}
    return {
        "hook_event_name": _EVENTS[value["event"]],
        "session_id": text_of(value.get("session")),
        "tool_name": value.get("tool"),
    } | {name: found for name, found in told.items() if found not in (None, "")}


def _recovered(raw: str) -> dict[str, Any] | None:
    """What a payload said before it was cut; its input as text if the cut falls into it."""
    found, _ = intake.parsed(intake.Payload(raw.encode("utf-8", "replace"), 1))
    if not found or _HOOK is None:
        return None
    kind, _ = payloads.event(_HOOK, found, "")
    if kind not in ("tool_start", "tool_complete", "tool_failed", "prompt"):
        return None
    if "tool_input" not in found and _INPUT in raw:
        found["tool_input"] = raw.split(_INPUT, 1)[1].lstrip()
    kept = (*_HOOK.FIELDS["output"], "prompt", "tool_name", "tool_input", "tool_use_id", "error", "cwd")
    told = {name: found[name] for name in kept if name in found}
    if kind == "prompt" and not isinstance(told.get("prompt"), str):
        return None
    return told | {"hook_event_name": kind, "session_id": text_of(found.get("session_id"))}


def is_observer(head: list[dict[str, Any]]) -> bool:
    """Never: such a file holds many sessions."""
    return False
