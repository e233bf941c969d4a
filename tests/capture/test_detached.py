"""A program that is started outlives its starter and holds nothing of it, on every system."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from gitinstinct.capture import detached
from tests.support.processes import until

PYTHON = [sys.executable, "-I", "-S", "-c"]


def started(code: str) -> detached.Started:
    return detached.start([*PYTHON, code], os.environ)


def ended(process: detached.Started) -> int:
    until(lambda: process.ended() is not None, "it ends")
    code = process.ended()
    assert code is not None
    return code


@pytest.fixture(params=["spawn", "popen"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """As it is done here, and as where the system's library knows no sessions."""
    if request.param == "popen":

        def unknown(*_: object, **__: object) -> int:
            raise NotImplementedError

        monkeypatch.setattr(os, "posix_spawn", unknown)
    return str(request.param)


def test_it_has_a_session_of_its_own_and_silent_streams(way: str, tmp_path: Path) -> None:
    told = tmp_path / "told"
    code = f"""
import os
same = os.getsid(0) == os.getpid()
open({str(told)!r}, "w").write(f"{{same}} {{[os.readlink(f'/proc/self/fd/{{n}}') for n in (0, 1, 2)]}}")
"""
    assert ended(started(code)) == 0
    assert told.read_text() == f"True {['/dev/null'] * 3}"


@pytest.mark.parametrize(("code", "expected"), [("", 0), ("raise SystemExit(42)", 42), ("import os; os.abort()", -6)])
@pytest.mark.parametrize("slow", [False, True])
def test_how_it_ended_is_told_whether_it_was_quick_or_slow(code: str, expected: int, slow: bool, way: str) -> None:
    process = started(("import time; time.sleep(0.2); " if slow else "") + code)
    if not slow:
        time.sleep(0.2)
    assert ended(process) == expected
    assert process.ended() == expected, "also when asked again"


def test_it_can_be_killed(way: str) -> None:
    process = started("import time; time.sleep(60)")
    assert process.ended() is None
    process.kill()
    assert ended(process) == -9
    process.kill()


def test_one_that_somebody_else_asked_for_is_over(way: str) -> None:
    process = started("")
    os.waitpid(process.number, 0)
    assert ended(process) == 0


def test_a_program_that_is_not_there_is_an_error(way: str) -> None:
    with pytest.raises(OSError, match="No such file"):
        detached.start(["/nowhere/python"], os.environ)


@pytest.mark.parametrize("lets_go", [True, False])
def test_on_windows_it_leaves_the_job_without_a_window_or_a_handle(
    lets_go: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the job lets nothing go, it stays in it; without a shell in any case."""
    calls: list[dict[str, Any]] = []

    class Popen:
        pid = 7

        def __init__(self, command: list[str], **more: Any) -> None:
            calls.append({"command": command, **more})
            if not lets_go and more["creationflags"] & 0x01000000:
                raise OSError(5, "Access is denied")

    monkeypatch.setattr(subprocess, "Popen", Popen)
    assert detached._on_windows(["python", "a b"], {"X": "y"}).number == 7
    last = calls[-1]
    assert (last["command"], last["env"], last["close_fds"]) == (["python", "a b"], {"X": "y"}, True)
    assert {last["stdin"], last["stdout"], last["stderr"]} == {subprocess.DEVNULL}
    assert "shell" not in last
    assert [call["creationflags"] for call in calls] == ([0x09000200] if lets_go else [0x09000200, 0x08000200])


def test_it_calls_ourselves_whatever_lies_in_the_working_directory() -> None:
    assert detached.ourselves("a", "b") == [sys.executable, "-I", "-m", "gitinstinct", "a", "b"]
