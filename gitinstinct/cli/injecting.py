"""`inject`: what a session would get now, why the rest does not reach it, and what sessions got."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

import typer

from gitinstinct import clock, config
from gitinstinct.cli import output, view
from gitinstinct.cli.output import fit, say, value
from gitinstinct.cli.target import GlobalOption, JsonOption, Place, ProjectOption, places
from gitinstinct.errors import ExitCode, UsageError
from gitinstinct.inject import answer, log, preview, rules, usage
from gitinstinct.inject.preview import Preview
from gitinstinct.inject.select import PROJECT, candidates
from gitinstinct.instinct.shelf import Problem, Shelf
from gitinstinct.store import library


class Event(StrEnum):
    """How a session begins, as the harness tells it."""

    STARTUP = "startup"
    RESUME = "resume"
    COMPACT = "compact"
    CLEAR = "clear"
    FORK = "fork"


@dataclass(frozen=True, slots=True)
class _Read:
    """The stores that sessions here get something from."""

    places: list[Place]
    shelves: list[tuple[Place, Shelf]]

    @property
    def problems(self) -> list[Problem]:
        return [problem for _, shelf in self.shelves for problem in shelf.problems]


def inject(
    event: Annotated[Event, typer.Option("--event", help="How the session begins.")] = Event.STARTUP,
    prompt: Annotated[str | None, typer.Option("--prompt", metavar="TEXT", help="What this prompt would get.")] = None,
    session: Annotated[
        str, typer.Option("--session", metavar="ID", help="That session: what it has had is left out; with --log, its.")
    ] = "",
    show_log: Annotated[bool, typer.Option("--log", help="What sessions got, instead.")] = False,
    project: ProjectOption = None,
    only_global: GlobalOption = False,
    as_json: JsonOption = False,
) -> int:
    """Show what a session would get now, or what sessions got.

    The text exactly as the hook gives it, and for every other instinct the reason why it is left out. With --log the
    record of what reached which session, and when.

    Example:

      gitinstinct inject
      gitinstinct inject --prompt "run the tests"
      gitinstinct inject --log
    """
    found = places(project, only_global)
    if show_log:
        return _show_log(found, session, as_json)
    if prompt is not None and event is not Event.STARTUP:
        raise UsageError("--event and --prompt exclude each other", "give one of them")
    read = _Read(found, [(place, library.read(place.store)) for place in found if place.store])
    made = _preview(read, prompt, event, session)
    if as_json:
        output.as_json(_as_json(made, read.problems))
    else:
        _print(made, read.problems)
    return ExitCode.DONE


def _preview(read: _Read, prompt: str | None, event: Event, session: str) -> Preview:
    main, settings = read.places[0].project, config.read()
    known = log.given(main.id, session) if prompt is not None or event not in log.FRESH else {}
    situation = preview.Situation(known, main.root, os.environ.get("PATH", ""), answer.switched_off(os.environ))
    day = clock.now().date().isoformat()
    all_of_them = candidates(((place.scope, shelf) for place, shelf in read.shelves), day)
    return preview.of(all_of_them, rules.read(settings, main.id), situation, day, prompt)


def _as_json(made: Preview, problems: Sequence[Problem]) -> dict[str, object]:
    items = [_item(one.id, one.scope, one.confidence) for one in made.chosen]
    left = [_item(one.candidate.id, one.candidate.scope, one.candidate.confidence) | {"reason": one.reason}
            for one in made.left_out]  # fmt: skip
    left += [{"id": None, "path": problem.path, "reason": problem.reason} for problem in problems]
    return {"items": items, "text": made.text, "left_out": left}


def _item(name: str, scope: str, confidence: int) -> dict[str, Any]:
    return {"id": name, "scope": scope, "confidence": confidence / 100}


def _print(made: Preview, problems: Sequence[Problem]) -> None:
    if made.text:
        output.raw(made.text)
    else:
        say("Nothing would be injected.")
    if made.left_out or problems:
        output.blank()
        say(("Left out:", "bold"))
    for one in sorted(made.left_out, key=lambda left: (left.candidate.scope != PROJECT, left.candidate.rank)):
        known = one.candidate
        say(f"  {value(known.confidence)}  {known.scope:<8}  {known.id}", (f"  {one.reason}", "dim"))
    for problem in problems:
        say((f"  cannot be read: {problem.path}: {problem.reason}", "red"))


# --- what sessions got


def _show_log(found: Sequence[Place], session: str, as_json: bool) -> int:
    listed = sorted(usage.uses([place.id for place in found[:1]], session), key=lambda use: use.at)
    if as_json:
        output.as_json({"injected": [use._asdict() for use in listed]})
        return ExitCode.DONE
    if not listed:
        say("Nothing has reached a session here yet." if not session else "Nothing has reached that session.")
    with output.paged():
        before: tuple[str, ...] = ()
        for use in reversed(listed):
            if (use.at, use.session, use.event) != before:
                before = (use.at, use.session, use.event)
                say((f"{view.moment(use.at)}  {use.event:<8}", "bold"), f"  {use.session}  {use.harness}")
            say(f"    {fit(use.scope, 8)}  {use.id}", ("  withheld" if use.withheld else "", "dim"))
    return ExitCode.DONE if listed or not session else ExitCode.FOUND


VERBS = (inject,)
