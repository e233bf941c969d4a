"""Clones of others: what is read of them, and that nothing is written, run or fetched."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitinstinct.errors import EnvironmentFault
from gitinstinct.git import clone
from gitinstinct.git.repo import ls_tree
from tests.support.mates import bare
from tests.support.repos import commit_all, git, repository, snapshot


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """A clone with two commits."""
    folder = tmp_path / "a clone \"of\" 'sorts', ü"
    repository(folder)
    commit_all(folder, {"sub/a": "1"})
    commit_all(folder, {"sub/a": "2"})
    return folder


def test_revisions_and_refs_are_the_clones_own(made: Path) -> None:
    git(made, "update-ref", "refs/x/a", "HEAD~1")
    git(made, "tag", "-a", "-m", "x", "v1")
    git(made, "checkout", "-q", "--detach", "HEAD~1")
    tip, first = git(made, "rev-parse", "main", "main~1").splitlines()
    for folder in (made, made / "sub"):
        with clone.opened(folder) as found:
            assert found is not None
            assert found.work_tree == made
            assert [found.resolve(name) for name in ("HEAD", "main", "v1", "nothing", "--all", "", "a\nb")] == [
                first, tip, tip, None, None, None, None,
            ]  # fmt: skip
            assert found.below("refs/x/") == {"refs/x/a": first}
            assert found.below("refs/y/") == {}
            assert [entry.path for entry in ls_tree(found.repo, tip, recursive=True)] == ["sub/a"]


def test_nothing_is_written_and_nothing_is_left(made: Path) -> None:
    before = snapshot(made)
    with clone.opened(made) as found:
        assert found is not None
        place = found.repo.git_dir
    assert snapshot(made) == before
    assert not place.exists()


def test_a_work_tree_of_another_clone_and_a_bare_one(made: Path, tmp_path: Path) -> None:
    git(made, "worktree", "add", "-q", str(tmp_path / "linked"), "-b", "side")
    hub = bare(tmp_path / "hub.git")
    git(made, "push", "-q", str(hub), "main")
    for folder, work_tree in ((tmp_path / "linked", tmp_path / "linked"), (hub, None)):
        with clone.opened(folder) as found:
            assert found is not None
            assert found.work_tree == work_tree
            tip = found.resolve("HEAD")
            assert tip == git(made, "rev-parse", "main")
            assert ls_tree(found.repo, tip)


def test_sha256(tmp_path: Path) -> None:
    repository(tmp_path / "long", object_format="sha256")
    tip = commit_all(tmp_path / "long", {"a": "1"})
    with clone.opened(tmp_path / "long") as found:
        assert found is not None
        assert ls_tree(found.repo, tip)[0].path == "a"


def test_where_there_is_none(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "gone"):
        with clone.opened(folder) as found:
            assert found is None


def test_half_a_clone_is_refused(made: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{made}", "shallow")
    with pytest.raises(EnvironmentFault, match="shallow") as caught, clone.opened(tmp_path / "shallow"):
        pass
    assert "fetch-depth: 0" in caught.value.hint
    git(made, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--filter=blob:none", "--no-checkout", f"file://{made}", "partial")
    with pytest.raises(EnvironmentFault, match="partial"), clone.opened(tmp_path / "partial"):
        pass


def test_a_forged_commit_graph_is_not_believed(made: Path) -> None:
    git(made, "commit-graph", "write", "--reachable")
    with clone.opened(made) as found:
        assert found is not None
        assert found.repo.ask("config", "core.commitGraph") == "false"
        assert found.repo.ask("rev-list", "--count", found.resolve("main") or "") == "2"
