from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from gitinstinct.git.run import Overflow
from gitinstinct.store import tree
from tests.support.repos import commit_all, corrupt, git, raw_commit
from tests.support.stores import instinct, new_store, newest


def test_reading_is_two_processes_however_many_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    made = new_store()
    files = {f"instincts/i{number}.md": instinct(f"i{number}") for number in range(50)}
    commit = commit_all(made.path, files)
    started = []
    real = subprocess.Popen

    def counted(*args: Any, **more: Any) -> subprocess.Popen[bytes]:
        started.append(args)
        return real(*args, **more)

    monkeypatch.setattr(subprocess, "Popen", counted)
    found, refused = tree.read(made.repo, commit).instincts()
    assert found == {f"i{number}": files[f"instincts/i{number}.md"] for number in range(50)}
    assert list(found) == sorted(found)
    assert (refused, len(started)) == ([], 2)


def test_foreign_trees_are_refused_entry_by_entry() -> None:
    made = new_store()
    top = newest(made)
    link = made.repo.ask("hash-object", "-w", "--stdin", stdin=b"/etc/passwd")
    good = made.repo.ask("hash-object", "-w", "--stdin", stdin=instinct("good"))
    large = made.repo.ask("hash-object", "-w", "--stdin", stdin=b"x" * 65_537)
    inner = raw_commit(
        made.repo,
        [
            ("100644", b"-x.md", good),
            ("100644", b"A.md", good),
            ("100644", b"a\nb.md", good),
            ("100755", b"exec.md", good),
            ("100644", b"good.md", good),
            ("100644", b"large.md", large),
            ("120000", b"link.md", link),
            ("160000", b"sub.md", top.commit),
        ],
    )
    folder = git(made.path, "rev-parse", f"{inner}^{{tree}}")
    whole = raw_commit(made.repo, [("100644", b".gitmodules", good), ("40000", b"instincts", folder)])
    found, refused = tree.read(made.repo, whole).instincts()
    assert found == {"good": instinct("good")}
    assert {refusal.path: refusal.reason for refusal in refused}.keys() == {
        ".gitmodules",
        *(f"instincts/{name}.md" for name in ("-x", "A", "a\nb", "exec", "large", "link", "sub")),
    }
    assert ["65,537" in refusal.reason for refusal in refused if "large" in refusal.path] == [True]


def test_a_damaged_file_is_named_and_the_rest_is_read() -> None:
    made = new_store()
    commit_all(made.path, {"instincts/a.md": instinct("a"), "instincts/b.md": instinct("b")})
    corrupt(made.repo, newest(made).files["instincts/a.md"])
    found, refused = newest(made).instincts()
    assert (list(found), [refusal.path for refusal in refused]) == (["b"], ["instincts/a.md"])
    assert newest(made).read("instincts/a.md") is None


def test_a_tree_without_end_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    made = new_store()
    level = made.repo.ask("hash-object", "-w", "--stdin", stdin=b"x")
    commit, mode = "", "100644"
    for _ in range(9):
        commit = raw_commit(made.repo, [(mode, b"%d" % number, level) for number in range(10)])
        level, mode = git(made.path, "rev-parse", f"{commit}^{{tree}}"), "40000"
    with pytest.raises(Overflow):
        tree.read(made.repo, commit)
