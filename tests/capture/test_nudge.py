"""A run starts by itself when a turn ends, holds nobody up, and not too often."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gitinstinct import paths
from gitinstinct.capture import detached, nudge, reader
from gitinstinct.capture.project import Project
from gitinstinct.observer import starts
from tests.support import processes
from tests.support.repos import git
from tests.support.work import HOOK

PROJECT_ID = "e5c363015306"
MARK = Path("nudges") / PROJECT_ID


@pytest.fixture
def project(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A project with thirty observations of this minute."""
    folder = home / "my-api"
    folder.mkdir()
    git(folder, "init", "-q", "--template=")
    git(folder, "remote", "add", "origin", "git@github.com:Acme/My-API.git")
    calls = [event(folder, "PreToolUse", tool_name="Read", tool_input={}, tool_use_id=f"t{n}") for n in range(30)]
    lines = "".join(json.dumps(call) + "\n" for call in calls)
    subprocess.run([*HOOK, "--batch"], input=lines.encode(), check=True)
    monkeypatch.setenv("GITINSTINCT_AUTO", "1")
    yield folder
    processes.until(lambda: not processes.of(home), "what was started ends")


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
    assert Path(f"{mark}.pending").exists(), "but word is left for a run that is at work"


def test_a_switch_for_the_whole_program_starts_nothing(project: Path) -> None:
    Path(paths.hook_settings()).write_text('{"enabled": false}')
    send(project, "Stop")
    assert not marked()


def test_nothing_starts_where_nothing_is_captured(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITINSTINCT_OFF", "1")
    send(project, "Stop")
    assert not marked()


# --- one start, however many ask


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands that would have been started."""
    commands: list[list[str]] = []
    monkeypatch.setattr(detached, "start", lambda command, env: commands.append(command))
    return commands


def mark() -> Path:
    return Path(paths.nudges(PROJECT_ID))


def pending() -> Path:
    return Path(f"{mark()}.pending")


def age(seconds: float) -> None:
    os.utime(mark(), (time.time() - seconds,) * 2)


def nudge_it(pause: float = 300) -> None:
    nudge.nudge(Project(PROJECT_ID, "my-api"), {"PATH": "x", "CLAUDE_PROJECT_DIR": "/elsewhere"}, pause)


def failures() -> int:
    return sum(count.number for count in reader.counts() if count.reason == nudge.FAILED)


def test_a_hundred_at_once_are_one_start_and_one_more_look(home: Path) -> None:
    begin, ends = os.pipe()
    children = []
    for _ in range(100):
        if (pid := os.fork()) == 0:
            try:
                detached.start = lambda command, env: os.write(ends, b".")  # type: ignore[assignment, return-value]
                nudge_it()
            finally:
                os._exit(0)
        children.append(pid)
    for pid in children:
        os.waitpid(pid, 0)
    os.close(ends)
    assert os.read(begin, 1000) == b"."
    os.close(begin)
    assert sorted(path.name for path in mark().parent.iterdir()) == [PROJECT_ID, f"{PROJECT_ID}.pending"]


def test_the_next_start_is_due_when_the_pause_is_over(started: list[list[str]]) -> None:
    nudge_it()
    nudge_it()
    assert len(started) == 1
    assert pending().exists()
    age(299)
    nudge_it()
    assert len(started) == 1
    age(301)
    nudge_it()
    assert len(started) == 2
    age(61)
    nudge_it(60)
    assert len(started) == 3, "the settings may ask for a shorter pause"
    age(9)
    nudge_it(0)
    assert len(started) == 3, "but a start has ten seconds to come to life"


def test_a_clock_that_went_back_keeps_nobody_waiting(started: list[list[str]]) -> None:
    nudge_it()
    age(-3600)
    nudge_it()
    assert len(started) == 2


def test_it_starts_a_run_of_that_project_by_its_number(started: list[list[str]]) -> None:
    nudge_it()
    assert started == [[*detached.ourselves("observe", "--started", mark().read_text()), "--project", PROJECT_ID]]


def test_a_claim_that_was_left_lying_costs_one_turn(started: list[list[str]]) -> None:
    claim = Path(f"{mark()}.claim")
    claim.parent.mkdir(parents=True)
    claim.touch()
    nudge_it()
    assert started == []
    assert claim.exists(), "it may be alive"
    os.utime(claim, (time.time() - 11,) * 2)
    nudge_it()
    nudge_it()
    assert len(started) == 1
    assert not claim.exists()


def test_a_start_that_did_not_come_to_life_is_counted_once(started: list[list[str]]) -> None:
    nudge_it()
    age(301)
    nudge_it()
    assert failures() == 1
    starts.report_back(PROJECT_ID, mark().read_text())
    age(301)
    nudge_it()
    assert failures() == 1


def test_one_that_cannot_be_made_is_counted_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(command: list[str], env: object) -> None:
        raise OSError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(detached, "start", refuse)
    nudge_it()
    assert failures() == 1
    found = starts.last(PROJECT_ID, datetime.now(UTC))
    assert found is not None
    assert found.fault == "could not be made: Resource temporarily unavailable"
    age(301)
    nudge_it()
    assert failures() == 2, "once each"


def test_a_mark_of_an_older_version_is_no_failure(started: list[list[str]]) -> None:
    mark().parent.mkdir(parents=True)
    mark().touch()
    age(301)
    nudge_it()
    assert failures() == 0


@pytest.mark.parametrize("place", ["nudges", "mark"])
def test_where_no_mark_can_be_left_nothing_happens(place: str, started: list[list[str]]) -> None:
    state = Path(paths.root("state"))
    state.mkdir(parents=True)
    if place == "nudges":
        (state / "nudges").write_text("a file")
    else:
        (state / "nudges" / PROJECT_ID).mkdir(parents=True)
        age(400)
    nudge_it()
    assert started == []


# --- the agent's things


def test_what_is_started_holds_no_file_of_the_agent(project: Path) -> None:
    """Not even one that the agent handed on beside the three that everybody has."""
    reader_end, writer_end = os.pipe()
    os.set_blocking(reader_end, False)
    payload = json.dumps(event(project, "Stop")).encode()
    subprocess.run(HOOK, input=payload, pass_fds=[writer_end], check=True, timeout=20)
    os.close(writer_end)
    assert os.read(reader_end, 1) == b"", "nobody holds the other end although the run has just begun"
    os.close(reader_end)


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_do_not_matter(closed: str, project: Path) -> None:
    send(project, "PreToolUse", tool_name="Read", tool_input={}, tool_use_id="x")
    payload = json.dumps(event(project, "Stop"))
    piped = f"printf %s '{payload}' | " if "<" not in closed else ""
    script = f'{piped}"$@" {closed}'
    done = subprocess.run(["sh", "-c", script, "sh", *HOOK], capture_output=True, timeout=20)
    assert done.returncode == 0
    assert marked() == ("<" not in closed)
