"""The person's word: `learn`, `confirm`, `contradict`, `set`, `archive`, `restore`."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from gitinstinct import paths
from gitinstinct.cli import output, taught
from gitinstinct.cli.target import GlobalOption, JsonOption, Place, ProjectOption
from gitinstinct.cli.taught import DryRunOption, WhyOption
from gitinstinct.errors import ExitCode, UsageError
from gitinstinct.instinct import fields, ids
from gitinstinct.instinct.confidence import ARCHIVE_BELOW
from gitinstinct.instinct.ledger import HIGHEST_SET
from gitinstinct.store import homes
from gitinstinct.store.layout import About
from gitinstinct.teach import commands, desk, words
from gitinstinct.teach.commands import Command
from gitinstinct.teach.desk import Desk, Outcome
from gitinstinct.teach.learning import DOMAIN, Wish
from gitinstinct.teach.learning import learn as learned
from gitinstinct.teach.lesson import Lesson

NamesArgument = Annotated[list[str], typer.Argument(metavar="ID...", help="The ids of one or several instincts.")]

_VALUE = re.compile(r"0(?:\.\d{1,2})?|\.\d{1,2}")


# --- learn


def learn(
    trigger: Annotated[str, typer.Argument(metavar="TRIGGER", help="When it applies; `when` may be left out.")],
    action: Annotated[str, typer.Argument(metavar="ACTION", help="What to do then.")],
    domain: Annotated[str, typer.Option("--domain", metavar="NAME", help="What it is about.")] = DOMAIN,
    tags: Annotated[str, typer.Option("--tags", metavar="A,B", help="Words to find it by.")] = "",
    globs: Annotated[
        list[str] | None, typer.Option("--paths", metavar="GLOB", help="Only for such files; may be repeated.")
    ] = None,
    title: Annotated[str, typer.Option("--title", metavar="TEXT", help="Its heading; else made of the action.")] = "",
    anyway: Annotated[bool, typer.Option("--anyway", help="Though the same or the contrary is known.")] = False,
    why: WhyOption = "",
    dry_run: DryRunOption = False,
    project: ProjectOption = None,
    only_global: GlobalOption = False,
    as_json: JsonOption = False,
) -> int:
    """Say yourself what is to be known.

    It begins at 0.85 and fades half as fast as what was observed. Secrets, hidden signs and empty words are refused;
    whatever else is odd about the words is said.

    Example:

      gitinstinct learn "writing a migration" "Write the way back, too." --domain workflow
    """
    command = taught.command("learn", why)
    wish = Wish(trigger, action, title, domain, fields.words({"tags": tags}, "tags"), _globs(globs or []))
    found = taught.place(project, only_global, command.at, rehearse=dry_run)
    outcome = _learn(command, wish, found, anyway, dry_run)
    if not as_json:
        where = "every project" if found.scope == paths.GLOBAL else f"the project {found.project.name}"
        output.say((f"for {where}", "dim"))
    taught.report(outcome, rehearsed=dry_run, as_json=as_json)
    return ExitCode.DONE


def _globs(given: list[str]) -> tuple[str, ...]:
    return tuple(glob for text in given for glob in fields.words({"paths": text}, "paths"))


def _learn(command: Command, wish: Wish, found: Place, anyway: bool, rehearse: bool) -> Outcome:
    from gitinstinct.capture.redact import findings

    is_global = found.id == paths.GLOBAL
    about = About(paths.GLOBAL, "", paths.GLOBAL) if is_global else About("project", found.id, found.project.name)

    def decide(at: Desk) -> Lesson:
        return learned(command, wish, at.shelf.items.values(), at.names(), about, findings, anyway=anyway)

    if found.store is None:
        rehearsed = learned(command, wish, (), (), about, findings)  # refuses before a store is made for nothing
        if rehearse:
            return Outcome(rehearsed)
        made = homes.make_global(command.at) if is_global else homes.make(found.project, command.at)
        output.note(f"a store was made at {made.path}")
        return desk.carry_out(made, decide, command.at)
    about = found.store.about
    return desk.carry_out(found.store, decide, command.at, rehearse=rehearse)


# --- what is known already


def confirm(
    names: NamesArgument,
    why: WhyOption = "",
    dry_run: DryRunOption = False,
    project: ProjectOption = None,
    only_global: GlobalOption = False,
    as_json: JsonOption = False,
) -> int:
    """Say that instincts are right.

    Each gains 0.05, up to 0.90.

    Example:

      gitinstinct confirm grep-before-edit -m "saved me twice today"
    """
    command = taught.command("confirm", why)
    return _apply(command, names, project, only_global, dry_run=dry_run, as_json=as_json)


def contradict(
    names: NamesArgument,
    why: WhyOption = "",
    dry_run: DryRunOption = False,
    project: ProjectOption = None,
    only_global: GlobalOption = False,
    as_json: JsonOption = False,
) -> int:
    """Say that instincts are wrong.

    Each loses 0.10, down to 0.10; what a person wrote loses half of that.

    Example:

      gitinstinct contradict grep-before-edit -m "not in generated files"
    """
    command = taught.command("contradict", why)
    return _apply(command, names, project, only_global, dry_run=dry_run, as_json=as_json)


def set_(
    name: Annotated[str, typer.Argument(metavar="ID", help="The instinct's id.")],
    value: Annotated[str, typer.Argument(metavar="VALUE", help="From 0 to 0.95.")],
    why: WhyOption = "",
    dry_run: DryRunOption = False,
    project: ProjectOption = None,
    only_global: GlobalOption = False,
    as_json: JsonOption = False,
) -> int:
    """Give an instinct the confidence you think right.

    Later evidence goes on from there.

    Example:

      gitinstinct set grep-before-edit 0.9
    """
    command = taught.command("set", why, hundredths(value))
    return _apply(command, [name], project, only_global, dry_run=dry_run, as_json=as_json)


def archive(
    names: NamesArgument,
    why: WhyOption = "",
    dry_run: DryRunOption = False,
    project: ProjectOption = None,
    only_global: GlobalOption = False,
    as_json: JsonOption = False,
) -> int:
    """Put instincts away; `restore` brings them back.

    An archived instinct keeps its file and its evidence. It is neither injected nor listed, and gains nothing from what
    is observed.

    Example:

      gitinstinct archive grep-before-edit use-pip
    """
    command = taught.command("archive", why)
    return _apply(command, names, project, only_global, dry_run=dry_run, as_json=as_json)


def restore(
    names: Annotated[list[str], typer.Argument(metavar="ID... [VALUE]", help="The ids, and a confidence to begin at.")],
    why: WhyOption = "",
    dry_run: DryRunOption = False,
    project: ProjectOption = None,
    only_global: GlobalOption = False,
    as_json: JsonOption = False,
) -> int:
    """Bring archived instincts back.

    They begin anew at 0.30, or at the value given.

    Example:

      gitinstinct restore grep-before-edit 0.7
    """
    *some, last = names
    start = None if ids.is_id(last) or not some else hundredths(last, least=ARCHIVE_BELOW)
    command = taught.command("restore", why, start)
    wanted = names if start is None else some
    return _apply(command, wanted, project, only_global, dry_run=dry_run, as_json=as_json)


def _apply(
    command: Command, names: list[str], project: str | None, only_global: bool, *, dry_run: bool, as_json: bool
) -> int:
    from gitinstinct.capture.redact import findings

    words.refuse({"reason": command.why}, findings)
    found = taught.place(project, only_global, command.at, rehearse=dry_run)
    outcome = taught.carry_out(
        found,
        lambda at: commands.apply(command, at.items(names)),
        command.at,
        rehearse=dry_run,
        what=f"no instinct is called {' or '.join(dict.fromkeys(names))}",
    )
    taught.report(outcome, rehearsed=dry_run, as_json=as_json)
    return ExitCode.DONE


def hundredths(text: str, least: int = 0) -> int:
    """A confidence that a person typed, as hundredths.

    Raises:
        UsageError: it is none, or out of bounds.
    """
    hint = f"give a number from {least / 100:.2f} to {HIGHEST_SET / 100:.2f}, with two decimals at most"
    if not _VALUE.fullmatch(text):
        raise UsageError(f"{text} is no confidence", hint)
    found = int((text.partition(".")[2] + "00")[:2])
    if not least <= found <= HIGHEST_SET:
        raise UsageError(f"{text} is out of bounds", hint)
    return found


VERBS = (learn, confirm, contradict, set_, archive, restore)
