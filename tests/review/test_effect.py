"""What measuring found of a case's words, or of those before."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitinstinct.instinct import markdown
from gitinstinct.instinct.shelf import Item
from gitinstinct.measure import texts, verdicts
from gitinstinct.review import effect
from gitinstinct.review.effect import Effect
from gitinstinct.review.origin import Origin
from gitinstinct.review.waiting import Case
from gitinstinct.store.store import Store
from tests.support import files
from tests.support.stores import new_store

OLD, NEW = files.made("a"), files.made("a", action="Use `fd`.")


@pytest.fixture
def store(home: Path) -> Store:
    return new_store()


def decided(data: bytes, verdict: str) -> dict[str, str]:
    said = texts.of(markdown.parse(data))
    return {"owner": "global", "instinct": "a", "text": said, "model": "m-1", "verdict": verdict, "held": "", "at": ""}


def case(store: Store) -> Case:
    return Case(store, Item("instincts/a.md", NEW, markdown.parse(NEW), ""), "waiting", origin=Origin(approved=OLD))


def test_nothing_is_known_of_most(store: Store) -> None:
    assert effect.of(case(store)) == ()


def test_the_words_themselves_come_first(store: Store) -> None:
    verdicts.save([decided(OLD, "HELPS"), decided(NEW, "HARMS")], {})
    assert effect.of(case(store)) == (Effect("HARMS", "m-1", False),)


def test_else_those_that_were_accepted_before(store: Store) -> None:
    verdicts.save([decided(OLD, "HELPS"), decided(files.made("b"), "HARMS")], {})
    assert effect.of(case(store)) == (Effect("HELPS", "m-1", True),)
