"""`merge` and `merge-file`, as a person types them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gitinstinct.instinct import ids
from gitinstinct.store import driver
from gitinstinct.store.store import Store
from tests.support.program import Program, process
from tests.support.repos import commit_all, git
from tests.support.stores import PROJECT, new_store
from tests.support.versions import START, Act, done

PATH = ids.path_of("prefer-rg")
ONE = done(START, [Act("confirm", 1, "a"), Act("tags", 2, "a")])
OTHER = done(START, [Act("confirm", 1, "bb"), Act("domain", 0, "bb")])
APART = (done(START, [Act("trigger", 1, "a")]), done(START, [Act("trigger", 2, "bb")]))


@pytest.fixture
def store() -> Store:
    """A store with a branch `theirs` beside `main`; each has confirmed the instinct."""
    made = new_store()
    commit_all(made.path, {PATH: START})
    git(made.path, "checkout", "-q", "-b", "theirs")
    commit_all(made.path, {PATH: OTHER, ids.path_of("use-fd"): START.replace(b"prefer-rg", b"use-fd")})
    git(made.path, "checkout", "-q", "main")
    commit_all(made.path, {PATH: ONE})
    return made


def three(folder: Path, base: bytes, ours: bytes, theirs: bytes) -> list[str]:
    for name, data in (("base.md", base), ("ours.md", ours), ("theirs.md", theirs)):
        (folder / name).write_bytes(data)
    return [str(folder / name) for name in ("base.md", "ours.md", "theirs.md")]


def test_merge(program: Program, store: Store) -> None:
    done_ = program("merge", "theirs", "--project", PROJECT)
    assert done_.code == 0, done_.err
    assert "added     use-fd" in done_.out
    assert "merged    prefer-rg" in done_.out
    data = (store.path / PATH).read_bytes()
    assert data.count(b" confirmed 1:") == 2
    assert git(store.path, "log", "-1", "--format=%s%n%P").splitlines()[0] == "merge: theirs, 1 added, 1 merged"
    assert len(git(store.path, "log", "-1", "--format=%P").split()) == 2
    assert "Already up to date" in program("merge", "theirs", "--project", PROJECT).out


def test_merge_is_rehearsed(program: Program, store: Store) -> None:
    tip = git(store.path, "rev-parse", "main")
    told = program("merge", "theirs", "--project", PROJECT, "--dry-run", "--json").json
    assert (told["commit"], told["added"], told["merged"], told["conflicts"]) == (None, ["use-fd"], ["prefer-rg"], [])
    assert git(store.path, "rev-parse", "main") == tip


def test_a_conflict_is_committed_and_told(program: Program, store: Store) -> None:
    git(store.path, "checkout", "-q", "theirs")
    commit_all(store.path, {PATH: APART[1]})
    git(store.path, "checkout", "-q", "main")
    commit_all(store.path, {PATH: APART[0]})
    done_ = program("merge", "theirs", "--project", PROJECT)
    assert done_.code == 1
    assert "conflict  prefer-rg  trigger" in done_.out
    assert "gitinstinct resolve" in done_.out
    assert b"\nconflicts:\n  - field: trigger\n" in (store.path / PATH).read_bytes()
    assert git(store.path, "status", "--porcelain") == ""


@pytest.mark.parametrize(
    ("revision", "code", "said"),
    [
        ("nowhere", 1, "no commit is called nowhere"),
        ("--output=x", 2, "No such option"),
        ("HEAD:README.md", 1, "no commit is called"),
    ],
)
def test_what_cannot_be_merged_is_said(program: Program, store: Store, revision: str, code: int, said: str) -> None:
    done_ = program("merge", revision, "--project", PROJECT)
    assert done_.code == code
    assert said in done_.err
    assert "Traceback" not in done_.err


def test_another_projects_store_is_not_merged(program: Program, store: Store) -> None:
    git(store.path, "checkout", "-q", "theirs")
    about = (store.path / "store.yaml").read_text().replace(PROJECT, "0123456789ab")
    commit_all(store.path, {"store.yaml": about})
    git(store.path, "checkout", "-q", "main")
    done_ = program("merge", "theirs", "--project", PROJECT)
    assert done_.code == 1
    assert "0123456789ab" in done_.err


def test_merge_file(program: Program, tmp_path: Path) -> None:
    files = three(tmp_path, START, ONE, OTHER)
    done_ = program("merge-file", *files)
    assert done_.code == 0
    assert done_.out == f"{files[1]}  merged\n"
    assert Path(files[1]).read_bytes().count(b" confirmed 1:") == 2
    assert not [file for file in tmp_path.iterdir() if file.name.endswith(".draft")]


def test_merge_file_prints(tmp_path: Path) -> None:
    files = three(tmp_path, b"", *APART)
    done_ = process("merge-file", *files, "--stdout")
    assert done_.code == 1
    assert "conflicts:\n  - field: trigger\n" in done_.out
    assert Path(files[1]).read_bytes() == APART[0]
    told = json.loads(process("merge-file", *files, "--json").out)
    assert told["conflicts"] == ["trigger"]
    assert told["text"] == done_.out


@pytest.mark.parametrize(
    ("theirs", "more", "code", "said"),
    [
        (b"text", (), 3, "nothing was merged: their side cannot be read"),
        (START + b"x" * 70_000, (), 3, "larger than 65,536 bytes"),
        (OTHER, ("--path", "instincts/use-fd.md"), 3, "not the file's name"),
        (OTHER, ("--path", "README.md"), 2, "no path of an instinct"),
    ],
)
def test_merge_file_refuses(
    program: Program, tmp_path: Path, theirs: bytes, more: tuple[str, ...], code: int, said: str
) -> None:
    files = three(tmp_path, START, ONE, theirs)
    done_ = program("merge-file", *files, *more)
    assert done_.code == code
    assert said in done_.err
    assert Path(files[1]).read_bytes() == ONE


def test_merge_file_needs_three_files(program: Program, tmp_path: Path) -> None:
    files = three(tmp_path, START, ONE, OTHER)
    Path(files[2]).unlink()
    done_ = program("merge-file", *files)
    assert done_.code == 3
    assert "cannot be read" in done_.err


def test_the_driver_gives_the_same_bytes(program: Program, store: Store) -> None:
    """Plain `git merge`, which calls the driver for the one file that both sides changed."""
    git(store.path, "branch", "-q", "again")
    program("merge", "theirs", "--project", PROJECT)
    git(store.path, "checkout", "-q", "again")
    git(store.path, "merge", "-q", "-m", "plain", "theirs")
    assert git(store.path, "rev-parse", "again^{tree}") == git(store.path, "rev-parse", "main^{tree}")
    assert driver.command() == git(store.path, "config", "merge.instinct.driver")


def test_merge_file_keeps_the_mode(program: Program, tmp_path: Path) -> None:
    files = three(tmp_path, START, ONE, OTHER)
    Path(files[1]).chmod(0o600)
    assert program("merge-file", *files).code == 0
    assert Path(files[1]).stat().st_mode & 0o777 == 0o600
