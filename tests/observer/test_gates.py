"""The gates of an observer run."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitinstinct import config, hours
from gitinstinct.config import Config
from gitinstinct.observer import facts, locks
from gitinstinct.observer.gates import COOLDOWNS, Facts, Gate, closed, gates
from gitinstinct.observer.state import State
from tests.support.work import PROJECT, spool

NOW = datetime(2026, 11, 29, 0, 8, tzinfo=UTC)
WALL = datetime(2026, 11, 29, 10, 30)
OPEN = Facts(now=NOW, wall=WALL, waiting=20, last_run=NOW - timedelta(hours=1), last_captured=NOW)


def at(hour: int, minute: int = 0) -> datetime:
    return WALL.replace(hour=hour, minute=minute)


def ago(**span: float) -> datetime:
    return NOW - timedelta(**span)


def the(name: str, facts: Facts, settings: Config | None = None) -> Gate:
    return next(gate for gate in gates(settings or Config(), facts) if gate.name == name)


def test_all_open() -> None:
    assert closed(Config(), OPEN) is None
    assert [gate.name for gate in gates(Config(), OPEN)] == [
        "enabled", "auto", "observations", "cooldown", "project_cooldown", "hours", "idle", "rest", "lock",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("facts", "name", "reason"),
    [
        (replace(OPEN, forbidden="GITINSTINCT_AUTO=0"), "auto", "GITINSTINCT_AUTO=0"),
        (replace(OPEN, waiting=19), "observations", "19 new observations, 20 needed"),
        (replace(OPEN, any_run=ago(seconds=59)), "cooldown", "last run anywhere 59 s ago, 60 s needed"),
        (replace(OPEN, last_run=ago(seconds=299)), "project_cooldown", "last run here 299 s ago, 300 s needed"),
        (replace(OPEN, wall=at(7, 59)), "hours", "active hours are 08-23, it is 07:59"),
        (replace(OPEN, wall=at(0)), "hours", "active hours are 08-23, it is 00:00"),
        (replace(OPEN, last_captured=ago(minutes=31)), "idle", "31 min ago"),
        (replace(OPEN, last_captured=None), "idle", "nothing was captured"),
        (replace(OPEN, again=NOW + timedelta(minutes=5)), "rest", "the detector rests after a failure"),
        (replace(OPEN, busy="a run of my-api is at work"), "lock", "a run of my-api is at work"),
    ],
)
def test_shut(facts: Facts, name: str, reason: str) -> None:
    gate = closed(Config(), facts)
    assert gate is not None
    assert gate.name == name
    assert reason in gate.reason


@pytest.mark.parametrize(
    "facts",
    [
        replace(OPEN, any_run=ago(seconds=60)),
        replace(OPEN, last_run=ago(seconds=300)),
        replace(OPEN, wall=at(23, 59)),
        replace(OPEN, wall=at(8)),
        replace(OPEN, last_captured=ago(minutes=30)),
        replace(OPEN, again=NOW),
    ],
)
def test_open_to_the_second(facts: Facts) -> None:
    assert closed(Config(), facts) is None


def test_switched_off() -> None:
    gate = closed(Config(enabled=False), OPEN)
    assert gate is not None
    assert gate.name == "enabled"


def test_gates_can_be_left_out() -> None:
    shut = replace(OPEN, any_run=NOW, last_run=NOW)
    assert closed(Config(), shut, COOLDOWNS) is None
    left = closed(Config(), shut, COOLDOWNS[:1])
    assert left is not None
    assert left.name == "project_cooldown"


def test_a_shut_gate_tells_when_time_opens_it() -> None:
    assert the("cooldown", replace(OPEN, any_run=ago(seconds=20))).opens == NOW + timedelta(seconds=40)
    assert the("hours", replace(OPEN, wall=at(0, 8))).opens == at(8)
    assert the("hours", replace(OPEN, wall=at(22)), config.load("observer: {hours: 08-17}")).opens == at(8) + timedelta(
        days=1
    )
    assert the("rest", replace(OPEN, again=NOW + timedelta(hours=1))).opens == NOW + timedelta(hours=1)
    assert the("observations", replace(OPEN, waiting=0)).opens is None


# --- clocks


@pytest.mark.parametrize("back", [timedelta(hours=1), timedelta(days=3653), timedelta(days=20786)])
def test_a_clock_that_went_back_shuts_nothing_for_long(back: timedelta) -> None:
    """By an hour, ten years, or to 1970: what was noted lies ahead then."""
    facts = replace(
        OPEN, any_run=NOW + back, last_run=NOW + back, last_captured=NOW + back, failed=NOW + back,
        again=NOW + back + timedelta(hours=1),
    )  # fmt: skip
    assert closed(Config(), facts) is None


def test_a_rest_that_lies_years_ahead_is_over() -> None:
    assert the("rest", replace(OPEN, failed=ago(minutes=1), again=NOW + timedelta(days=3650))).is_open


def test_a_clock_that_went_on_by_fifty_years_shuts_only_what_nobody_works_at() -> None:
    gate = closed(Config(), replace(OPEN, last_captured=ago(days=18262)))
    assert gate is not None
    assert gate.name == "idle"


def test_a_pause_may_be_days_or_for_ever() -> None:
    settings = config.load("observer: {idle_minutes: 2880, project_cooldown: 1000000000000000}")
    told = {gate.name: gate for gate in gates(settings, OPEN)}
    assert told["idle"].reason == "last captured event 0 min ago, 2880 at most"
    assert told["project_cooldown"].reason == "last run here 3600 s ago, 1000000000000000 s needed"
    assert told["project_cooldown"].opens is None


moments = st.datetimes(datetime(1970, 1, 1), datetime(2200, 1, 1)).map(lambda moment: moment.replace(tzinfo=UTC))
maybe = st.none() | moments


@given(now=moments, any_run=maybe, last_run=maybe, captured=maybe, failed=maybe, again=maybe)
def test_whatever_the_clocks_said_a_cooldown_is_over_in_its_time(
    now: datetime, any_run: datetime | None, last_run: datetime | None, captured: datetime | None,
    failed: datetime | None, again: datetime | None,
) -> None:  # fmt: skip
    """No gate but that of idleness, which the next event opens, is shut for longer than a day."""
    found = Facts(now, WALL, 20, last_run, captured, any_run, failed, again)
    for gate in gates(Config(), found):
        if not gate.is_open and gate.name != "idle":
            assert gate.opens is not None
            assert timedelta() < gate.opens - now <= timedelta(days=1)


# --- active hours


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        ("08-23", [at(8), at(23, 59)], [at(7, 59), at(0)]),
        ("8-23", [at(8)], [at(7)]),
        ("22-06", [at(22), at(23), at(0), at(6, 59)], [at(7), at(21, 59)]),
        ("22:30-06:15", [at(22, 30), at(6, 14)], [at(22, 29), at(6, 15)]),
        ("0:08-9", [at(0, 8), at(9, 59)], [at(0, 7), at(10)]),
        ("8-8", [at(8), at(8, 59)], [at(9), at(7, 59)]),
        ("00-23", [at(0), at(12), at(23, 59)], []),
        ("8-24", [at(8), at(23, 59)], [at(7, 59), at(0)]),
        ("09:00-24:00", [at(23, 59)], [at(8, 59), at(0)]),
        ("always", [at(0), at(3), at(23, 59)], []),
        (" Always ", [at(3)], []),
        ("08 \u2013 17", [at(17, 59)], [at(18)]),
    ],
)
def test_hours(text: str, inside: list[datetime], outside: list[datetime]) -> None:
    found = hours.parse(text)
    assert found is not None
    assert [found.hold(wall) for wall in inside] == [True] * len(inside)
    assert [found.hold(wall) for wall in outside] == [False] * len(outside)


@pytest.mark.parametrize(
    "text", ["", *"x 8 08:00 00:08 8- -8 25-26 08-25 24-3 8:60-9 24:01-3 8:00-8:00 08-23-24".split()]
)
def test_hours_that_are_none_are_named_and_not_open_all_day(text: str) -> None:
    settings = config.load(f"observer: {{hours: '{text}'}}")
    assert settings.observer.hours == "08-23"
    assert settings.problems == (
        "observer.hours is not active hours such as '08-23', '22:30-06:15' or 'always'; the default '08-23' holds",
    )
    assert not the("hours", replace(OPEN, wall=at(3)), settings).is_open


@pytest.mark.parametrize("written", ["8", "false", "[8, 23]", "22:30", "{8: 23}"])
def test_what_yaml_makes_of_hours_is_named_as_well(written: str) -> None:
    """`22:30` without a second time is a number of base sixty there."""
    settings = config.load(f"observer: {{hours: {written}}}")
    assert settings.observer.hours == "08-23"
    assert len(settings.problems) == 1


@given(st.text(max_size=12), st.datetimes())
def test_no_text_breaks_the_hours(text: str, wall: datetime) -> None:
    found = hours.parse(text)
    if found is not None and wall.year < 9999:
        begin = found.begin(wall)
        assert found.hold(begin)
        assert timedelta() <= begin - wall.replace(tzinfo=None) < timedelta(days=1, minutes=1)


@pytest.mark.parametrize(
    ("utc", "wall"),
    [
        ("2026-03-29T00:59:00", "01:59"),
        ("2026-03-29T01:00:00", "03:00"),  # the clock is put on
        ("2026-10-25T00:30:00", "02:30"),
        ("2026-10-25T01:30:00", "02:30"),  # the same hour again
        ("2026-07-01T06:00:00", "08:00"),
        ("2026-12-01T06:59:00", "07:59"),
    ],
)
def test_hours_are_those_of_the_wall_clock(berlin: None, utc: str, wall: str) -> None:
    now = datetime.fromisoformat(utc).replace(tzinfo=UTC)
    assert facts.gather(PROJECT, State(), now).wall.strftime("%H:%M") == wall


def test_a_gate_that_opens_after_the_change_of_the_clock_opens_at_the_right_moment(berlin: None) -> None:
    """At eight by the clock that was put on meanwhile, seven hours after midnight."""
    night = datetime(2026, 3, 28, 23, 30, tzinfo=UTC)
    gate = the("hours", facts.gather(PROJECT, State(), night))
    assert gate.opens is not None
    assert gate.opens.astimezone(UTC) == datetime(2026, 3, 29, 6, tzinfo=UTC)


def test_another_zone_is_another_hour(berlin: None, monkeypatch: pytest.MonkeyPatch) -> None:
    now = datetime(2026, 12, 1, 7, 30, tzinfo=UTC)
    assert the("hours", facts.gather(PROJECT, State(), now)).is_open
    monkeypatch.setenv("TZ", "EST5EDT,M3.2.0,M11.1.0")
    time.tzset()
    assert not the("hours", facts.gather(PROJECT, State(), now)).is_open


# --- what is gathered


def test_the_last_run_of_any_project_counts_for_all() -> None:
    assert facts.gather(PROJECT, State(), NOW).any_run is None
    facts.note_run(NOW)
    assert facts.gather(PROJECT, State(), NOW).any_run == NOW


@pytest.mark.parametrize("said", ["", "yesterday", None, 7, "2026-11-29", "2026-11-29T10:00:00"])
def test_a_time_that_is_none_shuts_nothing(said: object) -> None:
    found = facts.gather(PROJECT, State(last={"at": said}, failure={"at": said, "again": said}), NOW)
    assert the("rest", found).is_open
    assert the("project_cooldown", found).is_open


def test_an_event_without_a_zone_is_taken_as_utc() -> None:
    spool([b'{"v":1,"event":"prompt","at":"2026-11-29T00:05:00"}\n'])
    assert the("idle", facts.gather(PROJECT, State(), NOW)).reason == "last captured event 3 min ago, 30 at most"


def test_a_run_at_work_is_named() -> None:
    with locks.held(locks.of_project(PROJECT.id), "a run of my-api", NOW) as owner:
        assert owner is not None
        busy = facts.at_work(PROJECT.id)
        assert busy.startswith(f"a run of my-api is at work, process {owner.pid} since 2026-11-29 00:08")
    assert facts.at_work(PROJECT.id) == ""
    with locks.held(locks.MACHINE, "a run of other", NOW):
        assert "other" in facts.at_work(PROJECT.id)
