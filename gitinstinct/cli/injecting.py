"""`inject`: what a session would get now, and why the rest does not reach it."""

from __future__ import annotations

from gitinstinct import clock, config
from gitinstinct.cli import output
from gitinstinct.cli.output import say, value
from gitinstinct.cli.target import GlobalOption, JsonOption, ProjectOption, places
from gitinstinct.errors import ExitCode
from gitinstinct.inject import render
from gitinstinct.inject.select import Candidate, Selection, candidates, select
from gitinstinct.instinct.shelf import Problem
from gitinstinct.store import library


def inject(project: ProjectOption = None, only_global: GlobalOption = False, as_json: JsonOption = False) -> int:
    """Show what a session would get now.

    The text as the agent would read it, and for every other instinct the reason why it is left out.

    Example:

      gitinstinct inject
    """
    shelves = [(place, library.read(place.store)) for place in places(project, only_global) if place.store]
    settings, day = config.read(), clock.now().date().isoformat()
    found = select(candidates(((place.scope, shelf) for place, shelf in shelves), day), settings.inject)
    text = render.block((one.scope, one.item, one.fold.confidence) for one in found.chosen)
    problems = [problem for _, shelf in shelves for problem in shelf.problems]
    if as_json:
        output.as_json(_as_json(found, text, problems))
    else:
        _print(found, text, problems)
    return ExitCode.DONE


def _as_json(found: Selection, text: str, problems: list[Problem]) -> dict[str, object]:
    items = [_item(one) for one in found.chosen]
    left = [_item(one.candidate) | {"reason": one.reason} for one in found.left_out]
    left += [{"id": None, "path": problem.path, "reason": problem.reason} for problem in problems]
    return {"items": items, "text": text, "left_out": left}


def _item(one: Candidate) -> dict[str, object]:
    return {"id": one.item.instinct.id, "scope": one.scope, "confidence": one.fold.confidence / 100}


def _print(found: Selection, text: str, problems: list[Problem]) -> None:
    if text:
        output.raw(text)
    else:
        say("Nothing would be injected.")
    if found.left_out or problems:
        output.blank()
        say(("Left out:", "bold"))
    for one in found.left_out:
        name, confidence = one.candidate.item.instinct.id, value(one.candidate.fold.confidence)
        say(f"  {confidence}  {one.candidate.scope:<8}  {name}", (f"  {one.reason}", "dim"))
    for problem in problems:
        say((f"  cannot be read: {problem.path}: {problem.reason}", "red"))


VERBS = (inject,)
