"""Asking why: `why`, one screen on where an instinct comes from and what it rests on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Annotated, Any

import typer

from gitinstinct import clock
from gitinstinct.cli import finding, output, tracing, view
from gitinstinct.cli.finding import Home
from gitinstinct.cli.output import fit, say, value
from gitinstinct.cli.target import GlobalOption, JsonOption, Place, ProjectOption, places
from gitinstinct.errors import ExitCode, Found
from gitinstinct.inject import usage
from gitinstinct.inject.usage import Used
from gitinstinct.instinct import ids
from gitinstinct.instinct.confidence import INJECT_FROM, LIST_FROM
from gitinstinct.store.history import Logged
from gitinstinct.trace import account, commits, neighbours, wordbook
from gitinstinct.trace.account import Account, Step
from gitinstinct.trace.neighbours import Neighbour
from gitinstinct.trace.past import Past

_FIRST, _LAST = 3, 12  # steps that are shown when there are more than fit on a screen


def why(
    name: Annotated[str, typer.Argument(metavar="ID", help="The instinct's id.")],
    project: ProjectOption = None,
    only_global: GlobalOption = False,
    as_json: JsonOption = False,
) -> int:
    """Tell where an instinct comes from, and why it counts.

    What it says, which run found it, each step of its confidence with its commit and evidence, what it is worth
    today, and which other instincts say the same or the contrary. One that is gone is told from its past.

    Example:

      gitinstinct why grep-before-edit
    """
    found = places(project, only_global)
    home, past = finding.past_of(name, found)
    day = clock.now().date().isoformat()
    told = account.of(home.repo, past, day)
    if told is None:
        reason = next(state.fault for state in past.states if state.fault)
        raise Found(f"no version of {name} can be read: {reason}", f"see the file: gitinstinct blame {name}")
    near = _neighbours(told, home, found)
    used = usage.used(found[0].id).get((home.scope, told.instinct.id))
    if as_json:
        output.as_json({"why": _as_json(told, home, past, near) | {"influenced": view.used_json(used)}})
        return ExitCode.DONE
    with output.paged():
        _print(told, home, past, near, day, used)
    return ExitCode.DONE


def _neighbours(told: Account, home: Home, found: Sequence[Place]) -> list[Neighbour]:
    stores = [(place.scope, place.store) for place in found if place.store is not None]
    others = ((scope, said) for scope, store in stores for said in wordbook.read(store))
    return neighbours.find(told.instinct, home.scope, others)


# --- for people


def _print(told: Account, home: Home, past: Past, near: Sequence[Neighbour], day: str, used: Used | None) -> None:
    instinct = told.instinct
    say((instinct.title or instinct.id, "bold"))
    say(f"{instinct.id}  {home.scope}  {instinct.domain or 'no domain'}")
    _print_state(told, past)
    output.blank()
    for parts in view.words(instinct):
        say(*parts)
    output.blank()
    say(f"{output.bar(told.today.confidence)} {value(told.today.confidence)}  {_standing(told)}")
    for name, (written, given) in told.forged.items():
        say((f"the file says {name} {written or 'nothing'}; its evidence gives {given or 'nothing'}", "red"))
    output.blank()
    _print_origin(told)
    say(("influenced  ", "dim"), view.used(used))
    output.blank()
    _print_steps(told, day)
    output.blank()
    _print_neighbours(near)


def _print_state(told: Account, past: Past) -> None:
    """What is not as it should be: gone, unreadable, held."""
    if told.gone:
        by = f" since {_commit(told.removed)}" if told.removed else ""
        say((f"gone from main{by}; told as it was in {told.shown.commit[:10]}", "red"))
    elif told.fault:
        say((f"the file cannot be read: {told.fault}; told as it was in {told.shown.commit[:10]}", "red"))
    for fields in (conflict.get("field") for conflict in told.instinct.conflicts):
        say((f"conflicted: two sides gave it another {fields}", "red"))
    tracing.print_faults(past)


def _standing(told: Account) -> str:
    """What the confidence is good for."""
    today = told.today
    if told.gone:
        return "what it would be worth today"
    if today.status != "active":
        return f"{today.status}, as of today"
    if today.confidence >= INJECT_FROM:
        return f"active: from {value(INJECT_FROM)} on it is for the session start"
    if today.confidence >= LIST_FROM:
        return f"active: listed; below {value(INJECT_FROM)} no session gets it"
    return f"active: below {value(LIST_FROM)} it is silent"


def _print_origin(told: Account) -> None:
    first, source = told.first, told.instinct.source or "no source"
    say(("came from   ", "dim"), f"{source}, {first.date:%Y-%m-%d}")
    say(("            ", "dim"), _by(first))
    say(("            ", "dim"), _commit(first))


def _commit(entry: Logged | None) -> str:
    return f"{entry.commit[:10]}  {entry.subject}" if entry else ""


def _by(entry: Logged) -> str:
    """Who made a commit: the run and its detector, or the person."""
    run, detector = commits.run(entry), next(iter(entry.values("Detector")), "")
    if run is None:
        return f"{commits.verb(entry)} by {entry.author}"
    return f"run {run}" + (f", detector {detector}" if detector else "")


def _print_steps(told: Account, day: str) -> None:
    if told.since:
        say(f"no evidence yet: it counts as written on {told.since}")
    kept, left = _some(told.steps)
    for number, (_, group) in enumerate(groupby(kept, key=lambda step: step.commit.commit)):
        steps = list(group)
        if left and number and steps[0] is kept[_FIRST]:
            say((f"… {left} more; all of them: gitinstinct show {told.instinct.id}", "dim"))
        entry = steps[0].commit
        say((entry.commit[:10], "yellow"), f"  {entry.date:%Y-%m-%d}  {commits.verb(entry)}", (_who(entry), "dim"))
        for step in steps:
            _print_step(step)
    _print_today(told, day)


def _some(steps: Sequence[Step]) -> tuple[list[Step], int]:
    """The steps that fit on a screen, and how many are left out in their midst."""
    left = len(steps) - _FIRST - _LAST
    return (list(steps), 0) if left <= 1 else ([*steps[:_FIRST], *steps[-_LAST:]], left)


def _who(entry: Logged) -> str:
    run = commits.run(entry)
    return f"  run {run}" if run else f"  {entry.author}"


def _print_step(step: Step) -> None:
    entry = step.entry
    if step.decay:
        _print_row(entry.date, step.before, "", f"-{value(step.decay)} for weeks without news", "dim")
    _print_row(entry.date, step.after, entry.claim, entry.text, "" if step.live else "dim strike")


def _print_today(told: Account, day: str) -> None:
    last = next((step.after for step in reversed(told.steps) if step.after is not None), None)
    lost = last - told.today.confidence if last else 0
    if lost:
        _print_row(day, told.today.confidence, "today", f"-{value(lost)} for weeks without news", "")


def _print_row(day: str, confidence: int | None, what: str, text: str, style: str) -> None:
    worth = "    " if confidence is None else value(confidence)
    say((f"  {day}  {worth}  {fit(what, 14)}  ", style), (output.cut(text, 36), style))


def _print_neighbours(near: Sequence[Neighbour]) -> None:
    if not near:
        say(("neighbours  ", "dim"), "none says the same or the contrary")
    for index, one in enumerate(near):
        left = f"{fit(one.relation, 8)}  {fit(one.scope, 7)}  "
        used = 12 + len(left) + len(one.said.id) + 2
        style = "red" if one.relation == "contrary" else ""
        say(("            " if index else "neighbours  ", "dim"), (left, style), one.said.id,
            ("  " + output.cut(one.said.action, used), "dim"))  # fmt: skip


# --- for scripts


def _as_json(told: Account, home: Home, past: Past, near: Sequence[Neighbour]) -> dict[str, Any]:
    instinct, today = told.instinct, told.today
    return {
        "id": instinct.id,
        "scope": home.scope,
        "path": ids.path_of(instinct.id),
        "title": instinct.title,
        "trigger": instinct.trigger,
        "action": instinct.action,
        "domain": instinct.domain,
        "source": instinct.source,
        "gone": told.gone,
        "removed": tracing.commit_json(told.removed, ()) if told.removed else None,
        "shown": told.shown.commit,
        "first": tracing.commit_json(told.first, told.first.values("Instinct")),
        "as_written": told.since or None,
        "effective": today.confidence / 100,
        "effective_status": today.status,
        "forged": [{"field": name, "written": one, "given": two} for name, (one, two) in told.forged.items()],
        "steps": list(_steps_json(told.steps)),
        "neighbours": [
            {"relation": one.relation, "scope": one.scope, "id": one.said.id, "action": one.said.action} for one in near
        ],
        "problems": tracing.faults_json(past),
    }


def _steps_json(steps: Sequence[Step]) -> Iterator[dict[str, Any]]:
    for step in steps:
        numbers = {"before": step.before, "after": step.after, "decay": step.decay}
        yield view.entry_json(step.entry, step.live) | {
            **{name: None if number is None else number / 100 for name, number in numbers.items()},
            "commit": step.commit.commit,
            "committed": step.commit.date.isoformat(),
            "run": commits.run(step.commit),
            "verb": commits.verb(step.commit),
        }


VERBS = (why,)
