"""`observe --backfill`, and the question that `init` asks: learning from sessions that were there before the hooks."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gitinstinct import clock, config, paths
from gitinstinct.cli import output
from gitinstinct.cli.output import counted, say
from gitinstinct.errors import ExitCode, FatalError, UsageError

if TYPE_CHECKING:
    from gitinstinct.backfill.run import Plan, Summary
    from gitinstinct.capture.project import Project

BackfillOption = Annotated[bool, typer.Option("--backfill", help="Read past sessions of this project first.")]
AlsoBackfillOption = Annotated[
    bool | None, typer.Option("--backfill/--no-backfill", help="Learn from past sessions too.")
]
FromOption = Annotated[
    Path | None, typer.Option("--from", metavar="PATH", help="Past sessions: a file, or a folder with some.")
]

Told = dict[str, Any]
"""The part of a run's JSON that tells of a back-fill."""

_MOST_FILES = 5  # that are named with their damage


def plan(project: Project, source: Path | None) -> Plan:
    """What there is to read: in the usual places, or in the file or folder that was given.

    Raises:
        UsageError: there is no such file, or no project to read the past of.
    """
    from gitinstinct.backfill import run, sources
    from gitinstinct.store import homes

    if project.id == paths.GLOBAL:
        raise UsageError("a past belongs to a project, and this is none", "go into one, or name it with --project")
    if not config.read().enabled:
        raise UsageError("nothing is captured while gitinstinct is switched off", "set enabled: true in config.yaml")
    if source is not None and not source.exists():
        raise UsageError(f"{source} is not there", "give a file of past sessions, or a folder that holds some")
    if source is None:
        found = sources.usual(os.environ, Path.home(), sources.foreign_ids(project), project.root)
    else:
        found = sources.given(source)
    return run.plan(project, homes.aliases(project.id), found)


def read(planned: Plan, *, dry_run: bool, quiet: bool) -> Summary:
    """Reads it into the spool, with a bar on a terminal."""
    from gitinstinct.backfill import run

    with output.progress("reading the past", quiet=quiet) as progress:
        return run.backfill(planned, clock.now(), os.environ, progress, dry_run=dry_run)


def before_run(
    project: Project, wanted: bool, source: Path | None, replay: str | None, *, dry_run: bool, as_json: bool
) -> Told | None:
    """What `observe --backfill` and `--from` do before the run: read the past and tell of it; None without them.

    Raises:
        UsageError: `--replay` as well, or there is nothing that could be read.
    """
    if not wanted and source is None:
        return None
    if replay is not None:
        raise UsageError("--replay looks again at what is captured already", "read the past first, then replay")
    planned = plan(project, source)
    if not as_json:
        say(f"The past: {volume(planned)}")
    summary = read(planned, dry_run=dry_run, quiet=as_json)
    if not as_json:
        told(planned, summary, rehearsed=dry_run)
    return {"backfill": as_json_of(planned, summary)}


def rehearsed(past: Told, *, as_json: bool) -> int:
    """The end of a rehearsal: nothing was read into the spool, so no run could tell what it teaches."""
    if as_json:
        output.as_json(past)
    elif past["backfill"]["events"]:
        say(("What it teaches is known when it is read.", "dim"))
    return ExitCode.DONE


# --- told


def volume(planned: Plan) -> str:
    """How much there is to read, in a few words."""
    logs = len(planned.unread) - planned.sessions
    parts = [counted(planned.sessions, "session")] if planned.sessions or not logs else []
    parts += [counted(logs, "log") + " of another observer"] if logs else []
    if not planned.unread:
        return "nothing new to read" if planned.done else "no past sessions of this project were found"
    return f"{' and '.join(parts)}, {size(planned.size)}"


def size(number: int) -> str:
    """A number of bytes as people say it."""
    for unit, least in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if number >= least:
            return f"{number / least:.1f} {unit}"
    return counted(number, "byte")


def told(planned: Plan, summary: Summary, *, rehearsed: bool) -> None:
    """What was read, what was left out and why, and which files are damaged."""
    verb = "would be taken" if rehearsed else "taken"
    if planned.unread:
        told_of = f"{counted(summary.events, 'event')} of {counted(summary.sessions, 'session')}"
        say(f"{told_of} {verb}, {size(summary.written)}")
    _reasons("left out", summary.left)
    _reasons("taken with less", summary.remarks)
    if planned.unread or not planned.done:
        _reasons("not read", planned.passed)
    for path, reason in summary.failed:
        say((f"  cannot be read: {path}: {reason}", "yellow"))
    for path, damage in summary.damage[:_MOST_FILES]:
        lines = ", ".join(f"{counted(number, 'line')} {reason}" for reason, number in damage.most_common())
        say((f"  damaged: {path}: {lines}", "yellow"))
    if len(summary.damage) > _MOST_FILES:
        say((f"  and {counted(len(summary.damage) - _MOST_FILES, 'damaged file')} more, see --json", "yellow"))


def _reasons(label: str, reasons: Counter[str]) -> None:
    for reason, number in reasons.most_common():
        say((f"  {label:<16}{number:>7}  {reason}", "dim"))


def as_json_of(planned: Plan, summary: Summary) -> dict[str, Any]:
    """The same as JSON."""
    return {
        "files": summary.files,
        "bytes": summary.read,
        "sessions": summary.sessions,
        "events": summary.events,
        "written": summary.written,
        "unchanged": planned.done,
        "left_out": dict(summary.left),
        "remarks": dict(summary.remarks),
        "not_read": dict(planned.passed),
        "failed": [{"path": str(path), "reason": reason} for path, reason in summary.failed],
        "damaged": [{"path": str(path), "lines": dict(damage)} for path, damage in summary.damage],
    }


# --- asked by `init`


def announced(project: Project, *, wanted: bool | None, yes: bool) -> Plan | None:
    """How much past there is, told before anything is asked; None where there is none, or it is not wanted.

    Args:
        project: whose past.
        wanted: what `--backfill` and `--no-backfill` say; None asks later, and once: while there is no store.
        yes: nothing may be asked.
    """
    is_new = not (Path(paths.store(project.id)) / ".git").exists()
    if wanted is False or project.id == paths.GLOBAL or (wanted is None and (yes or not is_new)):
        return None
    try:
        planned = plan(project, None)
    except FatalError as error:
        output.note(f"note: whether there is a past to learn from is not known: {error.message}")
        return None
    if planned.unread:
        say(("past     ", "dim"), volume(planned), "  will be read" if wanted else "  you will be asked")
    return planned if planned.unread else None


def offer(project: Project, planned: Plan | None, *, wanted: bool | None) -> None:
    """Asks whether to learn from the past, if there is one, unless that was said; and does."""
    if planned is None:
        return
    question = f"Learn from the past ({volume(planned)}) too? Nothing is sent anywhere"
    if wanted or typer.confirm(question, default=True):
        learned(project, planned)


def learned(project: Project, planned: Plan) -> None:
    """Reads the past for `init` and tells in short what it taught. What fails leaves the rest of `init` done.

    The local detector does it whatever the settings say: the question was not about money.
    """
    from gitinstinct.observer import message
    from gitinstinct.observer.detector import LOCAL
    from gitinstinct.observer.run import observe

    try:
        summary = read(planned, dry_run=False, quiet=False)
        say(("past     ", "dim"), f"{counted(summary.events, 'event')} of {counted(summary.sessions, 'session')} taken")
        outcome = observe(project, clock.now(), config.read(), skip_gates=True, detector=LOCAL)
    except FatalError as error:
        output.note(f"note: not all of the past was read: {error.message}")
        output.note(f"      {error.hint}")
        return
    if outcome.stopped is not None:
        say(("past     ", "dim"), f"{outcome.stopped.reason}; then: gitinstinct observe --now")
        return
    say(("learned  ", "dim"), message.subject(outcome.learned))
