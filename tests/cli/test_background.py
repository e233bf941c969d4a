"""Runs that nobody typed: one at a time, one more look for what came meanwhile, and every gate told."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from gitinstinct import paths
from gitinstinct.capture import nudge
from gitinstinct.capture.project import Project
from gitinstinct.observer import gates, locks, run, starts
from gitinstinct.observer.run import Outcome
from tests.cli.conftest import PROJECT_ID
from tests.support.program import Program
from tests.support.work import captured, spool, tree_of

NOW = datetime(2026, 11, 29, 10, tzinfo=UTC)
STARTED = ("observe", "--started", "17-1")


@pytest.fixture(autouse=True)
def may_start(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hook has started number 17-1."""
    monkeypatch.setenv("GITINSTINCT_AUTO", "1")
    paths.make_private(str(Path(paths.nudges(PROJECT_ID)).parent))
    nudge.write(paths.nudges(PROJECT_ID), "17-1")
    os.utime(paths.nudges(PROJECT_ID), (NOW.timestamp() - 600,) * 2)


@pytest.fixture
def work(project: Path) -> int:
    """Observations that wait, the last of them of this minute; how many."""
    lines = captured(3, project=PROJECT_ID)[:60]
    record = json.loads(lines[-1]) | {"event": "prompt", "at": "2026-11-29T09:59:00.000Z"}
    spool([*lines, json.dumps(record, separators=(",", ":")).encode() + b"\n"], PROJECT_ID)
    return 61


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, tuple[str, ...]]]:
    """Whose runs were asked for, and without which gates; each leaves word for all, as hooks would meanwhile."""
    calls: list[tuple[str, tuple[str, ...]]] = []

    def observe(project: Project, now: datetime, config: object, *, without: tuple[str, ...] = ()) -> Outcome:
        calls.append((project.id, without))
        starts.leave_word(PROJECT_ID)
        starts.leave_word("b1b2c3d4e5f6")
        return Outcome()

    monkeypatch.setattr(run, "observe", observe)
    return calls


def read() -> int:
    """How many observations the last run read."""
    file = Path(paths.tally(PROJECT_ID))
    return int(json.loads(file.read_text().splitlines()[0])["last"]["observations"]) if file.exists() else 0


def is_asked_for() -> bool:
    return PROJECT_ID in starts.asked_for()


def configure(text: str) -> None:
    file = Path(paths.config_file())
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def test_it_reports_back_and_runs(work: int, program: Program) -> None:
    assert program(*STARTED).code == 0
    assert read() == work
    assert Path(paths.nudges(PROJECT_ID) + nudge.BACK).read_text() == "17-1"


@pytest.mark.parametrize("switch", ["environment", "auto", "enabled"])
def test_where_nothing_may_run_by_itself_it_only_reports_back(
    switch: str, work: int, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also when the switch was turned while it was starting."""
    if switch == "environment":
        monkeypatch.setenv("GITINSTINCT_AUTO", "0")
    else:
        configure({"auto": "observer: {auto: false}", "enabled": "enabled: false"}[switch])
    assert program(*STARTED).code == 0
    assert read() == 0
    assert Path(paths.nudges(PROJECT_ID) + nudge.BACK).exists()


def test_a_person_may_run_it_all_the_same(work: int, program: Program) -> None:
    configure("observer: {auto: false}")
    assert program("observe").code == 0
    assert read() == work


@pytest.mark.parametrize("lock", [locks.of_project(PROJECT_ID), locks.MACHINE])
def test_where_another_is_at_work_it_leaves_word(lock: str, work: int, program: Program) -> None:
    with locks.held(lock, "a run of other", NOW):
        assert program(*STARTED).code == 0
        assert is_asked_for()
        assert read() == 0
    assert program(*STARTED).code == 0
    assert read() == work
    assert not is_asked_for()


def test_it_looks_once_more_and_never_again(asked: list[Any], project: Path, program: Program) -> None:
    """However often word is left: each project that waits gets one look, and the rest is for the next start."""
    assert program(*STARTED).code == 0
    assert asked[0] == (PROJECT_ID, ())
    assert sorted(asked[1:]) == [("b1b2c3d4e5f6", ("cooldown",)), (PROJECT_ID, gates.COOLDOWNS)]
    assert is_asked_for()


def test_a_model_is_not_asked_about_a_project_in_anothers_environment(
    asked: list[Any], project: Path, program: Program
) -> None:
    configure("observer: {detector: anthropic}")
    assert program(*STARTED).code == 0
    assert asked == [(PROJECT_ID, ()), (PROJECT_ID, gates.COOLDOWNS)]
    assert "b1b2c3d4e5f6" in starts.asked_for()


def test_word_that_was_left_before_it_began_is_taken_by_the_run_itself(work: int, program: Program) -> None:
    starts.leave_word(PROJECT_ID)
    program(*STARTED)
    assert not is_asked_for()
    assert read() == work


def test_what_was_captured_meanwhile_is_read_by_the_second_look(
    work: int, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In spite of the pauses, and only if it is enough for a run."""
    lines = captured(8, project=PROJECT_ID)[:30]
    real, times = run.observe, 0

    def observe(*arguments: Any, **more: Any) -> Outcome:
        nonlocal times
        times += 1
        outcome = real(*arguments, **more)
        if times == 1:
            record = json.loads(lines[-1]) | {"event": "prompt", "at": "2026-11-29T09:59:30.000Z"}
            spool([*lines, json.dumps(record, separators=(",", ":")).encode() + b"\n"], PROJECT_ID)
            starts.leave_word(PROJECT_ID)
        return outcome

    monkeypatch.setattr(run, "observe", observe)
    program(*STARTED)
    assert (times, read()) == (2, 31)


def test_a_run_that_was_typed_says_who_is_at_work(work: int, program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "_PATIENCE", 0.1)
    with locks.held(locks.MACHINE, "a run of other", NOW):
        for arguments in (["observe"], ["observe", "--now"]):
            told = program(*arguments)
            assert told.code == 0
            at_work = f"No run: a run of other is at work, process {os.getpid()} since 2026-11-29 10:00."
            assert told.out.startswith(at_work)
    assert read() == 0


# --- telling


def test_explain_tells_every_gate_and_runs_nothing(work: int, program: Program, home: Path) -> None:
    program("observe", "--explain")
    before = tree_of(home)
    told = program("observe", "--explain")
    assert told.code == 0
    assert [line.split()[:2] for line in told.out.splitlines()[:9]] == [
        ["open", name]
        for name in "enabled auto observations cooldown project_cooldown hours idle rest lock".split()
    ]  # fmt: skip
    assert told.out.splitlines()[10] == "The next turn's end starts a run."
    assert tree_of(home) == before


def test_explain_tells_when_it_opens(work: int, program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    configure("observer: {hours: '12:30-14', minimum: 5}")
    told = program("observe", "--explain")
    assert "shut  hours            active hours are 12:30-14, it is 10:00; opens 12:30:00\n" in told.out
    assert "No run starts by itself before 12:30:00; `observe --now` skips the gates.\n" in told.out
    monkeypatch.setenv("GITINSTINCT_AUTO", "0")
    found = program("observe", "--explain", "--json").json
    assert found["would_run"] is False
    shut = {gate["gate"]: (gate["reason"], gate["opens"]) for gate in found["gates"] if not gate["open"]}
    assert shut == {
        "auto": ("GITINSTINCT_AUTO=0", None),
        "hours": ("active hours are 12:30-14, it is 10:00", "2026-11-29T12:30:00+00:00"),
    }
    assert "No run starts by itself now" in program("observe", "--explain").out


def test_hours_that_are_none_are_told_and_hold_as_usual(
    work: int, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure("observer: {hours: 00:08}")
    monkeypatch.setenv("GITINSTINCT_NOW", "2026-11-29T00:08:00Z")
    assert "shut  hours            active hours are 08-23, it is 00:08" in program("observe", "--explain").out
    assert "observer.hours is not active hours" in program("status").out


def test_status_tells_which_gates_are_shut(work: int, program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    out = program("status").out
    assert "shut gates" not in out
    assert "  open gates   enabled, auto, observations, cooldown, project_cooldown, hours, idle, rest, lock\n" in out
    monkeypatch.setenv("GITINSTINCT_AUTO", "0")
    monkeypatch.setenv("GITINSTINCT_NOW", "2026-11-29T11:00:00Z")
    out = program("status").out
    assert "  shut gates   auto: GITINSTINCT_AUTO=0\n               idle: last captured event 61 min ago" in out
    found = program("status", "--json").json["observer"]
    assert found["gate"] == {"gate": "auto", "reason": "GITINSTINCT_AUTO=0"}
    assert [gate["gate"] for gate in found["gates"] if not gate["open"]] == ["auto", "idle"]


def test_a_start_that_never_came_to_life_is_told(project: Path, program: Program) -> None:
    assert "  last start   2026-11-29 09:50  did not report back\n" in program("status").out
    assert "The last start, 09:50:00, did not report back.\n" in program("observe", "--explain").out
    assert program("status", "--json").json["observer"]["start"]["fault"] == "did not report back"
    program(*STARTED)
    assert "did not report back" not in program("status").out


def test_a_lock_that_a_killed_run_left_is_no_lock(work: int, program: Program) -> None:
    note = Path(paths.lock(locks.of_project(PROJECT_ID))).with_suffix(".owner")
    paths.make_private(str(note.parent))
    note.write_text(json.dumps({"what": "a run", "host": "h", "pid": 1, "since": NOW.isoformat(), "token": "t"}))
    assert "open  lock" in program("observe", "--explain").out
    program(*STARTED)
    assert read() == work
    assert not note.exists()
