"""One case of a review on one screen: what an agent would be told, what changed, who says so, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from gitinstinct.cli import marking, output
from gitinstinct.cli.output import Part, counted, fit, hang, say, value
from gitinstinct.instinct import fit as limits
from gitinstinct.instinct.fit import REFUSED, Finding
from gitinstinct.promote import branches
from gitinstinct.review import effect, evidence, kinds
from gitinstinct.review.evidence import Evidence, Point
from gitinstinct.review.provenance import Source
from gitinstinct.review.table import Table
from gitinstinct.review.waiting import Case, Promotion
from gitinstinct.store.history import Logged
from gitinstinct.trace.difference import Field
from gitinstinct.trace.neighbours import Neighbour

_LABEL = 10  # cells before what is told of a case
_NEAR = 5  # neighbours
_PEOPLE = 3
_LONGEST = {"trigger": limits.TRIGGER, "title": limits.TITLE, "action": limits.ACTION}
_FURTHER = ("check", "anchors")


def shown(case: Case, table: Table) -> None:
    """One case, whole: nothing that an agent may be told is rendered or left out."""
    confidence = case.item.fold(table.day).confidence
    say((case.name, "bold"), f"  {case.scope}  {value(confidence)}  ", (case.held or "decided already", "yellow"))
    _origin(case)
    _changes(case)
    _words(case)
    _conflicts(case)
    _evidence(evidence.of(case.item, table.day), case)
    _effect(case)
    _neighbours(table.neighbours(case))
    for finding in case.findings:
        _finding(finding)


def _told(label: str, *parts: Part, style: str = "dim") -> None:
    hang((fit(label, _LABEL), style), parts)


def cut(text: str, most: int = limits.LINE) -> str:
    """The text, or of one that is longer than any that may be accepted the beginning, and how much that leaves out."""
    return text if len(text) <= most else f"{text[:most]} ({len(text) - most:,} more characters)"


# --- where it comes from


def _origin(case: Case) -> None:
    wrote, author = case.origin.wrote, case.origin.author
    if wrote is None or author is None:
        _told("from", "history does not tell")
    else:
        asked = f"{case.origin.model}, asked by " if case.origin.model else ""
        mine = " (your name)" if case.mine else ""
        _told("from", f"{asked}{author.name} <{author.mail}>{mine}, {_commit(wrote)}")
    if case.origin.merge is not None:
        _told("came by", _commit(case.origin.merge))
    if case.promotion:
        _promotion(case.promotion)


def _commit(entry: Logged) -> str:
    return f"{entry.date:%Y-%m-%d} {entry.commit[:10]} {entry.subject}"


def _promotion(found: Promotion) -> None:
    waiting = found.waiting
    both = waiting.here and waiting.there
    where = "here and at the remote" if both else "here" if waiting.here else "at the remote"
    _told("branch", f"{branches.called(waiting.id)}, {where}")
    for index, source in enumerate(found.sources):
        _told("" if index else "picked", *_source(source))
    if not found.sources:
        _told("picked", ("it names no project", "yellow"))


def _source(source: Source) -> Iterator[Part]:
    yield f"project {source.project} at {source.commit[:10]}  "
    yield ("verified", "green") if source.is_verified else (f"a claim: {source.fault}", "yellow")


# --- what it says


def _changes(case: Case) -> None:
    if not case.changes:
        if case.promotion:
            known = case.origin.approved is not None
            _told("adds", "evidence alone: the words are those that all projects have") if known else _new(
                "for all projects: they have nothing under this id yet"
            )
        elif case.kind != kinds.CONFLICT and case.origin.approved is None:
            _new("here: nothing was accepted under this id before")
        return
    say(("changed", "dim"), " from what all projects have" if case.promotion else " since it was accepted last")
    for field in case.changes:
        _changed(field)


def _new(where: str) -> None:
    say(("new", "green"), f" {where}")


def _changed(field: Field) -> None:
    say(f"  {field.name}")
    old, new = marking.marked(cut(field.old or ""), cut(field.new or ""))
    for sign, style, parts in (("-", marking.OLD, old), ("+", marking.NEW, new)):
        if any(text for text, _ in parts):
            hang((f"  {sign} ", style), parts)


def _words(case: Case) -> None:
    """What an agent would be told, but for what is shown as a change or as a conflict."""
    instinct, changed = case.item.instinct, {field.name for field in case.changes}
    changed |= {str(conflict.get("field")) for conflict in instinct.conflicts}
    texts = {"title": instinct.title, "trigger": instinct.trigger.removeprefix("when "), "action": instinct.action}
    for field, label in (("title", "title"), ("trigger", "when"), ("action", "do")):
        if texts[field] and field not in changed:
            _told(label, cut(texts[field], _LONGEST[field]))
    more = {"paths": ", ".join(instinct.paths), **{name: instinct.extra.get(name) for name in _FURTHER}}
    for name, text in more.items():
        if text and name not in changed:
            _told(name, cut(str(text)))


def _conflicts(case: Case) -> None:
    """What the two sides say, each with its number, as `resolve --value` counts them."""
    for conflict in case.item.instinct.conflicts:
        field, values = str(conflict.get("field")), conflict.get("values")
        for number, text in enumerate(values if isinstance(values, list) else (), 1):
            _told("conflict" if number == 1 else "", (f"{field} {number}  ", "cyan"), cut(str(text)), style="red")
    if case.kind == kinds.CONFLICT:
        _told("", "settle it: ", (f"gitinstinct resolve {case.id}", "bold"))
    elif case.item.instinct.conflicts:
        settling = (f"gitinstinct resolve {case.id} --global", "bold")
        _told("", "no agent is told of it; once it has landed, ", settling, " settles it")
    if case.promotion and case.promotion.conflicts:
        fields = ", ".join(case.promotion.conflicts)
        _told("conflict", f"it and the global store differ in {fields}", style="red")


# --- what speaks for it


def _evidence(found: Evidence, case: Case) -> None:
    people = case.origin.people
    named = ", ".join(one.name for one in people[:_PEOPLE])
    more = f" and {len(people) - _PEOPLE} more" if len(people) > _PEOPLE else ""
    _told("evidence", f"{_seen(found)}{f'; brought by {named}{more}' if people else ''}")
    for entry in found.newest:
        _told("", (f"{entry.date} {fit(entry.claim, 12)}  {output.cut(entry.text, _LABEL + 26)}", "dim"))
    if found.lines > len(found.newest):
        _told("", (f"and {counted(found.lines - len(found.newest), 'older line')}", "dim"))
    _curve(found.curve)


def _seen(found: Evidence) -> str:
    if not found.lines:
        return "none: it counts as it is written"
    if not found.sessions:
        return f"{counted(found.lines, 'line')}, all by people's commands"
    against = f", {found.contradictions} against" if found.contradictions else ""
    return f"seen {counted(found.confirmations, 'time')}{against}, in {counted(found.sessions, 'session')}"


def _curve(points: Sequence[Point]) -> None:
    first, last = points[0], points[-1]
    drawn = output.spark(point.confidence for point in points)
    _told("sure", f"{value(first.confidence)} {drawn} {value(last.confidence)}", (f"  since {first.day}", "dim"))


def _effect(case: Case) -> None:
    for one in effect.of(case):
        words = "the words before" if one.is_of_before else "these words"
        _told("effect", f"{one.verdict}  {words}" + (f", with {one.model}" if one.model else ""))


def _neighbours(near: Sequence[Neighbour]) -> None:
    for index, one in enumerate(near[:_NEAR]):
        left = f"{fit(one.relation, 8)}  {fit(one.scope, 7)}  "
        used = _LABEL + len(left) + len(one.said.id) + 2
        action = output.cut(one.said.action, used) if used < _ACROSS else ""
        style = "red" if one.relation == "contrary" else ""
        _told("" if index else "near", (left, style), one.said.id, (f"  {action}", "dim"))
    if len(near) > _NEAR:
        _told("", (f"and {len(near) - _NEAR} more", "dim"))


_ACROSS = 66  # cells; an action of which less than a few words fit is left out


def _finding(finding: Finding) -> None:
    _told(finding.level, f"{finding.family} in the {finding.field}: {finding.why}",
          style="red" if finding.level == REFUSED else "yellow")  # fmt: skip


def raw(cases: Iterable[Case]) -> None:
    """The whole file of each, made harmless."""
    for case in cases:
        output.raw(case.item.data.decode("utf-8", "replace"))
