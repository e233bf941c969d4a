"""Prices: of the day of the list, a person's own first, and unknown where nobody knows."""

from __future__ import annotations

from typing import get_args

import pytest

from gitinstinct.config import MODEL
from gitinstinct.observer.detector import Spent
from gitinstinct.observer.model import prices


def models() -> set[str]:
    """The models that the library itself names."""
    from anthropic.types.model_param import ModelParam

    return {name for part in get_args(ModelParam) for name in get_args(part)}


def test_the_usual_model_is_the_newest_haiku_that_the_library_knows() -> None:
    haikus = sorted(name for name in models() if "haiku" in name and not name[-8:].isdigit())
    assert haikus[-1] == MODEL
    assert prices.of(MODEL, {}) is not None


def test_only_models_that_exist_have_a_price() -> None:
    assert set(prices.TABLE) <= models()


def test_each_kind_of_token_has_its_price() -> None:
    price = prices.of("claude-sonnet-5-5", {})
    spent = prices.priced(Spent(1, 1_000_000, 100_000, 2_000_000, 400_000), price)
    assert spent.dollars == pytest.approx(2.0 + 1.0 + 0.2 + 1.0)
    assert (spent.calls, spent.tokens) == (1, 3_500_000)


@pytest.mark.parametrize(("size", "dollars"), [(100_000, 0.01), (100_001, 0.0500005)])
def test_a_long_prompt_costs_more_where_the_list_says_so(size: int, dollars: float) -> None:
    assert prices.priced(Spent(1, size), prices.of(MODEL, {})).dollars == pytest.approx(dollars)
    assert prices.priced(Spent(1, 0, 0, size), prices.of(MODEL, {})).dollars == pytest.approx(dollars / 10)


def test_dated_variants_cost_what_the_model_costs() -> None:
    assert prices.of("claude-haiku-4-5-20251001", {}) == prices.TABLE["claude-haiku-4-5"]
    assert prices.of("claude-haiku-5-5[1m]", {}) == prices.TABLE[MODEL]
    assert prices.of("gpt-6", {}) is None


def test_a_persons_own_price_comes_first() -> None:
    own = {MODEL: {"input": 7.0, "output": 9.0, "cache_read": 1.0}}
    found = prices.of(f"{MODEL}-20261001", own)
    assert found is not None
    assert (found.input, found.output, found.cache_read, found.cache_write) == (7.0, 9.0, 1.0, 7.0)


def test_an_unknown_price_is_not_nothing() -> None:
    unknown = prices.priced(Spent(1, 10), None)
    assert unknown.dollars is None
    assert (Spent(1, 5, dollars=0.5) + unknown).dollars is None
    assert (Spent(1, 5, dollars=0.5) + Spent(1, 5, dollars=0.25)) == Spent(2, 10, dollars=0.75)
