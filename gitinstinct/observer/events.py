"""One captured event, read from its line of the spool.

The line was written by another process, perhaps by another version, from what a foreign program sent; so reading
never fails. A value of the wrong type counts as absent. Whether a tool failed is decided here, once, from explicit
signs only: the word "error" in ordinary output says nothing.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

LIMIT = 4_000  # characters of a command or an error that are looked at: more has never told more

_SHELLS = frozenset(
    "bash shell powershell pwsh terminal run_shell_command run_command execute_bash execute_command exec_command"
    " local_shell run_in_terminal run_terminal_cmd run_terminal_command".split()
)
_EDITORS = frozenset(
    "edit write multiedit notebookedit edit_file write_file create_file write_to_file replace_in_file search_replace"
    " replace apply_patch patch str_replace str_replace_editor str_replace_based_edit_tool insert_edit_into_file"
    " fs_write edit_notebook_file create".split()
)
_PATH_KEYS = ("file_path", "filePath", "notebook_path", "path", "target_file", "absolute_path", "filename")
_EXIT_KEYS = ("exitCode", "exit_code", "exit_status", "exit", "returncode")
_TEXT_KEYS = ("stderr", "error", "message", "stdout", "output", "content", "text", "result")
_FAILED_WORDS = frozenset({"error", "failed", "failure"})

_LEADING_FAILURE = re.compile(r"\s*(?:Error:|(?:Process exited with code|Exit code:?) [1-9])")
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update) File: (.+)$", re.M)
_COMMAND_IN_TEXT = re.compile(r'"(?:command|cmd)"\s*:\s*("(?:[^"\\]|\\.)*")')
_PATH_IN_TEXT = re.compile(r'"(?:file_?[pP]ath|path)"\s*:\s*("(?:[^"\\]|\\.)*")')


class Outcome(StrEnum):
    """How a tool call ended."""

    OK = "ok"
    FAILED = "failed"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class Observation:
    """One event of a session; `id` is `<segment number>:<byte offset>` of its line in the spool.

    `file` is a hash of the file that a tool names, as it was then (see `capture.fingerprint`).
    """

    id: str
    event: str
    at: datetime | None = None
    session: str = ""
    agent: str = ""
    call: str = ""
    tool: str = ""
    input: object = None
    output: object = None
    error: str = ""
    prompt: str = ""
    source: str = ""
    interrupted: bool = False
    file: str = ""

    @classmethod
    def from_record(cls, record: Mapping[str, object], identity: str) -> Observation:
        """Read a spool line's object. Never raises; what has the wrong type counts as absent."""

        def text(key: str) -> str:
            value = record.get(key)
            return value if isinstance(value, str) else ""

        return cls(
            id=identity,
            event=text("event") or "unknown",
            at=_moment(text("at")),
            session=text("session"),
            agent=text("agent"),
            call=text("id"),
            tool=text("tool"),
            input=record.get("input"),
            output=record.get("output"),
            error=text("error"),
            prompt=text("prompt"),
            source=text("source"),
            interrupted=record.get("interrupted") is True,
            file=text("file"),
        )


def _moment(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def command(observation: Observation) -> str:
    """The shell command that the call ran; "" where it is no shell call. At most 4,000 characters."""
    if not is_shell(observation.tool):
        return ""
    given = _structure(observation.input)
    value = next((given[key] for key in ("command", "cmd", "script") if given.get(key)), "")
    if isinstance(value, list):
        value = _joined([str(word) for word in value])
    if not value and isinstance(observation.input, str):
        value = _quoted(_COMMAND_IN_TEXT, observation.input)
    return value[:LIMIT] if isinstance(value, str) else ""


def file_path(observation: Observation) -> str:
    """The file that the call edited; "" where it edited none."""
    if not is_editor(observation.tool):
        return ""
    given = _structure(observation.input)
    value = next((given[key] for key in _PATH_KEYS if isinstance(given.get(key), str)), "")
    if value:
        return str(value)
    text = observation.input if isinstance(observation.input, str) else _first_text(given.values())
    patched = _PATCHED.search(text[:LIMIT])
    return patched[1].strip() if patched else _quoted(_PATH_IN_TEXT, text)


def input_text(observation: Observation) -> str:
    """The texts of the call's input, one after another; at most 4,000 characters."""
    return "\n".join(_texts(_structure(observation.input) or observation.input))[:LIMIT]


def is_shell(tool: str) -> bool:
    """Whether the tool of that name runs shell commands."""
    return tool.lower() in _SHELLS


def is_editor(tool: str) -> bool:
    """Whether the tool of that name changes files."""
    return tool.lower() in _EDITORS


def outcome(observation: Observation) -> Outcome:
    """How the call of a finishing event ended, from explicit signs only."""
    given = observation.output if isinstance(observation.output, dict) else {}
    if observation.interrupted or given.get("interrupted") is True:
        return Outcome.INTERRUPTED
    if observation.event == "tool_failed" or observation.error:
        return Outcome.FAILED
    # A non-zero exit that the harness accepts (grep without a match) comes with an interpretation.
    if given.get("returnCodeInterpretation"):
        return Outcome.OK
    return Outcome.FAILED if _says_failure(given) or _begins_with_failure(observation.output) else Outcome.OK


def failure_text(observation: Observation) -> str:
    """What a failed call said, at most 4,000 characters: the beginning and the end, where it is longer."""
    text = observation.error or "\n".join(_texts(observation.output))
    return text if len(text) <= LIMIT else text[: LIMIT // 2] + "\n" + text[-LIMIT // 2 :]


def _says_failure(given: Mapping[str, object]) -> bool:
    metadata = given.get("metadata")
    places = [given, metadata] if isinstance(metadata, dict) else [given]
    return (
        any(given.get(key) is True for key in ("isError", "is_error"))
        or given.get("success") is False
        or bool(given.get("error"))
        or any(str(given.get(key, "")).lower() in _FAILED_WORDS for key in ("resultType", "status"))
        or any(_is_bad_exit(place.get(key)) for place in places for key in _EXIT_KEYS)
    )


def _is_bad_exit(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value != 0


def _begins_with_failure(output: object) -> bool:
    return isinstance(output, str) and _LEADING_FAILURE.match(output) is not None


def _structure(value: object) -> Mapping[str, object]:
    """The input as a mapping; some harnesses send it as JSON in a string."""
    if isinstance(value, str) and value.lstrip().startswith("{"):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return {}
    return value if isinstance(value, dict) else {}


def _joined(words: list[str]) -> str:
    is_wrapped = len(words) == 3 and words[0].rpartition("/")[2] in ("bash", "sh", "zsh") and words[1].startswith("-")
    return words[2] if is_wrapped else shlex.join(words)


def _quoted(pattern: re.Pattern[str], text: str) -> str:
    """A value out of JSON that was cut and no longer parses."""
    found = pattern.search(text)
    try:
        value = json.loads(found[1]) if found else ""
    except ValueError:
        return ""
    return value if isinstance(value, str) else ""


def _first_text(values: object) -> str:
    return next(_texts(list(values) if hasattr(values, "__iter__") else values), "")


def _texts(value: object, depth: int = 0) -> Iterator[str]:
    """The texts of a value, those under the telling keys first; deep nests are left alone."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list) and depth < 4:
        for item in value[:50]:
            yield from _texts(item, depth + 1)
    elif isinstance(value, dict) and depth < 4:
        for key in [*_TEXT_KEYS, *(k for k in list(value)[:50] if k not in _TEXT_KEYS)]:
            yield from _texts(value.get(key), depth + 1)
