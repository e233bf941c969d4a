"""What models cost, in dollars for a million tokens.

The table is the provider's price list as of the day below; a person's own prices come first. A model that is in neither
has no price, and its cost is told as unknown, never as nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from gitinstinct.observer.detector import Spent

AS_OF = "2026-10-24"
"""The day of the price list: https://platform.claude.com/docs/en/about-claude/pricing"""

_VARIANT = re.compile(r"(?:-\d{8}|\[\w+\])$")
_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars for a million tokens of each kind; `longer` is what a request costs whose prompt is above `limit`."""

    input: float
    output: float
    cache_write: float
    cache_read: float
    limit: int = 0
    longer: Price | None = None


_HAIKU = Price(0.50, 2.50, 0.625, 0.05)
_OPUS = Price(5.0, 25.0, 6.25, 0.50)
TABLE = {
    "claude-haiku-5-5": Price(0.10, 0.50, 0.125, 0.01, 100_000, _HAIKU),
    "claude-haiku-4-5": Price(1.0, 5.0, 1.25, 0.10),
    "claude-sonnet-5-5": Price(2.0, 10.0, 2.50, 0.10),
    "claude-sonnet-5": Price(2.0, 10.0, 2.50, 0.20),
    "claude-sonnet-4-6": Price(3.0, 15.0, 3.75, 0.30),
    "claude-sonnet-4-5": Price(3.0, 15.0, 3.75, 0.30),
    "claude-opus-5-5": Price(4.0, 20.0, 5.0, 0.20),
    "claude-opus-5": _OPUS,
    "claude-opus-4-8": _OPUS,
    "claude-opus-4-7": _OPUS,
    "claude-opus-4-6": _OPUS,
    "claude-opus-4-5": _OPUS,
    "claude-fable-5-1": Price(10.0, 50.0, 12.50, 0.25),
    "claude-fable-5": Price(10.0, 50.0, 12.50, 1.0),
}

DEAREST = max(TABLE.values(), key=lambda price: price.output)
"""What a model without a price is taken to cost where a ceiling is at stake."""


def of(model: str, own: Mapping[str, Mapping[str, float]]) -> Price | None:
    """The price of a model, a dated variant like the model itself; None if it is not known.

    Args:
        model: its id.
        own: a person's prices by model: `input` and `output`; of a missing `cache_write` or `cache_read` that of input.
    """
    plain = _VARIANT.sub("", model)
    for name in (model, plain):
        if name in own:
            told = own[name]
            return Price(
                told["input"], told["output"], told.get("cache_write", told["input"]),
                told.get("cache_read", told["input"]),
            )  # fmt: skip
    return TABLE.get(plain)


def priced(spent: Spent, price: Price | None) -> Spent:
    """The same tokens of one call with their dollars; None dollars without a price."""
    if price is None:
        return replace(spent, dollars=None)
    prompt = spent.input + spent.cache_read + spent.cache_write
    rate = price.longer if price.longer is not None and prompt > price.limit else price
    dollars = (
        spent.input * rate.input
        + spent.output * rate.output
        + spent.cache_write * rate.cache_write
        + spent.cache_read * rate.cache_read
    ) / _MILLION
    return replace(spent, dollars=dollars)
