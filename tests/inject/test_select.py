"""Which instincts a session start gets: the rules, one by one."""

from __future__ import annotations

import pytest

from gitinstinct.config import Inject
from gitinstinct.inject import render
from gitinstinct.inject.select import Candidate, Selection, select
from gitinstinct.instinct import markdown
from gitinstinct.instinct.ledger import Entry
from gitinstinct.instinct.shelf import Item

DAY = "2026-11-29"


def candidate(
    name: str, confidence: int = 80, scope: str = "project", action: str = "Do it.", **more: object
) -> Candidate:
    entry = Entry(DAY, "set", confidence, "by hand", "01m7v41f00-c5d89181")
    fields = {"id": name, "trigger": f"when {name}", "source": "manual"} | more
    data = markdown.compose(fields, name, action, [entry])
    item = Item(f"instincts/{name}.md", data, markdown.parse(data), "")
    return Candidate(scope, item, item.fold(DAY))


def names(found: Selection) -> list[str]:
    return [one.item.instinct.id for one in found.chosen]


def reasons(found: Selection) -> dict[str, str]:
    return {f"{one.candidate.scope}/{one.candidate.item.instinct.id}": one.reason for one in found.left_out}


def test_the_surest_come_first_and_six_are_enough() -> None:
    found = select([candidate(f"c{n}", 70 + n) for n in range(9)], Inject())
    assert names(found) == ["c8", "c7", "c6", "c5", "c4", "c3"]
    assert set(reasons(found).values()) == {"beyond the first 6"}


def test_a_project_beats_the_global_one_of_its_id_whatever_they_are_worth() -> None:
    found = select([candidate("a", 90, "global"), candidate("a", 50), candidate("b", 90, "global")], Inject())
    assert names(found) == ["b"]
    assert reasons(found) == {"project/a": "below 0.70", "global/a": "the project has one of that id"}


@pytest.mark.parametrize(
    ("one", "reason"),
    [
        (candidate("a", 69), "below 0.70"),
        (candidate("a", 10), "archived"),
        (candidate("a", conflicts=[{"field": "trigger", "values": ["x", "y"]}]), "conflicted"),
        (candidate("a", action=""), "it has no action"),
        (candidate("a", paths=["*.ts"]), "only where its paths match"),
        (candidate("a", action="x" * 4000), "does not fit into 4000 characters"),
    ],
)
def test_left_out(one: Candidate, reason: str) -> None:
    found = select([one, candidate("good")], Inject())
    assert names(found) == ["good"]
    assert reasons(found) == {"project/a": reason}


def test_an_over_long_one_does_not_cost_those_behind_it() -> None:
    found = select([candidate("long", 95, action="x" * 5000), *[candidate(f"c{n}") for n in range(3)]], Inject())
    assert names(found) == ["c0", "c1", "c2"]


def test_switched_off() -> None:
    assert names(select([candidate("a")], Inject(enabled=False))) == []


def test_the_text_holds_whole_actions_with_id_scope_and_confidence() -> None:
    one = candidate("rebase-first", action="Rebase before pushing.\n\nNever force-push.")
    text = render.block([(one.scope, one.item, one.fold.confidence)])
    assert text == (
        "What earlier sessions showed here (gitinstinct):\n"
        "- when rebase-first: Rebase before pushing.\n  \n  Never force-push. [rebase-first, project, 0.80]\n"
    )
    assert render.block([]) == ""
