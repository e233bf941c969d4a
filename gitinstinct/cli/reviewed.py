"""What waits for review and what was decided, for people and for scripts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from gitinstinct import clock
from gitinstinct.cli import output, screened, view
from gitinstinct.cli.output import counted, say
from gitinstinct.inject import render
from gitinstinct.promote.landing import Landed
from gitinstinct.review import effect, evidence, kinds
from gitinstinct.review.promotions import Unusable
from gitinstinct.review.table import Table
from gitinstinct.review.waiting import Case
from gitinstinct.store.history import Logged
from gitinstinct.store.layout import Refusal

_PEOPLE = 5
_NEAR = 20  # neighbours that scripts are told of, the contrary ones first


@dataclass(frozen=True, slots=True)
class Done:
    """What became of each case; `left` are those that were not accepted, each with why not.

    `reopened`: names of promotions that were turned down and may be proposed again; `landed`: what became of those that
    were accepted; `problems`: projects that could not be told of it; `others`: how many wait that are of others, where
    only one's own were asked for.
    """

    accepted: tuple[Case, ...] = ()
    rejected: tuple[Case | Unusable, ...] = ()
    revoked: tuple[Case, ...] = ()
    reopened: tuple[str, ...] = ()
    left: tuple[tuple[Case, str], ...] = ()
    landed: tuple[Landed, ...] = ()
    problems: tuple[Refusal, ...] = ()
    others: int = 0

    @property
    def is_empty(self) -> bool:
        """Whether nothing was to decide."""
        return not (self.accepted or self.rejected or self.revoked or self.reopened or self.left)


# --- for people


def listed(cases: Sequence[Case], table: Table) -> None:
    """All cases by kind, and first how many there are and from whom."""
    head(cases)
    for kind, some in groupby(cases, key=lambda case: case.kind):
        output.blank()
        say((kind.capitalize(), "bold cyan"), (f"  {WHAT[kind]}", "dim"))
        for case in some:
            output.blank()
            screened.shown(case, table)


def head(cases: Sequence[Case]) -> None:
    """How many there are, of which kinds and from whom."""
    if not cases:
        return
    people = Counter(_who(case) for case in cases)
    shares = ", ".join(f"{number} by {who}" for who, number in people.most_common(_PEOPLE))
    more = f" and {len(people) - _PEOPLE} more people" if len(people) > _PEOPLE else ""
    say((f"{len(cases)} to decide on", "bold"), f": {tally(Counter(case.kind for case in cases))}")
    say((f"{shares}{more}", "dim"))


WHAT = {
    kinds.CONFLICT: "two sides say different things; held back until somebody settles it",
    kinds.INCOMING: "what others wrote, or you on another machine",
    kinds.IMPORT: "what an import brought",
    kinds.PROMOTION: "from projects, for all projects",
    kinds.PROPOSAL: "what the observer made of your sessions",
    kinds.EDIT: "what plain git committed, staged or checked out",
}
_PLURAL = {kinds.INCOMING: "incoming", kinds.IMPORT: "imports"}


def tally(counts: dict[str, int]) -> str:
    """`2 incoming, 1 promotion`."""
    said = (
        f"{counts[kind]} {_PLURAL[kind]}" if kind in _PLURAL and counts[kind] != 1 else counted(counts[kind], kind)
        for kind in kinds.ORDER
        if counts.get(kind)
    )
    return ", ".join(said)


def _who(case: Case) -> str:
    author = case.origin.author
    if case.origin.model:
        return "a model"
    return "you" if case.mine else author.name if author else "nobody knows whom"


def unusable(found: Iterable[Unusable]) -> None:
    """Branches from which nothing can be taken."""
    for one in found:
        say((f"cannot be used: {one.name}: {one.reason}", "red"))
        say("  turn it down: ", (f"gitinstinct review --reject {one.name}", "bold"))


def preview(cases: Iterable[Case]) -> None:
    """What an agent would read of these, side by side: some are harmless only alone."""
    fit = [case for case in cases if not (case.is_refused or case.item.instinct.conflicts)]
    if not fit:
        return
    output.blank()
    say(("An agent would read", "bold"))
    today = clock.now().date().isoformat()
    for case in fit:
        output.raw(render.line(case.scope, case.item.instinct, case.item.fold(today).confidence))


def ways_on() -> None:
    """What can be answered."""
    output.blank()
    say("decide: ", ("gitinstinct review --accept ID", "bold"), ", --reject ID -m WHY, --mine or --all")


def done(what: Done, *, rehearsed: bool, as_json: bool) -> None:
    """Tells what was decided."""
    if as_json:
        output.as_json(_done_json(what))
        return
    for verb, name, kind in _decided(what):
        say((name, "bold"), f"  {verb}", (f"  {kind}", "dim"))
    for case, reason in what.left:
        say((f"! {case.name} still waits: {reason}", "yellow"))
    landed(what.landed, what.problems)
    if what.is_empty:
        of_others = f"Nothing of yours waits; {what.others} of others {'does' if what.others == 1 else 'do'}."
        say(of_others if what.others else "Nothing waits for review.")
    elif rehearsed:
        say(("nothing was decided: this is what it would do", "dim"))


def _decided(what: Done) -> Iterator[tuple[str, str, str]]:
    yield from (("accepted", case.name, case.kind) for case in what.accepted)
    for one in what.rejected:
        yield "rejected", one.name, one.kind if isinstance(one, Case) else kinds.PROMOTION
    yield from (("revoked", case.name, case.kind) for case in what.revoked)
    yield from (("may be proposed again", name, kinds.PROMOTION) for name in what.reopened)


def landed(found: Iterable[Landed], problems: Iterable[Refusal] = ()) -> None:
    """What became of promotions that were accepted."""
    for one in found:
        if one.commit:
            say((one.id, "bold"), "  is global now  ", (one.commit[:10], "yellow"))
        if one.conflicts:
            say((f"! it is in conflict in {', '.join(one.conflicts)}, so no agent is told of it. Settle it:", "yellow"))
            say("  ", (f"gitinstinct resolve {one.id} --global", "bold"))
        if one.pending:
            say((f"its files follow later: {one.pending}", "yellow"))
    for refusal in problems:
        output.note(f"note: {refusal.path} could not be told: {refusal.reason}")


# --- for scripts


def case_json(case: Case, table: Table) -> dict[str, Any]:
    """One case."""
    author, wrote, speaks = case.origin.author, case.origin.wrote, evidence.of(case.item, table.day)
    return view.instinct_json(case.item, case.scope, table.day, case.held) | {
        "kind": case.kind,
        "name": case.name,
        "author": {"name": author.name, "mail": author.mail, "mine": case.mine} if author else None,
        "model": case.origin.model or None,
        "commit": _commit_json(wrote),
        "merge": _commit_json(case.origin.merge),
        "changes": [{"field": one.name, "old": one.old, "new": one.new} for one in case.changes],
        "new": case.origin.approved is None,
        "findings": [one._asdict() for one in case.findings],
        "evidence": {
            "newest": [view.entry_json(entry, True) for entry in speaks.newest],
            "lines": speaks.lines,
            "sessions": speaks.sessions,
            "people": [{"name": one.name, "mail": one.mail} for one in case.origin.people],
        },
        "curve": [{"day": point.day, "confidence": point.confidence / 100} for point in speaks.curve],
        "effect": [
            {"verdict": one.verdict, "model": one.model or None, "words": "before" if one.is_of_before else "these"}
            for one in effect.of(case)
        ],
        "neighbours": [
            {"relation": one.relation, "scope": one.scope, "id": one.said.id, "action": one.said.action}
            for one in table.neighbours(case)[:_NEAR]
        ],
        "origin": _origin_json(case),
        "verified": all(one.is_verified for one in case.sources) and bool(case.sources) if case.promotion else None,
    }


def _origin_json(case: Case) -> dict[str, Any] | None:
    """Of a promotion where it waits and what it names; None of others, whose author, commit and merge tell."""
    if case.promotion is None:
        return None
    return {
        "here": case.promotion.waiting.here,
        "there": case.promotion.waiting.there,
        "conflicts": list(case.promotion.conflicts),
        "projects": [
            {
                "project": one.project,
                "commit": one.commit,
                "picked": one.picked or None,
                "verified": one.is_verified,
                "reason": one.fault or None,
            }
            for one in case.sources
        ],
    }


def _commit_json(entry: Logged | None) -> dict[str, str] | None:
    if entry is None:
        return None
    return {"commit": entry.commit, "verb": entry.verb, "subject": entry.subject, "date": entry.date.isoformat()}


def problem_json(one: Unusable) -> dict[str, str]:
    """A branch from which nothing can be taken."""
    return {"path": one.name, "reason": one.reason}


def _done_json(what: Done) -> dict[str, Any]:
    return {
        "accepted": [case.name for case in what.accepted],
        "rejected": [one.name for one in what.rejected],
        "revoked": [*(case.name for case in what.revoked), *what.reopened],
        "left": [{"id": case.name, "reason": reason} for case, reason in what.left],
        "decided": [{"id": name, "kind": kind, "what": verb} for verb, name, kind in _decided(what)],
        "landed": [
            {"id": one.id, "commit": one.commit, "pending": one.pending or None, "conflicts": list(one.conflicts)}
            for one in what.landed
        ],
        "problems": [{"path": one.path, "reason": one.reason} for one in what.problems],
    }
