"""What other observers have kept: seven families of files, told by their content."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from gitinstinct.capture.project import Project
from tests.backfill.conftest import Fill, told
from tests.support.pasts import Transcript, session_id

SHARED = Path(os.environ.get("GITINSTINCT_SHARED") or Path(__file__).parents[3] / "shared")  # before tests clear it
S = session_id(1)


def write(place: Path, *values: Any, name: str = "observations.jsonl", end: str = "\n") -> Path:
    place.mkdir(parents=True, exist_ok=True)
    file = place / name
    file.write_bytes("".join(json.dumps(value) + end for value in values).encode())
    return file


def test_version_2_0_has_tools_alone(tmp_path: Path, project: Project, fill: Fill) -> None:
    line = {"event": "tool_complete", "tool": "Read", "session": S, "timestamp": "2026-03-09T12:23:36Z"}
    summary = fill(write(tmp_path, line, line, line | {"session": "unknown"}))
    assert summary.events == 3, "two alike in one second are two calls"
    assert [one["session"] for one in told(project)] == [S, S, "day-2026-03-09"]
    assert summary.remarks["calls whose output nobody kept"] == 3


def test_version_2_1_has_input_and_output_as_text(tmp_path: Path, project: Project, fill: Fill) -> None:
    common = {"timestamp": "2026-03-14T00:52:05Z", "tool": "Bash", "session": S, "project_id": "x" * 12}
    start = common | {"event": "tool_start", "input": '{"command": "ls"}'}
    cut = common | {"event": "tool_start", "input": '{"command": "echo \\"a\\" && ls", "description": "cut he'}
    end = common | {"event": "tool_complete", "output": '{"stdout": "a \\udcec"}'}
    fill(write(tmp_path, start, end, cut, end="\r\n"))
    first, second, third = told(project)
    assert first["input"] == {"command": "ls"}
    assert second["output"] == {"stdout": "a \ufffd"}
    assert third["input"].startswith('{"command"')


def test_payloads_that_could_not_be_read_then_are_read_now(tmp_path: Path, project: Project, fill: Fill) -> None:
    given = {"file_path": "a.py", "old_string": "x" * 3000}
    payload = {"session_id": S, "hook_event_name": "PreToolUse", "tool_name": "Edit", "tool_input": given}
    common = {"timestamp": "2026-01-29T05:41:55Z", "event": "parse_error"}
    lines = [common | {"raw": json.dumps(payload)[:1000]}, common | {"raw": "exit:  echo\n"}]
    summary = fill(write(tmp_path, *lines))
    [one] = told(project)
    assert (one["event"], one["tool"], one["session"]) == ("tool_start", "Edit", S)
    assert '"file_path": "a.py"' in one["input"]
    assert summary.left["payloads that could not be recovered"] == 1


def test_a_log_of_tools_and_prompts(tmp_path: Path, project: Project, fill: Fill) -> None:
    at = "2026-02-19T15:16:27Z"
    lines = [
        {"timestamp": at, "type": "tool", "tool": "Bash", "input": {"command": "ls"}, "response": '{"stdout": "a"}'},
        {"timestamp": at, "type": "prompt", "prompt": "commit this"},
        {"ts": at, "type": "birth", "note": "hello"},
        {"timestamp": "2026-02-20T10:00:00.123456", "tool": "Read", "input_summary": "a.py"},
        {"timestamp": 1771581600, "phase": "post", "tool": "Glob"},
    ]
    summary = fill(write(tmp_path, *lines))
    found = told(project)
    assert [one["event"] for one in found] == ["tool_complete", "prompt", "tool_complete", "tool_complete"]
    assert found[0]["output"] == {"stdout": "a"}
    assert [one["session"] for one in found] == ["day-2026-02-19"] * 2 + ["day-2026-02-20"] * 2
    assert found[2]["at"] == "2026-02-20T10:00:00.123Z"
    assert summary.left["lines of another kind"] == 1


def test_events_of_opencode(tmp_path: Path, project: Project, fill: Fill) -> None:
    common = {"ts": "2026-01-29T22:23:32.589Z", "sessionID": "ses_1", "tool": "bash"}
    lines = [
        {"id": "1", "type": "message.part.updated", "sessionID": None, "ts": common["ts"], "properties": {}},
        common | {"id": "2", "type": "tool.execute.before", "args": {"command": "ls"}},
        common | {"id": "3", "type": "tool.execute.after", "ok": None, "args": None},
        common | {"id": "4", "type": "tool.execute.before", "args": {"command": "false"}},
        common | {"id": "5", "type": "tool.execute.after", "ok": False, "args": None},
    ]
    summary = fill(write(tmp_path, *lines))
    done, failed = told(project)
    assert (done["event"], done["input"], done["harness"]) == ("tool_complete", {"command": "ls"}, "opencode")
    assert (failed["event"], failed["input"]) == ("tool_failed", {"command": "false"})
    assert summary.left["events about the screen or the server"] == 1


def test_other_uses_of_the_name_are_no_past(tmp_path: Path, project: Project, fill: Fill) -> None:
    write(tmp_path, {"timestamp": "2026-01-01", "price": 12}, {"timestamp": "2026-01-02", "price": 13})
    (tmp_path / "pointer.jsonl").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:x\nsize 1\n")
    assert fill(tmp_path).events == 0


def test_a_copy_of_the_file_adds_nothing(tmp_path: Path, project: Project, fill: Fill) -> None:
    line = {"event": "tool_complete", "tool": "Read", "session": S, "timestamp": "2026-03-09T12:23:36Z"}
    later = line | {"timestamp": "2026-03-09T12:23:40Z"}
    assert fill(write(tmp_path, line, line, later)).events == 3
    assert fill(write(tmp_path, line, line, later, later, name="copy.jsonl")).events == 1


@pytest.mark.parametrize("order", [("transcript", "observations"), ("observations", "transcript")])
def test_a_session_that_two_sources_tell_counts_once(
    order: tuple[str, str], tmp_path: Path, work: Path, home: Path, project: Project, fill: Fill
) -> None:
    line = {"event": "tool_complete", "tool": "Bash", "session": S, "timestamp": "2026-10-02T09:00:20Z"}
    file = write(tmp_path, line)
    for source in order:
        if source == "transcript":
            Transcript(1, work).run("ls").write(home)
            fill()
        else:
            fill(file)
    assert len(told(project)) == 1


def test_real_files_of_other_observers_are_read_without_an_error(project: Project, fill: Fill) -> None:
    folders = ("samples/real/observations", "samples/real/transcripts")
    samples = [path for folder in folders for path in sorted((SHARED / folder).glob("*.json*"))]
    if not samples:
        pytest.skip("the collection of real observations is not on this machine")
    taken = sum(fill(path).events for path in samples)
    assert taken > 1_000
    assert sum(fill(path).events for path in samples) == 0
