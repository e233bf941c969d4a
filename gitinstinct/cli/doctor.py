"""`doctor`: whether all that the loop needs is there and works, and the way out where it does not."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from gitinstinct import clock, config
from gitinstinct.cli import output, selftest
from gitinstinct.cli.output import say
from gitinstinct.cli.target import JsonOption, ProjectOption
from gitinstinct.cli.target import project as chosen_project
from gitinstinct.doctor import captured, hooks, places, programs, running, stores
from gitinstinct.doctor.diagnosis import Diagnosis, Level, error, ok
from gitinstinct.errors import ExitCode, UsageError

_COLOURS = {Level.OK: "green", Level.WARNING: "yellow", Level.ERROR: "red"}
_INDENT = 22  # cells before what was found: level and name


def doctor(
    fix: Annotated[bool, typer.Option("--fix", help="Mend what can be mended without a risk.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", "-n", help="With --fix: tell what it would mend.")] = False,
    deep: Annotated[bool, typer.Option("--deep", help="Read every object of every store.")] = False,
    project: ProjectOption = None,
    as_json: JsonOption = False,
) -> int:
    """Look whether all works, from the hooks to the stores.

    One line for each thing, with the way out where it is not well. The hooks are tried: a made-up event goes through
    the very command that your agent starts, into a temporary place, and git merges two versions of an instinct through
    the merge driver. `--fix` closes what others may read, protects stores again and sets their merge driver. Exit code
    1 if something does not work.

    Example:

      gitinstinct doctor --deep
    """
    if dry_run and not fix:
        raise UsageError("--dry-run goes with --fix", "without --fix nothing is changed anyway")
    root = Path(found) if (found := chosen_project(project).root) else None
    diagnoses = list(_look(root, deep))
    cured = [one for one in diagnoses if one.cure] if fix else []
    if cured and not dry_run:
        for one in cured:
            assert one.cure is not None
            one.cure()
        diagnoses = list(_look(root, deep))
    if as_json:
        output.as_json(_as_json(diagnoses, cured))
    else:
        _print(diagnoses, cured, dry_run)
    return ExitCode.FOUND if any(one.level is Level.ERROR for one in diagnoses) else ExitCode.DONE


def _look(root: Path | None, deep: bool) -> Iterator[Diagnosis]:
    yield from programs.look()
    yield from places.look()
    registered, faults = hooks.find(root, os.environ)
    yield from faults
    yield from hooks.look(registered)
    for one in registered:
        yield from _tried(one)
    yield from captured.look(config.read(), clock.now())
    yield from running.look(config.read(), clock.now())
    yield from stores.look(deep)


def _tried(one: hooks.Registered) -> Iterator[Diagnosis]:
    """The hook entries of a file, started as the agent would; those whose program is missing are told already."""
    handlers = one.to_be_tried
    faults = [fault for handler in handlers if (fault := selftest.fault(handler))]
    for fault in faults:
        yield error("self-test", f"{one.file}: the hook was started, and {fault}", _way_out(fault, one.harness.name))
    if handlers and not faults:
        yield ok("self-test", f"{one.harness.title}: an event went through the hook and was kept")
    if one.startable and not handlers:
        yield ok("self-test", f"{one.file}: not tried; it starts another program than this one")


def _way_out(fault: str, harness: str) -> str:
    if "skipped.off" in fault:
        return "GITINSTINCT_OFF is set: take it away"
    return f"put the hooks in again: gitinstinct install {harness}"


def _as_json(diagnoses: list[Diagnosis], cured: list[Diagnosis]) -> dict[str, object]:
    checks = [
        {
            "name": one.name,
            "level": one.level,
            "text": one.text,
            "way_out": one.way_out,
            "fixable": one.cure is not None,
        }
        for one in diagnoses
    ]
    numbers = {f"{level}s": sum(one.level is level for one in diagnoses) for level in (Level.ERROR, Level.WARNING)}
    return {"checks": checks, **numbers, "fixed": [one.text for one in cured]}


def _print(diagnoses: list[Diagnosis], cured: list[Diagnosis], dry_run: bool) -> None:
    for one in cured:
        say(("would mend  " if dry_run else "mended  ", "green"), one.text)
    for one in diagnoses:
        first, *rest = output.wrapped(one.text, _INDENT)
        say((f"{one.level:<9}", _COLOURS[one.level]), f"{one.name:<13}", first)
        for line in rest:
            say(" " * _INDENT, line)
        for line in output.wrapped(one.way_out, _INDENT) if one.way_out else ():
            say(" " * _INDENT, (line, "dim"))
    errors, warnings = (sum(one.level is level for one in diagnoses) for level in (Level.ERROR, Level.WARNING))
    output.blank()
    told = f"{output.counted(errors, 'error')}, {output.counted(warnings, 'warning')}"
    say(told if errors or warnings else ("all is well", "green"))


VERBS = (doctor,)
