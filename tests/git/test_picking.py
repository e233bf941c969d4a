"""Git's own cherry-pick in a work tree of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitinstinct.git import picking
from gitinstinct.git.picking import PREFIX, Picked
from gitinstinct.git.repo import Repo
from gitinstinct.git.run import GitError
from tests.support.repos import ANN, commit_all, git, repository, snapshot

TIME = 1_800_000_000


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """`main` with two files, `side` with further commits, HEAD on `main` with a change in the work tree."""
    made = repository(tmp_path / "repo")
    assert made.work_tree is not None
    commit_all(made.work_tree, {"a": "1\n", "b": "1\n"}, "begin")
    git(made.work_tree, "switch", "-q", "-c", "side")
    commit_all(made.work_tree, {"c": "1\n"}, "add c\n\nInstinct: c promoted 0.85")
    commit_all(made.work_tree, {"a": "2\n"}, "change a")
    git(made.work_tree, "switch", "-q", "main")
    (made.work_tree / "b").write_text("mine\n")
    return made


def pick(repo: Repo, folder: Path, *commits: str, onto: str = "main") -> Picked:
    ids = [repo.ask("rev-parse", one) for one in commits]
    return picking.pick(repo, folder, repo.ask("rev-parse", onto), ids, ANN, TIME, {}, {})


def test_commits_are_picked_without_touching_anybodys_files(repo: Repo, tmp_path: Path) -> None:
    assert repo.work_tree is not None
    before, refs = snapshot(repo.work_tree.parent / "repo" / ".git" / "refs"), git(repo.work_tree, "status", "--short")
    found = pick(repo, tmp_path, "side~1", "side")
    assert list(found.made) == [repo.ask("rev-parse", "side~1"), repo.ask("rev-parse", "side")]
    assert repo.ask("rev-parse", f"{found.tip}^{{tree}}") == repo.ask("rev-parse", "side^{tree}")
    assert repo.ask("log", "-1", "--format=%an %cn %ct", found.tip) == f"Ann Ann {TIME}"
    said = repo.ask("log", "-1", "--format=%B", f"{found.tip}~1")
    assert f"Instinct: c promoted 0.85\n(cherry picked from commit {repo.ask('rev-parse', 'side~1')})" in said
    assert snapshot(repo.work_tree.parent / "repo" / ".git" / "refs") == before
    assert git(repo.work_tree, "status", "--short") == refs == " M b"


def test_nothing_is_left_behind(repo: Repo, tmp_path: Path) -> None:
    pick(repo, tmp_path, "side")
    assert repo.ask("worktree", "list").count("\n") == 0
    assert not list(tmp_path.glob(f"{PREFIX}*"))
    assert not (repo.git_dir / "worktrees").exists()


def test_what_would_change_nothing_is_left_out_and_the_rest_goes_on(repo: Repo, tmp_path: Path) -> None:
    first = pick(repo, tmp_path, "side~1")
    again = pick(repo, tmp_path, "side~1", "side", onto=first.tip)
    assert list(again.made) == [repo.ask("rev-parse", "side")]
    assert pick(repo, tmp_path, "side~1", onto=first.tip) == Picked(first.tip, {})


def test_a_conflict_names_the_commit_and_the_files(repo: Repo, tmp_path: Path) -> None:
    assert repo.work_tree is not None
    git(repo.work_tree, "stash", "-q")
    commit_all(repo.work_tree, {"a": "3\n"}, "otherwise")
    found = pick(repo, tmp_path, "side~1", "side")
    assert (found.conflict, found.paths) == (repo.ask("rev-parse", "side"), ("a",))
    assert repo.ask("worktree", "list").count("\n") == 0


def test_a_file_that_is_gone_here_is_a_conflict_too(repo: Repo, tmp_path: Path) -> None:
    assert repo.work_tree is not None
    git(repo.work_tree, "rm", "-qf", "a")
    git(repo.work_tree, "commit", "-qm", "without a")
    assert pick(repo, tmp_path, "side").paths == ("a",)


def test_what_a_killed_process_left_is_taken_away_and_a_persons_work_tree_is_not(repo: Repo, tmp_path: Path) -> None:
    assert repo.work_tree is not None
    git(repo.work_tree, "worktree", "add", "-q", "--detach", str(tmp_path / f"{PREFIX}dead"), "main")
    git(repo.work_tree, "worktree", "add", "-q", "--detach", str(tmp_path / "mine"), "main")
    (repo.git_dir / "worktrees" / f"{PREFIX}dead" / "index.lock").touch()
    (repo.git_dir / "worktrees" / f"{PREFIX}half").mkdir()
    pick(repo, tmp_path, "side")
    assert [file.name for file in (repo.git_dir / "worktrees").iterdir()] == ["mine"]
    assert (tmp_path / "mine" / "a").exists()
    assert not (tmp_path / f"{PREFIX}dead").exists()


def test_what_is_no_commit_is_an_error_and_leaves_nothing(repo: Repo, tmp_path: Path) -> None:
    with pytest.raises(GitError):
        picking.pick(repo, tmp_path, repo.ask("rev-parse", "main"), ["0" * 40], ANN, TIME, {}, {})
    assert repo.ask("worktree", "list").count("\n") == 0


def test_a_driver_of_the_settings_merges(repo: Repo, tmp_path: Path) -> None:
    assert repo.work_tree is not None
    git(repo.work_tree, "stash", "-q")
    commit_all(repo.work_tree, {"a": "3\n"}, "otherwise")
    (repo.git_dir / "info").mkdir(exist_ok=True)
    (repo.git_dir / "info" / "attributes").write_text("a merge=ours-and-theirs\n")
    ids = [repo.ask("rev-parse", "side")]
    settings = {"merge.ours-and-theirs.driver": "cat %B >> %A"}
    found = picking.pick(repo, tmp_path, repo.ask("rev-parse", "main"), ids, ANN, TIME, {}, settings)
    assert repo.ask("show", f"{found.tip}:a") == "3\n2"


def test_refs_are_fetched_into_the_same_names(repo: Repo, tmp_path: Path) -> None:
    other = repository(tmp_path / "other")
    assert repo.work_tree is not None
    git(repo.work_tree, "update-ref", "refs/gitinstinct/promoted/x/y", "side")
    picking.fetch(other, repo, ["refs/gitinstinct/promoted/x/y"])
    assert other.ask("for-each-ref", "--format=%(refname) %(objectname)") == (
        f"refs/gitinstinct/promoted/x/y {repo.ask('rev-parse', 'side')}"
    )
    with pytest.raises(GitError):
        picking.fetch(other, repo, ["refs/gitinstinct/promoted/x/z"])
