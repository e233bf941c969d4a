"""Setting up and taking down: `init`, `install`, `uninstall`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gitinstinct import clock, config, paths
from gitinstinct.cli import backfilling, joining, output
from gitinstinct.cli.output import say
from gitinstinct.cli.target import ProjectOption, project
from gitinstinct.errors import ExitCode, UsageError
from gitinstinct.harness.model import Scope
from gitinstinct.observer.daemon import control
from gitinstinct.store import homes

if TYPE_CHECKING:
    from gitinstinct.capture.project import Project
    from gitinstinct.harness.installer import Plan


NoHooksOption = Annotated[bool, typer.Option("--no-hooks", help="Make the stores, leave the agent's settings alone.")]


def init(
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    no_hooks: NoHooksOption = False,
    backfill: backfilling.AlsoBackfillOption = None,
    no_join: Annotated[bool, typer.Option("--no-join", help="Do not look for a store that others share.")] = False,
    scope: Annotated[Scope, typer.Option(help="Whose settings get the hooks.")] = Scope.USER,
    dry_run: Annotated[bool, typer.Option("--dry-run", "-n", help="Show what would be done.")] = False,
    chosen: ProjectOption = None,
) -> int:
    """Make the stores and install the hooks.

    There is a store for this project and one for you; the hooks go into Claude Code's settings. If others share a store
    at the project's origin, yours joins it. What changes is shown first, and you are asked; then whether to learn from
    past sessions of this project. Again, it changes nothing.

    Example:

      gitinstinct init --yes
    """
    found = project(chosen)
    plan = None if no_hooks else _plan(scope, found, "claude-code", add=True)
    _refuse_to_guess(yes or dry_run)
    _announce(found, plan)
    team = None if no_join else joining.announced(found)
    past = backfilling.announced(found, wanted=backfill, yes=yes)
    if dry_run:
        return ExitCode.DONE
    if not (yes or typer.confirm("Go ahead?", default=True)):
        say("Nothing was changed.")
        return ExitCode.DONE
    is_first = _make_stores(found)
    if plan is not None and plan.changed:
        _apply(plan, "added to")
    if team is not None:
        joining.join(found, team)
    backfilling.offer(found, past, wanted=backfill)
    if is_first and not yes:
        _offer_to_measure()
    say("Work with your agent as usual, then look: ", ("gitinstinct status", "bold"))
    return ExitCode.DONE


def _offer_to_measure() -> None:
    """Asked once: measuring costs some sessions an instinct."""
    from gitinstinct.measure import switch

    question = "Measure whether instincts help? On probation, one session in three goes without one"
    if typer.confirm(question, default=False):
        switch.turn_on(switch.SHARE, clock.now().isoformat())
        say(("measure  ", "dim"), "on; gitinstinct measure tells what was found, `measure off` ends it")


def _plan(scope: Scope, found: Project, name: str, *, add: bool) -> Plan:
    from gitinstinct import harness
    from gitinstinct.harness import installer

    agent = harness.find(name)
    file = agent.settings_file(scope, Path(found.root) if found.root else None, os.environ)
    waiting = ("PreToolUse",) if config.read().inject.remind else ()  # a reminder must come before the call
    return installer.plan(agent, scope, file, waiting=waiting) if add else installer.unplan(agent, file)


def _announce(found: Project, plan: Plan | None) -> None:
    """What will be done; the long part first, so that the summary stands above the question."""
    if plan is not None and plan.changed:
        output.raw(plan.diff)
        output.blank()
    title = found.name if found.id != paths.GLOBAL else "no project here: only the global store"
    say(("project  ", "dim"), title, f"  {found.id}" if found.id != paths.GLOBAL else "", f"  {found.remote}".rstrip())
    for place in dict.fromkeys((paths.store(found.id), paths.store(paths.GLOBAL))):
        say(("store    ", "dim"), place, "  is there" if (Path(place) / ".git").exists() else "  will be made")
    if plan is not None:
        say(("hooks    ", "dim"), str(plan.file), "  will be changed as shown" if plan.changed else "  are there")
        for warning in plan.warnings:
            say((f"note: {warning}", "yellow"))


def _make_stores(found: Project) -> bool:
    """Makes what is missing. Returns whether there was nothing of ours before."""
    now, is_first = clock.now(), not (Path(paths.store(paths.GLOBAL)) / ".git").exists()
    homes.make_global(now, found)
    if found.id != paths.GLOBAL:
        homes.make(found, now)
    return is_first


def _apply(plan: Plan, done: str) -> None:
    from gitinstinct.harness import installer

    had_backup = installer.backup(plan.file).exists()
    installer.apply(plan)
    say(("hooks    ", "dim"), f"{done} {plan.file}")
    if plan.installs and plan.before is not None and not had_backup:
        say(("         ", "dim"), f"the file as it was: {installer.backup(plan.file)}")


# --- hooks alone

HarnessArgument = Annotated[str, typer.Argument(metavar="HARNESS", help="claude-code or qoder.")]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
DryRunOption = Annotated[bool, typer.Option("--dry-run", "-n", help="Show what would be done.")]
ScopeOption = Annotated[Scope, typer.Option(help="Whose settings.")]


def install(
    harness: HarnessArgument,
    scope: ScopeOption = Scope.USER,
    yes: YesOption = False,
    dry_run: DryRunOption = False,
    chosen: ProjectOption = None,
) -> int:
    """Put the hooks into an agent's settings.

    Shows the change and asks first; everything foreign stays as it is.

    Example:

      gitinstinct install qoder --dry-run
    """
    return _change_hooks(harness, scope, chosen, yes, dry_run, add=True)


def uninstall(
    harness: HarnessArgument = "claude-code",
    scope: ScopeOption = Scope.USER,
    yes: YesOption = False,
    dry_run: DryRunOption = False,
    chosen: ProjectOption = None,
) -> int:
    """Take the hooks out of an agent's settings.

    The daemon ends, if there is one. What was learned stays, and is said where.

    Example:

      gitinstinct uninstall --yes
    """
    code = _change_hooks(harness, scope, chosen, yes, dry_run, add=False)
    is_gone = not _plan(scope, project(chosen), harness, add=False).changed
    if is_gone and (ended := control.stop()) is not None:
        say(("daemon   ", "dim"), f"has ended: process {ended.pid}")
    say(("         ", "dim"), f"what was learned stays in {paths.root('data')}")
    return code


def _change_hooks(name: str, scope: Scope, chosen: str | None, yes: bool, dry_run: bool, *, add: bool) -> int:
    plan = _plan(scope, project(chosen), name, add=add)
    if not plan.changed:
        say(("hooks    ", "dim"), str(plan.file), "  are there" if add else "  has none of ours")
        return ExitCode.DONE
    _refuse_to_guess(yes or dry_run)
    output.raw(plan.diff)
    for warning in plan.warnings:
        say((f"note: {warning}", "yellow"))
    if not dry_run and (yes or typer.confirm("Change this file?", default=True)):
        _apply(plan, "added to" if add else "taken out of")
    return ExitCode.DONE


def _refuse_to_guess(may_go_on: bool) -> None:
    if not may_go_on and not output.is_terminal():
        raise UsageError(
            "this asks before it changes settings, and there is no terminal", "add --yes, or --dry-run to look"
        )


VERBS = (init, install, uninstall)
