"""Which instincts a session start gets: the rules, one by one."""

from __future__ import annotations

import pytest

from gitinstinct import config
from gitinstinct.config import Inject
from gitinstinct.inject import select as selecting
from gitinstinct.inject.select import Candidate, Rules, Selection
from gitinstinct.instinct import markdown
from gitinstinct.instinct.ledger import Entry
from gitinstinct.instinct.shelf import Item
from gitinstinct.measure import texts
from gitinstinct.trust.book import Book

DAY = "2026-11-29"


def candidate(
    name: str, confidence: int = 80, scope: str = "project", action: str = "Do it.", **more: object
) -> Candidate:
    entry = Entry(DAY, "set", confidence, "by hand", "01m7v41f00-c5d89181")
    fields = {"id": name, "trigger": f"when {name}", "source": "manual"} | more
    data = markdown.compose(fields, name, action, [entry])
    item = Item(f"instincts/{name}.md", data, markdown.parse(data), "")
    return selecting.candidate(scope, item, DAY)


def select(found: list[Candidate], settings: Inject, **more: object) -> Selection:
    """With everything consented to."""
    return selecting.select(found, Rules(settings, policy="all", **more))  # type: ignore[arg-type]


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
        (candidate("a", action="x" * 1001), "refused: 1,001 characters, where 1,000 are enough, in the action"),
    ],
)
def test_left_out(one: Candidate, reason: str) -> None:
    found = select([one, candidate("good")], Inject())
    assert names(found) == ["good"]
    assert reasons(found) == {"project/a": reason}


def test_an_over_long_one_does_not_cost_those_behind_it() -> None:
    long = candidate("long", 95, action="x" * 900)
    found = select([long, *[candidate(f"c{n}") for n in range(3)]], Inject(budget=500))
    assert names(found) == ["c0", "c1", "c2"]


def test_switched_off() -> None:
    assert names(select([candidate("a")], Inject(enabled=False))) == []


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        (Rules(), "waiting for review"),
        (Rules(book=Book(approved=frozenset({"a"}))), "waiting for review"),
        (Rules(book=Book(problem="it cannot be read")), "waiting for review"),
        (Rules(policy="all"), ""),
    ],
)
def test_what_nobody_consented_to_waits(rules: Rules, reason: str) -> None:
    assert selecting.unfit(candidate("a"), rules) == reason


def test_consent_and_rejection_are_by_the_hash_of_the_words() -> None:
    one = candidate("a")
    text = one.facts.text
    assert selecting.unfit(one, Rules(book=Book(approved=frozenset({text})))) == ""
    assert selecting.unfit(one, Rules(book=Book(rejected=frozenset({text})), policy="all")) == "rejected"


def test_what_measuring_holds_back() -> None:
    one = candidate("a")
    text = texts.of(one.item.instinct)
    assert reasons(select([one], Inject(), held_back={"a": [(text, "inert")]})) == {"project/a": "inert"}
    assert reasons(select([one], Inject(), held_back={"a": [("0" * 16, "inert")]})) == {}


def test_refused_words_are_refused_whatever_the_consent() -> None:
    found = select([candidate("a", action="Do it.\u200b")], Inject())
    assert "zero-width" in reasons(found)["project/a"]


def test_the_environment_beats_the_settings_and_is_judged_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITINSTINCT_INJECT_MOST", "3")
    monkeypatch.setenv("GITINSTINCT_INJECT_REMIND", "1")
    monkeypatch.setenv("GITINSTINCT_INJECT_BUDGET", "many")
    found = config.read()
    assert (found.inject.most, found.inject.remind, found.inject.budget) == (3, True, 4000)
    assert found.problems == ("GITINSTINCT_INJECT_BUDGET is not a whole number of 0 or more; the default 4000 holds",)
