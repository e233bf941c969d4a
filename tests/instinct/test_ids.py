"""Ids are made from words, the same on every machine."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitinstinct.instinct import domains, ids


def test_short_hashes_join_their_fields_by_nul() -> None:
    import hashlib

    assert ids.short_hash("a", "é") == hashlib.sha256("a\0é".encode()).hexdigest()[:8]
    assert ids.short_hash("ab", "c") != ids.short_hash("a", "bc")


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("Grep before Edit", "grep-before-edit"),
        ("Café — naïve", "cafe-naive"),
        ("用 pnpm", "pnpm"),
        ("日本語", ""),
        ("  ", ""),
    ],
)
def test_slug(text: str, slug: str) -> None:
    assert ids.slug(text) == slug


@given(st.text(), st.text(), st.text())
def test_every_text_gets_an_id(name: str, trigger: str, action: str) -> None:
    made = ids.instinct_id(name, trigger=trigger, action=action, domain="testing")
    assert ids.is_id(made)
    assert ids.is_id(ids.apart(made, trigger=trigger, action=action))
    assert made == ids.instinct_id(name, trigger=trigger, action=action, domain="testing")


def test_a_text_without_latin_letters_is_named_by_its_domain() -> None:
    made = ids.instinct_id("", trigger="テスト", action="実行", domain="testing")
    assert made.startswith("testing-")
    assert made != ids.instinct_id("", trigger="テスト", action="別", domain="testing")


def test_long_text_is_cut_at_a_word() -> None:
    assert ids.slug("word " * 30) == "-".join(["word"] * 11)


@pytest.mark.parametrize(
    ("word", "domain"),
    [
        ("Testing", "testing"),
        ("error_handling", "debugging"),
        ("file organization", "file-patterns"),
        ("openclaw", "openclaw"),
    ],
)
def test_domains_have_synonyms(word: str, domain: str) -> None:
    assert domains.canonical(word) == domain
