"""The fold against the worked cases, and the laws that hold for every ledger."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitinstinct.instinct.confidence import band, fold, steps
from gitinstinct.instinct.ledger import Entry
from tests.support.ledgers import ledgers

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "data/vectors/fold.json").read_text("utf-8"))


def entry(case: dict[str, Any]) -> Entry:
    amount = case.get("target", case.get("amount"))
    if case["kind"] == "set":
        amount = round(case["amount"] * 100)
    return Entry(case["date"], case["kind"], amount, "", case["key"])


@pytest.mark.parametrize("number", range(len(CASES)))
def test_worked_case(number: int) -> None:
    case = CASES[number]
    got = fold([entry(e) for e in case["entries"]], case["source"], case["as_of"])
    expect = case["expect"]
    assert {
        "confidence": got.confidence / 100,
        "confirmations": got.confirmations,
        "contradictions": got.contradictions,
        "last_observed": got.last_observed,
        "status": got.status,
    } == {
        name: expect.get(name) for name in ("confidence", "confirmations", "contradictions", "last_observed", "status")
    }


@given(ledgers(), st.randoms(use_true_random=False), st.sampled_from(["manual", "session-observation"]))
def test_order_of_lines_does_not_matter(entries: list[Entry], random: Any, source: str) -> None:
    shuffled = list(entries)
    random.shuffle(shuffled)
    assert fold(shuffled, source, "2026-12-01") == fold(entries, source, "2026-12-01")


@given(ledgers(), st.dates().map(str))
def test_value_is_always_within_bounds(entries: list[Entry], day: str) -> None:
    for step in steps(entries, "session-observation"):
        assert 0 <= step.before <= 95
        assert 0 <= step.after <= 95
    assert 0 <= fold(entries, "manual", day).confidence <= 95


@given(ledgers())
def test_an_entry_twice_counts_once(entries: list[Entry]) -> None:
    assert fold(entries * 2, "manual", "2026-12-01") == fold(entries, "manual", "2026-12-01")


@given(ledgers(), st.integers(0, 400))
def test_time_alone_never_raises(entries: list[Entry], days: int) -> None:
    from datetime import date, timedelta

    later = (date(2026, 12, 1) + timedelta(days=days)).isoformat()
    assert fold(entries, "x", later).confidence <= fold(entries, "x", "2026-12-01").confidence


@pytest.mark.parametrize(
    ("sightings", "value"), [(0, 0), (1, 30), (2, 30), (3, 50), (5, 50), (6, 70), (10, 70), (11, 85)]
)
def test_bands(sightings: int, value: int) -> None:
    assert band(sightings) == value


def test_an_empty_ledger_is_worth_nothing_and_archived() -> None:
    got = fold([], "manual", "2026-12-01")
    assert (got.confidence, got.status, got.last_observed, got.created) == (0, "archived", None, None)


def test_steps_tell_how_it_came_about() -> None:
    ledger = [
        Entry("2026-11-01", "observed", 3, "", "a-01"),
        Entry("2026-11-16", "confirmed", 1, "", "b-02"),
    ]
    first, second = steps(ledger, "session-observation")
    assert (first.decay, first.before, first.after) == (0, 0, 50)
    assert (second.decay, second.before, second.after) == (4, 46, 51)
