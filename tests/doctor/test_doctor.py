"""Each thing that can be broken is broken here, and the diagnosis names it with a way out."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from gitinstinct import config, paths
from gitinstinct.capture import nudge, spool
from gitinstinct.cli import selftest
from gitinstinct.doctor import captured, hooks, places, programs, running, stores
from gitinstinct.doctor import driver as trial
from gitinstinct.doctor.diagnosis import Diagnosis, Level
from gitinstinct.harness import HARNESSES, installer
from gitinstinct.harness.model import Program, Scope
from gitinstinct.observer import locks, starts, state
from gitinstinct.observer.daemon import place
from gitinstinct.observer.daemon.place import Told
from gitinstinct.observer.state import State
from gitinstinct.store.driver import command
from tests.support.repos import commit_all, corrupt, git
from tests.support.stores import NOW, new_store, newest
from tests.support.work import spool as spooled

CLAUDE = HARNESSES["claude-code"]
PROJECT = "a1b2c3d4e5f6"


def bad(found: Iterable[Diagnosis]) -> list[tuple[str, Level, str]]:
    """What is not well; everything of it must have a way out."""
    wrong = [one for one in found if one.level is not Level.OK]
    assert all(one.way_out and not one.text.endswith(".") for one in wrong)
    return [(one.name, one.level, one.text) for one in wrong]


@pytest.mark.parametrize(
    ("said", "level"),
    [
        ("git version 2.37.9", Level.ERROR),
        ("git version 2.39.5 (Apple Git-154)", Level.WARNING),
        ("git version 2.50.1", Level.WARNING),
        ("git version 2.50.2", Level.OK),
        ("git version 2.51.3.windows.1", Level.OK),
        ("git version 2.53.9", Level.WARNING),
        ("git version 2.56.0", Level.WARNING),
        ("git version 2.56.1", Level.OK),
        ("git version 2.57.0", Level.OK),
        ("git version 3.0", Level.OK),
        ("hub", Level.WARNING),
    ],
)
def test_gits_age(said: str, level: Level) -> None:
    assert programs.git(said).level is level


def test_without_git(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert ("git", Level.ERROR, "git failed: git is not on PATH") in bad(programs.look())


# --- places


def test_fresh_places_are_well(home: Path) -> None:
    assert bad(places.look()) == []
    new_store()
    assert bad(places.look()) == []


def test_a_root_that_cannot_be_written(home: Path) -> None:
    (home / "gitinstinct").write_text("a file where a folder should be")
    assert {(name, level) for name, level, _ in bad(places.look())} == {
        (kind, Level.ERROR) for kind in ("data", "config", "state", "cache")
    }


def test_what_others_may_read_is_named_and_closed() -> None:
    held = new_store()
    spooled([b"{}\n"])
    segment = Path(paths.spool(PROJECT)) / "000001.jsonl"
    segment.parent.chmod(0o755)
    segment.chmod(0o644)
    held.path.chmod(0o750)
    [found] = [one for one in places.look() if one.name == "modes"]
    assert found.level is Level.WARNING
    assert str(segment) in found.text or "…" in found.text
    assert found.cure is not None
    found.cure()
    assert bad(places.look()) == []
    assert segment.stat().st_mode & 0o777 == 0o600


def test_inside_a_repository_and_beside_an_older_root(home: Path) -> None:
    (home / ".git").mkdir()
    (home / ".local/share/gitinstinct/global/.git").mkdir(parents=True)
    told = [text for _, _, text in bad(places.look())]
    assert any("observations" in text and str(home) in text for text in told)
    assert any(".local/share/gitinstinct as well" in text for text in told)


# --- hooks


def install(home: Path, scope: Scope = Scope.USER, root: Path | None = None, program: Program | None = None) -> Path:
    file = CLAUDE.settings_file(scope, root, os.environ)
    installer.apply(installer.plan(CLAUDE, scope, file, program))
    return file


def look(root: Path | None = None) -> list[tuple[str, Level, str]]:
    found, faults = hooks.find(root, os.environ)
    return bad([*faults, *hooks.look(found)])


def test_no_hooks_at_all(home: Path) -> None:
    assert look() == [("hooks", Level.WARNING, "no agent has our hooks here: nothing is captured")]


def test_hooks_that_are_whole(home: Path) -> None:
    install(home)
    assert look() == []
    found, _ = hooks.find(None, os.environ)
    assert [selftest.fault(handler) for one in found for handler in one.handlers] == [""]


def test_a_program_or_a_shim_that_is_gone(home: Path, tmp_path: Path) -> None:
    python, shim = installer.this_program().python, installer.this_program().shim
    for program, what in (
        (Program("/gone/python", shim), "/gone/python"),
        (Program(python, "/gone/hooks/hook.py"), "/gone/"),
    ):
        file = install(home, program=program)
        [(_, level, text)] = look()
        assert level is Level.ERROR
        assert what in text
        file.unlink()


def test_events_that_are_missing_or_twice(home: Path) -> None:
    file = install(home)
    whole = file.read_text()
    file.write_text(whole.replace('"PermissionDenied"', '"Notification"'))
    assert [text for _, _, text in look()] == [f"{file}: no hook for PermissionDenied"]
    file.write_text(whole.replace('"PermissionDenied"', '"Stop2"').replace('"Stop"', '"X"'))
    assert "no hook for PermissionDenied, Stop" in look()[0][2]


def test_hooks_in_two_files_and_a_plugin_beside_them(home: Path, tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    file, local = install(home), install(home, Scope.LOCAL, root)
    assert look() == []
    assert [text for _, _, text in look(root)] == [
        f"{file} and {local} both have hooks: each event comes twice and is counted once"
    ]
    local.write_text('{"enabledPlugins": {"gitinstinct@x": true}, "disableAllHooks": true}')
    told = " ".join(text for _, _, text in look(root))
    assert "disableAllHooks" in told
    assert "plugin gitinstinct@x" in told


def test_settings_that_cannot_be_read(home: Path) -> None:
    file = CLAUDE.settings_file(Scope.USER, None, os.environ)
    file.parent.mkdir()
    file.write_text("{broken")
    assert "cannot be read: it is not strict JSON" in look()[0][2]


@pytest.mark.parametrize(
    ("handler", "why"),
    [
        ({"command": "true"}, "it wrote nothing; it ended with code 0"),
        ({"command": "no-such-program hook claude-code || true"}, "not found"),
        ({"command": "/no/such/python", "args": ["x"]}, "No such file"),
        ({"command": "exit 7"}, "code 7"),
    ],
)
def test_a_hook_that_runs_and_writes_nothing_is_found(handler: dict[str, object], why: str) -> None:
    assert why in selftest.fault(handler)


def test_the_self_test_says_what_the_hook_left_out(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(home)
    monkeypatch.setenv("GITINSTINCT_OFF", "1")
    [handler] = hooks.find(None, os.environ)[0][0].handlers
    assert selftest.fault(handler) == "it left the event out: skipped.off"
    assert not (home / "gitinstinct" / "state" / "spool").exists(), "nothing of the test reaches the real place"


# --- what was captured


def test_nothing_captured_is_no_fault() -> None:
    assert bad(captured.look(config.Config(), NOW)) == []


def test_what_was_lost_and_what_cannot_be_read() -> None:
    spooled([b"no json\n", b'{"v":1,"event":"stop","at":"2026-11-29T09:00:00Z"}\n'])
    spool.count("lost.disk")
    spool.count("skipped.tool")
    counter = Path(paths.counts()) / "lost.disk"
    os.utime(counter, (NOW.timestamp() - 3600,) * 2)
    told = [(name, text) for name, _, text in bad(captured.look(config.Config(), NOW))]
    assert told[0][0] == "spool"
    assert "1 lines of a1b2c3d4e5f6 are no observations" in told[0][1]
    assert told[1] == ("lost", "1 disk (last 2026-11-29)")
    assert "lost" not in {name for name, _, _ in bad(captured.look(config.Config(), NOW + timedelta(days=30)))}


def test_a_failed_run_and_settings_that_cannot_be_used() -> None:
    spooled([b"{}\n"])
    state.save(PROJECT, State(failure={"at": "2026-11-29T09:00:00+00:00", "reason": "git is gone"}))
    settings = config.Config(enabled=False, problems=("config.yaml: x is no setting",))
    told = [text for _, _, text in bad(captured.look(settings, NOW))]
    assert told[0] == "config.yaml: x is no setting"
    assert "switched off" in told[1]
    assert "failed on 2026-11-29T09:00: git is gone" in told[-1]


# --- stores


def test_a_store_that_is_well_and_one_that_is_not_protected() -> None:
    held = new_store()
    assert bad(stores.look(deep=True)) == []
    (held.repo.git_dir / "info/attributes").unlink()
    [found] = [one for one in stores.look(deep=False) if one.cure]
    assert "info/attributes" in found.text
    assert found.cure is not None
    found.cure()
    assert bad(stores.look(deep=False)) == []


def test_what_stands_in_the_way_of_a_write() -> None:
    held = new_store()
    commit_all(held.path, {"instincts/x.md": "broken"})
    (held.path / "instincts/x.md").write_text("still broken")
    (held.path / ".git/index.lock").touch()
    (held.path / ".git/MERGE_HEAD").write_text(git(held.path, "rev-parse", "HEAD"))
    told = " ".join(text for _, _, text in bad(stores.look(deep=False)))
    for what in (
        "index.lock is there since",
        "a merge is unfinished",
        "instincts/x.md is not committed",
        "1 files cannot",
    ):
        assert what in told


def test_damage_is_found_when_asked_for() -> None:
    held = new_store()
    commit_all(held.path, {"instincts/x.md": "broken"})
    corrupt(held.repo, newest(held).files["README.md"])
    assert not [one for one in bad(stores.look(deep=False)) if one[1] is Level.ERROR]
    assert "missing or broken" in next(text for _, level, text in bad(stores.look(deep=True)) if level is Level.ERROR)


def test_a_store_that_cannot_be_opened() -> None:
    held = new_store()
    git(held.path, "update-ref", "-d", "refs/heads/main")
    [(name, level, _)] = bad(stores.look(deep=False))
    assert (name, level) == ("store", Level.ERROR)


def test_the_merge_driver_is_tried() -> None:
    new_store()
    assert ("driver", Level.OK) in {(one.name, one.level) for one in stores.look(deep=False)}


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (command("/gone/python"), "it ended with a conflict where there is none"),
        ("true", "git merged line by line"),
        ("exit 1", "it ended with a conflict"),
    ],
)
def test_a_driver_that_does_not_merge_is_found(command: str, why: str) -> None:
    assert trial.fault(command).startswith(why)


def test_a_driver_that_is_switched_off_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    new_store()
    monkeypatch.setenv("GITINSTINCT_MERGE", "0")
    assert bad(stores.look(deep=False)) == [
        ("driver", Level.WARNING, "GITINSTINCT_MERGE=0 switches the merge driver off")
    ]


def test_a_store_that_git_merges_line_by_line_is_told_and_wired() -> None:
    held = new_store()
    git(held.path, "config", "--remove-section", "merge.instinct")
    git(held.path, "config", "merge.mine.driver", "mine %A")
    [found] = [one for one in stores.look(deep=False) if one.level is not Level.OK]
    assert "no merge driver is set" in found.text
    assert found.cure is not None
    found.cure()
    assert bad(stores.look(deep=False)) == []
    assert git(held.path, "config", "merge.mine.driver") == "mine %A"


# --- what runs by itself


def by_itself() -> list[Diagnosis]:
    return list(running.look(config.Config(), NOW))


def test_where_no_daemon_is_wanted_there_is_nothing_to_tell() -> None:
    assert by_itself() == []


def test_a_start_that_never_came_to_life() -> None:
    spooled([b"x\n"])
    mark = paths.nudges(PROJECT)
    paths.make_private(str(Path(mark).parent))
    nudge.write(mark, "17-1")
    os.utime(mark, (NOW.timestamp() - 600,) * 2)
    [(name, level, text)] = bad(by_itself())
    assert (name, level) == ("starts", Level.WARNING)
    assert text.endswith("did not report back")
    starts.report_back(PROJECT, "17-1")
    assert bad(by_itself()) == []
    spool.count(nudge.FAILED)
    os.utime(Path(paths.counts()) / nudge.FAILED, (NOW.timestamp() - 60,) * 2)
    assert bad(by_itself()) == [("starts", Level.WARNING, "1 runs that the hook started never came to life")]


def test_a_daemon_that_rests() -> None:
    place.want(True)
    place.tell(Told(token="t", why="nothing happened for 30 minutes"))
    [found] = by_itself()
    assert (found.name, found.level) == ("daemon", Level.OK)
    assert found.text == "does not run now (nothing happened for 30 minutes); the next turn's end brings it back"


def test_a_daemon_that_runs() -> None:
    with locks.held(locks.DAEMON, "the daemon", NOW) as owner:
        assert owner is not None
        looked, due = NOW - timedelta(minutes=2), NOW + timedelta(minutes=3)
        told = Told(token=owner.token, looked=looked.isoformat(), due=due.isoformat())
        place.tell(told)
        assert [(one.level, one.text) for one in by_itself()] == [(Level.OK, f"runs, process {os.getpid()}")]
        place.tell(replace(told, error="my-api: was ended by SIGKILL", erred=NOW.isoformat()))
        assert bad(by_itself()) == [("daemon", Level.WARNING, "its last look: my-api: was ended by SIGKILL")]
        long_ago = NOW - timedelta(hours=2)
        place.tell(replace(told, looked=long_ago.isoformat(), due=long_ago.isoformat()))
        [(_, _, text)] = bad(by_itself())
        assert text.startswith(f"process {os.getpid()} has not looked since ")
