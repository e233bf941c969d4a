"""The observer from the command line: `observe` runs it, `status` tells whether it learns."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gitinstinct import clock, config
from gitinstinct.cli import (
    backfilling,
    background,
    gating,
    look,
    measured,
    modelled,
    output,
    replaying,
    standing,
    taught,
    view,
)
from gitinstinct.cli.output import say, value
from gitinstinct.cli.standing import Standing
from gitinstinct.cli.target import GlobalOption, JsonOption, Place, ProjectOption, where
from gitinstinct.errors import ExitCode
from gitinstinct.inject import begin
from gitinstinct.observer import message
from gitinstinct.observer.run import Outcome
from gitinstinct.observer.run import observe as run_observer

if TYPE_CHECKING:
    from gitinstinct.capture.project import Project
    from gitinstinct.config import Config

# --- observe


def observe(
    now: Annotated[bool, typer.Option("--now", help="Run whatever the gates say.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", "-n", help="Show what it would learn.")] = False,
    detector: replaying.DetectorOption = None,
    backfill: backfilling.BackfillOption = False,
    source: backfilling.FromOption = None,
    replay: replaying.ReplayOption = None,
    compare: replaying.CompareOption = None,
    yes: replaying.YesOption = False,
    explain: gating.ExplainOption = False,
    started: gating.StartedOption = "",
    project: ProjectOption = None,
    only_global: GlobalOption = False,
    as_json: JsonOption = False,
) -> int:
    """Find patterns in recent sessions and commit what was learned.

    Without `--now` it runs only when its gates are open: enough new observations, not too soon after the last run,
    within the active hours; `--explain` tells how they stand. `--backfill` first reads the sessions that were there
    before the hooks, each once; `--replay` analyses again what a run saw, `--compare` shows two detectors side by side.

    Example:

      gitinstinct observe --now
    """
    settings = config.read()
    config.compile_for_hook(settings)
    place = where(project, only_global)
    if started:
        return background.attend(place.project, started, settings)
    if explain:
        return gating.explain(place, settings, as_json)
    if compare:
        return replaying.compare(place.project, settings, compare, replay, yes=yes, as_json=as_json)
    taught.tell_of_wiring(place)
    past = backfilling.before_run(place.project, backfill, source, replay, dry_run=dry_run, as_json=as_json)
    if past is not None and dry_run:
        return backfilling.rehearsed(past, as_json=as_json)
    outcome = _ran(place.project, settings, replay, detector, dry_run=dry_run, asked=now or past is not None, yes=yes)
    return ExitCode.DONE if outcome is None else _told(place, outcome, past or {}, dry_run, as_json)


def _ran(
    project: Project, settings: Config, replay: str | None, detector: str | None, *, dry_run: bool, asked: bool,
    yes: bool,
) -> Outcome | None:  # fmt: skip
    """A run over what is new, or over what an earlier one saw. A person who asked for it is not kept by gates; None
    where they would rather not pay."""
    if replay:
        return replaying.replay(project, settings, replay, detector=detector, dry_run=dry_run, yes=yes)
    return run_observer(project, clock.now(), settings, skip_gates=asked, dry_run=dry_run, detector=detector)


def _told(place: Place, outcome: Outcome, past: backfilling.Told, dry_run: bool, as_json: bool) -> int:
    """What follows a run: the next session start is made ready, verdicts are looked at, and all of it is told."""
    if outcome.commit:
        begin.ahead(place.id, os.environ)
    verdicts = [] if dry_run else background.verdicts()
    if as_json:
        output.as_json(_outcome_json(outcome) | past)
        return ExitCode.DONE
    _print_outcome(outcome, dry_run)
    for stratum in verdicts:
        measured.newly_held(stratum)
    return ExitCode.DONE


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
        "detector": outcome.detector or None,
        "spent": modelled.data(outcome.spent),
        "fault": outcome.fault or None,
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
    _print_rest(outcome)


def _print_rest(outcome: Outcome) -> None:
    """What a run left undone, what it cost, and its commit."""
    for path, reason in outcome.held:
        say((f"  not committed: {path}: {reason}", "yellow"))
    if outcome.spent.calls:
        say((f"  {outcome.detector}: {modelled.run(outcome.spent)}", "dim"))
    if outcome.fault:
        say((f"  it went no further: {outcome.fault}", "yellow"))
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
    number = f"  {main.id}" if main.scope == "project" else ""
    output.hang("", [(main.project.name, "bold"), number, f"  {main.project.remote}".rstrip()])
    _print_instincts(found)
    output.blank()
    _print_observer(found)
    for note in found.notes:
        output.hang(("  ! ", "yellow"), [(note, "yellow")])
    look.print_problems(found.problems)


def _print_instincts(found: Standing) -> None:
    active, injected = found.active, found.injected
    if not active and not found.archived:
        no_store = "; there is no store yet: `gitinstinct init`, or the first run, makes one"
        output.hang("", ["no instincts yet", "" if found.places[0].store else no_store])
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
        first, *rest = output.flowed(text, 15)
        say((f"  {label:<13}", "dim"), first)
        for line in rest:
            say(" " * 15, line)


VERBS = (status, observe)
