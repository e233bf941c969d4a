"""What the daemon does next. Pure; moments are those of a clock that nobody sets, in seconds.

Such a clock may stand still while the machine sleeps. So nothing is made up for afterwards: the next look is as far
away as it was, and a night without the machine is no idle time.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

_LEAST = 1.0  # seconds between two looks, whatever the settings say


class Doing(Enum):
    """What comes next."""

    WAIT = "wait"
    LOOK = "look"
    END = "end"


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for since the last tick: a look now; an end, with its reason."""

    look: bool = False
    end: str = ""


@dataclass(frozen=True, slots=True)
class Looked:
    """What a look found: whether anything happened since the one before; and, in seconds, what the settings say."""

    was_active: bool
    interval: float
    idle: float


@dataclass(frozen=True, slots=True)
class Plan:
    """When the next look is due, since when nothing has happened, and after how long that is the end."""

    due: float
    active: float
    idle: float = float("inf")


def begin(moment: float) -> Plan:
    """The first look is at once."""
    return Plan(moment, moment)


def decide(plan: Plan, moment: float, asked: Asked) -> tuple[Doing, str]:
    """What to do now, and of an end the reason."""
    if asked.end:
        return Doing.END, asked.end
    if asked.look or moment >= plan.due:
        return Doing.LOOK, ""
    if moment - plan.active >= plan.idle:
        return Doing.END, f"nothing happened for {plan.idle / 60:.0f} minutes"
    return Doing.WAIT, ""


def after(plan: Plan, moment: float, looked: Looked) -> Plan:
    """The plan once a look is over."""
    due = moment + max(looked.interval, _LEAST)
    return replace(plan, due=due, active=moment if looked.was_active else plan.active, idle=looked.idle)
