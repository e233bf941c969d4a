from __future__ import annotations

from pathlib import Path

import pytest

from gitinstinct.git import refs as moving
from gitinstinct.git.refs import Move, move
from gitinstinct.git.repo import Repo, refs
from gitinstinct.git.run import GitError
from tests.support.repos import ANN, commit_all, git

MAIN, RUNS, MARKER = "refs/heads/main", "refs/gitinstinct/runs", "refs/worktree/gitinstinct/checkout"


@pytest.fixture
def commits(repo: Repo, folder: Path) -> tuple[str, str]:
    return commit_all(folder, {"a": "1\n"}), commit_all(folder, {"a": "2\n"})


def test_all_refs_move_together(repo: Repo, folder: Path, commits: tuple[str, str]) -> None:
    old, new = commits
    assert move(repo, [Move(MARKER, None, new), Move(MAIN, new, old), Move(RUNS, None, old)], ANN, "back")
    assert {name: ref.oid for name, ref in refs(repo, "refs/").items()} == {MARKER: new, MAIN: old, RUNS: old}
    assert move(repo, [Move(MARKER, new, None)], ANN, "there")
    assert MARKER not in refs(repo, "refs/")
    assert git(folder, "reflog", "-1", "--format=%gn %gs", "main") == "Ann back"


@pytest.mark.parametrize("lost", [Move(MAIN, "OLD", "NEW"), Move(MAIN, None, "OLD"), Move(RUNS, "OLD", "NEW")])
def test_one_ref_that_has_moved_holds_all_back(repo: Repo, commits: tuple[str, str], lost: Move) -> None:
    names = {"OLD": commits[0], "NEW": commits[1], None: None}
    lost = Move(lost.name, names[lost.old], names[lost.new])
    before = refs(repo, "refs/")
    assert not move(repo, [Move(MARKER, None, commits[0]), lost], ANN, "x")
    assert refs(repo, "refs/") == before


def test_a_lock_that_stays_is_an_error(repo: Repo, commits: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moving, "_PATIENCE", ("-c", "core.filesRefLockTimeout=10"))
    (repo.git_dir / "refs" / "heads" / "main.lock").touch()
    with pytest.raises(GitError, match="cannot lock ref"):
        move(repo, [Move(MAIN, commits[1], commits[0])], ANN, "x")
