"""How a model's part is told: what today has cost and may cost, and where it is asked."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from gitinstinct.config import Config, Observer
from gitinstinct.observer.detector import ANTHROPIC, LOCAL, Spent
from gitinstinct.observer.model import access, spending


def lines(settings: Config, now: datetime) -> Iterator[tuple[str, str]]:
    """Label and text of what `status` says of a model; nothing where none is asked and none was asked today."""
    chosen = settings.observer
    host, spent = access.host(chosen), spending.today(_day(now))
    if chosen.detector != LOCAL:
        yield "detector", f"{chosen.detector}, {chosen.model}"
    if host:
        yield "models at", host
    elif chosen.detector == ANTHROPIC and os.environ.get("ANTHROPIC_BASE_URL"):
        yield "models at", "the usual address: ANTHROPIC_BASE_URL is not followed, observer.address in config.yaml is"
    if chosen.detector != LOCAL or spent.calls:
        yield "cost today", today(chosen, now)


def today(limits: Observer, now: datetime) -> str:
    """`$0.0031 of $0.10, 21,304 of 1,000,000 tokens`."""
    spent = spending.today(_day(now))
    used = f"{dollars(spent.dollars, '$')} of ${spending.ceiling(limits)}"
    return f"{used}, {spent.tokens:,} of {limits.daily_tokens:,} tokens"


def dollars(number: float | None, sign: str = "") -> str:
    """An amount; `unknown` where no price is known."""
    return "unknown" if number is None else f"{sign}{number:.4f}"


def run(spent: Spent) -> str:
    """What a run has cost, in a few words."""
    return f"{spent.tokens:,} tokens, {dollars(spent.dollars, '$')}"


def data(spent: Spent) -> dict[str, Any]:
    """The same for scripts."""
    return {
        "calls": spent.calls, "tokens": spent.tokens, "input": spent.input, "output": spent.output,
        "cache_read": spent.cache_read, "cache_write": spent.cache_write, "dollars": spent.dollars,
    }  # fmt: skip


def today_json(limits: Observer, now: datetime) -> dict[str, Any]:
    """What today has cost and may cost."""
    ceilings = {"daily_dollars": limits.daily_dollars, "daily_tokens": limits.daily_tokens}
    return data(spending.today(_day(now))) | ceilings


def model_json(settings: Config, now: datetime) -> dict[str, Any]:
    """What `status --json` tells of the detector."""
    chosen = settings.observer
    host = access.host(chosen)
    return {"name": chosen.detector, "model": None if chosen.detector == LOCAL else chosen.model,
            "host": host or None, "today": today_json(chosen, now)}  # fmt: skip


def _day(now: datetime) -> str:
    return now.astimezone().date().isoformat()
