"""What `promote` and `demote` tell: candidates with what speaks for and against them, and what was done."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from gitinstinct.cli import output, view
from gitinstinct.cli.output import Part, counted, say, value
from gitinstinct.instinct.model import Instinct
from gitinstinct.promote import branches, candidates
from gitinstinct.promote.candidates import Candidate
from gitinstinct.promote.demote import Back, Demoted, Way
from gitinstinct.promote.form import Differs, Form
from gitinstinct.promote.groups import Contrary
from gitinstinct.promote.landing import Settled
from gitinstinct.promote.promotion import ON_BRANCH, Done, Plan
from gitinstinct.store.layout import Refusal

_SHOWN = 3
_STATES = {
    candidates.NEW: "",
    candidates.MORE: "global already; there is more evidence",
    candidates.DONE: "promoted already, with all of its evidence",
    candidates.WAITS: "waits for review",
    candidates.AWAY: "put away in the global store",
}


def listed(found: Sequence[Candidate]) -> None:
    """Every candidate: those that qualify first."""
    if not found:
        say("No instinct is known in two projects.")
        return
    ready = [one for one in found if one.qualifies]
    say((f"{counted(len(ready), 'instinct')} can be promoted", "bold"), f", of {len(found)} that several projects have")
    for one in found:
        output.blank()
        candidate(one)


def candidate(one: Candidate, *, is_named: bool = False) -> None:
    """One candidate, on a few lines; what a person has named is taken whatever it misses."""
    first = (one.everybody or one.sources[0].item).instinct
    style = view.colour(one.mean) if one.qualifies else "dim"
    is_left = _is_open(one) and not one.qualifies and not is_named
    mark: list[Part] = [("  not proposed", "yellow")] if is_left else []
    say((one.name, "bold"), "  ", (f"{output.bar(one.mean)} {value(one.mean)}", style), *mark)
    _line(f"{first.trigger}: {' '.join(first.action.split())}")
    _line(_projects(one), "dim")
    people = candidates.people(one)
    who = "1 person" if people == 1 else f"{people} people"
    speaks = f"{first.domain}; {counted(one.evidence, 'line')} of evidence by {who}"
    _line("; ".join([speaks, *(f"measured {said}" for said in one.verdicts)]), "dim")
    if _STATES[one.state]:
        _line(_STATES[one.state], "green")
    if one.state == candidates.DONE and one.everybody and one.everybody.fold(one.day).status != "active":
        _line("nothing of it counts there any more", "yellow")
    _missed(one, is_named=is_named)
    for pair in one.contraries:
        contrary(pair)


def _missed(one: Candidate, *, is_named: bool) -> None:
    """The criteria that it does not meet."""
    if not _is_open(one):
        return
    if is_named and one.missed and not one.contraries:
        _line(f"! does not meet: {'; '.join(one.missed)}; promoted because you named it", "yellow")
        return
    for missed in one.missed:
        _line(f"! {missed}", "yellow")


def _is_open(one: Candidate) -> bool:
    return one.state in (candidates.NEW, candidates.MORE)


def _projects(one: Candidate) -> str:
    named = [
        f"{source.store.about.name} {value(worth)}" + (f" (as {source.id})" if source.id != one.name else "")
        for source, worth in zip(one.sources, one.confidences, strict=True)
    ]
    return ", ".join(named)


def contrary(pair: Contrary) -> None:
    """Both sides of a contradiction."""
    _line("! two that cannot both be followed:", "red")
    for where, item in ((pair.where, pair.item), (pair.other_where, pair.other)):
        instinct = item.instinct
        _line(f"  {where}: {instinct.id}: {instinct.trigger}: {' '.join(instinct.action.split())}", "red")


def _line(text: str, style: str = "") -> None:
    for line in output.flowed(text, 2):
        say("  ", (line, style))


def planned(made: Plan) -> None:
    """What a promotion takes along, what it leaves, and where it names a project."""
    form = made.words
    for left in form.left_out:
        _line(f"! left out, because only this project has it: {left}", "yellow")
    for name in made.names:
        field, _, word = name.partition(": ")
        _line(f"! the {field} names the project: {word}", "yellow")
    for source, one in made.forms:
        for differs in one.differs[:_SHOWN]:
            _differs(source.store.about.name, differs)


def _differs(project: str, one: Differs) -> None:
    """A text of a project that is not that of all: both whole, as nobody sees them beside each other later."""
    _line(f"! not taken from {project}: its {one.field}", "yellow")
    for where, said in ((project, one.project), ("all projects", one.everybody)):
        _line(f"  {where}: {' '.join(said.split()) or 'none'}", "yellow")


# --- what was done


def done(one: Done, *, published: bool = False) -> None:
    """What a promotion did; `published` if it goes to the remote next."""
    problems(one.problems)
    if one.commit is None:
        say((one.id, "bold"), "  promoted already: nothing new to take along")
        return
    waits = one.place == ON_BRANCH
    say((one.id, "bold"), "  waits for review" if waits else "  is global now")
    worth = [value(fold.confidence) for fold in (one.before, one.after) if fold]
    for brought in one.brought:
        what = f"picked {brought.promotion[:10]}" if brought.commit else "nothing new"
        say(f"  from {brought.source.store.about.name}: {what}")
    worths = f" {output.arrow()} ".join(dict.fromkeys(worth))
    say(f"  {worths} in all projects{', once it has landed' if waits else ''}")
    if one.pending:
        say((f"! the work tree follows later: {one.pending}", "yellow"))
    say(("commit ", "dim"), (one.commit[:10], "yellow"), (" on " + branches.called(one.id), "dim") if waits else "")
    if waits and not published:
        ways = (("gitinstinct review", "bold"), " lands it, ", (f"gitinstinct promote {one.id} --pr", "bold"))
        say("next: ", *ways, " asks the others")


def settled(one: Settled, *, again: Iterable[str] = ()) -> None:
    """What had landed before, and projects did not know."""
    known = set(again)
    for name in one.promoted:
        if name not in known:
            say((name, "bold"), "  has landed and is global now")
    problems(one.problems)


def problems(found: Iterable[Refusal]) -> None:
    """What could not take part."""
    for one in found:
        say((f"! {one.path}: {one.reason}", "yellow"))


def demoted(one: Demoted, *, rehearsed: bool) -> None:
    """What a demotion did, or would do."""
    problems(one.problems)
    if one.way is Way.NOTHING:
        say((one.id, "bold"), "  is put away in the global store already")
        return
    if one.way is Way.WITHDRAWN:
        say((one.id, "bold"), "  no longer waits here: its branch is gone, and no project was told of it")
    else:
        say((one.id, "bold"), "  is no longer global")
        say(f"  {_BACK[one.back].format(', '.join(one.projects))}")
    if one.is_published:
        say((f"! the remote has {branches.called(one.id)} still: it waits until somebody deletes it there", "yellow"))
    for store, commit in one.commits.items():
        say(("commit ", "dim"), (commit[:10], "yellow"), (f" in {store}", "dim"))
    if rehearsed:
        say(("nothing was written: this is what it would do", "dim"))


_BACK = {
    Back.KEPT: "still known in {}",
    Back.GIVEN: "given back to this project, with its evidence",
    Back.PUT_AWAY: "this project has put it away and does not get it back: gitinstinct restore",
    Back.NONE: "no project has it any more; gitinstinct restore --global brings it back",
}


# --- for scripts


def listed_json(found: Sequence[Candidate], refused: Iterable[Refusal]) -> dict[str, Any]:
    """The candidates."""
    return {"candidates": [candidate_json(one) for one in found], "problems": problems_json(refused)}


def candidate_json(one: Candidate) -> dict[str, Any]:
    """One candidate; `confidence` is each project's as of today."""
    first = (one.everybody or one.sources[0].item).instinct
    return {
        "id": one.name,
        "trigger": first.trigger,
        "action": first.action,
        "domain": first.domain,
        "mean": one.mean / 100,
        "lowest": one.lowest / 100,
        "projects": [
            {"project": source.project, "name": source.store.about.name, "id": source.id, "confidence": worth / 100}
            for source, worth in zip(one.sources, one.confidences, strict=True)
        ],
        "evidence": one.evidence,
        "people": candidates.people(one),
        "state": one.state,
        "qualifies": one.qualifies,
        "missed": list(one.missed),
        "contraries": [_contrary_json(pair) for pair in one.contraries],
        "effect": list(one.verdicts),
    }


def _contrary_json(pair: Contrary) -> list[dict[str, str]]:
    return [_side(pair.where, pair.item.instinct), _side(pair.other_where, pair.other.instinct)]


def _side(where: str, instinct: Instinct) -> dict[str, str]:
    return {"where": where, "id": instinct.id, "trigger": instinct.trigger, "action": instinct.action}


def planned_json(made: Plan) -> dict[str, Any]:
    """What a promotion would do."""
    return candidate_json(made.candidate) | {
        "place": made.place,
        "left_out": list(made.words.left_out),
        "names": list(made.names),
        "differs": [_form_json(source.store.about.name, one) for source, one in made.forms if one.differs],
    }


def _form_json(project: str, form: Form) -> dict[str, Any]:
    fields = {one.field: {"project": one.project, "global": one.everybody} for one in form.differs}
    return {"name": project, "fields": fields}


def done_json(one: Done) -> dict[str, Any]:
    """What a promotion did."""
    return {
        "id": one.id,
        "place": one.place,
        "branch": branches.called(one.id) if one.place == ON_BRANCH else None,
        "commit": one.commit,
        "picked": [
            {
                "project": brought.source.project, "name": brought.source.store.about.name,
                "promotion": brought.promotion, "commit": brought.commit,
            }
            for brought in one.brought
        ],
        "before": one.before.confidence / 100 if one.before else None,
        "after": one.after.confidence / 100 if one.after else None,
        "problems": problems_json((*one.problems, *one.settled.problems)),
        "pending": one.pending or None,
    }  # fmt: skip


def problems_json(found: Iterable[Refusal]) -> list[dict[str, str]]:
    """What could not take part."""
    return [{"path": one.path, "reason": one.reason} for one in found]


def demoted_json(one: Demoted) -> dict[str, Any]:
    """What a demotion did, or would do."""
    return {
        "id": one.id,
        "way": one.way,
        "back": one.back,
        "projects": list(one.projects),
        "commits": one.commits,
        "published": one.is_published,
        "problems": problems_json(one.problems),
    }
