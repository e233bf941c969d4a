"""Looking: `list` and `show`. Nothing here writes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from gitinstinct import clock
from gitinstinct.cli import finding, holding, narrowed, output, view
from gitinstinct.cli.holding import Judge
from gitinstinct.cli.output import fit, say, value
from gitinstinct.cli.target import GlobalOption, JsonOption, Place, ProjectOption, places
from gitinstinct.errors import ExitCode, Found, UsageError
from gitinstinct.inject import usage
from gitinstinct.inject.usage import Used
from gitinstinct.instinct import markdown
from gitinstinct.instinct.confidence import steps
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.ledger import live
from gitinstinct.instinct.shelf import Item, Problem, Shelf
from gitinstinct.store import history, library
from gitinstinct.trace import single


def _today() -> str:
    return clock.now().date().isoformat()


def _shelves(found: list[Place]) -> list[tuple[Place, Shelf]]:
    return [(place, library.read(place.store)) for place in found if place.store is not None]


# --- list


def list_(
    everything: Annotated[bool, typer.Option("--all", "-a", help="Archived ones too.")] = False,
    domain: Annotated[str | None, typer.Option("--domain", metavar="NAME", help="Only those of one domain.")] = None,
    never_used: Annotated[bool, typer.Option("--never-used", help="Only those that no session has had.")] = False,
    stale: Annotated[bool, typer.Option("--stale", help="Only those whose anchors or paths are gone here.")] = False,
    waiting: Annotated[bool, typer.Option("--waiting", help="Only those that wait for review.")] = False,
    project: ProjectOption = None,
    only_global: GlobalOption = False,
    as_json: JsonOption = False,
) -> int:
    """List instincts, the surest first.

    Example:

      gitinstinct list --domain testing
      gitinstinct list --never-used
    """
    day = _today()
    found = places(project, only_global)
    shelves = _shelves(found)
    rows = [(place, item) for place, shelf in shelves for item in shelf.items.values()]
    rows = [(place, item) for place, item in rows if domain in (None, item.instinct.domain)]
    rows = narrowed.never_used(rows) if never_used else rows
    rows = narrowed.stale(rows, found[0]) if stale else rows
    held = {place.id: holding.judge(place.id) for place in found}
    rows = narrowed.waiting(rows, held, day) if waiting else rows
    rows.sort(key=lambda row: (-row[1].fold(day).confidence, row[1].instinct.id))
    problems = [problem for _, shelf in shelves for problem in shelf.problems]
    if as_json:
        listed = [view.instinct_json(item, place.scope, day, held[place.id](item)) for place, item in rows]
        output.as_json({"instincts": listed, "problems": [view.problem_json(problem) for problem in problems]})
        return ExitCode.DONE
    shown = [(place, item) for place, item in rows if everything or item.fold(day).status == "active"]
    with output.paged():
        if rows or not (domain or never_used or stale or waiting):
            _print_rows(shown, day, held, hidden=len(rows) - len(shown))
        else:
            say(f"None in the domain {domain}." if domain else "None.")
        print_problems(problems)
    return ExitCode.DONE


def _print_rows(rows: list[tuple[Place, Item]], day: str, held: Mapping[str, Judge], hidden: int) -> None:
    if hidden and not rows:
        say("None that is not archived.", ("  --all shows these, too.", "dim"))
    elif not rows:
        say("No instincts yet.", (" They come with `gitinstinct observe`.", "dim"))
    for place, item in rows:
        instinct, today = item.instinct, item.fold(day)
        mark = today.status if today.status != "active" else held[place.id](item) or place.scope
        left = f"{value(today.confidence)}  {fit(mark, 10)}  "
        used = len(left) + len(instinct.id) + 2
        trigger = "  " + output.cut(instinct.trigger, used)
        say((left, view.colour(today.confidence)), instinct.id, (trigger, "dim"))


def print_problems(problems: list[Problem]) -> None:
    """What could not be read: never silent."""
    for problem in problems:
        say((f"cannot be used: {problem.path}: {problem.reason}", "red"))


# --- show


def show(
    name: Annotated[str | None, typer.Argument(metavar="ID[@REV]", help="The instinct's id.")] = None,
    file: Annotated[Path | None, typer.Option("--file", metavar="PATH", help="A bare file, outside any store.")] = None,
    project: ProjectOption = None,
    only_global: GlobalOption = False,
    as_json: JsonOption = False,
) -> int:
    """Show one instinct and what it rests on.

    Its words, its evidence, and how its confidence came about, entry by entry. With a REV as it was then, and worth
    what it was worth on that commit's day: a run, a commit, main~3, or a day.

    Example:

      gitinstinct show grep-before-edit
      gitinstinct show grep-before-edit@2026-11-10
    """
    if (name is None) == (file is None):
        raise UsageError("one instinct is shown: give an id, or --file PATH", "gitinstinct list shows the ids")
    found = [] if file is not None else places(project, only_global)
    shown = _from_file(file) if file is not None else _from_store(str(name), found)
    used = usage.used(found[0].id).get((shown.scope, shown.item.instinct.id)) if found else None
    held = holding.judge(found[0].id)(shown.item) if found else shown.item.held
    if as_json:
        told = view.full_json(shown.item, shown.scope, shown.day, held) | {"influenced": view.used_json(used)}
        output.as_json({"instinct": told})
        return ExitCode.DONE
    with output.paged():
        print_instinct(shown.item, shown.scope, shown.day, shown.when, used, held)
    return ExitCode.DONE


@dataclass(frozen=True, slots=True)
class _Shown:
    """An instinct and the ISO day as of which it is told; `when` is that day for people."""

    scope: str
    item: Item
    day: str
    when: str = "today"


def _from_file(path: Path) -> _Shown:
    try:
        data = path.read_bytes()
        instinct = markdown.parse(data)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}", "name a file that can be read") from error
    except Invalid as error:
        raise Found(f"{path}: {error}", "mend the file; `show` never guesses a value") from error
    item = Item(str(path), data, instinct, "" if instinct.adopted else _today())
    return _Shown(instinct.scope or "project", item, _today())


def _from_store(name: str, found: list[Place]) -> _Shown:
    """The project's instinct of that id, else the global one."""
    asked = finding.version(name, found, clock.now())
    repo = asked.home.repo
    if asked.gone:
        hint = f"what it was: gitinstinct why {asked.name}, or: gitinstinct show {asked.name}@{asked.commit[:10]}"
        raise Found(f"{asked.name} is gone", hint)
    item = single.read(repo, asked.name, asked.commit)
    if isinstance(item, Problem):
        raise Found(f"{item.path}: {item.reason}", f"mend it in {repo.work_tree}")
    if item is None:
        raise finding.unknown(asked.name)
    if "@" not in name:
        return _Shown(asked.home.scope, item, _today())
    told = history.told(repo, [asked.commit])[asked.commit]
    day = told.date.date().isoformat()
    return _Shown(asked.home.scope, item, day, f"{day}, commit {asked.commit[:10]}")


def print_instinct(
    item: Item, scope: str, day: str, when: str = "today", used: Used | None = None, held: str | None = None
) -> None:
    """One instinct on one screen, worth what it is on that ISO day; when it reached a session, if it ever did."""
    instinct, today = item.instinct, item.fold(day)
    say((instinct.title or instinct.id, "bold"))
    say(f"{instinct.id}  {scope}  {instinct.domain or 'no domain'}  {instinct.source}")
    if held:
        say((f"held back: {held}", "red"), _WAYS_ON.get(held, ""))
    output.blank()
    for parts in view.words(instinct):
        say(*parts)
    output.blank()
    say(f"{output.bar(today.confidence)} {value(today.confidence)}  {today.status}, as of {when}")
    if used is not None:
        say((f"last reached a session {view.used(used)}", "dim"))
    _print_evidence(item, day)


_WAYS_ON = {"conflicted": "; settle it: gitinstinct resolve", "waiting": " for review: gitinstinct review"}


def _print_evidence(item: Item, day: str) -> None:
    instinct = item.instinct
    if not instinct.adopted:
        say(f"no ledger yet: counts as written on {item.as_written}")
    made = {id(step.entry): step for step in steps(instinct.ledger, instinct.source)}
    alive = {id(entry) for entry in live(instinct.ledger)}
    for entry in sorted(instinct.ledger, key=lambda entry: entry.order):
        step = made.get(id(entry))
        after = value(step.after) if step else "    "
        style = "" if id(entry) in alive else "dim strike"
        say((f"{entry.date}  {after}  {fit(entry.claim, 16)}  {entry.text}", style))
    last = next(reversed(made.values()), None)
    today = item.fold(day)
    if last and last.after != today.confidence:
        say((f"{day}  {value(today.confidence)}  {fit('today', 16)}  a little less for every week without news", "dim"))
    for line in instinct.notes:
        say((line, "dim"))


VERBS = (list_, show)
