"""`review`: the one place for everything that waits for a person, above all for consent to words of others."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Annotated

import typer

from gitinstinct import clock, config
from gitinstinct.cli import deciding, finding, output, reviewed, taught
from gitinstinct.cli.deciding import Wishes
from gitinstinct.cli.output import say
from gitinstinct.cli.target import GlobalOption, JsonOption, ProjectOption, places, where
from gitinstinct.cli.taught import DryRunOption
from gitinstinct.errors import EnvironmentFault, ExitCode, UsageError
from gitinstinct.review import kinds
from gitinstinct.review.promotions import Unusable
from gitinstinct.review.table import Table
from gitinstinct.review.waiting import Case, Rules
from gitinstinct.store import library
from gitinstinct.trust import book, repair, standing


def review(
    names: Annotated[list[str] | None, typer.Argument(metavar="ID", help="Which; all that wait.")] = None,
    accept: Annotated[list[str] | None, typer.Option("--accept", metavar="ID", help="Let it reach agents.")] = None,
    reject: Annotated[list[str] | None, typer.Option("--reject", metavar="ID", help="Never; do not ask again.")] = None,
    revoke: Annotated[list[str] | None, typer.Option("--revoke", metavar="ID", help="Let it wait again.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Accept all about which nothing is odd.")] = False,
    mine: Annotated[bool, typer.Option("--mine", help="Accept what you wrote on another machine.")] = False,
    kind: Annotated[list[str] | None, typer.Option("--kind", metavar="KIND", help="Only of this kind.")] = None,
    why: Annotated[str, typer.Option("-m", metavar="WHY", help="Why; it is kept with the decision.")] = "",
    push: Annotated[bool, typer.Option("--push", help="Publish promotions that wait here.")] = False,
    update: Annotated[bool, typer.Option("--update", help="Merge what is new into them, then push.")] = False,
    body: Annotated[Path | None, typer.Option("--body", metavar="FILE", help="Where the text of --push goes.")] = None,
    mend: Annotated[bool, typer.Option("--repair", help="Put a damaged list aside and begin a new one.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    dry_run: DryRunOption = False,
    project: ProjectOption = None,
    only_global: GlobalOption = False,
    as_json: JsonOption = False,
) -> int:
    """Decide on everything that waits.

    What you say yourself and what is observed here needs no review. What came from others, was merged from two texts or
    committed by plain git waits until you accept it; one letter changed, and it waits again. So do promotions and
    conflicts. On a terminal you are asked. Kinds: conflict, incoming, import, promotion, proposal, edit.

    --push publishes a promotion that waits here as a pull request; --update makes the host's merge button safe for it.

    Example:

      gitinstinct review --accept run-tests-first --reject use-mirror -m "not ours"
    """
    if mend:
        return _repair(as_json)
    wishes = Wishes(_listed(accept), _listed(reject), _listed(revoke), everything, mine, _kinds(kind), why)
    if push or update or body is not None:
        return _publish(names or [], wishes, body, push=push, update=update, yes=yes, dry_run=dry_run, as_json=as_json)
    wishes.refuse_senseless(names or [])
    if wishes.says_nothing:
        return _look(names or [], wishes.kinds, project, only_global, rehearse=dry_run, as_json=as_json)
    return deciding.decide(_table(project, only_global), wishes, yes=yes, dry_run=dry_run, as_json=as_json)


def _listed(given: list[str] | None) -> tuple[str, ...]:
    return tuple(name for text in given or [] for name in text.replace(",", " ").split())


def _kinds(given: list[str] | None) -> tuple[str, ...]:
    chosen = _listed(given)
    for kind in chosen:
        if kind not in kinds.ORDER:
            raise UsageError(f"{kind} is no kind of what waits", f"one of: {', '.join(kinds.ORDER)}")
    return chosen


def _table(project: str | None, only_global: bool) -> Table:
    stores = [place.store for place in places(project, only_global) if place.store]
    settings, decided = config.read().trust, book.read()
    if decided.problem:
        output.note(f"note: {decided.problem}, so nothing is trusted; gitinstinct review --repair puts it aside")
    rules = Rules(decided, settings.policy, settings.hosts)
    return Table(tuple((store, library.read(store)) for store in stores), rules, clock.now().date().isoformat())


def _repair(as_json: bool) -> int:
    try:
        aside = repair.repair()
    except OSError as error:
        raise EnvironmentFault(f"the list cannot be put aside: {error}", "look at it yourself") from error
    if as_json:
        output.as_json({"aside": aside})
    elif aside is None:
        say("The list is sound.")
    else:
        say(f"What could be read of it goes on; the old list is {aside}")
    return ExitCode.DONE


def _publish(
    names: Sequence[str], wishes: Wishes, body: Path | None, *, push: bool, update: bool, yes: bool, dry_run: bool,
    as_json: bool,
) -> int:  # fmt: skip
    if body is not None and (update or not push):
        raise UsageError("--body is where the text of --push goes", "gitinstinct review --push --body FILE")
    if not wishes.says_nothing:
        raise UsageError("--push and --update decide on nothing", "publish first, or decide first")
    from gitinstinct.cli import publishing  # needs much that deciding does not

    store = taught.store_of(where(None, True), "nothing waits in the global store")
    carry_out = publishing.update if update else publishing.publish
    return carry_out(store, names, publishing.Wishes(yes, dry_run, as_json, body))


# --- looking


def _look(
    names: Sequence[str], wanted: Collection[str], project: str | None, only_global: bool, *, rehearse: bool,
    as_json: bool,
) -> int:  # fmt: skip
    table = _table(project, only_global)
    found, unusable = _looked_at(table, names, wanted)
    if not output.is_terminal() or as_json or rehearse or not found:
        return _show(table, found, unusable, as_json)
    from gitinstinct.cli import asking

    reviewed.unusable(unusable)
    return asking.ask(found, table, project)


def _looked_at(table: Table, names: Sequence[str], wanted: Collection[str]) -> tuple[list[Case], list[Unusable]]:
    """What a person wants to see: everything of some kinds, or what they name."""
    if not names:
        with_branches = not wanted or kinds.PROMOTION in wanted
        return table.waiting(wanted), list(table.promotions.unusable) if with_branches else []
    found = []
    for name in dict.fromkeys(names):
        if not (meant := table.named(name)):
            raise finding.unknown(name)
        found += meant
    cases = [one for one in found if isinstance(one, Case) and (not wanted or one.kind in wanted)]
    return cases, [one for one in found if isinstance(one, Unusable)]


def _show(table: Table, found: list[Case], unusable: list[Unusable], as_json: bool) -> int:
    policy = table.rules.policy
    if as_json:
        told = {"waiting": [reviewed.case_json(case, table) for case in found], "policy": policy}
        output.as_json(told | {"problems": [reviewed.problem_json(one) for one in unusable]})
    elif not found and not unusable:
        more = " The policy is `all`: what is not refused needs no review." if policy == standing.ALL else ""
        say(f"Nothing waits for review.{more}")
    else:
        with output.paged():
            _print(table, found, unusable)
    return ExitCode.FOUND if found or unusable else ExitCode.DONE


def _print(table: Table, found: list[Case], unusable: list[Unusable]) -> None:
    reviewed.unusable(unusable)
    if found:
        reviewed.listed(found, table)
        reviewed.preview(found)
        reviewed.ways_on()


VERBS = (review,)
