"""Items of newer rollouts of Codex: what the agent did, each with how it ended.

There a model writes scripts (the tool `exec`), and what one of these runs stands in the rollout as items only. Source:
`TurnItem` in openai/codex, codex-rs/protocol/src/items.rs.
"""

from __future__ import annotations

from typing import Any

from gitinstinct.backfill.event import map_of, text_of

SCRIPTS = ("exec", "functions.exec")
"""Tools whose input is a script of calls."""

_OF_PEOPLE = ("user_shell", "unified_exec_interaction")  # sources of commands that the agent did not begin
_REFUSED, _RUNNING = ("declined",), ("inProgress", "in_progress")
_VERBS = {"add": "Add", "delete": "Delete", "update": "Update"}


def said(item: dict[str, Any]) -> list[str] | None:
    """The texts of a person's message; None for any other item."""
    if item.get("type") != "UserMessage":
        return None
    content = item.get("content")
    return [text_of(map_of(part).get("text")) for part in content] if isinstance(content, list) else [""]


def call(item: dict[str, Any]) -> tuple[str, Any] | None:
    """(name, input) of what the agent did, as rollouts have them; None for any other item, and for one that runs on."""
    kind = item.get("type")
    if item.get("status") in _RUNNING:
        return None
    if kind == "CommandExecution" and item.get("source") not in _OF_PEOPLE:
        return "exec_command", {"cmd": item.get("command")}
    if kind == "FileChange":
        return "apply_patch", _patch(map_of(item.get("changes")))
    if kind == "McpToolCall":
        return f"mcp__{text_of(item.get('server'))}__{text_of(item.get('tool'))}", item.get("arguments")
    return None


def ending(item: dict[str, Any]) -> dict[str, Any]:
    """How it ended."""
    result, error = map_of(item.get("result")), text_of(map_of(item.get("error")).get("message"))
    text = text_of(item.get("aggregated_output")) or text_of(item.get("stdout")) or text_of(item.get("stderr")) or error
    if item.get("status") in _REFUSED:
        return {"hook_event_name": "denied", "error": text}
    if item.get("status") == "failed" or item.get("exit_code") not in (None, 0) or result.get("isError") is True:
        return {"hook_event_name": "tool_failed", "error": text}
    return {"hook_event_name": "tool_complete", "tool_response": text or result.get("content") or ""}


def _patch(changes: dict[str, Any]) -> str:
    """The heads of a patch that changes these files: what they hold is not told."""
    lines = [
        f"*** {_VERBS.get(text_of(map_of(one).get('type')), 'Update')} File: {path}" for path, one in changes.items()
    ]
    return "\n".join(["*** Begin Patch", *lines, "*** End Patch"])
