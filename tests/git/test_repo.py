from __future__ import annotations

from pathlib import Path

import pytest

from gitinstinct.git import blobs as contents
from gitinstinct.git.blobs import Unreadable, blob_id, blobs, merge_text
from gitinstinct.git.repo import (
    Repo,
    config,
    diff_tree,
    head_branch,
    ls_tree,
    merge_bases,
    refs,
    resolve,
)
from tests.support.repos import commit_all, corrupt, git, raw_commit, repository


def test_refs_and_revisions(repo: Repo, folder: Path) -> None:
    first = commit_all(folder, {"a": "1\n"})
    second = commit_all(folder, {"a": "2\n"})
    git(folder, "branch", "side", first)
    found = refs(repo, "refs/heads/main", "refs/heads/side", "refs/heads/none")
    assert {name: (ref.oid, ref.is_head) for name, ref in found.items()} == {
        "refs/heads/main": (second, True),
        "refs/heads/side": (first, False),
    }
    assert resolve(repo, "main~1") == first
    assert [resolve(repo, name) for name in ("none", "--output=x", "", "main:a", "-d")] == [None] * 5
    assert merge_bases(repo, first, second) == [first]
    git(folder, "checkout", "-q", "--detach")
    assert head_branch(repo) is None


def test_trees_hold_names_that_no_text_tool_survives(repo: Repo) -> None:
    blob = repo.ask("hash-object", "-w", "--stdin", stdin=b"x")
    names = [b"-dash", b"a\nM\tb.md", b"esc\x1b[31m", b"latin\xe9"]
    commit = raw_commit(repo, [("100644", name, blob) for name in names])
    assert [entry.path.encode("utf-8", "surrogateescape") for entry in ls_tree(repo, commit)] == names


def test_a_difference_names_both_sides_and_no_renames(repo: Repo, folder: Path) -> None:
    old = commit_all(folder, {"a.md": "same text\n" * 20, "b.md": "x\n"})
    git(folder, "mv", "a.md", "c.md")
    new = commit_all(folder, {"b.md": "y\n"})
    changes = {change.path: (change.old_mode, change.new_mode) for change in diff_tree(repo, old, new)}
    assert changes == {
        "a.md": ("100644", "000000"),
        "b.md": ("100644", "100644"),
        "c.md": ("000000", "100644"),
    }


def test_config_of_the_repository(repo: Repo, folder: Path) -> None:
    git(folder, "config", "a.b", "x\ny")
    assert (config(repo, "a.b"), config(repo, "a.none")) == ("x\ny", None)


def test_replaced_and_grafted_history_is_not_believed(repo: Repo, folder: Path) -> None:
    first, second = commit_all(folder, {"a": "1\n"}), commit_all(folder, {"a": "2\n"})
    git(folder, "replace", git(folder, "rev-parse", "main:a"), git(folder, "rev-parse", "main~1:a"))
    (repo.git_dir / "info").mkdir(exist_ok=True)
    (repo.git_dir / "info" / "grafts").write_text(f"{second}\n")
    assert git(folder, "rev-list", "--count", "main") == "1"
    assert merge_bases(repo, first, second) == [first]
    assert blobs(repo, ["main:a"], 10) == {"main:a": b"2\n"}


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_blob_ids_are_gits(tmp_path: Path, object_format: str) -> None:
    repo = repository(tmp_path / "r", object_format=object_format)
    for data in (b"", b"one\n", b"\0\xff"):
        oid = repo.ask("hash-object", "-w", "--stdin", stdin=data)
        assert blob_id(data, oid) == oid
        assert blobs(repo, [oid], 10) == {oid: data}


def _five(repo: Repo) -> list[str]:
    return [repo.ask("hash-object", "-w", "--stdin", stdin=b"content %d\n" % number * 50) for number in range(5)]


@pytest.mark.parametrize("spoiled", [b"", b"garbage", None, b"half"])
def test_one_bad_object_does_not_hide_the_others(repo: Repo, spoiled: bytes | None) -> None:
    oids = _five(repo)
    if spoiled == b"half":  # a sound header with the content cut off: git itself stops there
        file = repo.git_dir / "objects" / oids[2][:2] / oids[2][2:]
        spoiled = file.read_bytes()[:-8]
    corrupt(repo, oids[2], spoiled)
    found = blobs(repo, oids, 10_000)
    assert [oid for oid in oids if isinstance(found[oid], Unreadable)] == [oids[2]]


def test_names_that_are_no_blob(repo: Repo, folder: Path) -> None:
    commit = commit_all(folder, {"a": "1\n", "d/b": "2\n"})
    names = [f"{commit}:a", f"{commit}:d", f"{commit}:none", "f" * 40]
    found = blobs(repo, names, 100)
    assert found[names[0]] == b"1\n"
    assert all(isinstance(found[name], Unreadable) for name in names[1:])


@pytest.mark.parametrize("at_once", [256_000_000, 1_500])
def test_a_large_blob_is_named_with_its_size_and_the_rest_is_read(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(contents, "_AT_ONCE", at_once)
    small = _five(repo)
    large = repo.ask("hash-object", "-w", "--stdin", stdin=b"x" * 3_000)
    found = blobs(repo, [*small[:2], large, *small[2:], small[0]], 1_000)
    assert found.pop(large) == Unreadable("3,000 bytes; 1,000 is the most for one file")
    assert {len(data) for data in found.values() if isinstance(data, bytes)} == {500}


@pytest.mark.parametrize(
    ("ours", "theirs", "merged"),
    [(b"1\n2\n3\n4\n5\n", b"a\n2\n3\n4\n5\n", b"a\n2\n3\n4\n5\n"), (b"x\n2\n3\n4\n5\n", b"a\n2\n3\n4\n5\n", None)],
)
def test_merging_text(repo: Repo, ours: bytes, theirs: bytes, merged: bytes | None) -> None:
    assert merge_text(repo, ours, b"1\n2\n3\n4\n5\n", theirs) == merged
