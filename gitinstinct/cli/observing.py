"""The observer from the command line: `observe` runs it, `status` tells whether it learns."""

from __future__ import annotations

import os
from typing import Annotated, Any

import typer

from gitinstinct import clock, config
from gitinstinct.cli import look, measured, output, standing, taught, view
from gitinstinct.cli.output import say, value
from gitinstinct.cli.standing import Standing
from gitinstinct.cli.target import GlobalOption, JsonOption, ProjectOption, where
from gitinstinct.errors import ExitCode
from gitinstinct.inject import begin
from gitinstinct.measure.strata import Stratum
from gitinstinct.observer import message
from gitinstinct.observer.run import Outcome
from gitinstinct.observer.run import observe as run_observer

# --- observe


def observe(
    now: Annotated[bool, typer.Option("--now", help="Run whatever the gates say.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", "-n", help="Show what it would learn.")] = False,
    project: ProjectOption = None,
    only_global: GlobalOption = False,
    as_json: JsonOption = False,
) -> int:
    """Find patterns in recent sessions and commit what was learned.

    Without `--now` it runs only when its gates are open: enough new observations, not too soon after the last run,
    within the active hours.

    Example:

      gitinstinct observe --now
    """
    settings = config.read()
    config.compile_for_hook(settings)
    place = where(project, only_global)
    taught.tell_of_wiring(place)
    outcome = run_observer(place.project, clock.now(), settings, skip_gates=now, dry_run=dry_run)
    if outcome.commit:
        begin.ahead(place.id, os.environ)
    verdicts = [] if dry_run else _verdicts()
    if as_json:
        output.as_json(_outcome_json(outcome))
        return ExitCode.DONE
    _print_outcome(outcome, dry_run)
    for stratum in verdicts:
        measured.newly_held(stratum)
    return ExitCode.DONE


def _verdicts() -> list[Stratum]:
    """What is held back from now on because it was measured to do harm, or nothing."""
    from gitinstinct.measure import settle, switch

    return settle.update(clock.now()) if switch.state() else []


def _outcome_json(outcome: Outcome) -> dict[str, Any]:
    return {
        "run": outcome.run or None,
        "observations": outcome.observations,
        "commit": outcome.commit,
        "stopped": standing.gate_json(outcome.stopped),
        "learned": [
            {
                "id": told.id, "verb": told.verb, "before": None if told.before is None else told.before / 100,
                "after": told.after / 100, "evidence": told.evidence,
            }
            for told in outcome.learned
        ],
        "refused": [{"id": name, "reason": reason} for name, reason in outcome.refused],
        "held": [{"path": path, "reason": reason} for path, reason in outcome.held],
    }  # fmt: skip


def _print_outcome(outcome: Outcome, dry_run: bool) -> None:
    if outcome.stopped is not None:
        say(f"No run: {outcome.stopped.reason}.", ("  `--now` runs all the same.", "dim"))
        return
    if outcome.observations == 0:
        say("Nothing new was captured.")
        return
    would = "would learn" if dry_run else "learned"
    say(f"{outcome.observations} observations; {would}: {message.subject(outcome.learned)}")
    cells = message.id_cells(outcome.learned)
    for told in outcome.learned:
        say(
            f"  {told.verb:<13}",
            (f"{told.id:<{cells}}", "bold"),
            f"  {message.change(told)}",
            (f"  {told.evidence}", "dim"),
        )
    for name, reason in outcome.refused:
        say((f"  refused      {name}  {reason}", "dim"))
    for path, reason in outcome.held:
        say((f"  not committed: {path}: {reason}", "yellow"))
    if outcome.pending:
        say((f"  the work tree follows later: {outcome.pending}", "yellow"))
    if outcome.commit:
        say(("  commit ", "dim"), (outcome.commit[:10], "yellow"))


# --- status


def status(
    project: ProjectOption = None,
    only_global: GlobalOption = False,
    as_json: JsonOption = False,
) -> int:
    """Show what is known, and whether it learns.

    Instincts by domain, those marked > that the next session start gets; the observer's last run, its last failure and
    what waits; and whatever stands in the way.

    Example:

      gitinstinct status
    """
    settings = config.read()
    config.compile_for_hook(settings)
    found = standing.gather(project, only_global, settings, clock.now())
    if as_json:
        output.as_json(standing.as_json(found))
    else:
        with output.paged():
            _print_status(found)
    return ExitCode.DONE


def _print_status(found: Standing) -> None:
    main = found.places[0]
    say(
        (main.project.name, "bold"),
        f"  {main.id}" if main.scope == "project" else "",
        f"  {main.project.remote}".rstrip(),
    )
    _print_instincts(found)
    output.blank()
    _print_observer(found)
    for note in found.notes:
        say((f"  ! {note}", "yellow"))
    look.print_problems(found.problems)


def _print_instincts(found: Standing) -> None:
    active, injected = found.active, found.injected
    if not active and not found.archived:
        no_store = "; there is no store yet: `gitinstinct init`, or the first run, makes one"
        say("no instincts yet", "" if found.places[0].store else no_store)
        return
    domain = None
    for one in active:
        instinct, confidence = one.item.instinct, one.fold.confidence
        if instinct.domain != domain:
            domain = instinct.domain
            output.blank()
            say((domain or "no domain", "bold"))
        mark = ">" if (one.scope, instinct.id) in injected else " "
        level = f"  {output.bar(confidence)} {value(confidence)} {mark} "
        say((level, view.colour(confidence)), instinct.id)
        say(" " * 20, (output.cut(instinct.trigger, 20), "dim"))
    output.blank()
    listed = len(active) - len(injected)
    say((f"> {len(injected)} at the next session start; {listed} listed only; {found.archived} archived", "dim"))


def _print_observer(found: Standing) -> None:
    say(("Observer", "bold"))
    for label, text in standing.observer_lines(found):
        say((f"  {label:<13}", "dim"), text)


VERBS = (status, observe)
