"""How long a detector rests after it failed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from gitinstinct.errors import EnvironmentFault
from gitinstinct.observer import failing
from gitinstinct.observer.detector import DetectorFault
from gitinstinct.observer.state import State

NOW = datetime(2026, 11, 29, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    ("times", "longest"), [(1, 5), (2, 10), (3, 20), (4, 40), (7, 320), (8, 360), (9, 360), (500, 360)]
)
def test_a_rest_doubles_and_has_an_end(times: int, longest: int) -> None:
    assert failing.rest(times, None, 1.0) == timedelta(minutes=longest)
    assert failing.rest(times, None, 0.0) == timedelta(minutes=longest) / 2
    assert timedelta(minutes=longest) / 2 <= failing.rest(times, None) <= timedelta(minutes=longest)


def test_what_the_other_side_asks_for_is_honoured_within_a_day() -> None:
    assert failing.rest(1, 3600.0, 0.0) == timedelta(hours=1)
    assert failing.rest(1, 1.0, 1.0) == timedelta(minutes=5)
    assert failing.rest(1, 1e300, 0.0) == timedelta(days=1)
    assert failing.rest(1, -5.0, 1.0) == timedelta(minutes=5)


def test_failures_in_a_row_are_counted_and_a_success_ends_the_row() -> None:
    memory = State()
    for times in (1, 2, 3):
        memory.failure = failing.told(memory, DetectorFault("no"), NOW)
        assert memory.failure["times"] == times
    again = failing.again(memory)
    assert again is not None
    assert again > NOW + timedelta(minutes=9)
    assert failing.at(memory) == NOW


def test_only_a_detector_that_cannot_answer_rests() -> None:
    for error in (
        EnvironmentFault("the store waits"),
        DetectorFault("the ceiling", backs_off=False),
        ZeroDivisionError(),
    ):
        assert "again" not in failing.told(State(), error, NOW)


@pytest.mark.parametrize("text", [None, 5, "", "soon", "2026-13-01"])
def test_a_damaged_time_is_none(text: object) -> None:
    assert failing.again(State(failure={"again": text})) is None
