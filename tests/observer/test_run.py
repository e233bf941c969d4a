"""A whole run, on sessions that went through the real hook: one commit, and nothing lost or counted twice."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gitinstinct import paths
from gitinstinct.capture import reader
from gitinstinct.capture.project import Project
from gitinstinct.config import Config
from gitinstinct.errors import EnvironmentFault
from gitinstinct.instinct.model import Instinct
from gitinstinct.observer import landing, state
from gitinstinct.observer.local.detector import LocalDetector
from gitinstinct.observer.run import Outcome, observe
from gitinstinct.store import commit, homes, library, runs
from gitinstinct.store.errors import Waiting
from tests.support.repos import git
from tests.support.stores import assert_sound, subjects
from tests.support.work import PROJECT, captured, in_child, spool, tree_of

NOW = datetime(2026, 11, 29, 10, tzinfo=UTC)


def go(now: datetime = NOW, project: Project = PROJECT, dry_run: bool = False) -> Outcome:
    return observe(project, now, Config(), skip_gates=True, dry_run=dry_run)


def learned(project: Project = PROJECT) -> dict[str, Instinct]:
    store = homes.find(project)
    return {name: item.instinct for name, item in library.read(store).items.items()} if store else {}


def proofs() -> set[tuple[str, str, str, frozenset[tuple[str, str]]]]:
    """Id, words, and which sessions speak for or against each: what must not depend on portions."""
    return {
        (found.id, found.trigger, found.action, frozenset((e.date, e.origin) for e in found.ledger))
        for found in learned().values()
    }


def store_path() -> Path:
    return Path(paths.store(PROJECT.id))


def head() -> str:
    return git(store_path(), "rev-parse", "main")


def test_a_run_is_one_commit_with_its_evidence() -> None:
    spool(captured(3))
    outcome = go()
    assert outcome.observations == 521
    store = homes.find(PROJECT)
    assert store is not None
    assert subjects(store) == [f"observe: {len(outcome.learned)} new", "init: my-api", "genesis"]
    assert head() == outcome.commit
    assert git(store.path, "show", "-s", "--format=%an", "main") == "gitinstinct observer"
    trailers = git(store.path, "show", "-s", "--format=%(trailers:only)", "main").splitlines()
    told = [f"Instinct: {found.id} new {found.after / 100:.2f}" for found in outcome.learned]
    assert trailers == [*told, f"Run: {outcome.run}", "Detector: local/1", "Observations: 521"]
    assert_sound(store)
    for found in learned().values():
        assert f"{found.fold(found.newest or '', '').confidence / 100:.2f}" in "".join(trailers)
    record = runs.latest(store.repo)
    assert record is not None
    assert record["run"] == outcome.run


def test_the_same_again_changes_nothing() -> None:
    spool(captured(3))
    go()
    before = head()
    assert go(NOW + timedelta(hours=1)).observations == 0
    assert head() == before


@pytest.mark.parametrize("seed", [3, 8])
def test_slices_of_twenty_give_the_same_as_all_at_once(seed: int, monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    lines = captured(seed)
    spool(lines)
    go()
    at_once = proofs()
    monkeypatch.setenv("GITINSTINCT_HOME", str(home / "another"))
    for start in range(0, len(lines), 20):
        spool(lines[start : start + 20])
        go(NOW + timedelta(minutes=start))
    assert proofs() == at_once
    assert len(at_once) >= 7


def test_a_long_past_read_at_once_loses_nothing() -> None:
    """What qualified two months before the last event is learned although the tally has forgotten it by then."""
    lines = captured(3)
    late = captured(8, sessions=2)
    spool([*lines, *(line.replace(b'"at":"2026-10', b'"at":"2026-12') for line in late)])
    outcome = go()
    assert {found.id for found in outcome.learned} >= {
        "use-httpx-instead-of-requests",
        "use-pytest-instead-of-unittest",
    }


def lose_memory() -> None:
    Path(paths.tally(PROJECT.id)).unlink()


def damage_memory() -> None:
    Path(paths.tally(PROJECT.id)).write_text('{"version": 1, "cursor": {')


def lose_cursor() -> None:
    git(store_path(), "update-ref", "-d", "refs/gitinstinct/runs")


def clone_anew() -> None:
    other = store_path().with_name("clone")
    git(store_path().parent, "clone", "-q", str(store_path()), str(other))
    shutil.rmtree(store_path())
    other.rename(store_path())


def squash() -> None:
    git(store_path(), "reset", "-q", "--soft", "c1be5b3c76d2198213cc424d4f37b1b6c4f3d43a")
    git(store_path(), "commit", "-q", "-m", "all in one")


@pytest.mark.parametrize("accident", [lose_memory, damage_memory, lose_cursor, clone_anew, squash])
def test_evidence_is_never_counted_twice(accident: Callable[[], None]) -> None:
    lines = captured(3)
    spool(lines[:400])
    go()
    before = tree_of(store_path() / "instincts")
    accident()
    go(NOW + timedelta(hours=1))
    assert tree_of(store_path() / "instincts") == before
    spool(lines[400:])
    go(NOW + timedelta(hours=2))
    after = proofs()
    shutil.rmtree(store_path())
    lose_memory()
    go(NOW + timedelta(hours=3))
    assert {(found[0], found[3]) for found in proofs()} == {(found[0], found[3]) for found in after}


def test_what_plain_git_reverted_stays_reverted() -> None:
    lines = captured(3)
    spool(lines[:400])
    go()
    made = set(learned())
    git(store_path(), "revert", "--no-edit", "HEAD")
    revert = head()
    assert learned() == {}
    lose_memory()
    assert go(NOW + timedelta(hours=1)).learned == (), "the same evidence is no news"
    spool(lines[400:])
    go(NOW + timedelta(hours=2))
    assert not made & set(learned())
    git(store_path(), "revert", "--no-edit", revert)
    assert made <= set(learned()), "a revert of the revert brings it back"


def test_a_file_that_is_full_is_told_and_the_rest_is_learned() -> None:
    lines = captured(3)
    spool(lines[:400])
    go()
    for path in (store_path() / "instincts").iterdir():
        data = path.read_bytes()
        path.write_bytes(data + b"\n" + b"x" * (65_536 - len(data) - 1))
    spool(lines[400:])
    outcome = go(NOW + timedelta(hours=1))
    assert [found.verb for found in outcome.learned] == ["new"] * len(outcome.learned)
    assert outcome.refused
    assert all("65,536 is the most" in reason for _, reason in outcome.refused)


def test_a_rehearsal_writes_nothing(home: Path) -> None:
    spool(captured(3))
    go(dry_run=True)
    before = tree_of(home / "gitinstinct")
    outcome = go(dry_run=True)
    assert len(outcome.learned) >= 7
    assert tree_of(home / "gitinstinct") == before


def test_a_detector_that_crashes_consumes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    spool(captured(3))
    with monkeypatch.context() as broken:
        broken.setattr(LocalDetector, "feed", lambda *_, **__: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            go()
    remembered = state.load(PROJECT.id)
    assert remembered.cursor == {}
    assert remembered.failure["reason"] == "a bug: ZeroDivisionError"
    assert len(go().learned) >= 7
    assert state.load(PROJECT.id).failure == {}


def test_a_full_disk_is_called_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    spool(captured(3))

    def full(project: str, memory: state.State) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as broken:
        broken.setattr(state, "save", full)
        with pytest.raises(EnvironmentFault, match=r"the disk: No space left on device; and .*json cannot be written"):
            go()
    before = head()
    assert go(NOW + timedelta(minutes=1)).commit is None, "what had landed is not learned again"
    assert head() == before


def test_a_store_that_must_wait_consumes_nothing() -> None:
    lines = captured(3)
    spool(lines[:300])
    go()
    lock = store_path() / ".git" / "rebase-merge"
    lock.mkdir()
    (lock / "head-name").write_text("refs/heads/main\n")
    spool(lines[300:])
    with pytest.raises(Waiting):
        go(NOW + timedelta(hours=1))
    assert "main is being rewritten" in state.load(PROJECT.id).failure["reason"]
    shutil.rmtree(lock)
    assert go(NOW + timedelta(hours=2)).observations == len(lines) - 300


def test_two_at_once_are_one_run(home: Path) -> None:
    spool(captured(3))
    code = "from tests.observer.test_run import *; go()"
    root = Path(__file__).parents[2]
    both = [subprocess.Popen([sys.executable, "-c", code], cwd=root) for _ in range(2)]
    assert [process.wait(60) for process in both] == [0, 0]
    store = homes.find(PROJECT)
    assert store is not None
    assert sum(subject.startswith("observe") for subject in subjects(store)) == 1


STEPS: list[tuple[object, str, str]] = [
    (landing, "reconcile", "before"),
    (homes, "make", "before"),
    (homes, "make", "after"),
    (commit, "write", "before"),
    (commit, "write", "after"),
    (state, "save", "before"),
    (state, "save", "after"),
    (reader, "expire", "before"),
]


@pytest.mark.parametrize(("module", "name", "moment"), STEPS, ids=lambda value: getattr(value, "__name__", value))
def test_a_kill_at_any_step_is_healed_by_the_next_run(module: object, name: str, moment: str) -> None:
    lines = captured(3)
    spool(lines)
    original = getattr(module, name)

    def killed(*arguments: object, **named: object) -> object:
        if moment == "after":
            original(*arguments, **named)
        os.kill(os.getpid(), signal.SIGKILL)
        return None

    def action() -> None:
        setattr(module, name, killed)
        go()

    assert in_child(action) == -signal.SIGKILL
    go(NOW + timedelta(minutes=5))
    store = homes.find(PROJECT)
    assert store is not None
    assert_sound(store)
    assert go(NOW + timedelta(minutes=9)).observations == 0
    healed = proofs()
    assert sum(subject.startswith("observe") for subject in subjects(store)) == 1
    shutil.rmtree(store_path())
    lose_memory()
    go()
    assert proofs() == healed


def test_damaged_lines_are_told_and_the_rest_counts() -> None:
    lines = captured(3)
    spool([b'{"v":1,"at":"2026-10-0\n', *lines, b"\0" * 200 + b"\n", lines[-1]])
    outcome = go()
    assert outcome.observations == len(lines)
    assert state.load(PROJECT.id).last["faults"] == [
        "000001.jsonl line 1 is torn",
        f"000001.jsonl line {len(lines) + 2} holds nothing but NUL bytes",
        "1 events came twice",
    ]


def test_a_file_that_cannot_be_read_disturbs_nobody() -> None:
    lines = captured(3)
    spool(lines[:300])
    go()
    (store_path() / "instincts" / "mine.md").write_text("no frontmatter\n")
    spool(lines[300:])
    outcome = go(NOW + timedelta(hours=1))
    assert outcome.commit
    assert outcome.held[0][0] == "instincts/mine.md"
    assert (store_path() / "instincts" / "mine.md").read_text() == "no frontmatter\n"


def test_a_project_that_gets_a_remote_keeps_what_it_learned() -> None:
    lines = captured(3)
    spool(lines[:300])
    go()
    named = Project("0123456789ab", "my-api", former=PROJECT.id)
    spool(lines[300:320])
    spool([line.replace(PROJECT.id.encode(), named.id.encode()) for line in lines[320:]], named.id)
    go(NOW + timedelta(hours=1), named)
    assert not store_path().exists()
    moved = homes.find(named)
    assert moved is not None
    assert moved.about.project_id == named.id
    assert {found.project_id for found in learned(named).values()} == {named.id}
    assert len(learned(named)) >= 7
    Path(paths.tally(named.id)).unlink()
    assert go(NOW + timedelta(hours=2), named).commit is None, "known evidence, under the id that was recorded with it"


def test_analysed_segments_go_after_thirty_days() -> None:
    lines = captured(3)
    spool(lines[:200])
    spool(lines[200:400], segment="000002.jsonl")
    go()
    assert len(reader.segments(PROJECT.id)) == 2
    spool(lines[400:420], segment="000002.jsonl")
    go(NOW + timedelta(days=31))
    assert [segment.name for segment in reader.segments(PROJECT.id)] == ["000002.jsonl"]
    spool(lines[420:], segment="000002.jsonl")
    assert go(NOW + timedelta(days=32)).observations == len(lines) - 420


def test_nothing_is_deleted_that_was_not_analysed(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = captured(3)
    spool(lines[:200])
    spool(lines[200:], segment="000002.jsonl")
    monkeypatch.setattr(LocalDetector, "feed", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        go(NOW + timedelta(days=400))
    assert len(reader.segments(PROJECT.id)) == 2
