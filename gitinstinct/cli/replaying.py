"""`observe --replay` and `observe --compare`: what was analysed before, looked at again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gitinstinct import clock
from gitinstinct.cli import output
from gitinstinct.cli.output import counted, say
from gitinstinct.errors import ExitCode, UsageError
from gitinstinct.observer import past, state
from gitinstinct.observer.detector import LOCAL, Spent, kind

if TYPE_CHECKING:
    from gitinstinct.capture.project import Project
    from gitinstinct.config import Config
    from gitinstinct.observer.comparison import Comparison, Pair
    from gitinstinct.observer.past import Again, Range
    from gitinstinct.observer.proposals import Proposal
    from gitinstinct.observer.run import Outcome

ReplayOption = Annotated[
    str | None, typer.Option("--replay", metavar="RUN|SEGMENT", help="Analyse again what a run saw.")
]
CompareOption = Annotated[
    tuple[str, str] | None,
    typer.Option("--compare", metavar="A B", help="Two detectors side by side; nothing is kept."),
]
DetectorOption = Annotated[
    str | None, typer.Option("--detector", metavar="D", help="local, anthropic or claude-cli, for this run.")
]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before a model is paid.")]


def replay(
    project: Project, settings: Config, name: str, *, detector: str | None, dry_run: bool, yes: bool
) -> Outcome | None:
    """Analyses a run or a segment again; what of it is gone is told. None where a person would rather not pay.

    Raises:
        Found: there is no such run or segment, or nothing of it is kept.
        UsageError: there is no such detector, or a model would be paid and nobody can be asked.
    """
    from gitinstinct.observer import detectors
    from gitinstinct.observer import replay as again

    chosen = detector or settings.observer.detector
    detectors.known(chosen)
    within = past.of_name(project, name)
    _tell_of_gaps(within)
    if not _may_spend([chosen], yes):
        return None
    return again.replay(project, clock.now(), settings, within, detector=detector, dry_run=dry_run)


def _tell_of_gaps(within: Range) -> None:
    if within.gone:
        output.note(f"note: a part of it is gone: {', '.join(within.gone)}")


def compare(
    project: Project, settings: Config, names: tuple[str, str], name: str | None, *, yes: bool, as_json: bool
) -> int:
    """Shows what two detectors propose: on a run or a segment, or on what is new.

    Raises:
        UsageError: there is no such detector, or a model would be paid and nobody can be asked.
    """
    from gitinstinct.observer import comparison, detectors

    for one in names:
        detectors.known(one)
    if name is not None:
        within = past.of_name(project, name)
    else:
        within = past.behind(project, state.load(project.id, settings.observer.detector).cursor)
    _tell_of_gaps(within)
    if not _may_spend(names, yes):
        return ExitCode.DONE
    found = comparison.compare(project, clock.now(), settings, within, names)
    if as_json:
        output.as_json({"compare": _json(found, within)})
    else:
        _print(found, within)
    return ExitCode.DONE


def _may_spend(names: Sequence[str], yes: bool) -> bool:
    paid = [name for name in dict.fromkeys(names) if kind(name) != LOCAL]
    if not paid or yes:
        return True
    told = f"{' and '.join(paid)} would be asked, which may cost money within the ceilings of the settings"
    if not output.is_terminal():
        raise UsageError(told, "add --yes")
    return bool(typer.confirm(f"{told[0].upper()}{told[1:]}. Go ahead?", default=False))


# --- printed


def _print(found: Comparison, within: Range) -> None:
    what = "new observations" if within.name == "new" else f"observations of {within.name}"
    if not found.one.observations:
        say("Nothing new was captured.", ("  `--replay RUN` compares on what a run saw.", "dim"))
        return
    say(f"{found.one.observations} {what}, analysed twice; nothing is kept")
    one, other = found.one.detector.name, found.other.detector.name
    _print_pairs("Both say", found.both)
    _print_pairs("They say the contrary", found.contrary)
    _print_alone(f"Only {one}", found.only_one)
    _print_alone(f"Only {other}", found.only_other)
    output.blank()
    for answer in (found.one, found.other):
        _print_answer(answer)


def _print_pairs(title: str, pairs: Sequence[Pair]) -> None:
    if not pairs:
        return
    output.blank()
    say((title, "bold"))
    for mine, theirs in pairs:
        say(f"  {_seen(mine):>9} | {_seen(theirs):<9}  ", output.cut(mine.action, 25))
        if theirs.action != mine.action:
            say(" " * 25, (output.cut(theirs.action, 25), "dim"))


def _print_alone(title: str, proposals: Sequence[Proposal]) -> None:
    if not proposals:
        return
    output.blank()
    say((title, "bold"))
    for one in proposals:
        say(f"  {_seen(one):>9}  ", output.cut(one.action, 13))


def _print_answer(answer: Again) -> None:
    few = sum(not one.qualified for one in answer.proposals)
    cost = _cost(answer.detector.spent)
    say((f"{answer.detector.name:<32}", "dim"), f"{cost}; {counted(few, 'pattern')} seen too seldom so far")
    for name, reason in answer.detector.refused:
        say((f"  refused  {name}  {reason}", "dim"))


def _seen(one: Proposal) -> str:
    """`7x in 3`: sightings, and sessions that showed them."""
    return f"{sum(shown.count for shown in one.evidence)}x in {len(one.evidence)}"


def _cost(spent: Spent) -> str:
    if not spent.calls:
        return "no cost"
    dollars = "price unknown" if spent.dollars is None else f"${spent.dollars:.4f}"
    return f"{counted(spent.calls, 'call')}, {spent.tokens} tokens, {dollars}"


def _json(found: Comparison, within: Range) -> dict[str, Any]:
    return {
        "range": within.name,
        "observations": found.one.observations,
        "detectors": [_answer_json(answer) for answer in (found.one, found.other)],
        "both": [[_proposal_json(one) for one in pair] for pair in found.both],
        "contrary": [[_proposal_json(one) for one in pair] for pair in found.contrary],
        "only_first": [_proposal_json(one) for one in found.only_one],
        "only_second": [_proposal_json(one) for one in found.only_other],
    }


def _answer_json(answer: Again) -> dict[str, Any]:
    spent = answer.detector.spent
    return {
        "name": answer.detector.name,
        "calls": spent.calls,
        "tokens": spent.tokens,
        "cost": spent.dollars,
        "proposals": len(answer.proposals),
        "refused": [{"id": name, "reason": reason} for name, reason in answer.detector.refused],
    }


def _proposal_json(one: Proposal) -> dict[str, Any]:
    return {
        "trigger": one.trigger,
        "action": one.action,
        "domain": one.domain,
        "qualified": one.qualified,
        "sightings": sum(shown.count for shown in one.evidence),
        "sessions": len(one.evidence),
    }
