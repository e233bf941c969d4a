from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gitinstinct.git.identity import OBSERVER
from gitinstinct.git.trailers import Message
from gitinstinct.store import commit, runs
from gitinstinct.store.commit import Change, Written, write
from gitinstinct.store.errors import Waiting
from gitinstinct.store.store import Store
from gitinstinct.store.tree import Tree
from tests.support.repos import commit_all, git, snapshot
from tests.support.stores import NOW, assert_sound, instinct, new_store, newest, putting, readable, subjects

ROOT = Path(__file__).parents[2]


@pytest.fixture
def store() -> Store:
    return new_store()


def test_an_observer_run_is_one_commit_with_its_evidence_and_its_private_record(store: Store) -> None:
    message = Message("observe: 1 new", ["new  a  0.50"], [("Instinct", "a new 0.50"), ("Run", "01m77pxbv0")])
    record: runs.Record = {"run": "01m77pxbv0", "cursor": {"000001.jsonl": 5120}, "cost": 0.0, "digest": None}
    written = write(store, lambda _: Change({"instincts/a.md": instinct("a")}, message, OBSERVER, record), NOW)
    assert written == Written(git(store.path, "rev-parse", "main"))
    shown = git(store.path, "log", "-1", "--format=%an|%cn|%cI|%s|%(trailers:key=Run,valueonly)", "main")
    assert shown.rstrip() == "gitinstinct observer|Ann|2026-11-29T10:00:00+00:00|observe: 1 new|01m77pxbv0"
    assert (store.path / "instincts/a.md").read_bytes() == instinct("a")
    assert list(runs.records(store.repo)) == [record]
    assert git(store.path, "log", "--format=%an", "--", "instincts/a.md") == "gitinstinct observer"
    assert "gitinstinct" in git(store.path, "blame", "instincts/a.md").splitlines()[0]
    assert_sound(store)


def test_a_run_that_learned_nothing_moves_only_the_record(store: Store) -> None:
    before = git(store.path, "rev-parse", "main")
    for run in ("01a", "01b"):
        assert write(store, putting(run=run), NOW) == Written()
    assert git(store.path, "rev-parse", "main") == before
    assert [record["run"] for record in runs.records(store.repo)] == ["01b", "01a"]
    assert runs.latest(store.repo) == {"run": "01b"}
    assert_sound(store)


def test_records_are_read_past_what_is_none(store: Store) -> None:
    assert runs.latest(store.repo) is None
    write(store, putting(run="01a"), NOW)
    tip = git(store.path, "commit-tree", "-p", "refs/gitinstinct/runs", "-m", "foreign", "refs/gitinstinct/runs^{tree}")
    git(store.path, "update-ref", "refs/gitinstinct/runs", tip)
    assert [record["run"] for record in runs.records(store.repo)] == ["01a"]
    assert [record["run"] for record in runs.records(store.repo, limit=1)] == []


def test_what_is_so_already_is_no_commit(store: Store) -> None:
    write(store, putting("a"), NOW)
    before = snapshot(store.path)
    assert write(store, putting("a"), NOW) == Written()
    assert write(store, lambda _: None, NOW) == Written()
    assert snapshot(store.path) == before


def test_a_file_that_goes_takes_its_empty_folder_along(store: Store) -> None:
    write(store, putting("a"), NOW)
    write(store, lambda _: Change({"instincts/a.md": None, "evolved/x/y.md": b"made\n"}, Message("prune: 1")), NOW)
    assert not (store.path / "instincts").exists()
    assert (store.path / "evolved/x/y.md").read_bytes() == b"made\n"
    assert_sound(store)


@pytest.mark.parametrize(
    ("path", "content"),
    [("../a", b""), ("instincts/A.md", b""), (".git/config", b""), ("instincts/a.md", b"x" * 65_537)],
)
def test_what_no_store_may_hold_is_never_written(store: Store, path: str, content: bytes) -> None:
    before = snapshot(store.path)
    with pytest.raises(ValueError, match="may hold"):
        write(store, lambda _: Change({path: content}, Message("learn: x")), NOW)
    assert snapshot(store.path) == before


def test_a_clock_that_went_back_does_not_go_before_the_parent(store: Store) -> None:
    write(store, putting("a", run="1"), NOW)
    write(store, putting("b", run="2"), datetime(1999, 1, 1, tzinfo=UTC))
    times = git(store.path, "log", "--format=%ct", "main").splitlines()
    assert times[0] == times[1] == str(int(NOW.timestamp()))


def test_a_plan_that_fails_changes_nothing(store: Store) -> None:
    before = snapshot(store.path)
    with pytest.raises(ZeroDivisionError):
        write(store, lambda _: 1 / 0, NOW)  # type: ignore[arg-type, return-value]
    assert snapshot(store.path) == before


def test_a_foreign_commit_that_was_quicker_is_built_upon(store: Store) -> None:
    seen: list[Tree] = []

    def plan(tree: Tree) -> Change | None:
        seen.append(tree)
        if len(seen) == 1:
            commit_all(store.path, {"instincts/theirs.md": instinct("theirs")}, "theirs")
        return putting("ours")(tree)

    write(store, plan, NOW)
    assert [sorted(tree.files)[1:-1] for tree in seen] == [["README.md"], ["README.md", "instincts/theirs.md"]]
    assert subjects(store)[:2] == ["observe: 1 new", "theirs"]
    assert_sound(store)


def test_a_branch_that_never_rests_is_given_up_on(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commit, "_PAUSE", 0.0)
    tries = []

    def plan(tree: Tree) -> Change | None:
        tries.append(tree)
        commit_all(store.path, {"instincts/theirs.md": instinct("theirs", f"Try {len(tries)}.")}, "theirs")
        return putting("ours")(tree)

    with pytest.raises(Waiting, match="meanwhile"):
        write(store, plan, NOW)
    assert set(subjects(store)) == {"theirs", "init: my-api", "genesis"}
    assert_sound(store)


WRITER = """
import sys
from pathlib import Path
from gitinstinct.store.store import open
from gitinstinct.store.commit import write
from tests.support.stores import NOW, putting
store = open(Path(sys.argv[1]))
for number in range(5):
    name = f"w{sys.argv[2]}-{number}"
    write(store, putting(name, run=name), NOW)
"""


def test_forty_of_forty_commits_of_eight_writers_land(store: Store) -> None:
    argv = [sys.executable, "-c", WRITER, str(store.path)]
    writers = [subprocess.Popen([*argv, str(number)], cwd=ROOT, stderr=subprocess.PIPE) for number in range(8)]
    said = [writer.communicate()[1] for writer in writers]
    assert [writer.returncode for writer in writers] == [0] * 8, said
    assert len(newest(store).instincts()[0]) == 40
    assert len(list(runs.records(store.repo))) == 40
    assert subjects(store).count("observe: 1 new") == 40
    assert_sound(store)


def test_the_judge_of_edits_by_default(store: Store) -> None:
    write(store, putting("a"), NOW, vet=readable)
    (store.path / "instincts/a.md").write_bytes(instinct("a", "By hand."))
    assert len(write(store, lambda _: None, NOW).edits) == 1
