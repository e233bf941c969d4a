"""A store that plain git changes behind our back: what is injected is always what `main` holds now."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from gitinstinct import paths
from gitinstinct.inject import state
from gitinstinct.store.store import Store
from tests.inject.support import PROJECT, consent, got, made, put, send
from tests.support.repos import commit_all, git


def key() -> str:
    return state.of(PROJECT, os.environ)


def test_whatever_plain_git_does_is_seen_at_once(folder: Path, store: Store) -> None:
    put(store, made("a", 90))
    assert got(send(folder)) == ["a"]
    consent(made("b", 80))
    commit_all(store.path, {"instincts/b.md": made("b", 80)})
    assert got(send(folder, session_id="s-2")) == ["a", "b"]
    git(store.path, "reset", "-q", "--hard", "HEAD~1")
    assert got(send(folder, session_id="s-3")) == ["a"]
    git(store.path, "checkout", "-q", "-b", "elsewhere")  # a session gets what main holds, wherever HEAD is
    consent(made("c", 85))
    commit_all(store.path, {"instincts/c.md": made("c", 85)})
    assert got(send(folder, session_id="s-4")) == ["a"]
    git(store.path, "branch", "-f", "main", "elsewhere")
    assert got(send(folder, session_id="s-5")) == ["a", "c"]


def test_what_is_not_committed_reaches_nobody(folder: Path, store: Store) -> None:
    put(store, made("a", 90))
    (store.path / "instincts" / "a.md").write_bytes(made("a", 90, "Something else."))
    (store.path / "instincts" / "new.md").write_bytes(made("new", 90))
    consent(made("new", 90), made("a", 90, "Something else."))
    answer = send(folder)
    assert got(answer) == ["a"]
    assert "Something else" not in answer


def test_packing_changes_nothing_and_costs_nothing(folder: Path, store: Store) -> None:
    put(store, made("a", 90))
    before = key()
    git(store.path, "pack-refs", "--all")
    git(store.path, "gc", "-q")
    assert not (store.path / ".git" / "refs" / "heads" / "main").exists()
    assert key() == before
    commit_all(store.path, {"instincts/a.md": made("a", 80)})  # a loose ref beats a packed one
    assert key() != before


def test_a_symbolic_main_is_followed_and_a_circle_is_not(folder: Path, store: Store) -> None:
    put(store, made("a", 90))
    before, head = key(), state.head(str(store.path))
    git(store.path, "update-ref", "refs/heads/real", head)
    git(store.path, "symbolic-ref", "refs/heads/main", "refs/heads/real")
    assert key() == before
    git(store.path, "symbolic-ref", "refs/heads/real", "refs/heads/main")
    assert state.head(str(store.path)) == ""
    (store.path / ".git" / "refs" / "heads" / "main").write_text("ref: ../../../outside\n")
    assert state.head(str(store.path)) == ""


def test_a_reftable_is_told_by_the_list_of_its_tables(folder: Path, store: Store) -> None:
    (store.path / ".git" / "refs" / "heads" / "main").write_text("this repository uses the reftable format\n")
    tables = store.path / ".git" / "reftable" / "tables.list"
    tables.parent.mkdir()
    tables.write_text("0x000000000001-0x000000000002-aaaa.ref\n")
    before = state.head(str(store.path))
    assert before.startswith("reftable ")
    tables.write_text("0x000000000001-0x000000000003-bbbb.ref\n")
    assert state.head(str(store.path)) != before


def test_a_clone_that_is_copied_over_the_store(folder: Path, store: Store, tmp_path: Path) -> None:
    put(store, made("a", 90))
    assert got(send(folder)) == ["a"]
    git(tmp_path, "clone", "-q", str(store.path), "copy")
    consent(made("b", 80))
    commit_all(tmp_path / "copy", {"instincts/b.md": made("b", 80)})
    shutil.rmtree(store.path)
    shutil.copytree(tmp_path / "copy", store.path)
    assert got(send(folder, session_id="s-2")) == ["a", "b"]


def test_a_file_under_a_wrong_name_is_used_once_it_has_its_own(folder: Path, store: Store) -> None:
    commit_all(store.path, {"instincts/wrong.md": made("right", 90)})
    consent(made("right", 90))
    assert got(send(folder)) == []
    git(store.path, "mv", "instincts/wrong.md", "instincts/right.md")
    git(store.path, "commit", "-q", "-m", "rename")
    assert got(send(folder, session_id="s-2")) == ["right"]
    commit_all(store.path, {"instincts/double.md": made("right", 90)})
    assert got(send(folder, session_id="s-3")) == ["right"]


def test_one_without_a_ledger_counts_from_its_commit(folder: Path, store: Store) -> None:
    plain = b"---\nid: plain\ntrigger: when plain\nconfidence: 0.8\n---\n\n# Plain\n\n## Action\nDo it.\n"
    commit_all(store.path, {"instincts/plain.md": plain})
    consent(plain)
    assert got(send(folder)) == ["plain"]
    assert got(send(folder, session_id="s-2")) == ["plain"]  # from the index


def test_a_store_that_goes_or_breaks_gives_nothing(folder: Path, store: Store) -> None:
    put(store, made("a", 90))
    assert got(send(folder)) == ["a"]
    (store.path / ".git" / "refs" / "heads" / "main").write_text("0" * 40 + "\n")
    assert send(folder, session_id="s-2") == ""
    shutil.rmtree(store.path)
    assert send(folder, session_id="s-3") == ""


def test_a_store_of_a_newer_format_gives_nothing(folder: Path, store: Store) -> None:
    put(store, made("a", 90))
    about = (store.path / "store.yaml").read_text().replace("format: 1", "format: 99")
    commit_all(store.path, {"store.yaml": about})
    assert send(folder) == ""


@pytest.mark.parametrize("change", ["day", "settings", "consent", "verdicts", "environment"])
def test_what_else_it_depends_on(folder: Path, store: Store, change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    put(store, made("a", 90))
    before = key()
    if change == "day":
        monkeypatch.setenv("GITINSTINCT_NOW", "2026-11-30T00:00:00Z")
    elif change == "environment":
        monkeypatch.setenv("GITINSTINCT_INJECT_MOST", "3")
    else:
        places = {"settings": paths.config_file(), "consent": paths.trust(), "verdicts": paths.measure("verdicts.json")}
        place = Path(places[change])
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes((place.read_bytes() if place.exists() else b"") + b"\n")
    assert key() != before


def test_a_week_without_news_takes_it_below_the_threshold(folder: Path, store: Store) -> None:
    put(store, made("a", 71, source="session-observation"))
    assert got(send(folder)) == ["a"]
    assert got(send(folder, session_id="s-2", env={"GITINSTINCT_NOW": "2026-12-06T10:00:00Z"})) == []
