from __future__ import annotations

from pathlib import Path

import pytest

from gitinstinct.errors import EnvironmentFault
from gitinstinct.instinct import markdown
from gitinstinct.store import store as stores
from gitinstinct.store.commit import write
from gitinstinct.store.layout import About
from gitinstinct.store.move import move
from gitinstinct.store.store import Store
from tests.support.repos import commit_all, git
from tests.support.stores import NOW, PROJECT, assert_sound, instinct, new_store, newest, putting, readable, subjects

AFTER = About("project", "e5c363015306", "my-api")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = new_store(tmp_path / "projects" / PROJECT)
    write(made, putting("a", "b"), NOW, vet=readable)
    foreign = instinct("foreign").replace(PROJECT.encode(), b"0123456789ab")
    commit_all(made.path, {"instincts/foreign.md": foreign, "instincts/odd.md": b"no instinct\n"})
    return made


def _check(moved: Store) -> None:
    assert (moved.about, stores.open(moved.path).about, moved.name) == (AFTER, AFTER, AFTER.project_id)
    assert subjects(moved)[0] == "init: my-api takes the id e5c363015306"
    contents, _ = newest(moved).instincts()
    ids = {name: markdown.parse(data).project_id for name, data in contents.items() if name != "odd"}
    assert ids == {"a": AFTER.project_id, "b": AFTER.project_id, "foreign": "0123456789ab"}
    assert git(moved.path, "diff", "--numstat", "main~1", "main", "--", "instincts/a.md").startswith("1\t1\t")
    assert_sound(moved)


def test_a_store_moves_and_says_so_in_one_commit(store: Store, tmp_path: Path) -> None:
    git(store.path, "worktree", "add", "-q", "--detach", str(tmp_path / "linked"))
    (store.path / "instincts/b.md").write_bytes(instinct("b", "By hand."))
    new = tmp_path / "elsewhere" / AFTER.project_id
    moved = move(store.path, new, AFTER, NOW, vet=readable)
    assert (moved.path, store.path.exists()) == (new, False)
    assert b"By hand." in (newest(moved).read("instincts/b.md") or b"")
    assert git(tmp_path / "linked", "status", "--porcelain") == ""
    _check(moved)


def test_a_move_that_was_cut_off_is_finished_by_the_next(store: Store) -> None:
    new = store.path.with_name(AFTER.project_id)
    store.path.rename(new)
    for _ in range(2):
        moved = move(store.path, new, AFTER, NOW, vet=readable)
    _check(moved)


def test_two_stores_are_not_moved_into_one(store: Store) -> None:
    other = new_store(store.path.with_name(AFTER.project_id), about=AFTER)
    with pytest.raises(EnvironmentFault, match="there are stores at"):
        move(store.path, other.path, AFTER, NOW, vet=readable)
    assert subjects(other) == ["init: my-api", "genesis"]
