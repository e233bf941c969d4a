"""The daemon as a process: there is one, it ends when it has to, and leaves nothing behind."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest
from filelock import FileLock

from gitinstinct import paths
from gitinstinct.capture import detached, nudge
from gitinstinct.observer import locks, starts, state, whole
from gitinstinct.observer.daemon import control, place
from gitinstinct.observer.daemon.place import Told
from gitinstinct.observer.locks import Owner
from gitinstinct.store import homes, store
from tests.support import processes
from tests.support.processes import until
from tests.support.program import Program, process
from tests.support.work import PROJECT, captured, spool

NOW = datetime(2026, 11, 29, 10, tzinfo=UTC)
RUN = [sys.executable, "-I", "-m", "gitinstinct", "daemon", "run"]

pytestmark = processes.needs_proc


@pytest.fixture(autouse=True)
def nothing_left(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Runs may start by themselves here; what a test started has ended when the next begins."""
    monkeypatch.setenv("GITINSTINCT_AUTO", "1")
    yield
    if place.running() is not None:
        control.stop()
    until(lambda: not processes.of(home), "no process of ours lives on")


@pytest.fixture
def program(capsys: pytest.CaptureFixture[str]) -> Program:
    return Program(capsys)


def runs() -> Owner:
    found = place.running()
    assert found is not None
    return found


def log() -> str:
    file = Path(paths.daemon("log"))
    return file.read_text() if file.exists() else ""


def looked(times: int = 1) -> None:
    until(lambda: place.told().looked != "" and log().count("analysed") >= times, f"{times} analyses")


def work(lines: list[bytes], segment: str = "000001.jsonl") -> None:
    """Observations that wait, the last of them of this minute."""
    record = json.loads(lines[-1])
    fresh = {**record, "event": "prompt", "at": "2026-11-29T09:59:00.000Z", "id": segment}
    spool([*lines, json.dumps(fresh, separators=(",", ":")).encode() + b"\n"], segment=segment)


def observed() -> int:
    return int(state.load(PROJECT.id).last.get("observations", 0))


# --- one of them


def test_start_status_stop(home: Path) -> None:
    started = process("daemon", "start")
    assert (started.code, started.err) == (0, "")
    found = runs()
    assert started.out == f"The daemon runs: process {found.pid}.\n"
    told = process("daemon", "status", "--json").json
    assert (told["running"], told["pid"], told["wanted"]) == (True, found.pid, True)
    assert process("daemon").out.startswith("daemon      runs since 2026-11-29 10:00, process ")
    stopped = process("daemon", "stop")
    assert (stopped.code, stopped.out) == (0, f"The daemon has ended: process {found.pid}.\n")
    until(lambda: not processes.of(home), "no process is left")
    assert process("daemon", "status").out.startswith(
        "daemon      does not run; none is needed\nended       2026-11-29 10:00  it was asked to stop\n"
    )
    assert process("daemon", "stop").out == "No daemon runs.\n"


def test_it_stands_alone(home: Path, tmp_path: Path) -> None:
    """In no project's folder, with none of the files of the one that started it, readable by nobody else."""
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    subprocess.run(
        [*RUN[:-1], "start"], cwd=tmp_path, pass_fds=[writer], check=True, capture_output=True, timeout=60
    )  # fmt: skip
    os.close(writer)
    assert os.read(reader, 1) == b"", "somebody still holds the pipe"
    os.close(reader)
    folder = Path("/proc") / str(runs().pid)
    assert (folder / "cwd").readlink() == Path("/")
    files = {str(one.readlink()) for one in (folder / "fd").iterdir()}
    assert files <= {"/dev/null", paths.lock(locks.DAEMON), paths.daemon("log")}
    assert os.getsid(runs().pid) == runs().pid
    for path in Path(paths.root("state")).rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path


def test_it_has_nothing_of_a_projects_environment(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What one project sets for a model or an agent must not hold for the others."""
    foreign = {"ANTHROPIC_API_KEY": "k", "HTTPS_PROXY": "http://x", "CLAUDE_PROJECT_DIR": "/x", "GIT_DIR": "/x"}
    for name, value in foreign.items():
        monkeypatch.setenv(name, value)
    process("daemon", "start")
    environment = (Path("/proc") / str(runs().pid) / "environ").read_bytes().decode().split("\0")
    names = {one.partition("=")[0] for one in environment if one}
    assert names >= {"HOME", "PATH", "GITINSTINCT_HOME", "LC_ALL"}
    assert not names & foreign.keys()


def test_twenty_starts_make_one(home: Path, program: Program) -> None:
    for _ in range(20):
        assert program("daemon", "start").code == 0
    assert len([line for line in processes.of(home) if "daemon run" in line]) == 1


def test_starts_at_once_make_one(home: Path) -> None:
    begun = [
        subprocess.Popen([*RUN[:-1], "start"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    outs = [one.communicate(timeout=60) for one in begun]
    assert [one.returncode for one in begun] == [0] * 4, outs
    assert len({re.sub(r"\D", "", out) for out, _ in outs}) == 1, "all name the same one"
    until(lambda: len([line for line in processes.of(home) if "daemon run" in line]) == 1, "one daemon")
    assert sum("runs:" in out for out, _ in outs) <= 1


def test_a_dry_run_changes_nothing(home: Path) -> None:
    told = process("daemon", "start", "--dry-run")
    assert told.out.endswith("`daemon start` would change that.\n")
    assert place.running() is None
    assert not place.is_wanted()


@pytest.mark.parametrize(("variable", "written", "why"), [
    ("0", "", "GITINSTINCT_AUTO=0"),
    ("1", "observer: {auto: false}", "observer.auto is false in config.yaml"),
    ("1", "enabled: false", "enabled is false in config.yaml"),
])  # fmt: skip
@pytest.mark.parametrize("action", ["start", "run"])
def test_where_nothing_may_run_by_itself_none_begins(
    action: str, variable: str, written: str, why: str, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITINSTINCT_AUTO", variable)
    file = Path(paths.config_file())
    file.parent.mkdir(parents=True)
    file.write_text(written)
    result = program("daemon", action)
    assert result.code == 1
    assert result.err.startswith(f"error: nothing may run by itself: {why}")
    assert place.running() is None


def test_one_that_cannot_start_says_why(home: Path) -> None:
    folder = Path(paths.lock(locks.DAEMON))
    folder.mkdir(parents=True)
    result = process("daemon", "start")
    assert result.code == 3
    assert result.err.startswith("error: the daemon did not start: it ended at once\nhint: gitinstinct daemon run")
    folder.rmdir()


def test_where_its_note_cannot_be_written_none_runs(home: Path) -> None:
    """Others could neither see it nor end it."""
    Path(paths.lock(locks.DAEMON)).with_suffix(".owner").mkdir(parents=True)
    result = process("daemon", "run")
    assert result.code == 3
    assert result.err.startswith(f"error: {paths.root('state')} cannot be written\n")


def test_a_home_that_is_named_from_here_is_the_same_elsewhere(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)
    assert process("daemon", "start", GITINSTINCT_HOME="gitinstinct").code == 0
    assert runs()
    work(captured(3)[:30])
    os.kill(runs().pid, signal.SIGUSR1)
    until(lambda: observed() == 31, "it analyses in the same place")


def test_one_that_does_not_answer_is_told(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control, "_STARTING", 0.1)
    monkeypatch.setattr(control, "command", lambda: ["/bin/sleep", "2"])
    result = program("daemon", "start")
    assert result.code == 3
    assert result.err.startswith("error: the daemon did not start: no answer\n")


def test_one_that_goes_on_is_told(home: Path, program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    process("daemon", "start")
    monkeypatch.setattr(control, "_STOPPING", 0.1)
    os.kill(runs().pid, signal.SIGSTOP)
    result = program("daemon", "stop")
    os.kill(runs().pid, signal.SIGCONT)
    assert result.code == 3
    assert result.err.startswith(f"error: the daemon, process {runs().pid}, did not end\n")
    until(lambda: place.running() is None, "it was asked, and ends when it can")


def test_it_can_be_ended_on_a_disk_without_room(home: Path, program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(token: str) -> None:
        raise OSError(28, "No space left on device")

    process("daemon", "start")
    monkeypatch.setattr(place, "ask_to_stop", full)
    assert program("daemon", "stop").out.startswith("The daemon has ended: process ")
    assert not locks.is_held(locks.DAEMON, even_unnoted=True)


def test_an_unknown_action_is_refused(program: Program) -> None:
    assert program("daemon", "restart").code == 2


# --- it looks


def test_it_analyses_what_waits_and_looks_again_when_asked(home: Path) -> None:
    work(captured(3))
    process("daemon", "start")
    looked()
    until(lambda: observed() == 522, "all is analysed")
    assert homes.find(PROJECT) is not None
    assert place.told().projects == 2, "the global one, too"
    Path(paths.nudges("last-run")).unlink()
    memory = state.load(PROJECT.id)
    memory.last["at"] = "2026-11-29T08:00:00+00:00"
    state.save(PROJECT.id, memory)
    work(captured(8)[:30], "000002.jsonl")
    os.kill(runs().pid, signal.SIGUSR1)
    looked(2)
    until(lambda: observed() == 31, "what is new is analysed")


def test_a_flood_of_signals_is_one_look(home: Path) -> None:
    process("daemon", "start")
    until(lambda: place.told().looked != "", "the first look")
    for _ in range(500):
        os.kill(runs().pid, signal.SIGUSR1)
    assert runs().pid
    assert process("daemon", "stop").code == 0
    assert log().count("\n") == 2


def test_a_gate_that_is_shut_keeps_it_from_work(home: Path) -> None:
    work(captured(3)[:10])
    process("daemon", "start")
    until(lambda: place.told().looked != "", "the first look")
    assert "analysed" not in log()
    assert observed() == 0


# --- it ends


@pytest.mark.parametrize(("name", "code"), [("SIGTERM", 0), ("SIGHUP", 0), ("SIGINT", 130)])
def test_signals_end_it_cleanly(name: str, code: int) -> None:
    begun = subprocess.Popen(RUN, stdout=subprocess.PIPE, text=True)
    until(lambda: place.running() is not None and place.told().looked != "", "it runs")
    begun.send_signal(getattr(signal, name))
    out, _ = begun.communicate(timeout=60)
    assert begun.returncode == code
    assert out.endswith(f"It ended: {name}.\n")
    assert not locks.is_held(locks.DAEMON)
    assert locks.owner(locks.DAEMON) is None


def test_idle_it_ends_and_the_next_run_brings_it_back(home: Path) -> None:
    settings = Path(paths.config_file())
    settings.parent.mkdir(parents=True)
    settings.write_text("observer: {idle_minutes: 0}")
    process("daemon", "start")
    until(lambda: place.running() is None, "it ends")
    assert place.told().why == "nothing happened for 0 minutes"
    assert "does not run now; the next turn's end brings it back" in process("status").out
    settings.write_text("")
    assert process("observe", "--started", "5", "--global").code == 0
    until(lambda: place.running() is not None, "it is back")
    assert process("daemon", "stop").code == 0
    assert process("observe", "--started", "6", "--global").code == 0
    assert place.running() is None, "nobody wants it any more"


def test_it_ends_when_its_folder_is_gone(home: Path) -> None:
    process("daemon", "start")
    pid = runs().pid
    shutil.rmtree(paths.root("state"))
    until(lambda: not processes.of(home), "it ends")
    assert not Path(paths.daemon("status.json")).exists(), "nothing was made anew"
    process("daemon", "start")
    assert runs().pid != pid


def test_a_folder_that_was_made_anew_has_its_own_daemon(home: Path) -> None:
    process("daemon", "start")
    shutil.rmtree(paths.root("state"))
    process("daemon", "start")
    second = runs()
    until(lambda: len([line for line in processes.of(home) if "daemon run" in line]) == 1, "the first one ends")
    assert runs() == second


def test_uninstall_ends_it(home: Path) -> None:
    process("daemon", "start")
    result = process("uninstall", "--yes")
    assert "daemon   has ended: process " in result.out
    until(lambda: not processes.of(home), "no process is left")


def test_it_outlives_the_terminal_that_started_it(home: Path) -> None:
    script = ["sh", "-c", '"$@"; exec sleep 300', "sh", *RUN[:-1], "start"]
    shell = subprocess.Popen(script, start_new_session=True, stdout=subprocess.DEVNULL)
    until(lambda: place.running() is not None, "it runs")
    os.killpg(shell.pid, signal.SIGHUP)
    os.killpg(shell.pid, signal.SIGKILL)
    shell.wait()
    time.sleep(0.2)
    assert runs()


def test_a_starter_that_is_killed_leaves_one_daemon_at_most(home: Path) -> None:
    starter = subprocess.Popen([*RUN[:-1], "start"], stdout=subprocess.DEVNULL)
    until(lambda: any("daemon run" in line for line in processes.of(home)), "the daemon is started")
    starter.kill()
    starter.wait()
    until(lambda: place.running() is not None, "it runs")
    assert process("daemon", "start").out.startswith("The daemon runs already")


# --- it is killed


def test_killed_it_frees_its_place(home: Path) -> None:
    process("daemon", "start")
    first = runs()
    os.kill(first.pid, signal.SIGKILL)
    until(lambda: place.running() is None, "the lock is free")
    assert locks.owner(locks.DAEMON) == first, "the note still lies there"
    assert process("daemon", "start").out.startswith("The daemon runs: ")
    assert runs() != first


def test_a_note_that_names_somebody_elses_process_decides_nothing(home: Path) -> None:
    other = subprocess.Popen(["sleep", "300"])
    note = Path(paths.lock(locks.DAEMON)).with_suffix(".owner")
    paths.make_private(str(note.parent))
    note.write_text(json.dumps({"what": "x", "host": "h", "pid": other.pid, "since": NOW.isoformat(), "token": "t"}))
    assert process("daemon", "stop").out == "No daemon runs.\n"
    assert process("daemon", "start").code == 0
    assert runs().pid != other.pid
    assert process("daemon", "stop").code == 0
    assert other.poll() is None, "nobody ended it"
    other.kill()
    other.wait()


def test_what_one_that_was_killed_left_is_not_taken_for_the_one_that_starts(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its note and its status lie there until the next one, which has the lock already, writes its own."""
    old, new = (Owner("the daemon", "h", pid, NOW.isoformat(), token) for pid, token in ((1, "old"), (2, "new")))
    note = Path(paths.lock(locks.DAEMON)).with_suffix(".owner")
    lock = FileLock(paths.lock(locks.DAEMON))

    def lie(owner: Owner) -> None:
        whole.write(str(note), json.dumps(asdict(owner)))
        place.tell(Told(token=owner.token))

    def begin() -> detached.Started:
        lock.acquire()
        threading.Timer(0.5, lie, (new,)).start()
        return detached.Started(os.getpid(), SimpleNamespace(poll=lambda: None))

    paths.make_private(str(note.parent))
    lie(old)
    monkeypatch.setattr(control, "begin", begin)
    assert control.start()[0] == new
    lock.release()


def test_a_request_that_was_left_lying_ends_no_later_one(home: Path) -> None:
    place.ask_to_stop("another's token")
    process("daemon", "start")
    place.ask_to_stop("another's token")
    until(lambda: place.told().looked != "", "a look")
    time.sleep(1.2)
    assert runs()


@pytest.fixture
def hanging(home: Path) -> Iterator[None]:
    """An analysis that hangs: it cannot write as long as the block runs."""
    work(captured(3))
    with store.locked(PROJECT.id):
        yield


def analysis() -> Owner:
    """The one that is at work."""
    name = locks.of_project(PROJECT.id)
    until(lambda: locks.is_held(name) and locks.owner(name) is not None, "an analysis runs")
    found = locks.owner(name)
    assert found is not None
    return found


def test_an_analysis_that_is_killed_takes_nothing_with_it(hanging: None) -> None:
    process("daemon", "start")
    os.kill(analysis().pid, signal.SIGKILL)
    until(lambda: place.told().error != "", "it is told")
    assert place.told().error == f"{PROJECT.id}: was ended by SIGKILL"
    assert runs()
    assert observed() == 0
    assert not locks.is_held(locks.MACHINE)
    assert "last error  2026-11-29 10:00  " in process("daemon").out


def test_the_analysis_goes_on_when_the_daemon_is_killed(home: Path) -> None:
    work(captured(3))
    with store.locked(PROJECT.id):
        process("daemon", "start")
        child = analysis()
        os.kill(runs().pid, signal.SIGKILL)
        until(lambda: place.running() is None, "the place is free")
        assert locks.owner(locks.of_project(PROJECT.id)) == child
    until(lambda: not processes.of(home), "it ends by itself")
    assert observed() == 522


def test_stop_waits_for_the_analysis(home: Path) -> None:
    work(captured(3))
    with store.locked(PROJECT.id):
        process("daemon", "start")
        analysis()
        assert f"at work     a run of {PROJECT.id} is at work, process " in process("daemon").out
        stopping = subprocess.Popen([*RUN[:-1], "stop"], stdout=subprocess.DEVNULL)
        until(lambda: Path(paths.daemon("stop")).exists(), "it is asked")
    assert stopping.wait(timeout=60) == 0
    assert observed() == 522
    until(lambda: not processes.of(home), "no process is left")


# --- the start of a run


def test_a_start_that_never_came_to_life_is_told_once(home: Path, program: Program) -> None:
    mark = paths.nudges(PROJECT.id)
    paths.make_private(str(Path(mark).parent))
    nudge.write(mark, "17-1")
    assert starts.last(PROJECT.id, datetime.now(UTC)) == starts.Start(
        datetime.fromtimestamp(Path(mark).stat().st_mtime, UTC), ""
    ), "it may still"
    os.utime(mark, (0, 0))
    found = starts.last(PROJECT.id, NOW)
    assert found is not None
    assert found.fault == "did not report back"
    starts.report_back(PROJECT.id, "17-1")
    found = starts.last(PROJECT.id, NOW)
    assert found is not None
    assert found.fault == ""
