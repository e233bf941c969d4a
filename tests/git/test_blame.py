from __future__ import annotations

from pathlib import Path

import pytest

from gitinstinct.git.blame import lines
from gitinstinct.git.run import GitError
from tests.support.repos import commit_all, git, repository


def test_each_line_is_told_with_its_commit(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r")
    assert repo.work_tree is not None
    first = commit_all(repo.work_tree, {"a": b"one\n\ttab\r\nsame\n"})
    second = commit_all(repo.work_tree, {"a": b"one\n\ttab\r\n\xff\nsame"})
    assert [(line.commit, line.content) for line in lines(repo, "a", second)] == [
        (first, b"one"), (first, b"\ttab\r"), (second, b"\xff"), (second, b"same"),
    ]  # fmt: skip
    assert [line.commit for line in lines(repo, "a", first)] == [first] * 3


def test_a_file_that_looks_alike_is_another_file(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r")
    assert repo.work_tree is not None
    text = b"".join(b"line %d\n" % number for number in range(20))
    commit_all(repo.work_tree, {"old": text})
    (repo.work_tree / "old").unlink()
    renamed = commit_all(repo.work_tree, {"new": text})
    assert {line.commit for line in lines(repo, "new", renamed)} == {renamed}


def test_the_repositorys_settings_have_no_say(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r")
    assert repo.work_tree is not None
    commit_all(repo.work_tree, {"a": b"one\n", ".gitattributes": "* diff=loud\n"})
    second = commit_all(repo.work_tree, {"a": b"two\n", "ignored": ""})
    (repo.work_tree / "ignored").write_text(second + "\n")
    for key, value in {"diff.loud.textconv": "touch ran; cat", "blame.ignoreRevsFile": "ignored",
                       "blame.showEmail": "true", "blame.coloring": "repeatedLines"}.items():  # fmt: skip
        git(repo.work_tree, "config", key, value)
    assert [line.commit for line in lines(repo, "a", second)] == [second]
    assert not (repo.work_tree / "ran").exists()


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r")
    assert repo.work_tree is not None
    only = commit_all(repo.work_tree, {"a": b"one\n"})
    with pytest.raises(GitError):
        lines(repo, "b", only)
