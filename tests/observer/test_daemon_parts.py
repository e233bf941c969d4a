"""What the daemon decides, and what one look does, without a process."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gitinstinct
from gitinstinct import config, paths
from gitinstinct.capture import detached
from gitinstinct.capture.project import Project
from gitinstinct.config import Config
from gitinstinct.observer import facts, known, locks, state
from gitinstinct.observer.daemon import child, loop, place, plan, system
from gitinstinct.observer.daemon.look import Eyes, Round, go_round, pause
from gitinstinct.observer.daemon.place import Told
from gitinstinct.observer.daemon.plan import Asked, Doing, Looked
from gitinstinct.store import homes
from tests.support.repos import git
from tests.support.work import PROJECT, spool

NOW = datetime(2026, 11, 29, 10, tzinfo=UTC)
IDS = [letter * 12 for letter in "abc"]


def record(at: str = "2026-11-29T09:59:00Z", event: str = "prompt") -> bytes:
    return json.dumps({"v": 1, "event": event, "at": at}).encode() + b"\n"


def fill(*projects: str, number: int = 20) -> None:
    for project in projects:
        spool([record()] * number, project)


# --- the plan


def test_it_looks_at_once_then_at_intervals() -> None:
    first = plan.begin(5.0)
    assert plan.decide(first, 5.0, Asked()) == (Doing.LOOK, "")
    second = plan.after(first, 7.0, Looked(was_active=True, interval=300, idle=1800))
    assert plan.decide(second, 306.9, Asked()) == (Doing.WAIT, "")
    assert plan.decide(second, 307.0, Asked()) == (Doing.LOOK, "")
    assert plan.decide(second, 8.0, Asked(look=True)) == (Doing.LOOK, "")


def test_it_ends_when_nothing_happens() -> None:
    planned = plan.after(plan.begin(0.0), 0.0, Looked(was_active=True, interval=300, idle=1800))
    planned = plan.after(planned, 300.0, Looked(was_active=False, interval=3000, idle=1800))
    assert plan.decide(planned, 1799.0, Asked()) == (Doing.WAIT, "")
    assert plan.decide(planned, 1800.0, Asked()) == (Doing.END, "nothing happened for 30 minutes")
    awake = plan.after(planned, 1700.0, Looked(was_active=True, interval=3000, idle=1800))
    assert plan.decide(awake, 3499.0, Asked()) == (Doing.WAIT, "")


def test_an_end_that_is_asked_for_comes_first() -> None:
    assert plan.decide(plan.begin(0), 0, Asked(look=True, end="so")) == (Doing.END, "so")


@given(st.floats(0, 1e9), st.floats(-1e6, 1e6), st.booleans())
def test_there_is_always_a_second_between_two_looks(moment: float, interval: float, active: bool) -> None:
    planned = plan.after(plan.begin(0), moment, Looked(active, interval, 1800.0))
    assert planned.due >= moment + 1


class Short:
    """A world that ends after so many seconds; a look is asked for at each tick, and each finds nothing."""

    def __init__(self, seconds: float) -> None:
        self.at, self.last, self.looks = 0.0, seconds, 0

    def moment(self) -> float:
        return self.at

    def sleep(self, seconds: float) -> None:
        self.at += seconds

    def asked(self) -> Asked:
        return Asked(end="over" if self.at >= self.last else "")

    def look(self) -> Looked:
        self.looks += 1
        return Looked(was_active=True, interval=0, idle=10)


def test_an_interval_of_nothing_is_no_busy_loop() -> None:
    world = Short(60)
    assert loop.live(world) == "over"
    assert world.looks == 60


# --- a look


def analysed(eyes: Eyes, now: datetime = NOW, settings: Config | None = None, **more: object) -> list[str]:
    """Whose analysis a look starts. An analysis of `reads` moves the cursor, so that nothing waits afterwards."""
    done: list[str] = []

    def analyse(project: Project) -> str:
        done.append(project.id)
        if more.get("reads"):
            memory = state.load(project.id)
            segments = Path(paths.spool(project.id)).glob("*.jsonl")
            memory.cursor = {one.name: one.stat().st_size for one in segments}
            state.save(project.id, memory)
        return str(more.get("fault", ""))

    is_over = more.get("is_over") or (lambda: False)
    assert callable(is_over)
    forbidden = str(more.get("forbidden", ""))
    found = go_round(eyes, lambda: now, settings or Config(), forbidden, analyse, is_over)
    assert [f"{one}: {more['fault']}" for one in found.analysed] == found.faults if more.get("fault") else True
    return done


def test_each_project_whose_gates_are_open_is_analysed() -> None:
    fill(*IDS[:2])
    fill(IDS[2], number=19)
    assert analysed(Eyes()) == IDS[:2]


@pytest.mark.parametrize(
    ("text", "forbidden"), [("enabled: false", ""), ("observer: {hours: 0-3}", ""), ("", "GITINSTINCT_AUTO=0")]
)
def test_what_is_shut_for_all_is_shut(text: str, forbidden: str) -> None:
    fill(*IDS)
    assert analysed(Eyes(), settings=config.load(text), forbidden=forbidden) == []


def test_what_was_captured_while_all_was_shut_is_seen_when_it_opens() -> None:
    eyes = Eyes()
    fill(IDS[0], number=10)
    assert analysed(eyes) == []
    fill(IDS[0], number=10)
    assert analysed(eyes, forbidden="no") == []
    assert analysed(eyes) == [IDS[0]]


def test_a_project_that_has_not_grown_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    fill(IDS[0], number=10)
    eyes = Eyes()
    analysed(eyes)
    real = facts.gather
    monkeypatch.setattr(facts, "gather", lambda *_, **__: pytest.fail("it was read"))
    analysed(eyes)
    monkeypatch.setattr(facts, "gather", real)
    assert analysed(eyes, settings=config.load("observer: {minimum: 10}")) == [IDS[0]], "but with other settings it is"


def test_the_one_that_waits_longest_comes_first() -> None:
    """So the one whose analysis dies each time keeps no other from its turn."""
    fill(*IDS)
    eyes = Eyes()
    assert analysed(eyes, fault="was ended by SIGKILL") == IDS
    fill(*reversed(IDS))
    stop = iter([False, True])
    assert analysed(eyes, is_over=lambda: next(stop)) == IDS[:1]
    assert analysed(eyes) == [IDS[1], IDS[2], IDS[0]]


def test_nothing_new_is_no_activity() -> None:
    fill(IDS[0], number=3)
    eyes = Eyes()

    def look() -> bool:
        return go_round(eyes, lambda: NOW, Config(), "", lambda _: "", lambda: False).was_active

    assert [look(), look()] == [True, False]
    fill(IDS[0], number=1)
    assert [look(), look()] == [True, False]


def test_it_looks_sooner_where_a_gate_opens_sooner() -> None:
    fill(IDS[0])
    facts.note_run(NOW - timedelta(seconds=20))
    found = go_round(Eyes(), lambda: NOW, Config(), "", lambda _: "", lambda: False)
    assert found.opens == NOW + timedelta(seconds=40)
    assert pause(Config(), found, NOW) == 40
    assert pause(Config(), Round(), NOW) == 300
    assert pause(Config(), Round(opens=NOW - timedelta(hours=1)), NOW) == 1
    assert pause(Config(), Round(opens=NOW + timedelta(hours=1)), NOW) == 300


def test_a_run_at_work_keeps_the_daemon_out() -> None:
    fill(IDS[0])
    with locks.held(locks.MACHINE, "a run of other", NOW):
        assert analysed(Eyes()) == []


def test_what_is_gone_is_forgotten() -> None:
    fill(*IDS)
    eyes = Eyes()
    analysed(eyes)
    for path in sorted(Path(paths.spool(IDS[0])).iterdir()):
        path.unlink()
    Path(paths.spool(IDS[0])).rmdir()
    analysed(eyes)
    assert sorted(eyes.projects) == IDS[1:]


# --- projects without anybody in them


def test_a_project_is_known_by_what_the_hook_wrote() -> None:
    spool([record()], IDS[0])
    assert known.project(IDS[0]).name == IDS[0]
    about = {"id": IDS[0], "name": "my-api", "root": "/nowhere", "remote": "github.com/acme/my-api"}
    (Path(paths.spool(IDS[0])) / "about.json").write_text(json.dumps(about))
    found = known.project(IDS[0])
    assert (found.name, found.root, found.remote) == ("my-api", "/nowhere", "github.com/acme/my-api")
    assert known.project("global").id == "global"


def test_a_project_that_got_a_remote_is_one(home: Path) -> None:
    folder = home / "my-api"
    folder.mkdir()
    git(folder, "init", "-q", "--template=")
    (folder / ".git" / "gitinstinct-id").write_text(IDS[0] + "\n")
    spool([record()], IDS[0])
    (Path(paths.spool(IDS[0])) / "about.json").write_text(json.dumps({"name": "my-api", "root": str(folder)}))
    assert [one.id for one in known.everywhere()] == [IDS[0]]
    git(folder, "remote", "add", "origin", "git@github.com:Acme/My-API.git")
    [found] = known.everywhere()
    assert (found.id, found.former) == ("e5c363015306", IDS[0])
    homes.settle(found, NOW)
    spool([record()], "e5c363015306")
    assert [one.id for one in known.everywhere()] == ["e5c363015306"]


def test_a_folder_that_became_another_project_is_not_taken_for_it(home: Path) -> None:
    folder = home / "my-api"
    folder.mkdir()
    git(folder, "init", "-q", "--template=")
    git(folder, "remote", "add", "origin", "git@github.com:Acme/Other.git")
    spool([record()], IDS[0])
    (Path(paths.spool(IDS[0])) / "about.json").write_text(json.dumps({"name": "my-api", "root": str(folder)}))
    assert known.project(IDS[0]).id == IDS[0]
    (folder / ".git" / "config").unlink()
    assert known.project(IDS[0]).id == IDS[0]
    assert not (folder / ".git" / "gitinstinct-id").exists(), "looking gives no id"


# --- an analysis


class Ended:
    """A process that ends by itself after so many questions, or never."""

    def __init__(self, code: int, after: float) -> None:
        self.code, self.after, self.was_killed = code, after, False

    def ended(self) -> int | None:
        self.after -= 1
        return self.code if self.after < 0 else None

    def kill(self) -> None:
        self.was_killed = True


@pytest.fixture
def time_flies() -> tuple[Callable[[], float], Callable[[float], None]]:
    at = [0.0]

    def sleep(seconds: float) -> None:
        at[0] += seconds * 100

    return lambda: at[0], sleep


@pytest.mark.parametrize(
    ("code", "after", "why", "told"),
    [
        (0, 3, "", ""),
        (0, 0, "", ""),
        (1, 3, "", "ended with code 1"),
        (42, 0, "", "ended with code 42"),
        (42, 30, "", "ended with code 42"),
        (-9, 3, "", "was ended by SIGKILL"),
        (-99, 3, "", "was ended by signal 99"),
        (0, 1e9, "", "took longer than 30 min"),
        (0, 1e9, "SIGTERM", "ended when the daemon had to end"),
    ],
)
def test_how_an_analysis_ended_is_told(
    code: int, after: float, why: str, told: str, monkeypatch: pytest.MonkeyPatch,
    time_flies: tuple[Callable[[], float], Callable[[float], None]],
) -> None:  # fmt: skip
    """Whether it is quick or slow."""
    process = Ended(code, after)
    monkeypatch.setattr(detached, "start", lambda command, env: process)
    assert child.Analysis(*time_flies, lambda: why).run(PROJECT, "local") == told
    assert process.was_killed == (after > 1e6)


def test_what_a_run_said_itself_is_told(
    monkeypatch: pytest.MonkeyPatch, time_flies: tuple[Callable[[], float], Callable[[float], None]]
) -> None:
    state.save(PROJECT.id, state.State(failure={"at": NOW.isoformat(), "reason": "main is being rewritten"}))
    monkeypatch.setattr(detached, "start", lambda command, env: Ended(3, 1))
    assert child.Analysis(*time_flies, lambda: "").run(PROJECT, "local") == "main is being rewritten"


def test_a_process_that_cannot_be_made_is_told(
    monkeypatch: pytest.MonkeyPatch, time_flies: tuple[Callable[[], float], Callable[[float], None]]
) -> None:
    def refuse(command: object, env: object) -> Ended:
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(detached, "start", refuse)
    told = child.Analysis(*time_flies, lambda: "").run(PROJECT, "local")
    assert told == "no process could be started: Resource temporarily unavailable"


# --- the world as it is


@pytest.fixture
def world() -> Iterator[system.System]:
    with locks.held(locks.DAEMON, "the daemon", NOW) as owner:
        assert owner is not None
        yield system.System(owner, lambda: NOW, Config, system.logger())


def test_an_update_ends_it(world: system.System, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert world.why_end() == ""
    program = tmp_path / "__init__.py"
    program.write_text("")
    monkeypatch.setattr(gitinstinct, "__file__", str(program))
    assert world.why_end() == "the program was replaced or removed"
    program.unlink()
    assert world.why_end() == "the program was replaced or removed"


def test_a_look_that_fails_ends_nothing(world: system.System, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> Round:
        raise RuntimeError("a bug\nin two lines")

    monkeypatch.setattr(system, "go_round", fail)
    assert world.look() == Looked(False, 300.0, 1800.0)
    assert place.told().error == "the look failed: RuntimeError: a bug in two lines"
    assert place.told().erred == NOW.isoformat()


def test_settings_are_read_anew_for_each_look(world: system.System, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(world, "_settings", lambda: config.load("observer: {interval: 60, idle_minutes: 5}"))
    assert world.look() == Looked(False, 60.0, 300.0)


def test_the_log_is_private_and_stays_small(world: system.System) -> None:
    before = os.umask(0o077)
    try:
        for _ in range(4000):
            world.log("word " * 40)
    finally:
        os.umask(before)
    files = sorted(Path(paths.daemon("log")).parent.glob("log*"))
    assert [file.name for file in files] == ["log", "log.1"]
    assert sum(file.stat().st_size for file in files) < 600_000
    assert {file.stat().st_mode & 0o777 for file in files} == {0o600}


def test_a_full_disk_costs_lines_only(world: system.System, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(logging.StreamHandler, "flush", full)
    monkeypatch.setattr("gitinstinct.observer.whole.write", full)
    world.log("x")
    assert world.look().interval == 300


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '"x"', '{"projects": "many"}', '{"since": 7}', '{"more": [], "why": 1}']
)
def test_a_status_that_cannot_be_read_is_none(text: str) -> None:
    Path(paths.daemon("status.json")).parent.mkdir(parents=True)
    Path(paths.daemon("status.json")).write_text(text)
    assert place.told() == Told()


def test_a_status_of_a_newer_version_is_read() -> None:
    place.tell(Told(token="t", projects=3))
    file = Path(paths.daemon("status.json"))
    file.write_text(json.dumps({**json.loads(file.read_text()), "new": [1]}))
    assert place.told() == Told(token="t", projects=3)
