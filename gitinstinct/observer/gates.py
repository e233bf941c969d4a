"""When an observer run may start by itself: every gate with its reason, so that `status` can say why nothing happens.

`--now` skips them all; none of them ever makes an observation count for less. No clock can keep a gate shut for long: a
moment that lies ahead of now, because the clock was set back, shuts nothing.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from gitinstinct import hours
from gitinstinct.config import Config, Observer

COOLDOWNS = ("cooldown", "project_cooldown")
"""The gates that only keep runs apart."""
_LONGEST_REST = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Facts:
    """What the gates look at. Times are aware, but for `wall`: the wall clock here. None where there was no such event.

    `forbidden` is why nothing may start by itself, or ""; `any_run` the last run of any project, `last_run` of this
    one; `failed` and `again` when the detector last failed and when it may be asked again; `busy` what holds the lock.
    """

    now: datetime
    wall: datetime
    waiting: int
    last_run: datetime | None
    last_captured: datetime | None
    any_run: datetime | None = None
    failed: datetime | None = None
    again: datetime | None = None
    forbidden: str = ""
    busy: str = ""


@dataclass(frozen=True, slots=True)
class Gate:
    """One gate: whether it is open, and the reason in a few words.

    `opens` is when a shut gate opens if nothing else happens, without a zone where it is a time of the wall clock; None
    where time alone does not open it, or nobody knows.
    """

    name: str
    is_open: bool
    reason: str
    opens: datetime | None = None


def gates(config: Config, facts: Facts) -> list[Gate]:
    """Every gate, the one that says most first."""
    chosen = config.observer
    return [
        Gate("enabled", config.enabled, "switched on" if config.enabled else "switched off in config.yaml"),
        Gate("auto", not facts.forbidden, facts.forbidden or "runs may start by themselves"),
        _enough(facts.waiting, chosen.minimum),
        _cooled("cooldown", facts.now, facts.any_run, chosen.cooldown, "anywhere"),
        _cooled("project_cooldown", facts.now, facts.last_run, chosen.project_cooldown, "here"),
        _awake(facts.wall, chosen.hours),
        _at_work(facts, chosen.idle_minutes),
        _rested(facts),
        Gate("lock", not facts.busy, facts.busy or "no other run is at work"),
    ]


def closed(config: Config, facts: Facts, without: Collection[str] = ()) -> Gate | None:
    """The first gate that is shut, or None when a run may start.

    Args:
        config: the person's settings.
        facts: what the gates look at.
        without: gates that are not asked, by name.
    """
    return next((gate for gate in gates(config, facts) if not gate.is_open and gate.name not in without), None)


def _awake(wall: datetime, setting: str) -> Gate:
    active = hours.parse(setting) or hours.parse(Observer().hours)
    assert active is not None
    is_open = active.hold(wall)
    reason = f"active hours are {setting}, it is {wall:%H:%M}"
    return Gate("hours", is_open, reason, None if is_open else active.begin(wall))


def _cooled(name: str, now: datetime, last: datetime | None, pause: int, whose: str) -> Gate:
    """Whether the pause, in seconds, is over."""
    if last is None:
        return Gate(name, True, f"no run {whose} yet")
    seconds = (now - last).total_seconds()
    if seconds < 0:
        return Gate(name, True, f"the last run {whose} lies ahead: the clock was set back")
    is_open = seconds >= pause
    reason = f"last run {whose} {int(seconds)} s ago, {pause} s needed"
    return Gate(name, is_open, reason, None if is_open else _later(now, pause - seconds))


def _later(now: datetime, seconds: float) -> datetime | None:
    try:
        return now + timedelta(seconds=seconds)
    except OverflowError:  # a pause for ever
        return None


def _rested(facts: Facts) -> Gate:
    """Whether the detector may be asked again after it failed."""
    again = facts.again
    if again is None or facts.now >= again:
        return Gate("rest", True, "the detector does not rest")
    if again - facts.now > _LONGEST_REST or (facts.failed is not None and facts.failed > facts.now):
        return Gate("rest", True, "the detector rested long enough: the clock was set back")
    return Gate("rest", False, "the detector rests after a failure", again)


def _enough(waiting: int, minimum: int) -> Gate:
    return Gate("observations", waiting >= minimum, f"{waiting} new observations, {minimum} needed")


def _at_work(facts: Facts, longest: int) -> Gate:
    """Whether somebody worked within the last `longest` minutes."""
    if facts.last_captured is None:
        return Gate("idle", False, "nothing was captured yet")
    minutes = max((facts.now - facts.last_captured).total_seconds() / 60, 0)
    return Gate("idle", minutes <= longest, f"last captured event {int(minutes)} min ago, {longest} at most")
