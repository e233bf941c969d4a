"""Which instincts are proposed, and what keeps the others back."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from gitinstinct.config import Promote
from gitinstinct.errors import Found
from gitinstinct.instinct import edit, ledger, markdown
from gitinstinct.measure import texts, verdicts
from gitinstinct.promote import candidates, landscape, promotion, rejection
from gitinstinct.promote.candidates import DONE, MORE, NEW, WAITS
from gitinstinct.store import homes
from gitinstinct.trust import giving
from tests.support import projects
from tests.support.projects import API, CLI, NAME, WEB, listed, made, more, named, project, promote, put, seen, two
from tests.support.repos import git
from tests.support.stores import NOW


def test_what_two_projects_have_learned_well_is_proposed() -> None:
    two()
    [one] = listed()
    assert (one.name, one.projects, one.mean, one.lowest, one.qualifies, one.state) == (NAME, 2, 85, 85, True, NEW)
    assert (one.evidence, candidates.people(one)) == (2, 1)


def test_what_one_project_has_alone_is_not_listed() -> None:
    project(API, made(API), made(API, "same-again"))
    assert listed() == []


def test_the_same_words_under_other_ids_are_one() -> None:
    project(API, made(API, "one-name"))
    project(WEB, made(WEB, "other-name", trigger="when modifying the code in a file"))
    assert [(one.name, one.projects) for one in listed()] == [("one-name", 2)]


def test_other_facts_are_another_instinct_however_alike_they_sound() -> None:
    project(API, made(API, "a", action="Run `npm test` before you push."))
    project(WEB, made(WEB, "b", action="Run `npm lint` before you push."))
    assert listed() == []


@pytest.mark.parametrize(
    ("api", "web", "missed"),
    [
        ({"n": 12}, {"n": 6}, ["mean 0.78, below 0.80"]),
        ({"n": 12}, {"n": 3}, ["mean 0.68, below 0.80", "lowest 0.50, below 0.70"]),
        ({"domain": "testing"}, {"domain": "testing"}, ["domain testing, which is mostly a project's own"]),
        ({}, {"action": "Look at `git log` first."}, ["the words differ"]),
    ],
)  # fmt: skip
def test_what_misses_a_criterion_is_listed_with_the_reason(
    api: dict[str, object], web: dict[str, object], missed: list[str]
) -> None:
    project(API, made(API, **api))  # type: ignore[arg-type]
    project(WEB, made(WEB, **web))  # type: ignore[arg-type]
    [one] = listed()
    assert list(one.missed) == missed
    assert not one.qualifies


def test_the_criteria_are_the_settings() -> None:
    two(n=6, domain="testing")
    found = landscape.survey("2026-11-29")
    chosen = Promote(mean=70, domains=("testing",))
    assert candidates.candidates(found, chosen, "review")[0].qualifies
    three = replace(chosen, projects=3)
    assert candidates.candidates(found, three, "review")[0].missed == ("in 2 of the 3 projects that it takes",)


def test_the_mean_is_not_rounded_to_reach_the_criterion() -> None:
    """0.85 and 0.745 would be 0.7975: as a number of two decimals 0.80, and below it all the same."""
    project(API, made(API, entries=[ledger.new_entry(NOW, "set", 80, "x", "0a0a0a0a", [])]))
    project(WEB, made(WEB, entries=[ledger.new_entry(NOW, "set", 79, "x", "0b0b0b0b", [])]))
    [one] = listed()
    assert (one.mean, one.qualifies) == (80, False)


def test_confidence_is_todays() -> None:
    two()
    later = (NOW + timedelta(weeks=4)).date().isoformat()
    [one] = candidates.candidates(landscape.survey(later), Promote(), "review")
    assert one.mean == 77


def test_archived_and_conflicted_ones_do_not_count() -> None:
    api, web = two()
    conflicted = made(WEB, conflicts=[{"field": "action", "values": ["a", "b"]}])
    put(web, conflicted)
    assert listed() == []
    entries = [seen(API.project_id, "x"), ledger.new_entry(NOW, "archived", None, "x", "0c0c0c0c", [])]
    put(api, made(API, entries=entries))
    put(web, made(WEB))
    assert listed() == []


def test_words_that_nobody_here_has_read_are_not_proposed() -> None:
    two()
    giving.revoke([markdown.parse(made(API))], "test", NOW)
    assert listed()[0].missed == ("its words wait for review",)
    giving.reject([markdown.parse(made(API))], "test", NOW)
    assert listed()[0].missed == ("its words are rejected",)


def test_a_promotion_that_was_turned_down_is_not_proposed_again_until_its_words_change() -> None:
    api, web = two()
    [one] = listed()
    form = promotion.plan(one, "main").words
    rejection.reject(NAME, rejection.key(form.instinct), NOW)
    assert listed()[0].missed == ("turned down before",)
    for held, about in ((api, API), (web, WEB)):
        put(held, made(about, action="Find the place with `rg`, then edit it."))
    assert listed()[0].qualifies


def test_more_evidence_for_one_that_was_turned_down_is_not_proposed_either() -> None:
    api, _ = two()
    promote()
    more(api, "another")
    rejection.reject(NAME, rejection.key(projects.there()), NOW)
    [one] = listed()
    assert (one.state, one.missed, one.qualifies) == (MORE, ("turned down before",), False)
    with pytest.raises(Found, match="was turned down here") as raised:
        promotion.plan(one, "main")
    assert f"--revoke promote/{NAME}" in raised.value.hint


@pytest.mark.parametrize("verdict", ["HARMS", "INERT", "HELPS", "NOT ENOUGH DATA"])
def test_what_measuring_found_counts(verdict: str) -> None:
    api, _ = two()
    text = texts.of(markdown.parse(projects.data(api)))
    row = {"owner": API.project_id, "instinct": NAME, "text": text, "model": "", "verdict": verdict, "held": ""}
    verdicts.save([row | {"at": "2026-11-29T10:00:00Z"}], {})
    [one] = listed()
    assert one.verdicts == (() if verdict == "NOT ENOUGH DATA" else (f"api: {verdict}",))
    assert one.qualifies is (verdict in ("HELPS", "NOT ENOUGH DATA"))


def test_what_is_global_comes_again_only_with_new_evidence() -> None:
    api, _ = two()
    promote()
    assert [one.state for one in listed()] == [DONE]
    more(api, "later")
    assert [(one.state, one.qualifies) for one in listed()] == [(MORE, True)]


def test_what_waits_on_a_branch_is_not_proposed(tmp_path: Path) -> None:
    two()
    projects.shared(tmp_path / "remote")
    promote()
    assert [(one.state, one.qualifies) for one in listed()] == [(WAITS, False)]


def test_the_words_of_the_project_at_hand_come_first() -> None:
    project(API, made(API, paths=["*.a"]))
    project(WEB, made(WEB, paths=["*.b"]))
    assert named(here=WEB.project_id).sources[0].project == WEB.project_id
    assert named(here=API.project_id).sources[0].project == API.project_id


def test_two_of_one_project_are_one_source() -> None:
    project(API, made(API), made(API, "same-again", n=6))
    project(WEB, made(WEB))
    assert [source.id for source in named().sources] == [NAME, NAME]


def test_a_team_behind_it_is_counted_by_its_people() -> None:
    api, _ = two()
    data = edit.record(projects.data(api), [seen(API.project_id, "bobs", 1, NOW)], "")
    path = api.path / "instincts" / f"{NAME}.md"
    path.write_bytes(data)
    git(api.path, "add", "-A")
    bob = {"GIT_COMMITTER_NAME": "Bob", "GIT_COMMITTER_EMAIL": "bob@example.org"}
    git(api.path, "commit", "-qm", "observe: bob's", env=bob)
    assert candidates.people(named()) == 2


def test_one_that_only_the_global_store_has_is_none() -> None:
    put(homes.make_global(NOW), made(CLI))
    found = landscape.survey("2026-11-29")
    assert candidates.named(found, Promote(), "review", NAME) is None
