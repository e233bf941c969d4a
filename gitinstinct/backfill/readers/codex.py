"""Rollouts of Codex: `{timestamp, type, payload}` a line, calls and their outputs paired by `call_id`.

Told as Codex' own hooks would: every shell tool is `Bash` with one command, a patch is `apply_patch`. Codex reports a
command that failed like any other; its exit code stands before the output or beside it. Source: openai/codex, the
rollout of 0.46 to 0.104 and later, with the items of 0.149; the format is not a stable interface.
"""

from __future__ import annotations

import contextlib
import json
import re
import shlex
from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any

from gitinstinct.backfill.event import Account, Event, map_of, moment, text_of
from gitinstinct.backfill.readers import codex_items as items
from gitinstinct.backfill.readers.prompts import foreign, spoken

if TYPE_CHECKING:
    from gitinstinct.backfill.readers import Setting

FAMILY = "rollout"
HARNESS = "codex"

_TYPES = frozenset("session_meta turn_context response_item event_msg compacted".split())
_CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call"})
_OUTPUTS = frozenset({"function_call_output", "custom_tool_call_output"})
_SHELLS = frozenset("shell exec_command local_shell shell_command container.exec".split())
_PATCH = "*** Begin Patch"
_WRAPPERS = ("bash", "sh", "zsh", "powershell", "pwsh")
_HEAD = 2_000  # characters before which a report of the exit code stands
_EXIT = re.compile(r"(?:^|\n)(?:Process exited with code|Exit code:?) (-?\d+)")
_REFUSED = re.compile(r"\W*(?:(?:exec )?command |patch )?(?:was )?(?:rejected|denied) by (?:the )?user", re.IGNORECASE)


def knows(value: dict[str, Any]) -> bool:
    """Whether an object is a line of a rollout."""
    return text_of(value.get("type")) in _TYPES and isinstance(value.get("payload"), dict)


class Reader:
    """Pairs calls with their outputs; a prompt is told once although it is written twice or three times."""

    def __init__(self, setting: Setting, account: Account) -> None:
        self._account = account
        self._subagents = setting.subagents
        self._calls: dict[str, tuple[datetime | None, dict[str, Any], int]] = {}
        self._met: set[str] = set()  # ids of calls with lines of their own
        self._items = 0
        self._meta: dict[str, Any] = {}
        self._cwd = self._prompt = ""
        self._ways: set[str] = set()  # the kinds of line by which the prompt was told
        self._times: dict[str, int] = {}
        self._last: datetime | None = None
        for value in setting.head:
            if value.get("type") == "session_meta":
                self._begin(map_of(value.get("payload")))
                break

    @property
    def waiting(self) -> int | None:
        """The beginning, always: prompts have no ids and are known by their number, calls by their ids."""
        return 0

    def feed(self, value: dict[str, Any], offset: int) -> Iterator[Event]:
        """The events of one line."""
        if not knows(value):
            return
        self._last = moment(value.get("timestamp")) or self._last
        payload = map_of(value["payload"])
        kind = text_of(payload.get("type"))
        if value["type"] == "turn_context":
            self._cwd = text_of(payload.get("cwd")) or self._cwd
        elif value["type"] == "response_item" and kind in _CALLS:
            self._ask(payload)
        elif value["type"] == "response_item" and kind in _OUTPUTS:
            yield from self._result(payload)
        elif value["type"] == "event_msg" and kind == "turn_aborted":
            yield from self._interrupt()
        elif (said := _said(value["type"], payload)) is not None:
            yield from self._speak(said, kind)
        elif value["type"] == "event_msg" and kind == "item_completed":
            yield from self._item(map_of(payload.get("item")))

    def finish(self, *, over: bool) -> Iterator[Event]:
        """The end of a session that is over."""
        if over and self._last is not None:
            for kind in ("stop", "session_end"):
                yield Event(self._payload(kind), self._last, f"{kind} {self._meta.get('id')} {self._last.isoformat()}")

    def _begin(self, meta: dict[str, Any]) -> None:
        self._meta = meta
        self._cwd = text_of(meta.get("cwd"))

    @property
    def _is_subagent(self) -> bool:
        source = self._meta.get("source")
        return isinstance(source, dict) and "subagent" in source

    def _ask(self, payload: dict[str, Any]) -> None:
        identity = text_of(payload.get("call_id")) or text_of(payload.get("id"))
        if not identity:
            return
        self._met.add(identity)
        if self._is_subagent and not self._subagents:
            self._account.left["calls of subagents"] += 1
        else:
            self._calls.setdefault(identity, (self._last, payload, self._items))

    def _item(self, item: dict[str, Any]) -> Iterator[Event]:
        """What a script ran; a call with lines of its own is told by these."""
        identity, did = text_of(item.get("id")), items.call(item)
        if did is None or not identity or identity in self._met:
            return
        if self._is_subagent and not self._subagents:
            self._account.left["calls of subagents"] += 1
            return
        self._items += 1
        call = {"name": did[0], "arguments": did[1]}
        yield Event(self._call(call, identity) | items.ending(item), self._last, identity)

    def _result(self, payload: dict[str, Any]) -> Iterator[Event]:
        identity = text_of(payload.get("call_id"))
        _, call, begun = self._calls.pop(identity, (None, {}, 0))
        if call.get("name") in items.SCRIPTS and begun < self._items:
            self._account.left["scripts whose calls are told one by one"] += 1
        elif call:
            yield Event(self._call(call, identity) | _ending(payload.get("output")), self._last, identity)
        elif not self._is_subagent:
            self._account.left["results without their call"] += 1

    def _speak(self, texts: list[str], way: str) -> Iterator[Event]:
        text, reason = spoken(texts)
        if self._is_subagent:
            reason = "texts for subagents"
        elif self._meta.get("originator") == "codex_exec" or self._meta.get("source") == "exec":
            reason = "prompts that a program sent"
        if not reason and text == self._prompt and way not in self._ways:  # sent to the model, and noted besides
            self._ways.add(way)
            return
        if reason:
            self._account.left[reason] += 1
            return
        self._prompt, self._ways = text, {way}
        yield from self._abandon()
        name = self._name(text)
        yield Event(self._payload("stop"), self._last, f"stop {name}")
        yield Event(self._payload("prompt") | {"prompt": text}, self._last, name)

    def _name(self, text: str) -> str:
        """What a fork of the session makes of the same prompt as well: they have no ids, and other times there."""
        self._times[text] = self._times.get(text, 0) + 1
        root = self._meta.get("forked_from_id") or self._meta.get("id")
        return json.dumps([root, text, self._times[text]])

    def _interrupt(self) -> Iterator[Event]:
        calls, self._calls = self._calls, {}
        for identity, (_, call, _) in calls.items():
            told = {"hook_event_name": "tool_failed", "is_interrupt": True}
            yield Event(self._call(call, identity) | told, self._last, identity)

    def _abandon(self) -> Iterator[Event]:
        calls, self._calls = self._calls, {}
        for identity, (began, call, _) in calls.items():
            yield Event(self._call(call, identity) | {"hook_event_name": "tool_start"}, began or self._last, identity)

    def _payload(self, kind: str) -> dict[str, Any]:
        common = {"hook_event_name": kind, "session_id": self._meta.get("id"), "cwd": self._cwd}
        return common | ({"agent_id": "subagent"} if self._is_subagent else {})

    def _call(self, call: dict[str, Any], identity: str) -> dict[str, Any]:
        tool, given = _tool(call)
        return self._payload("tool_start") | {"tool_name": tool, "tool_input": given, "tool_use_id": identity}


def _said(kind: str, payload: dict[str, Any]) -> list[str] | None:
    """The texts of a message of the person's side; None for any other line."""
    if kind == "event_msg" and payload.get("type") == "user_message":
        return [text_of(payload.get("message"))]
    if kind == "event_msg" and payload.get("type") == "item_completed":
        return items.said(map_of(payload.get("item")))
    if kind == "response_item" and payload.get("type") == "message" and payload.get("role") == "user":
        content = payload.get("content")
        return [text_of(map_of(part).get("text")) for part in content] if isinstance(content, list) else [""]
    return None


def _tool(call: dict[str, Any]) -> tuple[str, Any]:
    """(name, input) of a call as Codex' hooks tell it."""
    name = text_of(call.get("name")) or ("shell" if call.get("type") == "local_shell_call" else "")
    given = call.get("arguments", call.get("input"))
    if call.get("type") == "local_shell_call":
        given = map_of(call.get("action"))
    if isinstance(given, str) and given.lstrip().startswith("{"):
        try:
            given = json.loads(given, strict=False)
        except (ValueError, RecursionError):
            return ("Bash" if name in _SHELLS else name), given
    if name == "apply_patch":
        patch = map_of(given).get("input", map_of(given).get("patch", given))
        return name, {"command": patch}
    if name not in _SHELLS:
        return name, given
    command = _command(map_of(given))
    return ("apply_patch", {"command": command}) if _PATCH in command[:200] else ("Bash", {"command": command})


def _command(given: dict[str, Any]) -> str:
    """The one command of a shell call, without the shell that was wrapped around it."""
    words = given.get("command", given.get("cmd"))
    if isinstance(words, str):
        return words
    parts = [str(word) for word in words] if isinstance(words, list) else []
    if len(parts) == 3 and parts[0].rpartition("/")[2] in _WRAPPERS and parts[1].startswith("-"):
        return parts[2]
    return parts[1] if parts[:1] == ["apply_patch"] and len(parts) == 2 else shlex.join(parts)


def _ending(output: Any) -> dict[str, Any]:
    """How a call ended, from its exit code or its refusal."""
    code, text = _opened(output)
    if _REFUSED.match(text):
        return {"hook_event_name": "denied", "error": text}
    if code not in (None, 0):
        return {"hook_event_name": "tool_failed", "error": text}
    return {"hook_event_name": "tool_complete", "tool_response": text}


def _opened(output: Any) -> tuple[int | None, str]:
    """(the exit code if one is told, the text) of an output: text, JSON in text, a map, or parts of a message."""
    if isinstance(output, str) and output.lstrip().startswith("{"):
        with contextlib.suppress(ValueError, RecursionError):
            output = json.loads(output, strict=False)
    if isinstance(output, list):
        output = "\n".join(text_of(map_of(part).get("text")) for part in output)
    if isinstance(output, dict):
        code = map_of(output.get("metadata")).get("exit_code")
        text = output.get("output", output.get("content"))
        if isinstance(code, int) or isinstance(text, str):
            return (code if isinstance(code, int) else None), text if isinstance(text, str) else json.dumps(text)
        return None, json.dumps(output)
    text = text_of(output)
    head = text[:_HEAD].partition("\nOutput:")[0]
    found = _EXIT.search(head)
    return (int(found[1]) if found else None), text


# --- the beginning of a file


def is_observer(head: list[dict[str, Any]]) -> bool:
    """Whether the session is one of a program that observes, told by the first text that a person's side sent."""
    for value in head:
        said = _said(text_of(value.get("type")), map_of(value.get("payload")))
        if said is not None and spoken(said)[0]:
            return foreign(said[0])
    return False
