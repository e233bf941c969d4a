"""Asking the history: `log` and `blame`."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from gitinstinct import clock
from gitinstinct.cli import finding, output
from gitinstinct.cli.output import say, value
from gitinstinct.cli.target import GlobalOption, JsonOption, Place, ProjectOption, places
from gitinstinct.errors import ExitCode
from gitinstinct.instinct import ids
from gitinstinct.store import history
from gitinstinct.store.history import Logged
from gitinstinct.trace import commits, lines, past, revision
from gitinstinct.trace.commits import Wanted
from gitinstinct.trace.lines import Line
from gitinstinct.trace.past import Past, Point

_GUTTER = 36  # cells before a line of `blame`
_POINTS = 60  # of a curve: what has room in a line of 80 columns


def print_faults(read: Past) -> None:
    """The versions that cannot be read, and why: never silent."""
    for state in read.states:
        if state.fault:
            say((f"version {state.commit[:10]} cannot be read: {state.fault}", "red"))


def faults_json(read: Past) -> list[dict[str, str]]:
    """The same for scripts."""
    return [
        {"commit": state.commit, "path": ids.path_of(read.name), "reason": state.fault}
        for state in read.states
        if state.fault
    ]


def log(
    name: Annotated[str | None, typer.Argument(metavar="[ID]", help="Only commits that changed this instinct.")] = None,
    limit: Annotated[int | None, typer.Option("-n", metavar="N", min=1, help="At most so many.")] = None,
    since: Annotated[str | None, typer.Option("--since", metavar="TIME", help="None that is older.")] = None,
    until: Annotated[str | None, typer.Option("--until", metavar="TIME", help="None that is newer.")] = None,
    verb: Annotated[str | None, typer.Option("--verb", metavar="VERB", help="Only commits of this command.")] = None,
    run: Annotated[str | None, typer.Option("--run", metavar="RUN", help="Only this observer run.")] = None,
    project: ProjectOption = None,
    only_global: GlobalOption = False,
    as_json: JsonOption = False,
) -> int:
    """Show what was learned, newest first.

    Each observer run is one commit, with its evidence; with an ID also the curve of its confidence over the versions
    of its file. TIME is a day, a time, or '2 weeks ago'. Plain `git log` in the store tells the same; what plain git
    made has the verb `edit` or `merge`.

    Example:

      gitinstinct log grep-before-edit --since '2 weeks ago'
    """
    now = clock.now()
    wanted = Wanted(
        since=revision.moment(since, now) if since else None,
        until=revision.moment(until, now, end=True) if until else None,
        verb=verb,
        run=run,
        limit=limit,
    )
    found = places(project, only_global)
    return _log_all(found, wanted, as_json) if name is None else _log_one(name, found, wanted, as_json)


def _log_all(found: Sequence[Place], wanted: Wanted, as_json: bool) -> int:
    repos = [place.store.repo for place in found if place.store is not None]
    listed = [[(entry, repo) for entry in commits.listed(repo, wanted)] for repo in repos]
    # Each store's own order stays as git gives it, whatever the dates say.
    merged = list(heapq.merge(*listed, key=lambda one: -one[0].date.timestamp()))[: wanted.limit]
    deeds: dict[str, tuple[str, ...]] = {}
    for repo in repos:
        deeds |= commits.deeds(repo, [entry for entry, of in merged if of is repo])
    entries = [entry for entry, _ in merged]
    if as_json:
        output.as_json({"commits": [commit_json(entry, deeds[entry.commit]) for entry in entries]})
        return _code(entries, wanted)
    with output.paged():
        _print_commits(entries, deeds)
    return _code(entries, wanted)


def _log_one(name: str, found: Sequence[Place], wanted: Wanted, as_json: bool) -> int:
    home, read = finding.past_of(name, found)
    told = history.told(home.repo, read.commits)
    entries = wanted.choose(told[commit] for commit in read.commits)
    deeds, curve = commits.deeds(home.repo, entries), past.curve(read, told, _POINTS)
    if as_json:
        listed = [commit_json(entry, deeds[entry.commit]) for entry in entries]
        points = [_point_json(point) for point in curve]
        output.as_json({"commits": listed, "curve": points, "problems": faults_json(read)})
        return _code(entries, wanted)
    with output.paged():
        _print_curve(home.scope, read, curve)
        print_faults(read)
        _print_commits(entries, {commit: _about(name, done) for commit, done in deeds.items()})
    return _code(entries, wanted)


def _code(entries: Sequence[Logged], wanted: Wanted) -> int:
    """A search that finds nothing is told from a store in which nothing has happened yet."""
    return ExitCode.DONE if entries or wanted.only_limit else ExitCode.FOUND


def _about(name: str, deeds: Sequence[str]) -> tuple[str, ...]:
    """What a commit did to this one instinct, without its name."""
    return tuple(deed.removeprefix(name + " ") for deed in deeds if deed.split(" ")[0] == name)


def commit_json(entry: Logged, deeds: Sequence[str]) -> dict[str, Any]:
    """A commit, as `log --json` tells it."""
    return {
        "commit": entry.commit,
        "date": entry.date.isoformat(),
        "author": f"{entry.author} <{entry.mail}>",
        "verb": commits.verb(entry),
        "subject": entry.subject,
        "run": commits.run(entry),
        "detector": next(iter(entry.values("Detector")), None),
        "instincts": [deed.split(" ")[0] for deed in deeds],
    }


def _point_json(point: Point) -> dict[str, Any]:
    worth = None if point.confidence is None else point.confidence / 100
    return {"commit": point.commit, "date": point.date.isoformat(), "confidence": worth}


def _print_curve(scope: str, read: Past, curve: Sequence[Point]) -> None:
    known = [point.confidence for point in curve if point.confidence is not None]
    ends = f"  {value(known[0])} {output.arrow()} {value(known[-1])}" if known else ""
    days = f"{curve[0].date:%Y-%m-%d} to {curve[-1].date:%Y-%m-%d}"
    number = sum(state.blob is not None for state in read.states)
    gone = "" if read.present else ", gone now"
    say((read.name, "bold"), f"  {scope}  {number} version{'s' * (number != 1)}, {days}{gone}")
    say((output.spark(point.confidence for point in curve), "green"), ends)
    output.blank()


def _print_commits(entries: Sequence[Logged], deeds: dict[str, tuple[str, ...]]) -> None:
    if not entries:
        say("No commit matches.")
    for entry in entries:
        say((entry.commit[:10], "yellow"), f"  {entry.date:%Y-%m-%d %H:%M}  ", (entry.subject, "bold"))
        if commits.verb(entry) not in (entry.verb, "merge"):
            say((f"            by hand, {entry.author}", "dim"))
        for deed in deeds[entry.commit]:
            say(f"            {deed}")


# --- blame


def blame(
    name: Annotated[str, typer.Argument(metavar="ID[@REV]", help="The instinct's id.")],
    project: ProjectOption = None,
    only_global: GlobalOption = False,
    as_json: JsonOption = False,
) -> int:
    """Show which commit each line is from.

    The commit, its day, the command and the observer run, or the person. Of an instinct that is gone the last version
    is shown. Plain `git blame` in the store tells the same.

    Example:

      gitinstinct blame grep-before-edit
    """
    asked = finding.version(name, places(project, only_global), clock.now())
    found = lines.read(asked.home.repo, ids.path_of(asked.name), asked.commit)
    if as_json:
        output.as_json({"id": asked.name, "commit": asked.commit, "lines": [_line_json(line) for line in found]})
        return ExitCode.DONE
    with output.paged():
        if asked.gone:
            say((f"gone from main; as it was in {asked.commit[:10]}", "red"))
        _print_lines(found)
    return ExitCode.DONE


def _line_json(line: Line) -> dict[str, Any]:
    entry = line.commit
    return {
        "line": line.number,
        "text": line.text,
        "commit": entry.commit,
        "date": entry.date.isoformat(),
        "author": f"{entry.author} <{entry.mail}>",
        "verb": commits.verb(entry),
        "run": commits.run(entry),
    }


def _print_lines(found: Sequence[Line]) -> None:
    """Each line behind its commit; lines of one commit that follow each other are a block, told once."""
    before = ""
    for line in found:
        entry = line.commit
        verb, who = commits.verb(entry), commits.run(entry) or entry.author
        told = f"{entry.commit[:7]} {entry.date:%Y-%m-%d} {output.fit(verb, 7)} {output.fit(who, 10)}"
        for text in output.flowed(line.text, _GUTTER + 3):
            say((told if entry.commit != before else " " * _GUTTER, "yellow"), f"  {text}")
            before = entry.commit


VERBS = (log, blame)
