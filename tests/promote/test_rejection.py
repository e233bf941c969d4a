"""A promotion that was turned down: by what it says, and without a word on the instinct in its project."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from gitinstinct.instinct import markdown, words
from gitinstinct.promote import rejection
from gitinstinct.trust import book, giving, standing
from tests.support.promotions import made
from tests.support.stores import NOW

ONE = markdown.parse(made("a"))


def test_it_silences_nobody(home: Path) -> None:
    giving.approve([ONE], "learn", NOW)
    rejection.reject("a", rejection.key(ONE), NOW, "not for all")
    decided = book.read()
    assert rejection.is_rejected(ONE, decided)
    assert standing.held(ONE, decided, standing.REVIEW) is None


def test_one_letter_and_it_is_another(home: Path) -> None:
    rejection.reject("a", rejection.key(ONE), NOW)
    assert not rejection.is_rejected(markdown.parse(made("a", "Use `rg`!")), book.read())
    more = made("a").replace(b"observed 3", b"observed 9")
    assert rejection.is_rejected(markdown.parse(more), book.read())  # evidence says nothing new


def test_it_is_taken_back_by_name(home: Path) -> None:
    for action in ("Use `rg`.", "Use `fd`."):
        rejection.reject("a", rejection.key(markdown.parse(made("a", action))), NOW)
    rejection.reject("b", rejection.key(markdown.parse(made("b"))), NOW)
    assert rejection.revoke("a", NOW)
    assert not rejection.revoke("a", NOW)
    assert not rejection.is_rejected(ONE, book.read())
    assert rejection.is_rejected(markdown.parse(made("b")), book.read())
    assert book.corrupt() == 0


@settings(deadline=None)
@given(st.text("abc `", min_size=1, max_size=20), st.text("abc `", min_size=1, max_size=20))
def test_a_key_is_no_consents(one: str, other: str) -> None:
    first, second = (markdown.parse(made("a", f"Do {text.strip()}.")) for text in (one, other))
    assert rejection.key(first) != words.content_hash(second)
    assert (rejection.key(first) == rejection.key(second)) == (words.content_hash(first) == words.content_hash(second))
