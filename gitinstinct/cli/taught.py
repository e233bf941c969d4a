"""What a teaching command did, for people and for scripts; and what all of these commands have in common."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Any

import typer

from gitinstinct import clock, config
from gitinstinct.cli import output, view
from gitinstinct.cli.output import Part, say, value
from gitinstinct.cli.target import Place, where
from gitinstinct.errors import Found
from gitinstinct.instinct.confidence import Fold
from gitinstinct.store import homes, wiring
from gitinstinct.store.store import Store
from gitinstinct.teach import desk
from gitinstinct.teach.commands import Command
from gitinstinct.teach.desk import Decide, Outcome, Unknown
from gitinstinct.teach.lesson import Taught

WhyOption = Annotated[str, typer.Option("-m", metavar="WHY", help="Why; it is kept with the evidence.")]
DryRunOption = Annotated[bool, typer.Option("--dry-run", "-n", help="Show what it would do.")]


def command(verb: str, why: str, hundredths: int | None = None) -> Command:
    """A person's command of this moment."""
    threshold = config.read().inject.threshold
    return Command(verb, clock.now(), secrets.token_hex(8), " ".join(why.split()), hundredths, threshold)


def place(project: str | None, only_global: bool, now: datetime, *, rehearse: bool) -> Place:
    """Where a command writes. The store of a project that has got a remote meanwhile moves first."""
    found = where(project, only_global)
    if found.store is None and not rehearse and homes.settle(found.project, now):
        return where(project, only_global)
    tell_of_wiring(found)
    return found


def tell_of_wiring(found: Place) -> None:
    """A word about a store in which plain git would not merge by our rules."""
    fault = wiring.fault(found.store.repo) if found.store else ""
    if fault:
        output.note(f"note: {fault}; gitinstinct doctor --fix sets it")


def store_of(found: Place, what: str) -> Store:
    """The store there.

    Raises:
        Found: there is none yet, so `what` cannot be there either.
    """
    if found.store is None:
        raise Found(f"{what}: there is no store yet", "gitinstinct init makes one, and so does gitinstinct learn")
    return found.store


def carry_out(found: Place, decide: Decide, now: datetime, *, rehearse: bool, what: str) -> Outcome:
    """Carries a command out on instincts that are there; tells of one that is in the global store."""
    try:
        return desk.carry_out(store_of(found, what), decide, now, rehearse=rehearse)
    except Unknown as error:
        everybody = where(None, True).store
        known = desk.look(everybody, now).names() if everybody and found.scope == "project" else []
        if set(error.names) <= set(known):
            raise Unknown(error.names, "it is in the global store: add --global") from error
        raise


def report(outcome: Outcome, *, rehearsed: bool, as_json: bool) -> None:
    """Tells what was done."""
    if as_json:
        output.as_json(outcome_json(outcome))
        return
    for told in outcome.first:
        say((f"your own change was committed first: {told}", "dim"))
    for taught in outcome.lesson.taught:
        _print_taught(taught)
    for remark in _remarks(outcome):
        say((f"! {remark}", "yellow"))
    if outcome.commit:
        say(("commit ", "dim"), (outcome.commit[:10], "yellow"))
    elif rehearsed and outcome.lesson.files:
        say(("nothing was written: this is what it would do", "dim"))


def _remarks(outcome: Outcome) -> Iterator[str]:
    yield from outcome.lesson.notes
    for refusal in outcome.held:
        yield f"your change of {refusal.path} is not committed: {refusal.reason}"
    if outcome.pending:
        yield f"the work tree follows later: {outcome.pending}"


def _print_taught(taught: Taught) -> None:
    say((taught.id, "bold"), f"  {taught.verb}")
    arrow = f" {output.arrow()} "
    parts: list[Part] = ["  "]
    same = (
        taught.before is not None and taught.after is not None and taught.before.confidence == taught.after.confidence
    )
    for fold in (taught.before, taught.after)[same:]:
        parts += [*_level(fold), arrow] if fold or parts[-1] == arrow else []
    say(*parts[:-1])
    for line in output.wrapped(taught.reason, 2):
        say(f"  {line}")


def _level(fold: Fold | None) -> list[Part]:
    if fold is None:
        return ["gone"]
    style = view.colour(fold.confidence) if fold.status == "active" else "dim"
    return [(f"{output.bar(fold.confidence)} {value(fold.confidence)}", style)]


def outcome_json(outcome: Outcome) -> dict[str, Any]:
    """What was done, for scripts."""
    return {
        "commit": outcome.commit,
        "instincts": [_taught_json(taught) for taught in outcome.lesson.taught],
        "first": list(outcome.first),
        "notes": list(outcome.lesson.notes),
        "held": [{"path": refusal.path, "reason": refusal.reason} for refusal in outcome.held],
        "pending": outcome.pending or None,
    }


def _taught_json(taught: Taught) -> dict[str, Any]:
    return {
        "id": taught.id,
        "verb": taught.verb,
        "before": taught.before.confidence / 100 if taught.before else None,
        "after": taught.after.confidence / 100 if taught.after else None,
        "status": taught.after.status if taught.after else None,
        "reason": taught.reason,
    }
