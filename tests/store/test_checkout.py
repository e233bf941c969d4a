from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gitinstinct.store import checkout, files, runs
from gitinstinct.store import store as stores
from gitinstinct.store.commit import Plan, Written
from gitinstinct.store.commit import write as commit
from gitinstinct.store.errors import Waiting
from gitinstinct.store.store import Store
from tests.support.repos import ANN, commit_all, git, snapshot
from tests.support.stores import NOW, assert_sound, instinct, new_store, newest, putting, readable, subjects

ROOT = Path(__file__).parents[2]
MARKER = checkout.MARKER


def write(store: Store, *names: str, action: str = "Run the tests.") -> Written:
    return commit(store, putting(*names, action=action), NOW, vet=readable)


@pytest.fixture
def store() -> Store:
    made = new_store()
    write(made, "a", "b")
    return made


def _land_elsewhere(store: Store) -> tuple[str, str]:
    """A run's commit that changes a, removes nothing, adds c; `main` does not move yet. Old and new commit."""
    old = git(store.path, "rev-parse", "main")
    git(store.path, "checkout", "-q", "-b", "side")
    new = commit_all(
        store.path,
        {"instincts/a.md": instinct("a", "Run."), "instincts/c.md": instinct("c")},
        "observe: 1 new",
    )
    git(store.path, "checkout", "-q", "main")
    git(store.path, "branch", "-D", "-q", "side")
    return old, new


STEPS = ("marker", "main", "index", "first file", "files")


@pytest.mark.parametrize("step", STEPS)
def test_the_next_command_finishes_what_a_kill_left(store: Store, step: str) -> None:
    old, new = _land_elsewhere(store)
    done = STEPS[: STEPS.index(step) + 1]
    git(store.path, "update-ref", MARKER, old)
    if "main" in done:
        git(store.path, "update-ref", "refs/heads/main", new)
    if "index" in done:
        git(store.path, "read-tree", new)
    if "first file" in done:
        (store.path / "instincts/a.md").write_bytes(instinct("a", "Run."))
    if "files" in done:
        (store.path / "instincts/c.md").write_bytes(instinct("c"))
    else:
        (store.path / "instincts/.c.md.draft").write_bytes(b"half")
    (store.path / "instincts/d.md").write_bytes(instinct("d"))  # a person's own, meanwhile
    write(store, "e")
    expected = ["observe: 1 new", "edit: d", *(["observe: 1 new"] if "main" in done else [])]
    assert subjects(store)[: len(expected)] == expected
    assert newest(store).read("instincts/a.md") == instinct("a", "Run." if "main" in done else "Run the tests.")
    (store.path / "instincts/.c.md.draft").unlink(missing_ok=True)
    assert_sound(store)


def test_a_persons_edit_while_files_are_behind_keeps_both(store: Store) -> None:
    old, new = _land_elsewhere(store)
    git(store.path, "update-ref", MARKER, old)
    git(store.path, "update-ref", "refs/heads/main", new)
    (store.path / "instincts/a.md").write_bytes(instinct("a").replace(b"domain: testing", b"domain: git"))
    written = write(store)
    assert len(written.edits) == 1
    assert newest(store).read("instincts/a.md") == instinct("a", "Run.").replace(b"domain: testing", b"domain: git")
    assert_sound(store)


def test_an_edit_of_the_same_lines_while_files_are_behind_waits_for_the_person(store: Store) -> None:
    old, new = _land_elsewhere(store)
    git(store.path, "update-ref", MARKER, old)
    git(store.path, "update-ref", "refs/heads/main", new)
    (store.path / "instincts/a.md").write_bytes(instinct("a", "Mine."))
    with pytest.raises(Waiting, match=r"a\.md cannot follow main"):
        write(store, "e")
    assert (store.path / "instincts/a.md").read_bytes() == instinct("a", "Mine.")
    git(store.path, "commit", "-q", "-am", "mine")
    write(store, "e")
    assert subjects(store)[:3] == ["observe: 1 new", "mine", "observe: 1 new"]
    assert_sound(store)


def test_an_edit_between_commit_and_checkout_is_not_overwritten(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    real = checkout.finish

    def late(*arguments: Any, **options: Any) -> object:
        (store.path / "instincts/a.md").write_bytes(instinct("a", "Mine."))
        return real(*arguments, **options)

    monkeypatch.setattr(checkout, "finish", late)
    written = write(store, "a", "b", action="Other.")
    assert "changed by hand" in written.pending
    assert (store.path / "instincts/a.md").read_bytes() == instinct("a", "Mine.")
    assert (store.path / "instincts/b.md").read_bytes() == instinct("b", "Other.")


def test_who_leaves_main_between_commit_and_checkout_finds_the_other_branch_as_it_was(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = checkout.finish

    def late(*arguments: Any, **options: Any) -> object:
        git(store.path, "checkout", "-q", "-b", "other", "main~1")
        return real(*arguments, **options)

    with monkeypatch.context() as patch:
        patch.setattr(checkout, "finish", late)
        write(store, "a", action="Other.")
    assert git(store.path, "status", "--porcelain") == ""
    assert (store.path / "instincts/a.md").read_bytes() == instinct("a")
    git(store.path, "checkout", "-q", "main")
    write(store, "c")
    assert subjects(store)[:2] == ["observe: 1 new", "observe: 1 new"]
    assert_sound(store)


def test_a_person_who_goes_on_editing_meanwhile_is_not_in_conflict_with_themselves(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, real, again = store.path / "instincts/a.md", checkout.finish, iter(["Two.", "Three."])

    def late(*arguments: Any, **options: Any) -> object:
        file.write_bytes(instinct("a", next(again)))
        return real(*arguments, **options)

    file.write_bytes(instinct("a", "One."))
    with monkeypatch.context() as patch:
        patch.setattr(checkout, "finish", late)
        write(store, "c")
    assert subjects(store)[:2] == ["observe: 1 new", "edit: a"]
    write(store)
    assert (file.read_bytes(), newest(store).read("instincts/a.md")) == (instinct("a", "Three."),) * 2
    assert_sound(store)


def test_a_clone_made_with_crlf_is_no_edit_and_becomes_what_the_blobs_are(store: Store, tmp_path: Path) -> None:
    git(tmp_path, "-c", "core.autocrlf=true", "clone", "-q", str(store.path), "windows")
    clone = stores.open(tmp_path / "windows")
    assert b"\r\n" in (clone.path / "README.md").read_bytes()
    os.utime(clone.path / "instincts/b.md", (1, 1))
    assert write(clone, "a", action="New.") == Written(git(clone.path, "rev-parse", "main"))
    assert subjects(clone)[0] == "observe: 1 new"
    assert (clone.path / "instincts/a.md").read_bytes() == instinct("a", "New.")
    write(clone)
    assert_sound(clone)


@pytest.mark.parametrize("name", [checkout.RUNS, MARKER])
@pytest.mark.parametrize("content", ["", "garbage\n", "1" * 40 + "\n"], ids=["empty", "garbage", "lost"])
def test_a_damaged_ref_of_ours_is_not_taken_for_a_missing_one(store: Store, name: str, content: str) -> None:
    (store.path / ".git" / name).parent.mkdir(parents=True, exist_ok=True)
    (store.path / ".git" / name).write_text(content)
    before = git(store.path, "rev-parse", "main")
    with pytest.raises(Waiting, match=f"{name} .*damaged") as caught:
        write(store, "c")
    assert git(store.path, "rev-parse", "main") == before
    subprocess.run(caught.value.hint.partition(": ")[2], shell=True, check=True)
    commit(store, putting("c", run="1"), NOW, vet=readable)
    assert_sound(store)


def test_where_the_disk_refuses_a_file_nothing_is_left_beside_it(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(draft: str, data: bytes) -> None:
        Path(draft).write_bytes(data[:3])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(files, "_write", full)
        assert "instincts/a.md cannot follow main: No space left" in write(store, "a", action="New.").pending
    assert [file.name for file in (store.path / "instincts").iterdir() if file.suffix != ".md"] == []
    write(store)
    assert_sound(store)


def test_a_stale_index_lock_stops_no_run(store: Store) -> None:
    lock = store.path / ".git/index.lock"
    lock.touch()
    files = snapshot(store.path / "instincts")
    for action in ("One.", "Two."):
        written = write(store, "a", "new", action=action)
        assert str(lock) in written.pending
        assert "delete" in written.pending
    (store.path / "instincts/b.md").write_bytes(instinct("b", "By hand."))
    assert [held.path for held in write(store).held] == ["instincts/b.md"]
    assert snapshot(store.path / "instincts").items() - files.items() == {
        ("b.md", snapshot(store.path / "instincts")["b.md"])
    }
    assert lock.exists()
    lock.unlink()
    write(store)
    assert subjects(store)[:3] == ["edit: b", "observe: 2 new", "observe: 2 new"]
    assert newest(store).read("instincts/a.md") == instinct("a", "Two.")
    assert_sound(store)


def test_under_a_stale_index_lock_an_edited_file_waits_or_is_merged_later(store: Store) -> None:
    (store.path / ".git/index.lock").touch()
    write(store, "a", action="One.")
    (store.path / "instincts/a.md").write_bytes(instinct("a").replace(b"domain: testing", b"domain: git"))
    with pytest.raises(Waiting, match="have not followed"):
        write(store, "a", action="Two.")
    (store.path / ".git/index.lock").unlink()
    write(store)
    assert newest(store).read("instincts/a.md") == instinct("a", "One.").replace(b"domain: testing", b"domain: git")
    assert_sound(store)


def test_a_stale_lock_of_the_branch_is_named(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    lock = "refs/heads/main.lock"
    monkeypatch.setattr("gitinstinct.git.refs._PATIENCE", ("-c", "core.filesRefLockTimeout=10"))
    before = git(store.path, "rev-parse", "main")
    (store.path / ".git" / lock).touch()
    with pytest.raises(Waiting, match=lock) as caught:
        write(store, "c")
    assert "delete" in caught.value.hint
    assert (store.path / ".git" / lock).exists()
    assert git(store.path, "rev-parse", "main") == before


def test_a_stale_lock_of_the_packed_refs_only_delays_the_end(store: Store) -> None:
    lock = store.path / ".git/packed-refs.lock"
    lock.touch()
    assert str(lock) in write(store, "c").pending
    assert git(store.path, "status", "--porcelain") == ""
    lock.unlink()
    write(store, "d")
    assert_sound(store)


@pytest.mark.parametrize("where", ["other branch", "detached", "unborn"])
def test_where_main_is_not_checked_out_index_and_files_stay(store: Store, where: str) -> None:
    argument = {"other branch": ["-b", "x"], "detached": ["--detach"], "unborn": ["--orphan", "x"]}[where]
    git(store.path, "checkout", "-q", *argument)
    (store.path / "instincts/a.md").write_bytes(instinct("a", "On my branch."))
    status, files = git(store.path, "status", "--porcelain"), snapshot(store.path / "instincts")
    assert write(store, "a", action="Other.").held == ()
    assert (git(store.path, "status", "--porcelain"), snapshot(store.path / "instincts")) == (status, files)
    assert newest(store).read("instincts/a.md") == instinct("a", "Other.")
    assert git(store.path, "for-each-ref", "refs/worktree/gitinstinct/") == ""


def test_a_linked_work_tree_with_main_follows_and_its_edits_are_theirs(store: Store, tmp_path: Path) -> None:
    git(store.path, "checkout", "-q", "-b", "x")
    git(store.path, "worktree", "add", "-q", str(tmp_path / "linked"), "main")
    (tmp_path / "linked/instincts/b.md").write_bytes(instinct("b", "By hand."))
    written = write(store, "c")
    assert len(written.edits) == 1
    assert (tmp_path / "linked/instincts/c.md").read_bytes() == instinct("c")
    assert git(tmp_path / "linked", "status", "--porcelain") == ""
    assert not (store.path / "instincts/c.md").exists()
    assert_sound(store)


def test_a_damaged_blob_keeps_its_file_behind_and_says_so(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = _land_elsewhere(store)
    git(store.path, "update-ref", "refs/heads/main", new)
    blob = git(store.path, "rev-parse", f"{new}:instincts/a.md")
    file = store.path / ".git/objects" / blob[:2] / blob[2:]
    file.chmod(0o644)
    file.write_bytes(b"garbage")
    git(store.path, "update-ref", MARKER, old)
    [left] = checkout.finish(store.repo, old, new, ANN)
    assert (left.path, "damaged" in left.reason) == ("instincts/a.md", True)
    assert (store.path / "instincts/a.md").read_bytes() == instinct("a")


KILLED = """
import os, signal, subprocess, sys
from pathlib import Path
from typing import Any
steps, stop = 0, int(sys.argv[2])

def counted(real):
    def call(*args, **more):
        global steps
        steps += 1
        if steps == stop:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*args, **more)
    return call

from gitinstinct.store.store import open
from gitinstinct.store.commit import write
from tests.support.stores import NOW, putting, readable
store = open(Path(sys.argv[1]))
subprocess.Popen = counted(subprocess.Popen)
Path.replace, Path.write_bytes = counted(Path.replace), counted(Path.write_bytes)
write(store, putting("a", "new", action="Other.", run="01x"), NOW, vet=readable)
"""


def _scene(place: Path) -> Store:
    made = new_store(place)
    write(made, "a", "b")
    (made.path / "instincts/b.md").write_bytes(instinct("b", "By hand."))
    return made


@pytest.mark.slow
def test_killed_before_any_step_the_next_command_ends_in_the_same_state(tmp_path: Path) -> None:
    whole = _scene(tmp_path / "whole")
    commit(whole, putting("a", "new", action="Other.", run="01x"), NOW, vet=readable)
    for stop in range(1, 200):
        store = _scene(tmp_path / f"s{stop}")
        argv = [sys.executable, "-c", KILLED, str(store.path), str(stop)]
        code = subprocess.run(argv, cwd=ROOT, check=False).returncode
        write(store)
        commit(store, _unless_recorded(store), NOW, vet=readable)
        assert newest(store).files == newest(whole).files, stop
        assert list(runs.records(store.repo)) == [{"run": "01x"}], stop
        assert subjects(store) == subjects(whole), stop
        assert_sound(store)
        if code == 0:
            assert stop > 15
            return
    pytest.fail("it never ended by itself")


def _unless_recorded(store: Store) -> Plan:
    plan = putting("a", "new", action="Other.", run="01x")
    return lambda tree: None if runs.latest(store.repo) else plan(tree)
