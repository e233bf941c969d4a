"""Why a run starts by itself, or does not: every gate, as `observe --explain` and `status` tell it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Annotated, Any

import typer

from gitinstinct import clock, config
from gitinstinct.cli import output
from gitinstinct.cli.output import say
from gitinstinct.cli.target import Place
from gitinstinct.config import Config
from gitinstinct.errors import ExitCode
from gitinstinct.observer import facts, gates, starts, state
from gitinstinct.observer.gates import Gate
from gitinstinct.observer.starts import Start

ExplainOption = Annotated[bool, typer.Option("--explain", help="Tell which gates are open; run nothing.")]
StartedOption = Annotated[str, typer.Option("--started", metavar="NUMBER", hidden=True, help="Of the hook's start.")]

_INDENT = 23  # cells before a reason: whether it is open, and its name


def explain(place: Place, settings: Config, as_json: bool) -> int:
    """Tells every gate, open or shut, and when it opens."""
    now = clock.now()
    found = of_project(place, settings, now)
    start = starts.last(place.id, now)
    shut = [gate for gate in found if not gate.is_open]
    if as_json:
        output.as_json({"would_run": not shut, "gates": [as_data(gate) for gate in found], "start": start_data(start)})
        return ExitCode.DONE
    for gate in found:
        first, *rest = output.flowed(_reason(gate, now), _INDENT)
        mark, style = (("open  ", "green"), "dim") if gate.is_open else (("shut  ", "yellow"), "")
        say(mark, f"{gate.name:<17}", (first, style))
        for line in rest:
            say(" " * _INDENT, (line, style))
    output.blank()
    say(verdict(shut, now))
    if start is not None:
        say((start_line(start, now), "yellow" if start.fault else "dim"))
    return ExitCode.DONE


def of_project(place: Place, settings: Config, now: datetime) -> list[Gate]:
    """The gates of a project as they stand."""
    memory = state.load(place.id, settings.observer.detector)
    forbidden, busy = config.forbids(settings, os.environ), facts.at_work(place.id)
    return gates.gates(settings, facts.gather(place.project, memory, now, forbidden=forbidden, busy=busy))


def verdict(shut: list[Gate], now: datetime) -> str:
    """What the gates come to."""
    if not shut:
        return "The next turn's end starts a run."
    times = [gate.opens.astimezone() for gate in shut if gate.opens is not None]
    if len(times) < len(shut):
        return "No run starts by itself now; `observe --now` skips the gates."
    return f"No run starts by itself before {_when(max(times), now)}; `observe --now` skips the gates."


def lines(found: Sequence[Gate], now: datetime) -> Iterator[tuple[str, str]]:
    """Label and text of the lines of `status`: each gate that is shut with its reason, the others by name."""
    label = "shut gates"
    for gate in found:
        if not gate.is_open:
            yield label, f"{gate.name}: {_reason(gate, now)}"
            label = ""
    yield "open gates", ", ".join(gate.name for gate in found if gate.is_open)


def _reason(gate: Gate, now: datetime) -> str:
    return gate.reason if gate.opens is None else f"{gate.reason}; opens {_when(gate.opens, now)}"


def _when(moment: datetime, now: datetime) -> str:
    """The wall clock's time, with the day unless it is today's."""
    here = moment.astimezone()
    is_today = here.date() == now.astimezone().date()
    return here.strftime("%H:%M:%S" if is_today else "%Y-%m-%d %H:%M:%S")


def start_line(start: Start, now: datetime) -> str:
    """The last start by the hook."""
    return f"The last start, {_when(start.at, now)}, {start.fault or 'came to life'}."


def as_data(gate: Gate) -> dict[str, Any]:
    """A gate for scripts."""
    opens = gate.opens.astimezone().isoformat() if gate.opens is not None else None
    return {"gate": gate.name, "open": gate.is_open, "reason": gate.reason, "opens": opens}


def start_data(start: Start | None) -> dict[str, Any] | None:
    """The last start for scripts."""
    return None if start is None else {"at": start.at.isoformat(), "fault": start.fault or None}
