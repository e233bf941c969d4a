"""Transcripts of Claude Code: one file a session, one line a message, a call and its result on lines of their own.

The format is officially unstable; what is read here held from 1.0 to 2.1. A prompt counts only if a person wrote it.
Thinking, attachments, snapshots, system prompts and images are never taken. What a person said while refusing a call
stands in that call's result: no hook tells it, so it follows the refusal as a prompt. A session that was resumed or
forked repeats earlier lines; these keep their ids. Sources: docs at code.claude.com/docs/en/sessions and the reader in
anthropics/claude-agent-sdk-python.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any

from gitinstinct.backfill.event import Account, Event, map_of, moment, text_of
from gitinstinct.backfill.readers.prompts import WORDLESS, foreign, is_refusal, refusing, spoken

if TYPE_CHECKING:
    from gitinstinct.backfill.readers import Setting

FAMILY = "transcript"
HARNESS = "claude-code"

_MESSAGES = ("user", "assistant")
_INTERRUPTED = "[Request interrupted by user"
_REFUSED = "User rejected tool use"
_MOST_CALLS = 500  # that wait for their results at the same time
_FARTHEST = 64_000_000  # bytes from a call to its result
_PROGRAMS = ("system", "sdk")


def knows(value: dict[str, Any]) -> bool:
    """Whether an object is a message of a transcript."""
    return value.get("type") in _MESSAGES and "sessionId" in value and ("uuid" in value or "parentUuid" in value)


class Reader:
    """Pairs calls with their results, and tells the prompts of a person from all others."""

    def __init__(self, setting: Setting, account: Account) -> None:
        self._account = account
        self._subagents = setting.subagents
        self._calls: dict[str, tuple[int, dict[str, Any], dict[str, Any]]] = {}
        self._last: tuple[datetime | None, dict[str, Any]] = (None, {})

    @property
    def waiting(self) -> int | None:
        """Where the oldest call stands whose result has not come."""
        return min((offset for offset, _, _ in self._calls.values()), default=None)

    def feed(self, value: dict[str, Any], offset: int) -> Iterator[Event]:
        """The events of one message."""
        if value.get("type") not in _MESSAGES:
            return
        at = moment(value.get("timestamp")) or self._last[0]
        self._last = (at, value)
        self._let_go(offset)
        content = map_of(value.get("message")).get("content")
        blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
        if value["type"] == "assistant":
            self._ask(value, blocks, offset)
            return
        for block in blocks:
            if block.get("type") == "tool_result":
                yield from self._result(value, block, at)
        if not any(block.get("type") == "tool_result" for block in blocks):
            texts = [content] if isinstance(content, str) else [text_of(block.get("text")) for block in blocks]
            yield from self._speak(value, texts, at)

    def finish(self, *, over: bool) -> Iterator[Event]:
        """The end of a session that is over."""
        at, value = self._last
        if over and value:
            name = text_of(value.get("uuid"))
            for kind in ("stop", "session_end"):
                yield Event(_payload(value, kind), at, f"{kind} {name}")

    def _ask(self, value: dict[str, Any], blocks: list[dict[str, Any]], offset: int) -> None:
        for block in blocks:
            identity = text_of(block.get("id"))
            if block.get("type") != "tool_use" or not identity:
                continue
            if _is_subagent(value) and not self._subagents:
                self._account.left["calls of subagents"] += 1
            else:
                self._calls.setdefault(identity, (offset, value, block))

    def _let_go(self, offset: int) -> None:
        """Waits no longer for the results of the oldest calls where too many wait, or too much was read since."""
        while self._calls:
            oldest, (asked_at, _, _) = next(iter(self._calls.items()))
            if len(self._calls) <= _MOST_CALLS and offset - asked_at <= _FARTHEST:
                return
            del self._calls[oldest]
            self._account.left["calls whose result never came"] += 1

    def _result(self, value: dict[str, Any], block: dict[str, Any], at: datetime | None) -> Iterator[Event]:
        identity = text_of(block.get("tool_use_id"))
        _, asked, call = self._calls.pop(identity, (0, {}, {}))
        if call:
            ending = _ending(value, block)
            yield Event(_call(asked, call) | ending, at, identity)
            if ending["hook_event_name"] == "denied" and not _is_subagent(value):
                yield from self._refuse(value, block, call, at)
        elif not _is_subagent(value):
            self._account.left["results without their call"] += 1

    def _refuse(
        self, value: dict[str, Any], block: dict[str, Any], call: dict[str, Any], at: datetime | None
    ) -> Iterator[Event]:
        """What the person said while refusing a call, if anything."""
        said, reason = spoken([_objection(value, block, call)])
        if said:
            yield Event(_payload(value, "prompt") | {"prompt": said}, at, f"refusal {call['id']}")
        elif reason != WORDLESS:
            self._account.left[reason] += 1

    def _speak(self, value: dict[str, Any], texts: list[str], at: datetime | None) -> Iterator[Event]:
        if any(text.startswith(_INTERRUPTED) for text in texts):
            yield from self._interrupt(value, at)
            return
        reason = _no_prompt(value)
        text, foreign_reason = spoken(texts)
        reason = reason or foreign_reason
        if reason:
            self._account.left[reason] += 1
            return
        yield from self._abandon()
        name = text_of(value.get("uuid")) or json.dumps([text, value.get("timestamp")])
        yield Event(_payload(value, "stop"), at, f"stop {name}")
        yield Event(_payload(value, "prompt") | {"prompt": text}, at, name)

    def _interrupt(self, value: dict[str, Any], at: datetime | None) -> Iterator[Event]:
        calls, self._calls = self._calls, {}
        for identity, (_, asked, call) in calls.items():
            told = {"hook_event_name": "tool_failed", "is_interrupt": True}
            yield Event(_call(asked, call) | told, at, identity)

    def _abandon(self) -> Iterator[Event]:
        """The starts of calls that got no result: the next prompt then tells that they were refused."""
        calls, self._calls = self._calls, {}
        for identity, (_, asked, call) in calls.items():
            started = moment(asked.get("timestamp")) or self._last[0]
            yield Event(_call(asked, call) | {"hook_event_name": "tool_start"}, started, identity)


def _is_subagent(value: dict[str, Any]) -> bool:
    return value.get("isSidechain") is True or bool(value.get("agentId"))


def _no_prompt(value: dict[str, Any]) -> str:
    """Why a text of the user's side was not written by the person; "" if it may have been."""
    kind = map_of(value.get("origin")).get("kind")
    reasons = (
        (_is_subagent(value) or value.get("teamName"), "texts for subagents"),
        (value.get("isCompactSummary"), "summaries of compacted sessions"),
        (value.get("isMeta"), "notes of the program"),
        (kind not in (None, "human"), "notifications"),
        (value.get("promptSource") in _PROGRAMS, "prompts that a program sent"),
        (value.get("message") is None, "messages without content"),
    )
    return next((reason for holds, reason in reasons if holds), "")


def _payload(value: dict[str, Any], kind: str) -> dict[str, Any]:
    """The common part of a payload, with the name of a subagent where one was at work."""
    common = {"hook_event_name": kind, "session_id": value.get("sessionId"), "cwd": value.get("cwd")}
    return common | ({"agent_id": value.get("agentId") or "subagent"} if _is_subagent(value) else {})


def _call(asked: dict[str, Any], call: dict[str, Any]) -> dict[str, Any]:
    told = {"tool_name": call.get("name"), "tool_input": call.get("input"), "tool_use_id": call.get("id")}
    return _payload(asked, "tool_start") | told


def _ending(value: dict[str, Any], block: dict[str, Any]) -> dict[str, Any]:
    """How a call ended. A result without a mark of failure is a success."""
    output, text = value.get("toolUseResult"), _content_text(block.get("content"))
    said = output if isinstance(output, str) else text
    is_refused = said.removeprefix("Error: ").startswith(_REFUSED) or is_refusal(said) or is_refusal(text)
    if value.get("toolDenialKind") or (block.get("is_error") is True and is_refused):
        return {"hook_event_name": "denied", "error": text}
    if block.get("is_error") is True:
        stopped = {"is_interrupt": True} if _INTERRUPTED in text[:200] else {}
        return {"hook_event_name": "tool_failed", "error": text or said} | stopped
    return {
        "hook_event_name": "tool_complete",
        "tool_response": _without_images(output) if isinstance(output, dict | list) else text,
    }


def _objection(value: dict[str, Any], block: dict[str, Any], call: dict[str, Any]) -> str:
    """The person's words in the result of a call that was refused. The tool of a server could write such a text as its
    error and speak in the person's name, so of those it counts only where Claude Code itself tells of a refusal."""
    output = value.get("toolUseResult")
    is_told = bool(value.get("toolDenialKind")) or output == _REFUSED
    if text_of(call.get("name")).startswith("mcp__") and not is_told:
        return ""
    return refusing(_content_text(block.get("content"))) or refusing(text_of(output))


def _content_text(content: Any) -> str:
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    return "\n".join(text_of(map_of(block).get("text")) for block in blocks).strip()


def _without_images(value: Any, depth: int = 6) -> Any:
    if isinstance(value, list):
        return [_without_images(item, depth - 1) for item in value] if depth else []
    if not isinstance(value, dict):
        return value
    if value.get("type") == "image":
        return {"type": "image"}
    return {key: _without_images(item, depth - 1) for key, item in value.items() if key != "base64"} if depth else {}


# --- the beginning of a file


def is_observer(head: list[dict[str, Any]]) -> bool:
    """Whether the session is one of a program that observes, told by the first text that it was given."""
    for value in head:
        content = map_of(value.get("message")).get("content")
        blocks = content if isinstance(content, list) else [{"text": content}]
        texts = [text_of(map_of(block).get("text")) for block in blocks]
        if value.get("type") == "user" and any(texts):
            return any(foreign(text) for text in texts)
    return False
