"""A run starts by itself when a turn ends, holds nobody up, and not too often."""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path

import pytest

from gitinstinct import paths
from tests.support.repos import git
from tests.support.work import HOOK

PROJECT_ID = "e5c363015306"
MARK = Path("nudges") / PROJECT_ID


@pytest.fixture
def project(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with thirty observations of this minute."""
    folder = home / "my-api"
    folder.mkdir()
    git(folder, "init", "-q", "--template=")
    git(folder, "remote", "add", "origin", "git@github.com:Acme/My-API.git")
    calls = [event(folder, "PreToolUse", tool_name="Read", tool_input={}, tool_use_id=f"t{n}") for n in range(30)]
    lines = "".join(json.dumps(call) + "\n" for call in calls)
    subprocess.run([*HOOK, "--batch"], input=lines.encode(), check=True)
    monkeypatch.setenv("GITINSTINCT_AUTO", "1")
    return folder


def event(folder: Path, name: str, **more: object) -> dict[str, object]:
    return {"session_id": "s", "cwd": str(folder), "hook_event_name": name} | more


def send(folder: Path, name: str, **more: object) -> None:
    """One event, as the agent sends it: it waits for the end of every pipe that it handed over."""
    done = subprocess.run(HOOK, input=json.dumps(event(folder, name, **more)).encode(), capture_output=True, timeout=20)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def marked() -> bool:
    return (Path(paths.root("state")) / MARK).exists()


def test_the_end_of_a_turn_starts_a_run(project: Path) -> None:
    send(project, "Stop")
    deadline = time.monotonic() + 60
    while not Path(paths.tally(PROJECT_ID)).exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    remembered = json.loads(Path(paths.tally(PROJECT_ID)).read_text().splitlines()[0])
    assert remembered["last"]["observations"] == 31


def test_tool_events_start_nothing(project: Path) -> None:
    send(project, "PostToolUse", tool_name="Read", tool_input={}, tool_use_id="t1", tool_response="x")
    assert not marked()


@pytest.mark.parametrize("setting", ["environment", "config", "batch"])
def test_it_can_be_switched_off(setting: str, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if setting == "environment":
        monkeypatch.setenv("GITINSTINCT_AUTO", "0")
    if setting == "config":
        Path(paths.hook_settings()).write_text('{"auto": false}')
    if setting == "batch":
        line = json.dumps(event(project, "Stop")).encode() + b"\n"
        subprocess.run([*HOOK, "--batch"], input=line, check=True)
    else:
        send(project, "Stop")
    assert not marked()


def test_one_start_in_five_minutes_is_enough(project: Path) -> None:
    mark = Path(paths.root("state")) / MARK
    mark.parent.mkdir()
    mark.touch()
    before = mark.stat().st_mtime_ns
    send(project, "SessionEnd", reason="other")
    assert mark.stat().st_mtime_ns == before
