"""What waits for review and what was decided, for people and for scripts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from gitinstinct import clock
from gitinstinct.cli import output, view
from gitinstinct.cli.output import counted, say, value
from gitinstinct.inject import render
from gitinstinct.instinct.fit import REFUSED, Finding
from gitinstinct.review.waiting import Case
from gitinstinct.store.history import Logged
from gitinstinct.trace.difference import Field

_LABEL = 10  # cells before what is told of a case


@dataclass(frozen=True, slots=True)
class Done:
    """What became of each case; `left` are those that were not accepted, each with why not."""

    accepted: tuple[Case, ...] = ()
    rejected: tuple[Case, ...] = ()
    revoked: tuple[Case, ...] = ()
    left: tuple[tuple[Case, str], ...] = ()


# --- for people


def listed(cases: Sequence[Case]) -> None:
    """All cases, and first how many there are and from whom."""
    people = Counter(_who(case) for case in cases)
    shares = ", ".join(f"{number} by {who}" for who, number in people.most_common(5))
    more = f" and {len(people) - 5} more people" if len(people) > 5 else ""
    say((f"{counted(len(cases), 'instinct')} to decide on", "bold"), f"  {shares}{more}")
    for case in cases:
        output.blank()
        shown(case)


def shown(case: Case) -> None:
    """One case, whole: nothing of its words is rendered or left out."""
    confidence = case.item.fold(_today()).confidence
    say((case.id, "bold"), f"  {case.scope}  {value(confidence)}  ", (case.held or "decided already", "yellow"))
    _told("from", _origin(case))
    if case.origin.merge is not None:
        _told("came by", _commit(case.origin.merge))
    if case.changes:
        say(("changed", "dim"), " since it was accepted last")
        for field in case.changes:
            _changed(field)
    else:
        say(("new", "green"), " here: nothing was accepted under this id before")
    instinct = case.item.instinct
    _told("title", instinct.title)
    for parts in view.words(instinct):
        say(*parts)
    for name, text in (("paths", ", ".join(instinct.paths)), *((key, instinct.extra.get(key)) for key in _MORE)):
        _told(name, str(text) if text else "")
    for finding in case.findings:
        _finding(finding)


_MORE = ("check", "anchors")


def _finding(finding: Finding) -> None:
    style = "red" if finding.level == REFUSED else "yellow"
    for index, line in enumerate(output.flowed(f"{finding.family} in the {finding.field}: {finding.why}", _LABEL)):
        say((output.fit(finding.level if index == 0 else "", _LABEL), style), line)


def _told(label: str, text: str) -> None:
    for index, line in enumerate(output.flowed(text, _LABEL) if text else ()):
        say((output.fit(label if index == 0 else "", _LABEL), "dim"), line)


def _changed(field: Field) -> None:
    say(f"  {field.name}")
    for sign, style, text in (("-", "red", field.old), ("+", "green", field.new)):
        for line in text.split("\n") if text else ():
            say((f"  {sign} {line}", style))


def _who(case: Case) -> str:
    author = case.origin.author
    return "you, elsewhere" if case.mine else author.name if author else "nobody knows whom"


def _origin(case: Case) -> str:
    wrote, author = case.origin.wrote, case.origin.author
    if wrote is None or author is None:
        return "history does not tell"
    return f"{author.name} <{author.mail}>{' (your name)' if case.mine else ''}, {_commit(wrote)}"


def _commit(entry: Logged) -> str:
    return f"{entry.date:%Y-%m-%d} {entry.commit[:10]} {entry.subject}"


def preview(cases: Iterable[Case]) -> None:
    """What an agent would read of these, side by side: some are harmless only alone."""
    fit = [case for case in cases if not case.is_refused]
    if not fit:
        return
    output.blank()
    say(("An agent would read", "bold"))
    for case in fit:
        output.raw(render.line(case.scope, case.item.instinct, case.item.fold(_today()).confidence))


def ways_on() -> None:
    """What can be answered."""
    output.blank()
    say("decide: ", ("gitinstinct review --accept ID", "bold"), ", --reject ID -m WHY, --mine or --all")


def done(what: Done, *, rehearsed: bool, as_json: bool) -> None:
    """Tells what was decided."""
    if as_json:
        output.as_json(_done_json(what))
        return
    for verb, cases in (("accepted", what.accepted), ("rejected", what.rejected), ("revoked", what.revoked)):
        for case in cases:
            say((case.id, "bold"), f"  {verb}")
    for case, reason in what.left:
        say((f"! {case.id} still waits: {reason}", "yellow"))
    if not (what.accepted or what.rejected or what.revoked or what.left):
        say("Nothing waits for review.")
    elif rehearsed:
        say(("nothing was decided: this is what it would do", "dim"))


def _today() -> str:
    return clock.now().date().isoformat()


# --- for scripts


def case_json(case: Case) -> dict[str, Any]:
    """One case."""
    author, wrote = case.origin.author, case.origin.wrote
    return view.instinct_json(case.item, case.scope, _today(), case.held) | {
        "author": {"name": author.name, "mail": author.mail, "mine": case.mine} if author else None,
        "commit": _commit_json(wrote),
        "merge": _commit_json(case.origin.merge),
        "changes": [{"field": one.name, "old": one.old, "new": one.new} for one in case.changes],
        "new": case.origin.approved is None,
        "findings": [one._asdict() for one in case.findings],
    }


def _commit_json(entry: Logged | None) -> dict[str, str] | None:
    if entry is None:
        return None
    return {"commit": entry.commit, "verb": entry.verb, "subject": entry.subject, "date": entry.date.isoformat()}


def _done_json(what: Done) -> dict[str, Any]:
    return {
        "accepted": [case.id for case in what.accepted],
        "rejected": [case.id for case in what.rejected],
        "revoked": [case.id for case in what.revoked],
        "left": [{"id": case.id, "reason": reason} for case, reason in what.left],
    }
