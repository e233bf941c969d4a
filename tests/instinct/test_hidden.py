# ruff: noqa: RUF001 -- letters of other alphabets
"""Hidden signs: every class is found, honest writing is let through."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitinstinct.instinct import hidden

HONEST = [
    "plain, with\ttab",
    "Größe, œuvre, naïve: « bonjour\u202f! » e\u0301",
    "テスト　検索で使う",
    "عربي وفارسی می\u200cخواهم",
    "שלום\u200f abc",
    "हिन्दी क्\u200dष",
    "👩\u200d💻 👍🏽 ❤\ufe0f 1\ufe0f\u20e3 🇩🇪",
    "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "→ ≠ … – “quoted”",
    "葛\U000e0100城",
]
WRONG = {
    "a\U000e0041b": "tag",
    "a\ufe0fb": "selector",
    "a\U000e0101": "selector",
    "a\u200bb": "zero-width",
    "soft\u00adhyphen": "zero-width",
    "a\u034fb": "zero-width",
    "a\ufeffb": "zero-width",
    "a\u200db": "joiner",
    "a\u200cb": "joiner",
    "a\u202eb": "direction of writing",
    "a\u2066b": "direction of writing",
    "a\u200fb": "direction mark",
    "a\u3164b": "counts as a letter",
    "a\u2800b": "counts as a letter",
    "a\x1b[31m": "control",
    "a\x00b": "control",
    "a\x85b": "control",
    "a\u2028b": "line end",
    "a\ue000b": "private",
    "a\ud800b": "half",
    "a\uffffb": "no character",
    "a\ufff9b": "format",
    "a\u00a0b": "odd space",
    "a\u3000b": "odd space",
    "a\u0301\u0301\u0301\u0301\u0301": "heap of marks",
}


@pytest.mark.parametrize("text", HONEST)
def test_honest_writing_is_let_through(text: str) -> None:
    assert hidden.find(text) == []
    assert hidden.without_harmless(text) == text


@pytest.mark.parametrize(("text", "what"), WRONG.items(), ids=lambda value: ascii(value)[:20])
def test_every_class_is_found_and_named(text: str, what: str) -> None:
    found = hidden.find(text)
    assert len(found) == 1
    assert text[found[0].place] == found[0].sign
    assert what in str(found[0])
    assert f"U+{ord(found[0].sign):04X}" in str(found[0])
    assert ascii(str(found[0])) == repr(str(found[0])), "nothing hidden gets into the message"


def test_only_lone_zero_width_signs_and_odd_spaces_may_go() -> None:
    assert hidden.without_harmless("a\u200bb\u00a0c") == "ab c"
    for kept in ("a\u200b\u200bb", "a\u202eb", "a\u200d\u200bb", "x\U000e0041"):
        assert hidden.without_harmless(kept) == kept


def test_what_tags_spell_out_is_told() -> None:
    assert hidden.smuggled("a" + "".join(chr(0xE0000 + ord(sign)) for sign in "obey me")) == "obey me"


def test_words_of_two_alphabets() -> None:
    assert list(hidden.mixed_words("install pаndas, привет мир, αβγ, Δx, µs, gοοgle")) == ["pаndas", "gοοgle"]


_SIGNS = st.text(st.sampled_from([*"ab ,«", "न", "字", *(t[1] for t in WRONG)]), max_size=12)


@given(st.text() | _SIGNS)
def test_mending_leaves_nothing_that_could_be_mended(text: str) -> None:
    line = text.replace("\n", "").replace("\r", "")
    once = hidden.without_harmless(line)
    assert hidden.without_harmless(once) == once
