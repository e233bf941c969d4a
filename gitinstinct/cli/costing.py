"""`cost`: what models have cost, by day, project and model, and about what it costs to tell sessions something."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from gitinstinct import clock, config, paths
from gitinstinct.capture import reader
from gitinstinct.cli import modelled, output, target
from gitinstinct.cli.output import counted, say
from gitinstinct.cli.target import GlobalOption, JsonOption, ProjectOption
from gitinstinct.config import Observer
from gitinstinct.errors import ExitCode
from gitinstinct.inject import cost as injection
from gitinstinct.inject.cost import Injected
from gitinstinct.observer.detector import Spent
from gitinstinct.observer.model import prices, spending
from gitinstinct.store import library, store
from gitinstinct.store.errors import Missing
from gitinstinct.trace import revision


@dataclass(frozen=True, slots=True)
class Row:
    """The calls of one day for one project to one model; `opened` of them were never settled."""

    day: str
    project: str
    model: str
    spent: Spent
    opened: int


def cost(
    since: Annotated[str | None, typer.Option("--since", metavar="TIME", help="Nothing that is older.")] = None,
    project: ProjectOption = None,
    only_global: GlobalOption = False,
    as_json: JsonOption = False,
) -> int:
    """Show what learning has cost: models, and what sessions are told.

    Of all projects, unless one is named. Calls of a model are counted by the tokens that it told, in dollars by its
    price list; a call that did not tell its cost counts with the most that it could be. What sessions are told is
    estimated from today's words.

    Example:

      gitinstinct cost --since '2 weeks ago'
    """
    now = clock.now()
    chosen = _chosen(project, only_global)
    begin = revision.moment(since, now) if since else None
    calls = [one for one in spending.calls() if _counts(one, chosen, begin)]
    rows = _rows(calls)
    told = _told(chosen, begin)
    limits = config.read().observer
    if as_json:
        output.as_json(_json(rows, told, limits, now, since))
        return ExitCode.DONE
    with output.paged():
        _print(rows, told, limits, now)
    return ExitCode.DONE


def _chosen(project: str | None, only_global: bool) -> str | None:
    """The id of the project that is meant; None for all."""
    if only_global:
        return paths.GLOBAL
    return target.project(project).id if project is not None else None


def _counts(call: spending.Call, chosen: str | None, begin: datetime | None) -> bool:
    is_meant = chosen in (None, call.project) and (begin is None or call.at >= begin)
    return is_meant and call.spent.calls > 0


def _rows(calls: list[spending.Call]) -> list[Row]:
    """Day by day."""
    groups: dict[tuple[str, str, str], list[spending.Call]] = {}
    for call in sorted(calls, key=lambda one: (one.day, one.project, one.detector, one.model)):
        groups.setdefault((call.day, call.project, f"{call.detector} {call.model}"), []).append(call)
    return [
        Row(*key, sum((one.spent for one in group), Spent()), sum(one.is_open for one in group))
        for key, group in groups.items()
    ]


# --- what sessions are told


def _told(chosen: str | None, begin: datetime | None) -> list[Injected]:
    """Of each project whose sessions were told something."""
    folder = Path(paths.root("state")) / "inject"
    projects = [chosen] if chosen else sorted(path.stem for path in folder.glob("*.jsonl"))
    since = begin.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S") if begin else ""
    everywhere = _shelf("global", paths.GLOBAL)
    found = (injection.of(one, injection.lengths([*everywhere, *_shelf("project", one)]), since) for one in projects)
    return [one for one in found if one.events]


def _shelf(scope: str, project: str) -> list[Any]:
    try:
        return [(scope, library.read(store.open(Path(paths.store(project)))))]
    except Missing:
        return []


# --- for people


def _print(rows: list[Row], told: list[Injected], limits: Observer, now: datetime) -> None:
    if rows:
        _print_rows(rows)
    else:
        say("No model was asked.")
    if limits.detector != "local" or rows:
        say((f"today {modelled.today(limits, now)}", "dim"))
    output.blank()
    if not told:
        say("No session was told anything.")
    for one in told:
        each = one.characters // one.sessions
        say(
            (_name(one.project), "bold"),
            f"  about {each // injection.CHARACTERS_A_TOKEN:,} tokens a session ({each:,} characters), "
            f"in {counted(one.sessions, 'session')}",
        )
    if told:
        say(("estimated from the words of today", "dim"))


def _print_rows(rows: list[Row]) -> None:
    say((f"{'day':<12}{'project':<14}{'model':<28}{'calls':>5}{'tokens':>11}{'dollars':>10}", "dim"))
    for row in rows:
        say(f"{row.day:<12}{output.fit(_name(row.project), 13)} {output.fit(row.model, 27)} ", _numbers(row.spent))
    total = sum((row.spent for row in rows), Spent())
    if len(rows) > 1:
        say((f"{'together':<54}{_numbers(total)}", "bold"))
    opened = sum(row.opened for row in rows)
    if opened:
        say((f"{counted(opened, 'call')} did not tell the cost: counted with the most that could be", "yellow"))
    if total.dollars is None:
        say((f"no price is known for some: observer.prices in {paths.config_file()} sets it", "yellow"))


def _numbers(spent: Spent) -> str:
    return f"{spent.calls:>5}{spent.tokens:>11,}{modelled.dollars(spent.dollars):>10}"


def _name(project: str) -> str:
    return reader.about(project).get("name") or project


# --- for scripts


def _json(rows: list[Row], told: list[Injected], limits: Observer, now: datetime, since: str | None) -> dict[str, Any]:
    return {
        "since": since,
        "prices_as_of": prices.AS_OF,
        "calls": [
            {"day": row.day, "project": row.project, "model": row.model, "open": row.opened} | modelled.data(row.spent)
            for row in rows
        ],
        "total": modelled.data(sum((row.spent for row in rows), Spent())),
        "today": modelled.today_json(limits, now),
        "injected": [
            {
                "project": one.project, "sessions": one.sessions, "events": one.events,
                "characters": one.characters, "tokens": one.tokens, "estimated": True,
            }
            for one in told
        ],
    }  # fmt: skip


VERBS = (cost,)
