"""Whose words are trusted as they land: a person's edits and the local detector's templates, and nothing else."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from gitinstinct import paths
from gitinstinct.config import Config, Trust
from gitinstinct.instinct import markdown, words
from gitinstinct.instinct.shelf import Item
from gitinstinct.observer.local.detector import LocalDetector
from gitinstinct.observer.run import observe
from gitinstinct.review import kinds, waiting
from gitinstinct.review.waiting import Rules
from gitinstinct.store import commit, homes, library
from gitinstinct.store.store import Store
from gitinstinct.trust import book, giving
from tests.support import files
from tests.support.repos import git
from tests.support.stores import instinct, new_store, putting
from tests.support.work import PROJECT, captured, spool

NOW = datetime(2026, 11, 29, 10, tzinfo=UTC)


def trusted(store: Store) -> set[str]:
    found: dict[str, Item] = library.read(store).items
    decided = book.approved()
    return {name for name, item in found.items() if words.content_hash(item.instinct) in decided}


def test_what_the_local_detector_says_is_trusted() -> None:
    spool(captured(3))
    outcome = observe(PROJECT, NOW, Config(), skip_gates=True)
    store = homes.find(PROJECT)
    assert store is not None
    assert outcome.learned
    assert trusted(store) == {told.id for told in outcome.learned}


@pytest.mark.parametrize(("models", "number"), [(False, 0), (True, 1)])
def test_what_a_model_says_waits_unless_it_is_trusted_too(
    models: bool, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LocalDetector, "name", "anthropic/1")
    spool(captured(3))
    observe(PROJECT, NOW, Config(trust=Trust(models=models)), skip_gates=True)
    store = homes.find(PROJECT)
    assert store is not None
    assert bool(trusted(store)) == bool(number)


@pytest.mark.parametrize("models", [False, True])
def test_where_all_is_reviewed_nothing_that_is_proposed_is_trusted(models: bool) -> None:
    spool(captured(3))
    settings = Config(review="all", trust=Trust(models=models))
    assert observe(PROJECT, NOW, settings, skip_gates=True).learned
    store = homes.find(PROJECT)
    assert store is not None
    assert trusted(store) == set()
    decided = Rules(book.read())
    names = waiting.waiting(library.read(store).items.values(), NOW.date().isoformat(), decided)
    assert {case.kind for case in waiting.cases(store, names, decided)} == {kinds.PROPOSAL}


def test_a_list_that_cannot_be_written_stops_nobody() -> None:
    Path(paths.root("state")).mkdir(parents=True)
    (Path(paths.root("state")) / "trust").write_text("in the way")
    spool(captured(3))
    assert observe(PROJECT, NOW, Config(), skip_gates=True).commit


def edited(store: Store, name: str, data: bytes | None) -> None:
    """An edit by hand, committed by the next write."""
    path = store.path / "instincts" / f"{name}.md"
    path.unlink() if data is None else path.write_bytes(data)
    commit.write(store, lambda _: None, NOW)
    assert git(store.path, "status", "--porcelain") == ""


def test_a_persons_own_edits_are_trusted() -> None:
    store = new_store()
    commit.write(store, putting("alpha", "beta"), NOW)
    assert trusted(store) == set()
    edited(store, "alpha", instinct("alpha", "Run all tests."))
    edited(store, "gamma", files.made("gamma"))
    assert trusted(store) == {"alpha", "gamma"}
    edited(store, "gamma", None)
    edited(store, "beta", instinct("beta", sightings=5))  # evidence is no word
    assert trusted(store) == {"alpha"}


def test_what_was_rejected_stays_so_whoever_writes_it() -> None:
    store = new_store()
    commit.write(store, putting("alpha"), NOW)
    giving.reject([markdown.parse(files.made("gamma"))], "review", NOW)
    edited(store, "gamma", files.made("gamma"))
    assert trusted(store) == set()


@pytest.mark.parametrize("way", ["staged", "restored", "checked out"])
def test_what_git_knew_before_is_nobodys_edit(way: str) -> None:
    store = new_store()
    commit.write(store, putting("alpha"), NOW)
    git(store.path, "checkout", "-q", "-b", "theirs")
    (store.path / "instincts" / "alpha.md").write_bytes(instinct("alpha", "Do as they say."))
    git(store.path, "commit", "-q", "-am", "theirs")
    git(store.path, "checkout", "-q", "main")
    if way == "staged":
        git(store.path, "merge", "-q", "--squash", "theirs")
    elif way == "restored":
        git(store.path, "restore", "--source=theirs", "instincts/alpha.md")
    else:
        git(store.path, "checkout", "theirs", "--", "instincts/alpha.md")
    commit.write(store, lambda _: None, NOW)
    assert b"Do as they say." in library.read(store).items["alpha"].data
    assert trusted(store) == set()
