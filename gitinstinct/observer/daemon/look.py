"""One look of the daemon: the gates of every project are asked, and where they are open it is analysed.

A project whose observations have not grown is not read again: only new ones could open what was shut. The one that was
analysed longest ago comes first, so that a project that takes all memory each time keeps no other from its turn.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from gitinstinct.capture import reader
from gitinstinct.capture.project import Project
from gitinstinct.config import Config
from gitinstinct.observer import facts, gates, known, state
from gitinstinct.observer.gates import Facts, Gate
from gitinstinct.store import homes

Analyse = Callable[[Project], str]
"""Analyses a project and gives what went wrong, or ""."""

_GROWING = ("observations", "idle")
"""The gates that only a new observation opens."""


@dataclass(slots=True)
class Seen:
    """What the daemon remembers of a project from one look to the next.

    Attributes:
        size: how many bytes were captured.
        shut: the size and the settings with which a gate was shut that only new observations open.
        turn: when it was last analysed; a number that grows.
    """

    size: int = -1
    shut: tuple[int, Config] | None = None
    turn: int = 0


@dataclass(slots=True)
class Eyes:
    """What the daemon has seen so far. `turns` counts analyses."""

    projects: dict[str, Seen] = field(default_factory=dict)
    turns: int = 0


@dataclass(slots=True)
class Round:
    """What a look found: how many projects, whose analysis was started, what went wrong, whether anything was new.

    `opens` is when the first of the gates opens that time alone opens.
    """

    projects: int = 0
    analysed: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    was_active: bool = False
    opens: datetime | None = None


def go_round(
    eyes: Eyes, now: Callable[[], datetime], settings: Config, forbidden: str, analyse: Analyse,
    is_over: Callable[[], bool],
) -> Round:  # fmt: skip
    """Goes over all projects.

    Args:
        eyes: what was seen before.
        now: the clock.
        settings: the person's settings.
        forbidden: why nothing may start by itself, or "".
        analyse: analyses one project.
        is_over: whether to go no further.
    """
    found = Round()
    ours = known.everywhere()
    eyes.projects = {one.id: eyes.projects.get(one.id, Seen()) for one in ours}
    found.projects = len(ours)
    found.was_active = any([_grew(eyes.projects[one.id], one.id) for one in ours])
    gate = _shut_for_all(settings, forbidden, now())
    if gate is not None:
        found.opens = _aware(gate.opens)
        return found
    for project in sorted(ours, key=lambda one: eyes.projects[one.id].turn):
        if is_over():
            break
        seen = eyes.projects[project.id]
        if seen.shut == (seen.size, settings):
            continue
        gate = gates.closed(settings, _facts(project, settings, now()))
        if gate is not None:
            _keep_out(seen, gate, settings, found)
            continue
        eyes.turns += 1
        seen.turn, found.was_active = eyes.turns, True
        found.analysed.append(project.name)
        fault = analyse(project)
        found.faults += [f"{project.name}: {fault}"] if fault else []
    return found


def _keep_out(seen: Seen, gate: Gate, settings: Config, found: Round) -> None:
    seen.shut = (seen.size, settings) if gate.name in _GROWING else None
    found.opens = min(filter(None, (found.opens, _aware(gate.opens))), default=None)


def _aware(moment: datetime | None) -> datetime | None:
    """A moment with its zone; without one it is the wall clock's."""
    return None if moment is None else moment.astimezone()


def _grew(seen: Seen, project: str) -> bool:
    """Whether something was captured since the last look; it is now seen."""
    ids = (*homes.aliases(project), project)
    before, seen.size = seen.size, sum(segment.size for one in ids for segment in reader.segments(one))
    return seen.size != before


def _shut_for_all(settings: Config, forbidden: str, now: datetime) -> Gate | None:
    """The gate that is shut whatever a project has, so that none need be looked at."""
    wall = now.astimezone().replace(tzinfo=None)
    nothing = Facts(now, wall, settings.observer.minimum, last_run=None, last_captured=now, forbidden=forbidden)
    return gates.closed(settings, nothing)


def _facts(project: Project, settings: Config, now: datetime) -> Facts:
    memory = state.load(project.id, settings.observer.detector)
    return facts.gather(project, memory, now, busy=facts.at_work(project.id))


def pause(settings: Config, found: Round, now: datetime) -> float:
    """Seconds to the next look: as the settings say, and sooner where a gate opens sooner."""
    usual = float(settings.observer.interval)
    return usual if found.opens is None else min(usual, max((found.opens - now).total_seconds(), 1.0))
