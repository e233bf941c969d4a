from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from gitinstinct.git.repo import Repo
from gitinstinct.git.run import GitError
from gitinstinct.git.status import dirty
from tests.support.repos import commit_all, git, repository

Flags = tuple[bool, bool, bool]  # in HEAD, in the index, differs from it


def _rm_cached(top: Path) -> None:
    git(top, "rm", "-q", "--cached", "a")


def _staged(top: Path) -> None:
    (top / "a").write_text("2\n")
    git(top, "add", "a")


def _staged_in_part(top: Path) -> None:
    _staged(top)
    (top / "a").write_text("3\n")


def _new(top: Path) -> None:
    (top / "a").rename(top / "b")
    git(top, "reset", "-q", "--hard")
    (top / "a b\n").write_text("x\n")


CASES: list[tuple[str, Callable[[Path], object], dict[str, Flags]]] = [
    ("clean", lambda top: None, {}),
    ("edited", lambda top: (top / "a").write_text("2\n"), {"a": (True, True, True)}),
    ("deleted", lambda top: (top / "a").unlink(), {"a": (True, True, True)}),
    ("staged", _staged, {"a": (True, True, False)}),
    ("staged in part", _staged_in_part, {"a": (True, True, True)}),
    ("staged deletion", lambda top: git(top, "rm", "-q", "a"), {"a": (True, False, False)}),
    ("only the index lost it", _rm_cached, {"a": (True, False, True)}),
    ("untracked, odd name", _new, {"a b\n": (False, False, True), "b": (False, False, True)}),
]


@pytest.mark.parametrize(("setup", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_what_a_person_changed(tmp_path: Path, setup: Callable[[Path], object], expected: dict[str, Flags]) -> None:
    repo: Repo = repository(tmp_path / "r")
    commit_all(tmp_path / "r", {"a": "1\n"})
    setup(tmp_path / "r")
    found = {
        path: (entry.head is not None, entry.index is not None, entry.differs) for path, entry in dirty(repo).items()
    }
    assert found == expected


def test_links_and_undecided_paths_are_told(tmp_path: Path) -> None:
    top = tmp_path / "r"
    repo = repository(top)
    commit_all(top, {"a": "1\n", "b": "1\n"})
    git(top, "checkout", "-q", "-b", "side")
    commit_all(top, {"a": "2\n"})
    git(top, "checkout", "-q", "main")
    commit_all(top, {"a": "3\n"})
    git(top, "merge", "side", ok=False)
    (top / "b").unlink()
    (top / "b").symlink_to("/etc/passwd")
    found = dirty(repo)
    assert (found["a"].unmerged, found["b"].regular) == (True, False)


def test_a_persons_settings_hide_nothing(tmp_path: Path, home: Path) -> None:
    (home / "ignore").write_text("*.md\n")
    settings = f"[core]\n\texcludesFile = {home}/ignore\n[status]\n\tshowUntrackedFiles = no\n"
    settings += "[diff]\n\torderFile = /none\n"
    (home / ".gitconfig").write_text(settings)
    repo = repository(tmp_path / "r")
    with (tmp_path / "r" / ".git" / "config").open("a") as file:
        file.write(settings)
    (tmp_path / "r" / "x.md").write_text("x")
    assert list(dirty(repo)) == ["x.md"]


@pytest.mark.parametrize("content", [b"", b"DIRC", b"x" * 100])
def test_a_damaged_index_is_made_anew_by_the_hint(tmp_path: Path, content: bytes) -> None:
    top = tmp_path / "a b"
    repo = repository(top)
    commit_all(top, {"a": "1\n", "b": "1\n"})
    (top / "b").write_text("2\n")
    (top / ".git/index").write_bytes(content)
    with pytest.raises(GitError, match="index file") as caught:
        dirty(repo)
    subprocess.run(caught.value.hint.removeprefix("make it anew: "), shell=True, check=True)
    assert list(dirty(repo)) == ["b"]
