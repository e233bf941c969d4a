"""`undo`: taking back a run or a command."""

from __future__ import annotations

from typing import Annotated

import typer

from gitinstinct.cli import output, taught
from gitinstinct.cli.output import say
from gitinstinct.cli.target import GlobalOption, JsonOption, ProjectOption
from gitinstinct.cli.taught import DryRunOption, WhyOption
from gitinstinct.errors import ExitCode, Found
from gitinstinct.store.history import Logged
from gitinstinct.teach import desk, undoing, words
from gitinstinct.teach.desk import Outcome
from gitinstinct.teach.undoing import Target


def undo(
    wanted: Annotated[
        str | None, typer.Argument(metavar="[RUN]", help="A run or a commit; the newest that stands if left out.")
    ] = None,
    why: WhyOption = "",
    dry_run: DryRunOption = False,
    project: ProjectOption = None,
    only_global: GlobalOption = False,
    as_json: JsonOption = False,
) -> int:
    """Take back a run or a command, and keep all others.

    Its evidence no longer counts, whatever came later; words go back where nobody changed them since. Again, it takes
    the one before. To undo an undo, name its commit.

    Example:

      gitinstinct undo 01m77pxbv0 -m "that was another project"
    """
    from gitinstinct.capture.redact import findings

    command = taught.command("undo", why)
    words.refuse({"reason": command.why}, findings)
    found = taught.place(project, only_global, command.at, rehearse=dry_run)
    store = taught.store_of(found, "there is nothing to take back")
    choices = undoing.targets(store.repo, wanted)
    target = undoing.choose(command, desk.look(store, command.at), store.repo, choices)
    outcome = desk.carry_out(
        store, lambda at: undoing.undo(command, at, store.repo, target), command.at, rehearse=dry_run
    )
    if not as_json:
        _print_target(target)
    _refuse_impossible(outcome)
    taught.report(outcome, rehearsed=dry_run, as_json=as_json)
    if not outcome.lesson.files and not as_json:
        say("It was taken back already; nothing of it counts.")
    return ExitCode.DONE


def _print_target(target: Target) -> None:
    for entry in target.commits:
        say(("takes back  ", "dim"), (entry.commit[:10], "yellow"), f"  {_when(entry)}  ", (entry.subject, "bold"))


def _when(entry: Logged) -> str:
    return f"{entry.date:%Y-%m-%d %H:%M}"


def _refuse_impossible(outcome: Outcome) -> None:
    """Something stands in the way and nothing else could be done."""
    lesson = outcome.lesson
    if lesson.files or not lesson.notes:
        return
    for note in lesson.notes[1:]:
        output.note(note)
    raise Found(f"nothing can be taken back: {lesson.notes[0]}", "gitinstinct undo RUN takes another one")


VERBS = (undo,)
