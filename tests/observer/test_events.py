"""Reading the spool's records: tolerant of everything, and failures from explicit signs only."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from gitinstinct.observer import events
from gitinstinct.observer.events import Observation, Outcome


def seen(**record: Any) -> Observation:
    return Observation.from_record(record, "1:0")


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-10-01T08:00:05.250Z", datetime(2026, 10, 1, 8, 0, 5, 250_000, UTC)),
        ("2026-10-01T10:00:05+02:00", datetime(2026, 10, 1, 8, 0, 5, tzinfo=UTC)),
        ("2026-10-01T08:00:05", datetime(2026, 10, 1, 8, 0, 5, tzinfo=UTC)),
        ("0001-01-01T00:00:00+14:00", None),
        ("yesterday", None),
        (17, None),
    ],
)
def test_times_become_utc_or_are_absent(text: object, moment: datetime | None) -> None:
    assert seen(event="prompt", at=text).at == moment


def test_values_of_the_wrong_type_are_absent() -> None:
    odd = seen(event=None, session=7, tool=["Bash"], error={"a": 1}, prompt=True, interrupted="yes", input=3, output=4)
    assert odd == Observation(id="1:0", event="unknown", input=3, output=4)
    assert events.command(odd) == events.file_path(odd) == events.failure_text(odd) == ""


@pytest.mark.parametrize(
    ("tool", "given", "command"),
    [
        ("Bash", {"command": "make all"}, "make all"),
        ("shell", {"command": ["bash", "-lc", "make all"]}, "make all"),
        ("exec_command", {"cmd": ["git", "commit", "-m", "two words"]}, "git commit -m 'two words'"),
        ("Bash", '{"command": "make all"}', "make all"),
        ("Bash", '{"description": "cut", "command": "make \\"all\\"", "timeout": 12', 'make "all"'),
        ("str_replace_editor", {"command": "create", "path": "a.py"}, ""),
        ("Bash", {"command": None}, ""),
        ("Bash", "[" * 100_000, ""),
    ],
)
def test_commands_of_all_harnesses(tool: str, given: object, command: str) -> None:
    assert events.command(seen(event="tool_start", tool=tool, input=given)) == command


@pytest.mark.parametrize(
    ("tool", "given", "path"),
    [
        ("Edit", {"file_path": "/w/a.py"}, "/w/a.py"),
        ("NotebookEdit", {"notebook_path": "n.ipynb"}, "n.ipynb"),
        ("write", {"filePath": "b.ts"}, "b.ts"),
        ("apply_patch", {"input": "*** Begin Patch\n*** Update File: src/c.rs\n@@"}, "src/c.rs"),
        ("apply_patch", "*** Begin Patch\n*** Add File: d.go\n", "d.go"),
        ("Edit", '{"file_path": "e.py", "old_string": "cut off her', "e.py"),
        ("Read", {"file_path": "f.py"}, ""),
    ],
)
def test_edited_files_of_all_harnesses(tool: str, given: object, path: str) -> None:
    assert events.file_path(seen(event="tool_start", tool=tool, input=given)) == path


@pytest.mark.parametrize(
    ("record", "outcome"),
    [
        ({"event": "tool_complete", "output": {"stdout": "Error: 3 errors failed", "interrupted": False}}, Outcome.OK),
        ({"event": "tool_complete", "output": "12 passed, no error"}, Outcome.OK),
        ({"event": "tool_complete"}, Outcome.OK),
        ({"event": "tool_failed", "error": "Exit code 1"}, Outcome.FAILED),
        ({"event": "tool_failed", "error": "stopped", "interrupted": True}, Outcome.INTERRUPTED),
        ({"event": "tool_complete", "output": {"interrupted": True}}, Outcome.INTERRUPTED),
        ({"event": "tool_complete", "output": {"isError": True, "content": []}}, Outcome.FAILED),
        ({"event": "tool_complete", "output": {"success": False}}, Outcome.FAILED),
        ({"event": "tool_complete", "output": {"error": "no such file"}}, Outcome.FAILED),
        ({"event": "tool_complete", "output": {"resultType": "failure"}}, Outcome.FAILED),
        ({"event": "tool_complete", "output": {"metadata": {"exit": 2}}}, Outcome.FAILED),
        ({"event": "tool_complete", "output": {"exitCode": 0}}, Outcome.OK),
        ({"event": "tool_complete", "output": {"exitCode": 1, "returnCodeInterpretation": "No matches"}}, Outcome.OK),
        ({"event": "tool_complete", "output": "Exit code: 1\nboom"}, Outcome.FAILED),
        ({"event": "tool_complete", "output": "Exit code: 0\nError: quoted"}, Outcome.OK),
    ],
)
def test_failure_is_told_by_explicit_signs(record: dict[str, Any], outcome: Outcome) -> None:
    assert events.outcome(seen(**record)) is outcome


def test_the_text_of_a_failure_comes_from_wherever_it_stands() -> None:
    blocks = {"isError": True, "content": [{"type": "text", "text": "syntax error at line 3"}]}
    assert "syntax error" in events.failure_text(seen(event="tool_complete", output=blocks))
    long = events.failure_text(seen(event="tool_failed", error="first" + "x" * 20_000 + "last"))
    assert long.startswith("first")
    assert long.endswith("last")
    assert len(long) <= 4_001
