"""Sums of several people, and the A/A test."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from gitinstinct.errors import Found
from gitinstinct.measure import pool, report, selftest, settle
from gitinstinct.measure.decision import Verdict
from gitinstinct.measure.pool import Export
from gitinstinct.measure.selftest import Result
from tests.support import measuring
from tests.support.measuring import trial
from tests.support.stores import PROJECT

NOW = datetime(2026, 11, 29, 10, tzinfo=UTC)
SOME = [(True, 1.0), (False, 0.0), (False, 0.0)] * 3


def measured() -> dict[str, Any]:
    """What a person with nine sessions exports."""
    measuring.store()
    trial(SOME, PROJECT)
    settle.update(NOW)
    return pool.as_json(pool.own(NOW))


def saved(place: Path, data: object) -> Path:
    path = place / "export.json"
    path.write_text(json.dumps(data))
    return path


def test_an_export_holds_sums_and_nothing_else(tmp_path: Path) -> None:
    data = measured()
    assert set(data) == {"format", "origin", "at", "tests"}
    [test] = data["tests"]
    assert test["injected"] == {"sessions": 6, "bad": 0.0}
    assert test["withheld"] == {"sessions": 3, "bad": 3.0}
    assert set(test) == {"instinct", "scope", "text", "model", "kind", "injected", "withheld", "log_e"}
    assert "s1" not in json.dumps(data["tests"])
    read = pool.read(saved(tmp_path, {"version": 1} | data))
    assert read.tests[0].name == pool.own(NOW).tests[0].name
    assert read.tests[0].evidence.helps == pytest.approx(pool.own(NOW).tests[0].evidence.helps, abs=1e-5)


def test_what_one_cannot_tell_several_can(tmp_path: Path) -> None:
    data = measured()
    own = pool.own(NOW)
    mates = [pool.read(saved(tmp_path, data | {"origin": f"mate-{number}"})) for number in range(3)]
    [alone] = pool.pooled([own])
    assert (alone.decision.verdict, alone.machines) == (Verdict.UNKNOWN, 1)
    [found] = pool.pooled([own, *mates])
    assert (found.decision.verdict, found.machines) == (Verdict.HELPS, 4)
    assert found.test.evidence.injected == (24, 0.0)
    assert found.test.evidence.helps == pytest.approx(4 * own.tests[0].evidence.helps, abs=1e-4)


def test_a_machine_counts_once_by_its_newest_export() -> None:
    measured()
    own = pool.own(NOW)
    older = Export(own.origin, "2026-11-01T00:00:00+00:00", (own.tests[0], own.tests[0]))
    [found] = pool.pooled([own, older, own])
    assert (found.machines, found.test.evidence) == (1, own.tests[0].evidence)


@pytest.mark.parametrize(
    "change",
    [
        {"format": "other"}, {"origin": 7}, {"at": None}, {"tests": 7}, {"tests": [7]}, {"tests": [{}]},
        {"origin": "x" * 1_000},
    ],
)  # fmt: skip
def test_what_is_no_export_is_refused(tmp_path: Path, change: dict[str, object]) -> None:
    with pytest.raises(Found, match="no export"):
        pool.read(saved(tmp_path, measured() | change))


@pytest.mark.parametrize(
    "change",
    [
        {"instinct": "../x"}, {"injected": {"sessions": -1, "bad": 0}}, {"injected": {"sessions": 1, "bad": 2}},
        {"withheld": {"sessions": 10**9, "bad": 0}}, {"withheld": {"sessions": 1.5, "bad": 0}}, {"kind": ["check"]},
        {"log_e": {"helps": float("inf"), "harms": 0}}, {"log_e": {"helps": float("nan"), "harms": 0}},
        {"log_e": {"helps": 0}},
    ],
)  # fmt: skip
def test_sums_that_cannot_be_are_refused(tmp_path: Path, change: dict[str, object]) -> None:
    data = measured()
    data["tests"][0] |= change
    with pytest.raises(Found, match="no export"):
        pool.read(saved(tmp_path, data))


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b"[" * 100_000])
def test_so_is_what_is_no_json(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x").write_bytes(content)
    with pytest.raises(Found, match="no export"):
        pool.read(tmp_path / "x")
    with pytest.raises(Found, match="cannot be read"):
        pool.read(tmp_path / "missing")


# --- the report's numbers


def test_a_row_says_how_many_and_how_long() -> None:
    measured()
    [row] = report.rows([PROJECT])
    assert row.decision.verdict is Verdict.UNKNOWN
    assert (row.left, row.holds_together, row.is_current, row.held) == (None, None, True, "")
    assert report.rows(["ffffffffffff"]) == []


def test_with_sessions_in_both_arms_it_says_how_long_it_takes() -> None:
    measuring.store()
    trial([(number % 3 == 0, 0.5 if number % 3 else 0.75) for number in range(15)], PROJECT)
    settle.update(NOW)
    [row] = report.rows()
    assert row.decision.difference == pytest.approx(4.75 / 7 - 6 / 12)
    assert row.left == 245


# --- A/A


def test_with_too_little_it_says_so() -> None:
    assert selftest.run(1) is None
    measured()
    assert selftest.run(1) is None


def test_it_finds_nothing_in_ones_own_sessions() -> None:
    """Even where there is an effect: the labels are drawn anew."""
    measuring.store()
    lot = random.Random(2)
    trial([(lot.random() < 0.33, lot.choice([0.0, 0.25, 1.0])) for _ in range(40)], PROJECT)
    settle.update(NOW)
    found = selftest.run(20261129)
    assert found is not None
    assert found == selftest.run(20261129)
    assert (found.series, found.sessions) == (2, found.sessions)
    assert found.draws == 1_000
    assert found.is_sound


def test_before_anything_was_measured_the_observations_will_do() -> None:
    for number in range(25):
        measuring.session(f"s{number}", measuring.START, ["ls", "ls"], PROJECT, ends=number % 2 == 0)
    found = selftest.run(1)
    assert found is not None
    assert (found.series, found.sessions, found.helps, found.harms) == (1, 25, 0, 0)


def test_more_than_chance_is_not_sound() -> None:
    assert Result(1, 100, 500, 39, 0).is_sound
    assert not Result(1, 100, 500, 0, 41).is_sound
