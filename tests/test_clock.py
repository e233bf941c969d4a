"""The clock that tests and replays can set."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from gitinstinct import clock
from gitinstinct.errors import UsageError


@pytest.mark.parametrize(
    "text", ["2026-11-29T10:00:00Z", "2026-11-29T11:00:00+01:00", "2026-11-29T10:00:00", " 2026-11-29 10:00:00.000 "]
)
def test_it_is_set_from_outside(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITINSTINCT_NOW", text)
    assert clock.now() == datetime(2026, 11, 29, 10, tzinfo=UTC)


def test_nonsense_is_a_usage_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITINSTINCT_NOW", "tomorrow")
    with pytest.raises(UsageError, match="tomorrow"):
        clock.now()


def test_it_runs_when_nothing_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITINSTINCT_NOW")
    assert abs((clock.now() - datetime.now(UTC)).total_seconds()) < 60


def test_milliseconds_are_exact() -> None:
    assert clock.milliseconds(datetime(2026, 11, 29, 10, 0, 0, 123999, tzinfo=UTC)) == 1795946400123
