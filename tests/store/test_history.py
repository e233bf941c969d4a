from __future__ import annotations

import subprocess
from datetime import timedelta
from typing import Any

import pytest

from gitinstinct.git import run
from gitinstinct.git.identity import OBSERVER
from gitinstinct.git.trailers import Message
from gitinstinct.store import history
from gitinstinct.store.commit import Change, Written, write
from gitinstinct.store.history import log, versions
from gitinstinct.store.store import Store
from tests.support.repos import commit_all, git
from tests.support.stores import NOW, instinct, new_store, readable


@pytest.fixture
def store() -> Store:
    return new_store()


def _run(store: Store, verb: str, number: int, **files: bytes | None) -> Written:
    names = [name.replace("_", "-") for name in files]
    told = [*(("Instinct", f"{name} new 0.50") for name in names), ("Run", f"01{number}")]
    changed = {f"instincts/{name}.md": content for name, content in zip(names, files.values(), strict=True)}
    change = Change(changed, Message(f"{verb}: {number}", ["Run: forged"], told), OBSERVER)
    return write(store, lambda _: change, NOW + timedelta(days=number), vet=readable)


@pytest.fixture
def lived(store: Store) -> Store:
    """Three runs, then a person's plain commit whose text looks like ours."""
    _run(store, "observe", 1, a=instinct("a"), a_b=instinct("a-b"))
    _run(store, "learn", 2, a=instinct("a", "Other."))
    _run(store, "observe", 3, a_b=None)
    commit_all(store.path, {"instincts/a.md": instinct("a", "By hand.")}, "observe by hand\n\nRun: 011 not quite\n")
    return store


def test_the_log_tells_commits_with_their_trailers(lived: Store) -> None:
    newest, *_, first, init, genesis = log(lived.repo)
    assert (genesis.subject, init.verb, newest.verb) == ("genesis", "init", "")
    assert first.trailers == (("Instinct", "a new 0.50"), ("Instinct", "a-b new 0.50"), ("Run", "011"))
    assert first.values("run") == ("011",)
    assert (first.author, first.mail, first.date) == (OBSERVER.name, OBSERVER.mail, NOW + timedelta(days=1))
    assert first.parents == (init.commit,)


FILTERS: list[tuple[dict[str, Any], list[str]]] = [
    ({"instincts": ["a"]}, ["observe by hand", "learn: 2", "observe: 1"]),
    ({"instincts": ["a-b"]}, ["observe: 3", "observe: 1"]),
    ({"instincts": ["none"]}, []),
    ({"instincts": ["../*", "a-b"]}, ["observe: 3", "observe: 1"]),
    ({"verb": "observe"}, ["observe: 3", "observe: 1"]),
    ({"verb": "observe", "limit": 1}, ["observe: 3"]),
    ({"limit": 2}, ["observe by hand", "observe: 3"]),
    ({"run": "011"}, ["observe: 1"]),
    ({"run": "forged"}, []),
    ({"run": ".*"}, []),
    ({"since": NOW + timedelta(days=2), "verb": "learn"}, ["learn: 2"]),
    ({"since": NOW + timedelta(days=3), "verb": "learn"}, []),
    ({"revision": "main~2", "limit": 1}, ["learn: 2"]),
]


@pytest.mark.parametrize(("filters", "expected"), FILTERS)
def test_the_log_can_be_narrowed(lived: Store, filters: dict[str, Any], expected: list[str]) -> None:
    assert [entry.subject for entry in log(lived.repo, **filters)] == expected


def test_a_persons_settings_do_not_change_the_log(lived: Store) -> None:
    before = log(lived.repo)
    for key, value in {"log.follow": "true", "log.date": "raw", "format.pretty": "x", "log.decorate": "full",
                       "i18n.logOutputEncoding": "latin1", "color.ui": "always"}.items():  # fmt: skip
        git(lived.path, "config", key, value)
    commit_all(lived.path, {".mailmap": f"Eve <eve@x> {OBSERVER.name} <{OBSERVER.mail}>\n"})
    assert log(lived.repo)[1:] == before


def test_every_version_of_a_file_merges_included(lived: Store) -> None:
    git(lived.path, "checkout", "-q", "-b", "side", "main~1")
    commit_all(lived.path, {"instincts/a.md": instinct("a", "On a side.")}, "side")
    git(lived.path, "checkout", "-q", "main")
    git(lived.path, "merge", "-q", "side", "-m", "both", ok=False)
    merge = commit_all(lived.path, {"instincts/a.md": instinct("a", "Both.")}, "both")
    found = versions(lived.repo, "instincts/a.md")
    assert (found[0].commit, len(found)) == (merge, 5)
    assert found[0].blob == git(lived.path, "rev-parse", "main:instincts/a.md")
    assert [version.blob is None for version in versions(lived.repo, "instincts/a-b.md")] == [True, False]
    assert versions(lived.repo, "instincts/none.md") == []


def test_a_persons_settings_hide_no_version(lived: Store) -> None:
    git(lived.path, "config", "log.showRoot", "false")
    git(lived.path, "config", "log.diffMerges", "off")
    git(lived.path, "checkout", "-q", "--orphan", "root")
    commit_all(lived.path, {"instincts/a.md": instinct("a")}, "a root with a file")
    assert len(versions(lived.repo, "instincts/a.md", "root")) == 1
    git(lived.path, "checkout", "-q", "main")
    git(lived.path, "merge", "-q", "--allow-unrelated-histories", "root", "-m", "both", ok=False)
    merge = commit_all(lived.path, {"instincts/a.md": instinct("a", "Both.")}, "both")
    assert versions(lived.repo, "instincts/a.md")[0].commit == merge


def test_what_some_commits_say_is_one_question(lived: Store) -> None:
    newest, run, *_ = log(lived.repo)
    assert history.told(lived.repo, [run.commit, newest.commit, run.commit]) == {
        entry.commit: entry for entry in (newest, run)
    }
    assert history.told(lived.repo, []) == {}


def test_housekeeping_runs_aside_and_makes_the_index_of_paths(lived: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(run, "start_detached", lambda argv, cwd: started.append(list(argv)))
    before = log(lived.repo, ["a"])
    history.keep_up(lived.repo)
    for argv in started:
        subprocess.run(["git", *argv], cwd=lived.path, check=True, capture_output=True)
    graph = lived.path / ".git/objects/info/commit-graphs"
    assert b"BDAT" in next(graph.glob("*.graph")).read_bytes()
    assert log(lived.repo, ["a"]) == before


def test_housekeeping_that_cannot_start_harms_nobody(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/none")
    history.keep_up(store.repo)


@pytest.mark.parametrize("date", ["", " 99999999999999 +0000", " -1 +0000", " x +0000"])
def test_a_date_that_no_calendar_holds_hides_no_commit(store: Store, date: str) -> None:
    tip = git(store.path, "rev-parse", "main")
    tree = git(store.path, "rev-parse", "main^{tree}")
    lines = [f"tree {tree}", f"parent {tip}", f"author x <x@y>{date}", f"committer x <x@y>{date}", "", "odd\n"]
    odd = git(
        store.path, "hash-object", "-t", "commit", "-w", "--stdin", "--literally", stdin="\n".join(lines).encode()
    )
    git(store.path, "reset", "-q", "--hard", odd)
    assert [(entry.subject, entry.date.year) for entry in log(store.repo, limit=1)] == [("odd", 1970)]
    _run(store, "observe", 1, a=instinct("a"))
    assert log(store.repo)[0].subject == "observe: 1"
