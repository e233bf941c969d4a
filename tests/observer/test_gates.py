"""The gates of an observer run."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from gitinstinct import config
from gitinstinct.config import Config
from gitinstinct.observer.gates import Facts, closed, gates

NOW = datetime(2026, 11, 29, 0, 8, tzinfo=UTC)
OPEN = Facts(now=NOW, local_hour=10, waiting=20, last_run=NOW - timedelta(hours=1), last_captured=NOW)


def test_all_open() -> None:
    assert closed(Config(), OPEN) is None
    assert [gate.name for gate in gates(Config(), OPEN)] == ["enabled", "observations", "cooldown", "hours", "idle"]


@pytest.mark.parametrize(
    ("facts", "name", "reason"),
    [
        (replace(OPEN, waiting=19), "observations", "19 new observations, 20 needed"),
        (replace(OPEN, last_run=NOW - timedelta(seconds=299)), "cooldown", "last run 299 s ago, 300 s needed"),
        (replace(OPEN, local_hour=7), "hours", "active hours are 08-23, it is 07 o'clock"),
        (replace(OPEN, local_hour=0), "hours", "active hours are 08-23, it is 00 o'clock"),
        (replace(OPEN, last_captured=NOW - timedelta(minutes=31)), "idle", "31 min ago"),
        (replace(OPEN, last_captured=None), "idle", "nothing was captured"),
    ],
)
def test_shut(facts: Facts, name: str, reason: str) -> None:
    gate = closed(Config(), facts)
    assert gate is not None
    assert gate.name == name
    assert reason in gate.reason


def test_switched_off() -> None:
    gate = closed(Config(enabled=False), OPEN)
    assert gate is not None
    assert gate.name == "enabled"


def test_a_clock_that_went_back_does_not_shut_the_gate() -> None:
    assert closed(Config(), replace(OPEN, last_run=NOW + timedelta(days=3650))) is None


def test_a_pause_may_be_days_or_for_ever() -> None:
    settings = config.load("observer: {idle_minutes: 2880, project_cooldown: 1000000000000000}")
    told = {gate.name: gate.reason for gate in gates(settings, OPEN)}
    assert told["idle"] == "last captured event 0 min ago, 2880 at most"
    assert told["cooldown"] == "last run 3600 s ago, 1000000000000000 s needed"


@pytest.mark.parametrize(
    ("hours", "hour", "is_open"),
    [
        ("22-06", 23, True),
        ("22-06", 0, True),
        ("22-06", 6, True),
        ("22-06", 7, False),
        ("8-8", 8, True),
        ("x", 3, True),
    ],
)
def test_hours(hours: str, hour: int, is_open: bool) -> None:
    chosen = config.load(f"observer: {{hours: '{hours}'}}")
    assert (closed(chosen, replace(OPEN, local_hour=hour)) is None) == is_open
