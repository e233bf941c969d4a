"""What is kept is small, keeps its shape, and says how much is missing."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitinstinct.capture import bounds
from gitinstinct.capture.redact import redact, redact_value
from tests.capture.test_redact import json_values


def kept(value: Any) -> tuple[Any, int]:
    return bounds.bounded(value, redact_value, redact)


@pytest.mark.parametrize("size", [0, 1, 4_999, 5_000, 5_001, 9_096, 9_097, 50_000])
def test_a_text_is_cut_at_the_limit_and_the_rest_is_counted(size: int) -> None:
    text, dropped = kept("\u65e5 " * (size // 2) + "x" * (size % 2))
    assert (len(text), dropped) == (min(size, 5_000), max(0, size - 5_000))


def test_short_texts_stay_whole_beside_a_long_one() -> None:
    value, dropped = kept({"path": "a/b.py", "content": "word " * 4_000, "new": {"deep": ["x" * 30 + "!"]}})
    assert (value["path"], value["new"]) == ("a/b.py", {"deep": ["x" * 30 + "!"]})
    assert sum(bounds.lengths(value)) == 5_000
    assert dropped == 20_000 + 6 + 31 - 5_000


def test_of_many_texts_the_first_are_kept() -> None:
    value, dropped = kept([f"src/module_{number:04d}.py " + "y" * 81 for number in range(400)])
    whole = [text for text in value if len(text) == 100]
    assert 49 <= len(whole) <= 50
    assert dropped == 400 * 100 - sum(bounds.lengths(value))


def test_neither_items_nor_keys_are_without_bound() -> None:
    value, _ = kept({"numbers": list(range(1_000_000)), "k" * 20_000: 1})
    assert len(value["numbers"]) < 501
    assert all(len(key) <= 100 for key in value)


@pytest.mark.parametrize("size", range(1, 30))
def test_no_cut_goes_through_a_placeholder(size: int) -> None:
    assert bounds.cut("abc [REDACTED:token] def", size) == (
        "abc [REDACTED:token] def"[:size] if not 4 < size < 20 else "abc "
    )


def test_other_brackets_are_cut_anywhere() -> None:
    assert bounds.cut("a [list, of, things]", 8) == "a [list,"


@given(json_values)
def test_a_small_value_comes_out_as_it_went_in(value: Any) -> None:
    assert bounds.bounded(value, lambda value, text: redact_value(value, text), lambda text: text)[1] == 0


@given(st.lists(st.integers(0, 20_000), max_size=40))
def test_the_shares_fit_or_are_the_least(sizes: list[int]) -> None:
    share = bounds.share(sizes)
    assert share == 200 or sum(min(size, share) for size in sizes) <= bounds.LIMIT
