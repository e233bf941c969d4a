"""An event as a model is shown it: who did what and how it ended, redacted a second time and cut short.

The hook redacted when it wrote; that was another version, perhaps, and this is the last moment before anything leaves
the machine. Folders of people become `~`. What is cut says so.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from gitinstinct.capture import redact
from gitinstinct.instinct.model import Instinct
from gitinstinct.observer import events
from gitinstinct.observer.events import Observation, Outcome
from gitinstinct.observer.sessions import is_person
from gitinstinct.observer.tally import Record

PROMPT, INPUT, OUTPUT, WORDS = 1_500, 400, 300, 200
"""Characters that are shown of what a person said, of what a tool was given, of what it said, of an instinct's line."""

_MOST, _EDGE = 20_000, 256

_HOME = re.compile(r"(?:/(?:home|Users)/|[A-Za-z]:[\\/]Users[\\/])[^/\\\s\"']+")
_TOLD = frozenset({"prompt", "tool_start", "tool_complete", "tool_failed", "denied", "compact"})


def is_telling(observation: Observation) -> bool:
    """Whether a model could learn from an event: not from starts and stops, nor from what a harness says to itself."""
    if observation.event == "prompt":
        return bool(observation.prompt.strip()) and is_person(observation)
    return observation.event in _TOLD and bool(observation.session)


def event(observation: Observation, label: str, session: str, *, has_start: bool) -> dict[str, Any]:
    """An event as plain data.

    Args:
        observation: which.
        label: how the model cites it.
        session: how its session is called.
        has_start: whether the start of the call is shown as well; then its input is not shown again.
    """
    shown: dict[str, Any] = {"id": label, "session": session, "event": observation.event}
    if observation.event == "prompt":
        return shown | {"said": _text(observation.prompt, PROMPT)}
    shown["tool"] = _text(observation.tool, WORDS)
    if not has_start:
        shown["input"] = _text(_given(observation), INPUT)
    if observation.event.startswith("tool_") and observation.event != "tool_start":
        shown |= _ended(observation)
    return {key: value for key, value in shown.items() if value != ""}


def _ended(observation: Observation) -> dict[str, Any]:
    outcome = events.outcome(observation)
    if outcome is Outcome.FAILED:
        return {"outcome": "failed", "output": _text(events.failure_text(observation), OUTPUT)}
    return {"outcome": outcome.value, "output": _text(_plain(observation.output), OUTPUT)}


def known(record: Record, label: str) -> dict[str, Any]:
    """A pattern that was seen before, below the threshold."""
    pattern = record.pattern
    return {"key": label, "trigger": pattern.trigger, "action": pattern.action, "seen": record.count}


def instinct(one: Instinct) -> dict[str, Any]:
    """What is learned already."""
    return {"trigger": _text(one.trigger, WORDS), "action": _text(one.action, WORDS)}


def texts(observation: Observation) -> list[str]:
    """What an event says in the words of a person, a tool or a file: an instinct must not repeat it."""
    return [observation.prompt, _plain(observation.output), observation.error, events.input_text(observation)]


def _given(observation: Observation) -> str:
    """The command, the file, or the whole input."""
    return events.command(observation) or events.file_path(observation) or _plain(observation.input)


def _plain(value: object) -> str:
    """The texts of a value as one; of a map without any, its JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        told = [
            value[key] for key in ("stderr", "stdout", "content", "text", "result") if isinstance(value.get(key), str)
        ]
        if any(told):
            return "\n".join(one for one in told if one)
    try:
        return json.dumps(redact.redact_value(value), ensure_ascii=False) if value is not None else ""
    except (ValueError, TypeError, RecursionError):
        return ""


def _text(text: str, most: int) -> str:
    clean = _HOME.sub("~", redact.redact(text[:_MOST]))
    if len(text) >= events.LIMIT:  # it may end in the middle of a secret, which then looks like none
        clean = clean[:-_EDGE]
    if len(clean) <= most:
        return clean
    half = most // 2
    return f"{clean[:half]} [{len(clean) - 2 * half} characters] {clean[-half:]}"
