from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from gitinstinct.store import condition
from gitinstinct.store.checkout import MARKER
from gitinstinct.store.commit import write
from gitinstinct.store.condition import Condition, Damage
from gitinstinct.store.store import Store
from tests.support.repos import commit_all, corrupt, git, snapshot
from tests.support.stores import NOW, instinct, new_store, newest, putting, readable

SOUND = Condition("refs/heads/main", None, False, "", (), (), True)


@pytest.fixture
def store() -> Store:
    made = new_store()
    write(made, putting("a", "b"), NOW, vet=readable)
    return made


def of(store: Store) -> Condition:
    return condition.of(store, readable)


def test_looking_changes_nothing(store: Store) -> None:
    (store.path / "instincts/a.md").write_bytes(instinct("a", "By hand."))
    before = snapshot(store.path)
    assert of(store) == SOUND
    assert snapshot(store.path) == before


def _merge(store: Store) -> None:
    git(store.path, "checkout", "-q", "-b", "side")
    commit_all(store.path, {"instincts/a.md": instinct("a", "Side.")})
    git(store.path, "checkout", "-q", "main")
    commit_all(store.path, {"instincts/a.md": instinct("a", "Main.")})
    git(store.path, "merge", "side", ok=False)


def _rebase(store: Store) -> None:
    _merge(store)
    git(store.path, "merge", "--abort")
    git(store.path, "rebase", "side", ok=False)


STATES: list[tuple[Callable[[Store], object], dict[str, object]]] = [
    (lambda store: git(store.path, "checkout", "-q", "--detach"), {"branch": None}),
    (lambda store: git(store.path, "checkout", "-q", "-b", "x"), {"branch": "refs/heads/x"}),
    (lambda store: git(store.path, "update-ref", MARKER, "main~1"), {"pending": True}),
    (_merge, {"operation": "merge"}),
    (_rebase, {"operation": "rebase", "branch": None}),
    (lambda store: (store.path / ".git/info/attributes").unlink(), {"protected": False}),
]


@pytest.mark.parametrize(("setup", "expected"), STATES)
def test_each_state_is_told(store: Store, setup: Callable[[Store], object], expected: dict[str, object]) -> None:
    setup(store)
    found = of(store)
    assert {name: getattr(found, name) for name in expected} == expected
    assert bool(found.waiting) is (setup is _rebase)


def test_held_edits_are_named(store: Store) -> None:
    (store.path / "instincts/a.md").write_text("no instinct\n")
    [held] = of(store).held
    assert (held.path, "frontmatter" in held.reason) == ("instincts/a.md", True)


def test_locks_are_named_with_their_age_and_the_way_out_and_left_alone(store: Store) -> None:
    names = ["index.lock", "refs/heads/main.lock"]
    for name in names:
        (store.path / ".git" / name).touch()
        os.utime(store.path / ".git" / name, (1e9, 1e9))
    found = of(store).locks
    assert [str(lock.file.relative_to(store.path / ".git")) for lock in found] == names
    assert {lock.since for lock in found} == {datetime.fromtimestamp(1e9, UTC)}
    assert all(str(lock.file) in lock.way_out and lock.file.exists() for lock in found)


@pytest.mark.parametrize("spoiled", [None, b"", b"garbage"])
def test_damaged_objects_are_named_with_where_they_are_used(store: Store, spoiled: bytes | None) -> None:
    assert condition.damage(store.repo) == []
    blob = newest(store).files["instincts/b.md"]
    corrupt(store.repo, blob, spoiled)
    found = condition.damage(store.repo)
    assert [(damage.oid, damage.used_as.endswith(":instincts/b.md")) for damage in found] == [(blob, True)]
    assert isinstance(found[0], Damage)


def test_a_branch_that_cannot_be_read_is_told(store: Store) -> None:
    (store.path / ".git/refs/heads/main").write_text("")
    assert "missing or damaged" in of(store).waiting
