"""Looking: `list`, `show`, `log`. Nothing here writes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from gitinstinct import clock
from gitinstinct.cli import output, view
from gitinstinct.cli.output import clean, fit, say, value
from gitinstinct.cli.target import GlobalOption, JsonOption, Place, ProjectOption, places
from gitinstinct.errors import ExitCode, Found, UsageError
from gitinstinct.instinct import markdown
from gitinstinct.instinct.confidence import steps
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.ids import is_id
from gitinstinct.instinct.ledger import live
from gitinstinct.instinct.shelf import Item, Problem, Shelf
from gitinstinct.store import history, library
from gitinstinct.store.history import Logged


def _today() -> str:
    return clock.now().date().isoformat()


def _shelves(found: list[Place]) -> list[tuple[Place, Shelf]]:
    return [(place, library.read(place.store)) for place in found if place.store is not None]


# --- list


def list_(
    everything: Annotated[bool, typer.Option("--all", "-a", help="Archived ones too.")] = False,
    domain: Annotated[str | None, typer.Option("--domain", metavar="NAME", help="Only those of one domain.")] = None,
    project: ProjectOption = None,
    only_global: GlobalOption = False,
    as_json: JsonOption = False,
) -> int:
    """List instincts, the surest first.

    Example:

      gitinstinct list --domain testing
    """
    day = _today()
    shelves = _shelves(places(project, only_global))
    rows = [(place, item) for place, shelf in shelves for item in shelf.items.values()]
    rows = [(place, item) for place, item in rows if domain in (None, item.instinct.domain)]
    rows.sort(key=lambda row: (-row[1].fold(day).confidence, row[1].instinct.id))
    problems = [problem for _, shelf in shelves for problem in shelf.problems]
    if as_json:
        listed = [view.instinct_json(item, place.scope, day) for place, item in rows]
        output.as_json({"instincts": listed, "problems": [view.problem_json(problem) for problem in problems]})
        return ExitCode.DONE
    shown = [(place, item) for place, item in rows if everything or item.fold(day).status == "active"]
    with output.paged():
        _print_rows(shown, day)
        print_problems(problems)
    return ExitCode.DONE


def _print_rows(rows: list[tuple[Place, Item]], day: str) -> None:
    if not rows:
        say("No instincts yet.", (" They come with `gitinstinct observe`.", "dim"))
    for place, item in rows:
        instinct, today = item.instinct, item.fold(day)
        mark = item.held or (today.status if today.status != "active" else place.scope)
        left = f"{value(today.confidence)}  {fit(mark, 8)}  "
        used = len(left) + len(instinct.id) + 2
        say(*coloured(today.confidence, left), instinct.id, ("  " + output.cut(instinct.trigger, used), "dim"))


def coloured(confidence: int, text: str) -> list[output.Part]:
    """The text in the colour of what a confidence is good for: injected, listed, silent."""
    return [(text, "green" if confidence >= 70 else "yellow" if confidence >= 30 else "dim")]


def print_problems(problems: list[Problem]) -> None:
    """What could not be read: never silent."""
    for problem in problems:
        say((f"cannot be used: {problem.path}: {problem.reason}", "red"))


# --- show


def show(
    name: Annotated[str | None, typer.Argument(metavar="ID", help="The instinct's id.")] = None,
    file: Annotated[Path | None, typer.Option("--file", metavar="PATH", help="A bare file, outside any store.")] = None,
    project: ProjectOption = None,
    only_global: GlobalOption = False,
    as_json: JsonOption = False,
) -> int:
    """Show one instinct and what it rests on.

    Its words, its evidence, and how its confidence came about, entry by entry.

    Example:

      gitinstinct show grep-before-edit
    """
    if (name is None) == (file is None):
        raise UsageError("one instinct is shown: give an id, or --file PATH", "gitinstinct list shows the ids")
    scope, item = _from_file(file) if file is not None else _from_store(str(name), places(project, only_global))
    day = _today()
    if as_json:
        output.as_json({"instinct": view.full_json(item, scope, day)})
        return ExitCode.DONE
    with output.paged():
        print_instinct(item, scope, day)
    return ExitCode.DONE


def _from_file(path: Path) -> tuple[str, Item]:
    try:
        data = path.read_bytes()
        instinct = markdown.parse(data)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}", "name a file that can be read") from error
    except Invalid as error:
        raise Found(f"{path}: {error}", "mend the file; `show` never guesses a value") from error
    return instinct.scope or "project", Item(str(path), data, instinct, "" if instinct.adopted else _today())


def _from_store(name: str, found: list[Place]) -> tuple[str, Item]:
    """The project's instinct of that id, else the global one."""
    for place, shelf in _shelves(found):
        if name in shelf.items:
            return place.scope, shelf.items[name]
        for problem in shelf.problems:
            if Path(problem.path).stem == name:
                raise Found(f"{problem.path}: {problem.reason}", f"mend it in {place.store and place.store.path}")
    raise Found(f"no instinct is called {name}", "gitinstinct list shows the ids")


def print_instinct(item: Item, scope: str, day: str) -> None:
    """One instinct on one screen."""
    instinct, today = item.instinct, item.fold(day)
    say((instinct.title or instinct.id, "bold"))
    say(f"{instinct.id}  {scope}  {instinct.domain or 'no domain'}  {instinct.source}")
    if item.held:
        say((f"held back: {item.held}", "red"))
    output.blank()
    say(("when  ", "dim"), instinct.trigger.removeprefix("when "))
    for index, line in enumerate(instinct.action.split("\n")):
        say(("do    " if index == 0 else "      ", "dim"), line)
    output.blank()
    say(f"{output.bar(today.confidence)} {value(today.confidence)}  {today.status}, as of today")
    _print_evidence(item, day)


def _print_evidence(item: Item, day: str) -> None:
    instinct = item.instinct
    if not instinct.adopted:
        say(f"no ledger yet: counts as written on {item.as_written}")
    made = {id(step.entry): step for step in steps(instinct.ledger, instinct.source)}
    alive = {id(entry) for entry in live(instinct.ledger)}
    for entry in sorted(instinct.ledger, key=lambda entry: entry.order):
        step = made.get(id(entry))
        after = value(step.after) if step else "    "
        amount = entry.render().split(":", 1)[0].removeprefix(f"- {entry.date} ")
        style = "" if id(entry) in alive else "dim strike"
        say((f"{entry.date}  {after}  {fit(amount, 16)}  {entry.text}", style))
    last = next(reversed(made.values()), None)
    today = item.fold(day)
    if last and last.after != today.confidence:
        say((f"{day}  {value(today.confidence)}  {fit('today', 16)}  a little less for every week without news", "dim"))
    for line in instinct.notes:
        say((line, "dim"))


# --- log


def log(
    name: Annotated[str | None, typer.Argument(metavar="[ID]", help="Only commits that changed this instinct.")] = None,
    limit: Annotated[int | None, typer.Option("-n", metavar="N", min=1, help="At most so many.")] = None,
    project: ProjectOption = None,
    only_global: GlobalOption = False,
    as_json: JsonOption = False,
) -> int:
    """Show what was learned, newest first.

    Each observer run is one commit, with its evidence. Plain `git log` in the store tells the same.

    Example:

      gitinstinct log -n 5
    """
    if name is not None and not is_id(name):
        raise Found(f"no instinct is called {clean(name)}", "gitinstinct list shows the ids")
    commits = [
        entry
        for place in places(project, only_global)
        if place.store is not None
        for entry in history.log(place.store.repo, [name] if name else [], limit=limit)
        if entry.parents
    ]
    commits.sort(key=lambda entry: entry.date, reverse=True)
    if as_json:
        output.as_json({"commits": [_commit_json(entry) for entry in commits[:limit]]})
        return ExitCode.DONE
    if name and not commits:
        raise Found(f"no commit ever touched an instinct called {name}", "gitinstinct list shows the ids")
    with output.paged():
        for entry in commits[:limit]:
            _print_commit(entry)
    return ExitCode.DONE


def _commit_json(entry: Logged) -> dict[str, Any]:
    return {
        "commit": entry.commit,
        "date": entry.date.isoformat(),
        "author": f"{entry.author} <{entry.mail}>",
        "verb": entry.verb,
        "subject": entry.subject,
        "run": next(iter(entry.values("Run")), None),
        "detector": next(iter(entry.values("Detector")), None),
        "instincts": [told.split(" ")[0] for told in entry.values("Instinct")],
    }


def _print_commit(entry: Logged) -> None:
    say((entry.commit[:10], "yellow"), f"  {entry.date:%Y-%m-%d %H:%M}  ", (entry.subject, "bold"))
    for told in entry.values("Instinct"):
        say(f"            {told}")


VERBS = (list_, show, log)
