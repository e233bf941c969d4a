"""From a harness' payload to the record that is kept: chosen fields, redacted, bounded.

Only fields that are named here are taken over; whatever else a payload holds is dropped. Every text that is kept has
been redacted. If the redactor itself fails, the event is kept without its content.
"""

from __future__ import annotations

import time

from gitinstinct.capture import bounds, codec, payloads, redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

VERSION = 1
_SOURCES = ("session_start", "session_end", "prompt", "compact")
_LONGEST_ID = 80
_LONGEST_NAME = 200
_LONGEST_PATH = 4_000
_ID_SIGNS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-")

# Texts on the prompt event that no person wrote begin with a tag of the harness.
_MACHINE_TAGS = (
    "<task-notification", "<system-reminder", "<teammate-message", "<local-command", "<command-name",
    "<command-message", "<bash-stdout", "<bash-stderr", "<user-prompt-submit-hook",
)  # fmt: skip


class Facts:
    """What is told apart before anything is kept: the event, where it happened, by whom, with which tool."""

    __slots__ = ("agent", "arguments", "cwd", "event", "native", "tool")

    def __init__(self, names: payloads.Table, payload: Mapping[str, Any], argument: str) -> None:
        self.event, self.native = payloads.event(names, payload, argument)
        self.agent = payloads.field(names, payload, "agent")
        self.cwd = _string(payloads.field(names, payload, "cwd"))
        self.tool = _string(payloads.field(names, payload, "tool"))
        self.arguments = decoded(payloads.field(names, payload, "input"))


def record(
    names: payloads.Table, payload: Mapping[str, Any], facts: Facts, base: dict[str, Any], known: tuple[str, ...]
) -> dict[str, Any]:
    """The record of a payload. `base` holds what comes from elsewhere (time, harness, project) and is filled up.

    Raises:
        Exception: whatever the redactor met; `bare` then gives the record without content.
    """
    found = dict(base, event=facts.event)
    if facts.event == "unknown" and facts.native:
        found["native"] = _short(facts.native, _LONGEST_NAME, known)
    for name in ("session", "id", "agent"):
        if told := identifier(payloads.field(names, payload, name), known):
            found[name] = told
    if facts.cwd:
        found["cwd"] = _short(facts.cwd, _LONGEST_PATH, known)
    if facts.tool:
        found["tool"] = _short(facts.tool, _LONGEST_NAME, known)
    _fill(found, _content(names, payload, facts), known)
    _mark(found, names, payload, facts)
    return found


def bare(base: dict[str, Any], facts: Facts) -> dict[str, Any]:
    """The record of an event whose content could not be redacted."""
    return dict(base, event=facts.event)


def decoded(value: Any) -> Any:
    """A map that was sent as JSON text, as the map; all else as it is."""
    if isinstance(value, str) and value.lstrip().startswith("{"):
        try:
            found, _ = codec.parse(value.strip())
        except (ValueError, RecursionError):
            return value
        return found
    return value


def stamp(seconds: float) -> str:
    """Seconds since 1970 as a UTC time with milliseconds."""
    whole = int(seconds // 1)
    year, month, day, hour, minute, second = time.gmtime(whole)[:6]
    return f"{year:04d}-{month:02d}-{day:02d}T{hour:02d}:{minute:02d}:{second:02d}.{int((seconds - whole) * 1000):03d}Z"


# --- what is taken over


def _content(names: payloads.Table, payload: Mapping[str, Any], facts: Facts) -> dict[str, Any]:
    """The fields that hold what was said and done. An empty text is a value, a missing field is none."""
    event, found = facts.event, {}
    if facts.tool or event.startswith("tool_"):
        found = {"input": facts.arguments, "output": decoded(payloads.field(names, payload, "output"))}
    if event == "prompt":
        found["prompt"] = payloads.field(names, payload, "prompt")
    if event in ("tool_failed", "denied", "stop"):
        found["error"] = payloads.field(names, payload, "error")
    return {name: value for name, value in found.items() if value is not None}


def _fill(found: dict[str, Any], content: dict[str, Any], known: tuple[str, ...]) -> None:
    dropped = {}
    for name, value in content.items():
        kept, lost = bounds.bounded(value, redact.redact_value, lambda text: _clean(text, known))
        found[name] = kept
        if lost:
            dropped[name] = lost
    if dropped:
        found["cut"] = found.get("cut", {}) | dropped


def _mark(found: dict[str, Any], names: payloads.Table, payload: Mapping[str, Any], facts: Facts) -> None:
    """What follows from marks in the payload: an interruption, an edit by the person, a failure, who spoke."""
    output = found.get("output")
    result = output if isinstance(output, dict) else {}
    if payloads.field(names, payload, "interrupted") is True or result.get("interrupted") is True:
        found["interrupted"] = True
    if result.get("userModified") is True:
        found["edited"] = True
    if facts.event == "tool_complete" and (result.get("isError") is True or result.get("is_error") is True):
        found["event"] = "tool_failed"
    if facts.event in _SOURCES:
        source = payloads.field(names, payload, "source")
        prompt = found.get("prompt")
        if isinstance(source, str) and source:
            found["source"] = _short(source, _LONGEST_NAME, ())
        elif isinstance(prompt, str) and prompt.lstrip().startswith(_MACHINE_TAGS):
            found["source"] = "system"


# --- texts


def _string(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _clean(text: str, known: tuple[str, ...]) -> str:
    """A redacted text that can be written as UTF-8: lone surrogates become the replacement character."""
    clean = redact.redact(text, known)
    if clean.isascii():
        return clean
    try:
        clean.encode()
    except UnicodeEncodeError:
        return clean.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return clean


def _short(text: str, size: int, known: tuple[str, ...]) -> str:
    whole = _clean(text[: size + bounds.MARGIN], known)
    return bounds.cut(whole, size)


def identifier(value: Any, known: tuple[str, ...]) -> str:
    """An id as it may stand in names of files: itself if it is short and plain, else a hash; "" for none."""
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str) or not value:
        return ""
    plain = redact.redact(value[: 2 * bounds.MARGIN], known)
    if len(plain) <= _LONGEST_ID and _ID_SIGNS.issuperset(plain) and plain.strip("."):
        return plain
    return "x-" + codec.short_hash(plain, 16)
