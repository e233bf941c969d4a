"""Asking what differs: `diff`, field by field, between two states of a store, two stores or two files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from gitinstinct import clock, paths
from gitinstinct.capture.project import Project
from gitinstinct.cli import finding, output, target, view
from gitinstinct.cli.finding import Home
from gitinstinct.cli.output import clean, say, value
from gitinstinct.cli.target import GlobalOption, JsonOption, Place, ProjectOption, places
from gitinstinct.errors import ExitCode, Found, UsageError
from gitinstinct.git.repo import resolve
from gitinstinct.instinct import ids, markdown
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.ledger import Entry
from gitinstinct.store import history, layout
from gitinstinct.store import store as stores
from gitinstinct.store.history import Logged
from gitinstinct.store.layout import BRANCH
from gitinstinct.trace import comparison, difference, past, revision, single
from gitinstinct.trace.comparison import Comparison, Side
from gitinstinct.trace.difference import Difference, Field
from gitinstinct.trace.revision import Span

_HOW = "one range A..B and one ID: gitinstinct diff main~5..main grep-before-edit"
_SHORT = 26  # cells; two values that short stand in one line


def diff(
    what: Annotated[
        list[str] | None, typer.Argument(metavar="[A..B | RUN] [ID]", help="Which states, which one.")
    ] = None,
    other: Annotated[
        str | None, typer.Option("--with", metavar="WHERE", help="From another store to this one.")
    ] = None,
    files: Annotated[tuple[Path, Path] | None, typer.Option("--files", metavar="A B", help="Two bare files.")] = None,
    project: ProjectOption = None,
    only_global: GlobalOption = False,
    as_json: JsonOption = False,
) -> int:
    """Show what changed, field by field.

    Without a range the last change: of the store, or of the instinct with that ID. A RUN or a commit alone: what it
    changed. A and B are runs, commits, main~3, or days; a missing one is main. WHERE is `global`, a project's folder
    or id, or the folder of a store. Plain `git diff` in the store tells the same in text.

    Example:

      gitinstinct diff main~5..main
    """
    if files is not None and (what or other):
        raise UsageError("--files compares two files and nothing else", "leave the range, the ID and --with out")
    found = _files(*files) if files else _stores(what or [], other, places(project, only_global))
    if as_json:
        output.as_json(_as_json(found))
    else:
        with output.paged():
            _print(found)
    return ExitCode.FOUND if found.faults else ExitCode.DONE


# --- what is compared


def _files(old: Path, new: Path) -> Comparison:
    (_, before), (name, after) = _bare(old), _bare(new)
    return Comparison(str(old), str(new), (difference.between(name, before, after),) if before != after else ())


def _bare(path: Path) -> tuple[str, bytes]:
    """The id and the bytes of a file outside any store."""
    try:
        data = path.read_bytes()
        return markdown.parse(data).id, data
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}", "name a file that can be read") from error
    except Invalid as error:
        raise Found(f"{path}: {error}", "mend the file; `diff` never guesses a value") from error


def _stores(what: Sequence[str], other: str | None, found: Sequence[Place]) -> Comparison:
    homes = finding.homes(found)
    if not homes:
        raise Found("there is no store yet", "gitinstinct init makes one")
    if len(what) > (2 if other is None else 1):
        raise UsageError("too much to compare at once", _HOW)
    if other is not None:
        return _with_other(other, homes[0], what[0] if what else None)
    if len(what) == 2:
        return _both(what[0], what[1], homes)
    return _one(what[0], homes) if what else _changed(homes[0], BRANCH)


def _with_other(where: str, home: Home, name: str | None) -> Comparison:
    """From another store to this one, each at its newest commit."""
    there = _elsewhere(where)
    old = Side(f"{clean(where)}: {there.scope}", there.repo, resolve(there.repo, BRANCH))
    new = Side(f"{home.scope}", home.repo, resolve(home.repo, BRANCH))
    found = comparison.compare(old, new, name)
    if name and not any(single.is_there(side.repo, name) for side in (old, new)):
        raise finding.unknown(name)
    return found


def _elsewhere(where: str) -> Home:
    if (Path(where) / layout.ABOUT).is_file():
        opened = stores.open(Path(where).resolve())
        return Home(opened.about.scope, opened.repo)
    place = target.place(Project(paths.GLOBAL, paths.GLOBAL) if where == paths.GLOBAL else target.project(where))
    if place.store is None:
        raise Found(f"{where} has no store yet", "name a project that has one, the folder of a store, or global")
    return Home(place.scope, place.store.repo)


def _both(states: str, name: str, homes: Sequence[Home]) -> Comparison:
    """One instinct in two states."""
    failure = None
    for home in sorted(homes, key=lambda home: not single.is_there(home.repo, name)):
        try:
            span = _span(home, states)
        except Found as error:
            failure = failure or error
            continue
        if any(commit and single.is_there(home.repo, name, commit) for commit in (span.old, span.new)):
            return _compare(home, span, name)
        failure = Found(f"there is no {clean(name)} in {clean(states)}", f"see its commits: gitinstinct log {name}")
    raise failure or finding.unknown(name)


def _one(what: str, homes: Sequence[Home]) -> Comparison:
    """A range, the last change of an instinct, or what a run or a commit changed."""
    for home in homes:
        if single.is_there(home.repo, what):
            return _changed(home, past.last_change(home.repo, what) or BRANCH, what)
    failure = None
    for home in homes:
        try:
            return _compare(home, _span(home, what))
        except Found as error:
            failure = failure or error
    for home in homes if ids.is_id(what) else ():
        if commit := past.last_change(home.repo, what):
            return _changed(home, commit, what)
    raise failure or finding.unknown(what)


def _span(home: Home, states: str) -> Span:
    if revision.is_span(states):
        return revision.span(home.repo, states, clock.now())
    return revision.step(home.repo, revision.commit(home.repo, states, clock.now()))


def _changed(home: Home, commit: str, name: str | None = None) -> Comparison:
    return _compare(home, revision.step(home.repo, resolve(home.repo, commit) or commit), name)


def _compare(home: Home, span: Span, name: str | None = None) -> Comparison:
    told = history.told(home.repo, [commit for commit in (span.old, span.new) if commit])
    old, new = (
        Side(_label(told[commit]) if commit else "nothing", home.repo, commit) for commit in (span.old, span.new)
    )
    return comparison.compare(old, new, name)


def _label(entry: Logged) -> str:
    return f"{entry.commit[:10]} ({entry.date:%Y-%m-%d})"


# --- for people


def _print(found: Comparison) -> None:
    say((f"{found.old} {output.arrow()} {found.new}", "yellow"))
    for one in found.differences:
        output.blank()
        _print_difference(one)
    if not found.differences:
        say("no instinct differs")
    if found.others:
        output.blank()
        say((f"other files that differ: {', '.join(found.others)}", "dim"))
    for fault in found.faults:
        say((f"cannot be compared: {fault.path} in {fault.side}: {fault.reason}", "red"))


def _print_difference(one: Difference) -> None:
    old, new = (None if worth is None else value(worth) for worth in one.worth)
    worth = old if old == new else f" {output.arrow()} ".join(part for part in (old, new) if part)
    say((one.id, "bold"), (f"  {_CHANGES[one.change][0]}  ", _CHANGES[one.change][1]), str(worth))
    whole = one.new if one.old is None else one.old if one.new is None else None
    if whole:
        say(("  when  ", "dim"), whole.trigger.removeprefix("when "))
        say(("  do    ", "dim"), whole.action)
    for field in one.words:
        _print_field(field)
    for sign, style, entries in (("+", "green", one.added), ("-", "red", one.removed), ("x", "red", one.silenced)):
        for entry in entries:
            say((f"  {sign} {_entry(entry)}", style), "  no longer counts" if sign == "x" else "")
    numbers = ", ".join(f"{field.name} {_step(field)}" for field in one.numbers)
    for index, line in enumerate(output.wrapped(numbers, 11) if numbers else ()):
        say(("  follows  " if index == 0 else "           ", "dim"), line)
    if one.forged:
        say((f"  the file says confidence {one.forged}; its evidence gives {new}", "red"))


_CHANGES = {
    "new": ("new", "green"),
    "gone": ("gone", "red"),
    "changed": ("changed", ""),
    "form": ("only its form: comments, order, quotes or blank lines", "dim"),
}


def _entry(entry: Entry) -> str:
    return entry.render().removeprefix("- ").rpartition(" [")[0]


def _print_field(field: Field) -> None:
    short = all(len(text or "") <= _SHORT and "\n" not in (text or "") for text in (field.old, field.new))
    if short:
        say(f"  {field.name}  ", _step(field))
        return
    say(f"  {field.name}")
    for sign, style, text in (("-", "red", field.old), ("+", "green", field.new)):
        for line in text.split("\n") if text else ():
            say((f"    {sign} {line}", style))


def _step(field: Field) -> str:
    return f"{field.old or 'none'} {output.arrow()} {field.new or 'none'}"


# --- for scripts


def _as_json(found: Comparison) -> dict[str, Any]:
    return {
        "from": found.old,
        "to": found.new,
        "instincts": [_difference_json(one) for one in found.differences],
        "others": list(found.others),
        "problems": [{"side": one.side, "path": one.path, "reason": one.reason} for one in found.faults],
    }


def _difference_json(one: Difference) -> dict[str, Any]:
    old, new = (None if worth is None else worth / 100 for worth in one.worth)
    return {
        "id": one.id,
        "change": one.change,
        "confidence": {"old": old, "new": new},
        "fields": [{"field": field.name, "old": field.old, "new": field.new} for field in one.words],
        "ledger": {
            "added": [view.entry_json(entry, entry in one.counting) for entry in one.added],
            "removed": [view.entry_json(entry, False) for entry in one.removed],
            "silenced": [view.entry_json(entry, False) for entry in one.silenced],
        },
        "numbers": [{"field": field.name, "old": field.old, "new": field.new} for field in one.numbers],
        "forged": one.forged or None,
    }


VERBS = (diff,)
