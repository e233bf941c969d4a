from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from gitinstinct.store.commit import Written
from gitinstinct.store.commit import write as commit
from gitinstinct.store.errors import Waiting
from gitinstinct.store.store import Store
from tests.support.repos import git, snapshot
from tests.support.stores import NOW, assert_sound, instinct, new_store, newest, putting, readable, subjects

Setup = Callable[[Path], object]


def _judge(path: str, data: bytes) -> str | None:
    return "it holds what looks like a secret" if b"hunter2" in data else readable(path, data)


def write(store: Store, *names: str, action: str = "Run the tests.") -> Written:
    return commit(store, putting(*names, action=action), NOW, vet=_judge)


@pytest.fixture
def store() -> Store:
    made = new_store()
    write(made, "a", "b")
    return made


def _edit(top: Path, content: bytes | None = None) -> None:
    (top / "instincts/a.md").write_bytes(content or instinct("a", "By hand."))


def _edit_and_stage(top: Path) -> None:
    _edit(top)
    git(top, "add", "-A")


def _several(top: Path) -> None:
    _edit(top)
    (top / "instincts/b.md").unlink()
    (top / "instincts/c.md").write_bytes(instinct("c"))


EDITS: list[tuple[str, Setup, str, str]] = [
    ("edited", _edit, "edit: a", "a edited"),
    ("edited and staged", _edit_and_stage, "edit: a", "a edited"),
    ("deleted", lambda top: (top / "instincts/a.md").unlink(), "edit: a", "a deleted"),
    ("git rm", lambda top: git(top, "rm", "-q", "instincts/a.md"), "edit: a", "a deleted"),
    ("added", lambda top: (top / "instincts/c.md").write_bytes(instinct("c")), "edit: c", "c added"),
    ("several", _several, "edit: 3 instincts", "a edited,b deleted,c added"),
]


@pytest.mark.parametrize(("setup", "subject", "told"), [case[1:] for case in EDITS], ids=[case[0] for case in EDITS])
def test_an_edit_is_committed_first_and_as_theirs(store: Store, setup: Setup, subject: str, told: str) -> None:
    setup(store.path)
    before = {file.name: file.read_bytes() for file in (store.path / "instincts").iterdir()}
    written = write(store, "run")
    assert subjects(store)[:2] == ["observe: 1 new", subject]
    form = "--format=%an%x00%cn%x00%(trailers:key=Instinct,valueonly,separator=%x2C)"
    assert git(store.path, "log", "-1", form, *written.edits) == f"Ann\0Ann\0{told}"
    after = {file.name: file.read_bytes() for file in (store.path / "instincts").iterdir()}
    assert after == before | {"run.md": instinct("run")}
    assert_sound(store)


def test_edits_are_committed_even_if_there_is_nothing_else_to_do(store: Store) -> None:
    _edit(store.path)
    written = commit(store, lambda _: None, NOW, vet=_judge)
    assert (written.commit, len(written.edits)) == (None, 1)
    assert_sound(store)


def test_a_plan_sees_the_edit(store: Store) -> None:
    _edit(store.path)
    seen = []
    commit(store, lambda tree: seen.append(tree.read("instincts/a.md")), NOW, vet=_judge)
    assert seen == [instinct("a", "By hand.")]


def _link(top: Path) -> None:
    (top / "instincts/a.md").unlink()
    (top / "instincts/a.md").symlink_to("/etc/passwd")


def _pipe(top: Path) -> None:
    (top / "instincts/a.md").unlink()
    os.mkfifo(top / "instincts/a.md")


def _stage_in_part(top: Path) -> None:
    _edit_and_stage(top)
    _edit(top, instinct("a", "By hand, again."))


def _stage_and_take_back(top: Path) -> None:
    _edit_and_stage(top)
    _edit(top, instinct("a"))


def _folder_is_a_link(top: Path) -> None:
    (top / "instincts").rename(top.parent / "away")
    (top / "instincts").symlink_to(top.parent / "away")


HELD: list[tuple[str, Setup, str]] = [
    ("unreadable", lambda top: _edit(top, b"---\nid: a\nconfidence: high\n---\n"), "confidence"),
    ("not its id", lambda top: _edit(top, instinct("other")), "id"),
    ("a secret", lambda top: _edit(top, instinct("a", "Use hunter2.")), "secret"),
    ("a link", _link, "plain file"),
    ("a pipe", _pipe, "plain file"),
    ("too large", lambda top: _edit(top, b"x" * 70_000), "65,536"),
    ("executable", lambda top: (top / "instincts/a.md").chmod(0o755), "100644"),
    ("staged in part", _stage_in_part, "in part"),
    ("staged and taken back", _stage_and_take_back, "in part"),
    ("only unstaged", lambda top: git(top, "rm", "-q", "--cached", "instincts/a.md"), "in part"),
    ("no id", lambda top: (top / "instincts/A b.md").write_text("x"), "no instinct"),
    ("readme", lambda top: (top / "README.md").write_text("mine\n"), "no instinct"),
    ("staged readme", lambda top: (top / "README.md").write_text("mine\n") and git(top, "add", "-A"), "no instinct"),
    ("a file of their own", lambda top: (top / "notes.txt").write_text("mine\n"), "no instinct"),
]


@pytest.mark.parametrize(("setup", "reason"), [case[1:] for case in HELD], ids=[case[0] for case in HELD])
def test_what_cannot_be_committed_is_held_and_stays_as_it_is(store: Store, setup: Setup, reason: str) -> None:
    setup(store.path)
    status, files = git(store.path, "status", "--porcelain"), snapshot(store.path / "instincts")
    written = write(store, "run")
    assert [reason in held.reason for held in written.held] == [True]
    assert subjects(store)[0] == "observe: 1 new"
    assert git(store.path, "status", "--porcelain") == status
    assert {path: snapshot(store.path / "instincts")[path] for path in files} == files


def _folder(top: Path) -> None:
    (top / "instincts/a.md").unlink()
    (top / "instincts/a.md").mkdir()
    (top / "instincts/a.md/mine").write_text("x")


@pytest.mark.parametrize("setup", [_folder, _pipe, _link])
def test_what_lies_in_the_place_of_a_file_is_no_deletion_of_it(store: Store, setup: Setup) -> None:
    setup(store.path)
    with pytest.raises(Waiting, match=r"a\.md waits for you.*not a plain file"):
        write(store, "a", action="New.")
    assert newest(store).read("instincts/a.md") == instinct("a")


def _ignore(top: Path) -> None:
    (top / ".git/info/exclude").write_text("instincts/\n")
    (top / "instincts/new.md").write_text("half ty")


def _assume(top: Path) -> None:
    git(top, "update-index", "--assume-unchanged", "instincts/a.md")
    _edit(top, b"half ty")


@pytest.mark.parametrize(("setup", "name"), [(_ignore, "new"), (_assume, "a")])
def test_an_edit_that_git_does_not_tell_of_is_not_written_over(store: Store, setup: Setup, name: str) -> None:
    setup(store.path)
    before = git(store.path, "rev-parse", "main")
    with pytest.raises(Waiting, match=f"{name}.md waits for you"):
        write(store, name, action="New.")
    assert git(store.path, "rev-parse", "main") == before
    assert (store.path / f"instincts/{name}.md").read_text() == "half ty"


def test_a_link_in_place_of_the_folder_is_not_written_through(store: Store) -> None:
    _folder_is_a_link(store.path)
    before = snapshot(store.path.parent / "away")
    with pytest.raises(Waiting):
        write(store, "a", action="New.")
    assert snapshot(store.path.parent / "away") == before


def test_a_run_and_a_held_edit_of_the_same_file_are_merged_where_lines_differ(store: Store) -> None:
    _edit(store.path, instinct("a").replace(b"domain: testing", b"domain: [testing"))
    written = write(store, "a", action="Run all tests.")
    assert [held.path for held in written.held] == ["instincts/a.md"]
    wanted = instinct("a", "Run all tests.")
    assert newest(store).read("instincts/a.md") == wanted
    assert (store.path / "instincts/a.md").read_bytes() == wanted.replace(b"domain: testing", b"domain: [testing")
    assert git(store.path, "status", "--porcelain") == " M instincts/a.md"
    (store.path / "instincts/a.md").write_bytes(wanted.replace(b"domain: testing", b"domain: git"))
    write(store)
    assert b"Run all tests." in (newest(store).read("instincts/a.md") or b"")
    assert_sound(store)


@pytest.mark.parametrize("setup", [_stage_in_part, lambda top: _edit(top, instinct("a", "Mine [[.") + b"<<<<<<< \n")])
def test_a_run_waits_where_it_would_change_the_same_lines(store: Store, setup: Setup) -> None:
    setup(store.path)
    before = snapshot(store.path)
    with pytest.raises(Waiting, match=r"instincts/a\.md waits for you"):
        write(store, "a", action="Other.")
    after = snapshot(store.path)
    assert {path for path in before if not path.startswith(".git/objects") and before[path] != after[path]} == set()
