"""When an observer run may start by itself: every gate with its reason, so that `status` can say why nothing happens.

Cheapest first. `--now` skips them all; none of them ever makes an observation count for less.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from gitinstinct.config import Config

_HOURS = re.compile(r"(\d{1,2})-(\d{1,2})")


@dataclass(frozen=True, slots=True)
class Facts:
    """What the gates look at. Times are aware; None where there was no such event. `local_hour` is the wall clock's."""

    now: datetime
    local_hour: int
    waiting: int
    last_run: datetime | None
    last_captured: datetime | None


@dataclass(frozen=True, slots=True)
class Gate:
    """One gate: whether it is open, and the reason in a few words."""

    name: str
    is_open: bool
    reason: str


def gates(config: Config, facts: Facts) -> list[Gate]:
    """Every gate, cheapest first."""
    chosen = config.observer
    return [
        Gate(
            "enabled", config.enabled, "gitinstinct is switched on" if config.enabled else "switched off in config.yaml"
        ),
        _enough(facts.waiting, chosen.minimum),
        _cooled(facts, chosen.project_cooldown),
        _awake(facts.local_hour, chosen.hours),
        _at_work(facts, chosen.idle_minutes),
    ]


def closed(config: Config, facts: Facts) -> Gate | None:
    """The first gate that is shut, or None when a run may start."""
    return next((gate for gate in gates(config, facts) if not gate.is_open), None)


def _enough(waiting: int, minimum: int) -> Gate:
    return Gate("observations", waiting >= minimum, f"{waiting} new observations, {minimum} needed")


def _cooled(facts: Facts, pause: int) -> Gate:
    """Whether the pause, in seconds, is over. A clock that went back must not keep the gate shut for years."""
    if facts.last_run is None:
        return Gate("cooldown", True, "no run yet")
    seconds = (facts.now - facts.last_run).total_seconds()
    is_open = seconds < 0 or seconds >= pause
    return Gate("cooldown", is_open, f"last run {max(int(seconds), 0)} s ago, {pause} s needed")


def _awake(hour: int, hours: str) -> Gate:
    """`08-23` is from 08:00 to 23:59; `22-06` goes over midnight; anything else is always open."""
    found = _HOURS.fullmatch(hours.strip())
    if not found:
        return Gate("hours", True, "no active hours set")
    first, last = int(found[1]), int(found[2])
    is_open = first <= hour <= last if first <= last else hour >= first or hour <= last
    return Gate("hours", is_open, f"active hours are {hours}, it is {hour:02d} o'clock")


def _at_work(facts: Facts, longest: int) -> Gate:
    """Whether somebody worked within the last `longest` minutes."""
    if facts.last_captured is None:
        return Gate("idle", False, "nothing was captured yet")
    minutes = max((facts.now - facts.last_captured).total_seconds() / 60, 0)
    return Gate("idle", minutes <= longest, f"last captured event {int(minutes)} min ago, {longest} at most")
