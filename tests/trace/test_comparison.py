from __future__ import annotations

import os

import pytest

from gitinstinct import paths
from gitinstinct.git.repo import resolve
from gitinstinct.git.run import GitError
from gitinstinct.store.layout import About
from gitinstinct.trace.comparison import Comparison, Fault, Side, compare
from tests.support import files
from tests.support.life import Life, Lived, fresh
from tests.support.repos import git


def between(life: Life, old: str | None, new: str, name: str | None = None) -> Comparison:
    repo = life.store.repo
    return compare(Side("old", repo, resolve(repo, old) if old else None), Side("new", repo, resolve(repo, new)), name)


def changes(found: Comparison) -> list[tuple[str, str]]:
    return [(one.id, one.change) for one in found.differences]


def test_only_what_differs_is_told(lived: Lived) -> None:
    assert changes(between(lived, "main~1", "main")) == [("faded", "gone")]
    assert changes(between(lived, lived.made, "main~1")) == [("faded", "new"), ("use-rg", "changed")]
    assert changes(between(lived, lived.made, "main~1", "use-rg")) == [("use-rg", "changed")]
    assert changes(between(lived, "main", "main")) == []


def test_from_nothing_everything_is_new(lived: Lived) -> None:
    found = between(lived, None, "main")
    assert changes(found) == [("use-rg", "new")]
    assert found.others == (".gitattributes", "README.md", "store.yaml")


def test_what_cannot_be_read_is_named_by_side(lived: Lived) -> None:
    lived.put("2026-11-21", "use-rg", b"no frontmatter")
    path = lived.store.path / "instincts" / "link.md"
    path.symlink_to("use-rg.md")
    git(lived.store.path, "add", "-A")
    lived.commit("2026-11-22", "a link")
    found = between(lived, "main~3", "main")
    assert changes(found) == [("faded", "gone")]
    assert found.faults == (
        Fault("new", "instincts/link.md", "a symbolic link"),
        Fault("new", "instincts/use-rg.md", "line 1: no frontmatter: the first line is not ---"),
    )


def test_two_stores_are_compared_by_what_they_hold(lived: Lived) -> None:
    other = fresh(About("global", "", paths.GLOBAL))
    other.by_hand("2026-11-10", {"use-rg": lived.data("use-rg"), "prefer-rg": files.made()})
    sides = [Side(life.store.name, life.store.repo, resolve(life.store.repo, "main")) for life in (other, lived)]
    found = compare(sides[0], sides[1])
    assert changes(found) == [("prefer-rg", "gone")]
    assert found.others == ("store.yaml",)


def test_a_commit_that_is_not_there_is_an_error(lived: Lived) -> None:
    side = Side("x", lived.store.repo, "0" * 40)
    with pytest.raises(GitError):
        compare(side, side)


def test_plain_git_tells_the_same(lived: Lived) -> None:
    """Every line that the ledger gained or lost is a line of `git diff`."""
    found = between(lived, lived.made, "main").differences[0]
    shown = git(lived.store.path, "diff", "-U0", lived.made, "main", "--", "instincts/use-rg.md").split(os.linesep)
    assert {"+" + entry.render() for entry in found.added} == {line for line in shown if line.startswith("+- ")}
    assert f"-trigger: {found.words[0].old}" in shown
    assert f"+trigger: {found.words[0].new}" in shown
