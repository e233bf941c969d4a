"""`review`: a person's consent to words that others, or models, have written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated

import typer

from gitinstinct import clock, config
from gitinstinct.cli import finding, output, reviewed
from gitinstinct.cli.output import say
from gitinstinct.cli.reviewed import Done
from gitinstinct.cli.target import GlobalOption, JsonOption, Place, ProjectOption, places
from gitinstinct.cli.taught import DryRunOption
from gitinstinct.errors import EnvironmentFault, ExitCode, Found, UsageError
from gitinstinct.instinct.shelf import Shelf
from gitinstinct.review import verdict
from gitinstinct.review import waiting as waits
from gitinstinct.review.waiting import Case, Rules
from gitinstinct.store import library
from gitinstinct.trust import book, repair, standing


@dataclass(frozen=True, slots=True)
class Table:
    """What a review looks at: the stores with their instincts, and the rules."""

    shelves: tuple[tuple[Place, Shelf], ...]
    rules: Rules
    day: str

    def waiting(self) -> list[Case]:
        """Everything that a person is asked about."""
        found = []
        for place, shelf in self.shelves:
            names = waits.waiting(shelf.items.values(), self.day, self.rules)
            found += self._cases(place, names)
        return found

    def named(self, names: Sequence[str]) -> list[Case]:
        """The instincts of these ids, the project's before the global one.

        Raises:
            Found: there is none of such an id.
        """
        found: dict[str, Case] = {}
        for place, _ in self.shelves:
            for case in self._cases(place, [name for name in names if name not in found]):
                found[case.id] = case
        for name in names:
            if name not in found:
                raise finding.unknown(name)
        return [found[name] for name in dict.fromkeys(names)]

    def _cases(self, place: Place, names: Sequence[str]) -> list[Case]:
        if place.store is None or not names:
            return []
        return waits.cases(place.store, names, self.rules)


def review(
    names: Annotated[list[str] | None, typer.Argument(metavar="[ID...]", help="Instincts; all that wait.")] = None,
    accept: Annotated[list[str] | None, typer.Option("--accept", metavar="ID", help="Let it reach agents.")] = None,
    reject: Annotated[list[str] | None, typer.Option("--reject", metavar="ID", help="Never; do not ask again.")] = None,
    revoke: Annotated[list[str] | None, typer.Option("--revoke", metavar="ID", help="Let it wait again.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Accept all about which nothing is odd.")] = False,
    mine: Annotated[bool, typer.Option("--mine", help="Accept what you wrote on another machine.")] = False,
    why: Annotated[str, typer.Option("-m", metavar="WHY", help="Why; it is kept with the decision.")] = "",
    mend: Annotated[bool, typer.Option("--repair", help="Put a damaged list aside and begin a new one.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    dry_run: DryRunOption = False,
    project: ProjectOption = None,
    only_global: GlobalOption = False,
    as_json: JsonOption = False,
) -> int:
    """Decide which words may reach an agent.

    What you say yourself and what is observed here needs no review. What came from others, was merged from two texts
    or committed by plain git waits until you accept it; one letter changed, and it waits again. Shown are the words,
    what changed since you accepted them last, who wrote them, and what is odd about them. On a terminal you are asked.

    Example:

      gitinstinct review
      gitinstinct review --accept run-tests-first --reject use-mirror -m "not ours"
    """
    if mend:
        return _repair(as_json)
    wishes = {"accept": _listed(accept), "reject": _listed(reject), "revoke": _listed(revoke)}
    _refuse_senseless(wishes, names or [], everything=everything, mine=mine)
    table = _table(project, only_global)
    if any(wishes.values()) or everything or mine:
        _refuse_unasked(yes or dry_run)
        return _decide(table, wishes, _bulk(everything, mine), why, yes=yes, dry_run=dry_run, as_json=as_json)
    found = table.named(names) if names else table.waiting()
    if output.is_terminal() and not as_json and not dry_run and found:
        from gitinstinct.cli import asking

        return asking.ask(found, project)
    return _show(table, found, as_json)


def _listed(given: list[str] | None) -> list[str]:
    return [name for text in given or [] for name in text.replace(",", " ").split()]


def _bulk(everything: bool, mine: bool) -> Callable[[Case], bool] | None:
    if everything:
        return lambda case: True
    return (lambda case: case.mine) if mine else None


def _refuse_senseless(wishes: dict[str, list[str]], names: list[str], *, everything: bool, mine: bool) -> None:
    if names and (any(wishes.values()) or everything or mine):
        raise UsageError(f"what shall become of {names[0]}?", "name it behind --accept or --reject")
    if everything and mine:
        raise UsageError("--all and --mine exclude each other", "give one of them")
    every = [name for some in wishes.values() for name in some]
    twice = next((name for name in every if every.count(name) > 1), None)
    if twice:
        raise UsageError(f"{twice} is named twice", "decide once")


def _refuse_unasked(yes: bool) -> None:
    if not yes and not output.is_terminal():
        raise UsageError("nobody is here to decide", "add --yes if a person has decided already")


def _table(project: str | None, only_global: bool) -> Table:
    shelves = tuple((place, library.read(place.store)) for place in places(project, only_global) if place.store)
    settings, decided = config.read().trust, book.read()
    if decided.problem:
        output.note(f"note: {decided.problem}, so nothing is trusted; gitinstinct review --repair puts it aside")
    return Table(shelves, Rules(decided, settings.policy, settings.hosts), clock.now().date().isoformat())


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


# --- deciding


def _decide(
    table: Table, wishes: dict[str, list[str]], bulk: Callable[[Case], bool] | None, why: str,
    *, yes: bool, dry_run: bool, as_json: bool,
) -> int:  # fmt: skip
    accepted = verdict.sort(table.named(wishes["accept"]), in_bulk=False, why=why)
    rejected, revoked = table.named(wishes["reject"]), table.named(wishes["revoke"])
    if accepted.left and not bulk:
        case, reason = accepted.left[0]
        raise Found(f"{case.id} is not accepted: {reason}", f"look at it: gitinstinct review {case.id}")
    several = verdict.sort(_others(table, wishes, bulk), in_bulk=True, why=why)
    done = Done(
        accepted=(*accepted.accepted, *several.accepted),
        rejected=tuple(rejected),
        revoked=tuple(revoked),
        left=(*accepted.left, *several.left),
    )
    if several.accepted and not (yes or dry_run):
        reviewed.listed(several.accepted)
        if not typer.confirm(f"Accept {output.counted(len(several.accepted), 'instinct')}?"):
            say("Nothing was decided.")
            return ExitCode.DONE
    if not dry_run:
        _write(done, why)
    reviewed.done(done, rehearsed=dry_run, as_json=as_json)
    return ExitCode.FOUND if done.left else ExitCode.DONE


def _others(table: Table, wishes: dict[str, list[str]], bulk: Callable[[Case], bool] | None) -> list[Case]:
    if bulk is None:
        return []
    named = {name for some in wishes.values() for name in some}
    return [case for case in table.waiting() if case.id not in named and bulk(case)]


def _write(done: Done, why: str) -> None:
    from gitinstinct.capture.redact import findings
    from gitinstinct.teach import words

    words.refuse({"reason": why}, findings)
    now = clock.now()
    verdict.reject(done.rejected, now, why)
    verdict.revoke(done.revoked, now, why)
    verdict.accept(done.accepted, now, why)


# --- looking


def _show(table: Table, found: list[Case], as_json: bool) -> int:
    if as_json:
        output.as_json({"waiting": [reviewed.case_json(case) for case in found], "policy": table.rules.policy})
    elif not found:
        policy = (
            " The policy is `all`: what is not refused needs no review." if table.rules.policy == standing.ALL else ""
        )
        say(f"Nothing waits for review.{policy}")
    else:
        with output.paged():
            reviewed.listed(found)
            reviewed.preview(found)
            reviewed.ways_on()
    return ExitCode.FOUND if found else ExitCode.DONE


VERBS = (review,)
