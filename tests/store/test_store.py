from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gitinstinct.errors import EnvironmentFault
from gitinstinct.git.identity import FALLBACK
from gitinstinct.git.repo import Repo
from gitinstinct.store import commit, store
from gitinstinct.store.commit import write
from gitinstinct.store.errors import Missing
from gitinstinct.store.layout import About
from gitinstinct.store.store import Store
from tests.support.repos import ANN, commit_all, corrupt, git, repository, snapshot
from tests.support.stores import ABOUT, NOW, assert_sound, instinct, new_store, newest, putting, readable, subjects


def test_a_new_store(tmp_path: Path) -> None:
    made = new_store()
    assert subjects(made) == ["init: my-api", "genesis"]
    assert git(made.path, "rev-parse", "main~1") == "c1be5b3c76d2198213cc424d4f37b1b6c4f3d43a"
    assert set(newest(made).files) == {"README.md", ".gitattributes", "store.yaml"}
    assert git(made.path, "config", "push.default") == "upstream"
    assert git(made.path, "check-attr", "merge", "diff", "text", "--", "instincts/x.md").splitlines() == [
        "instincts/x.md: merge: instinct",
        "instincts/x.md: diff: instinct",
        "instincts/x.md: text: unset",
    ]
    assert (made.path.stat().st_mode & 0o777) == 0o700
    assert_sound(made)


def test_creating_again_opens_what_is_there() -> None:
    made = new_store()
    before = snapshot(made.path)
    assert new_store() == made == store.open(made.path)
    assert snapshot(made.path) == before


def test_two_machines_write_the_same_store_yaml_and_share_an_ancestor(tmp_path: Path) -> None:
    one, other = new_store(tmp_path / "one"), new_store(tmp_path / "other", identity=None)
    assert newest(one).read("store.yaml") == newest(other).read("store.yaml")
    git(one.path, "fetch", "-q", str(other.path), "main")
    git(one.path, "merge", "-q", "FETCH_HEAD", "-m", "m")
    assert_sound(one)


def test_a_draft_that_a_kill_left_is_no_store_and_in_nobodys_way(tmp_path: Path) -> None:
    place = tmp_path / "data" / "global"
    (place.with_name(".global.draft") / ".git").mkdir(parents=True)
    with pytest.raises(Missing):
        store.open(place)
    made = new_store(place, about=About("global", "", ""))
    assert (made.name, [file.name for file in place.parent.iterdir()]) == ("global", ["global"])


def test_what_lies_there_already_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "s").mkdir()
    (tmp_path / "s" / "file").write_text("x")
    with pytest.raises(EnvironmentFault, match="not empty"):
        new_store(tmp_path / "s")


def _git_is_a_file(made: Store) -> None:
    shutil.move(made.path / ".git", made.path.parent / "elsewhere")
    (made.path / ".git").write_text(f"gitdir: {made.path.parent}/elsewhere\n")


def _is_another_repository(made: Store) -> None:
    shutil.rmtree(made.path)
    repository(made.path)
    commit_all(made.path, {"a": "x"})


def _is_newer(made: Store) -> None:
    commit_all(made.path, {"store.yaml": "format: 99\n"})


BROKEN: list[tuple[str, Callable[[Store], object]]] = [
    ("there is no store", lambda made: shutil.rmtree(made.path)),
    ("there is no store", lambda made: shutil.rmtree(made.path / ".git")),
    ("is no folder", _git_is_a_file),
    ("shallow clone", lambda made: (made.path / ".git" / "shallow").write_text("")),
    ("partial clone", lambda made: (made.path / ".git/objects/pack/pack-1.promisor").write_text("")),
    ("cannot be opened", lambda made: (made.path / ".git" / "HEAD").write_text("")),
    ("cannot be opened", lambda made: (made.path / ".git" / "config").write_text("[broken")),
    ("cannot be opened", lambda made: git(made.path, "config", "extensions.unheardOf", "x")
        or git(made.path, "config", "core.repositoryFormatVersion", "1")),
    ("main is missing or damaged", lambda made: (made.path / ".git/refs/heads/main").write_text("")),
    ("main is missing or damaged", lambda made: (made.path / ".git/refs/heads/main").write_text("garbage\n")),
    ("main is missing or damaged", lambda made: git(made.path, "branch", "-m", "main", "other")),
    ("is no store", _is_another_repository),
    ("format 99", _is_newer),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "spoil"), BROKEN)
def test_what_cannot_be_opened_says_why(reason: str, spoil: Callable[[Store], object]) -> None:
    made = new_store()
    spoil(made)
    with pytest.raises(EnvironmentFault, match=reason) as caught:
        store.open(made.path)
    assert caught.value.hint


def test_a_damaged_commit_is_left_behind_by_the_hint_and_the_work_tree_brings_back_what_it_held(tmp_path: Path) -> None:
    made = new_store(tmp_path / "the store's place")
    write(made, putting("a"), NOW, vet=readable)
    write(made, putting("b"), NOW, vet=readable)
    damaged = git(made.path, "rev-parse", "main^{tree}")
    corrupt(made.repo, damaged, b"")
    with pytest.raises(EnvironmentFault, match=r"cannot be opened.*is empty") as caught:
        store.open(made.path)
    corrupt(made.repo, damaged, None)
    subprocess.run(
        caught.value.hint.removeprefix("delete the file that git names, then put it back: "), shell=True, check=True
    )
    write(store.open(made.path), putting("c"), NOW, vet=readable)
    assert set(newest(made).files) > {"instincts/a.md", "instincts/b.md", "instincts/c.md"}
    assert git(made.path, "status", "--porcelain") == ""


def test_an_emptied_branch_comes_back_by_the_hint() -> None:
    made = new_store()
    good = git(made.path, "rev-parse", "main")
    (made.path / ".git/refs/heads/main").write_text("")
    with pytest.raises(EnvironmentFault) as caught:
        store.open(made.path)
    command = caught.value.hint.split(": git ", 1)[1].split()
    (made.path / ".git/refs/heads/main").unlink()
    git(made.path, *command)
    assert git(made.path, "rev-parse", "main") == good
    store.open(made.path)


def test_without_its_git_folder_nothing_reaches_the_project_around_it(tmp_path: Path) -> None:
    repository(tmp_path)
    commit_all(tmp_path, {"code": "x\n"})
    made = new_store(tmp_path / "inner")
    before = snapshot(tmp_path / ".git")
    shutil.rmtree(made.path / ".git")
    for attempt in (lambda: store.open(made.path), lambda: commit.write(made, putting("a"), NOW, vet=readable)):
        with pytest.raises(Missing):
            attempt()
    assert snapshot(tmp_path / ".git") == before


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_a_plain_clone_is_a_store_and_is_protected_by_the_first_write(tmp_path: Path, object_format: str) -> None:
    source = new_store(tmp_path / "source")
    if object_format == "sha256":
        repository(tmp_path / "clone", object_format="sha256")
        commit_all(tmp_path / "clone", {"store.yaml": ABOUT.render()})
    else:
        git(tmp_path, "clone", "-q", str(source.path), "clone")
    clone = store.open(tmp_path / "clone")
    assert not store.is_protected(clone.repo)
    commit.write(clone, putting("a"), NOW, vet=readable)
    assert store.is_protected(clone.repo)
    assert newest(clone).read("instincts/a.md") == instinct("a")
    assert_sound(clone)


def _link_to(mine: Path, file: Path) -> None:
    file.symlink_to(mine)


@pytest.mark.parametrize("put", [_link_to, lambda _, file: os.mkfifo(file)], ids=["link", "pipe"])
def test_a_persons_own_attributes_are_replaced_and_not_written_through(
    put: Callable[[Path, Path], object], tmp_path: Path
) -> None:
    made, mine = new_store(), tmp_path / "mine"
    mine.write_text("*.txt text\n")
    file = made.path / ".git/info/attributes"
    file.unlink()
    put(mine, file)
    store.protect(made.repo)
    assert store.is_protected(made.repo)
    assert (file.is_symlink(), mine.read_text()) == (False, "*.txt text\n")


def test_a_clock_before_git_makes_a_store_all_the_same(tmp_path: Path) -> None:
    made = store.create(tmp_path / "s", ABOUT, datetime(1960, 1, 1, tzinfo=UTC))
    assert git(made.path, "log", "-1", "--format=%ct") == "946684800"
    assert_sound(made)


def test_wiring_is_idempotent_and_leaves_a_persons_lines(tmp_path: Path) -> None:
    made = new_store(tmp_path / "s", identity=None)
    assert store.identity(made) == FALLBACK
    file = made.path / ".git" / "config"
    file.write_text(file.read_text() + "# mine\n[alias]\n\tst = status\n")
    store.wire(made.repo, identity=ANN, driver="tool %O %A %B")
    once = file.read_text()
    store.wire(made.repo, identity=ANN, driver="tool %O %A %B")
    assert file.read_text() == once
    assert "# mine\n[alias]\n\tst = status\n" in once
    assert git(made.path, "config", "merge.instinct.driver") == "tool %O %A %B"
    assert store.identity(made) == ANN


def test_another_writer_is_waited_for_and_then_told(monkeypatch: pytest.MonkeyPatch) -> None:
    made = new_store()
    with (
        store.locked(made.name),
        pytest.raises(EnvironmentFault, match="another gitinstinct"),
        store.locked(made.name, seconds=0.05),
    ):
        pass


def test_a_bare_repository_and_a_gone_work_tree_are_no_store(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--bare", "bare")
    with pytest.raises(Missing):
        store.open(tmp_path / "bare")
    made = new_store()
    lost = Store(tmp_path / "gone", Repo(made.path / ".git", tmp_path / "gone"), ABOUT)
    with pytest.raises(EnvironmentFault, match="is gone"):
        commit.write(lost, putting("a"), NOW, vet=readable)


def test_what_the_disk_refuses_is_told_in_a_sentence(tmp_path: Path, home: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(EnvironmentFault, match="no store could be made") as caught:
        new_store(tmp_path / "file" / "store")
    assert caught.value.hint
    shutil.rmtree(home / "gitinstinct")
    (home / "gitinstinct").write_text("x")
    with pytest.raises(EnvironmentFault, match="could not be locked"):
        new_store(tmp_path / "other")
