"""Where a promotion comes from, by one rule: a review of its branch and a check of its range say the same of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gitinstinct.check.rules import Finding
from gitinstinct.check.span import asked, judgement
from gitinstinct.check.span.judgement import Wanted
from gitinstinct.git import clone as clones
from gitinstinct.promote.provenance import Cited
from gitinstinct.review import promotions
from gitinstinct.review.waiting import Rules
from gitinstinct.store.store import Store
from gitinstinct.trust import book
from tests.support.promotions import MAIN_OF_PROJECT, TAG, branch, everybody, made, promoted
from tests.support.repos import commit_all, git

NAME = "prefer-rg"
PATH = f"instincts/{NAME}.md"
OTHER_TAG = "ba9876543210"
DATA = made(NAME)
WORDS = made(NAME, "Use `rg` always.")
MORE = DATA + b"- 2026-11-20 confirmed 1: same in another session [01m77pxbv0-7e21f04c]\n"


@pytest.fixture
def store(home: Path) -> Store:
    return everybody()


def said(*picked: str, name: str = NAME, tag: str = TAG, own: str = MAIN_OF_PROJECT) -> str:
    lines = [f"promote: {NAME}", "", f"Instinct: {name} promoted 0.50", f"Promoted-From: {tag} {own}"]
    return "\n".join([*lines, *(f"(cherry picked from commit {one})" for one in picked)])


def reviewed(store: Store) -> list[str]:
    [case] = promotions.find(store, Rules(book.read())).cases
    return [one.fault for one in case.sources]


def checked(store: Store) -> list[Finding]:
    with clones.opened(store.path) as clone:
        assert clone is not None
        span = asked.resolve(clone, asked.read(f"main...promote/{NAME}"))
        assert span is not None
        found = judgement.judge(clone, span, Wanted("2026-11-29")).findings
    return [one for one in found if "provenance" in one.rule or "unpromoted" in one.rule]


def test_what_is_cited_and_there_is_verified_by_both(store: Store) -> None:
    branch(store, NAME, {PATH: DATA}, message=said(promoted(store, NAME, DATA)))
    assert (reviewed(store), checked(store)) == ([""], [])


TWO = f"{NAME} promoted 0.50\nInstinct: another"
CASES: dict[str, tuple[str, bytes, bytes, Callable[[str], str]]] = {  # why → rule; what is cited, what comes, message
    "it does not name the one instinct that it brings": ("no", DATA, DATA, lambda cited: said(cited, name=TWO)),
    "it lacks the line `(cherry picked from commit …)`": ("no", DATA, DATA, lambda cited: said()),
    "no promotion of that project is known here": ("claimed", DATA, DATA, lambda cited: said(cited, tag=OTHER_TAG)),
    "is none of that project's promotions": ("false", DATA, DATA, lambda cited: said("1" * 40)),
    "says that it comes from elsewhere": ("false", DATA, DATA, lambda cited: said(cited, own="e" * 40)),
    "it has other words than": ("false", DATA, WORDS, said),
    "it lacks evidence": ("false", MORE, DATA, said),
    "it has evidence that no promotion has: 2026-11-20 confirmed 1": ("false", DATA, MORE, said),
}


@pytest.mark.parametrize("why", CASES)
def test_what_is_not_is_told_by_both_in_the_same_words(why: str, store: Store) -> None:
    rule, source, brought, message = CASES[why]
    branch(store, NAME, {PATH: brought}, message=message(promoted(store, NAME, source)))
    [fault], [finding] = reviewed(store), checked(store)
    assert finding.rule == f"{rule}-provenance"
    assert why in fault
    assert finding.why.endswith(fault)


def test_words_that_the_target_had_are_nobodys_invention(store: Store) -> None:
    commit_all(store.path, {PATH: WORDS})
    cited = promoted(store, NAME, MORE)
    branch(store, NAME, {PATH: MORE.replace(b"Use `rg`.", b"Use `rg` always.")}, message=said(cited))
    assert (reviewed(store), checked(store)) == ([""], [])


def test_words_that_a_commit_below_the_promotion_put_in_are_told_by_both(store: Store) -> None:
    branch(store, NAME, {PATH: WORDS}, message="tweak")
    branch(store, NAME, {PATH: WORDS + b"\n"}, message=said(promoted(store, NAME, DATA)))
    [fault], [finding] = reviewed(store), checked(store)
    assert "other words than" in fault
    assert finding.why == fault


def test_a_squash_cites_several_and_each_gives_its_evidence(store: Store) -> None:
    second = DATA.replace(b"9f3ac1d0", b"aaaaaaaa").replace(b"01m6x9kf80", b"01m6x9kf81")
    first = promoted(store, NAME, second, tag=OTHER_TAG)
    both = DATA + second.rpartition(b"## Evidence\n")[2]
    branch(store, NAME, {PATH: both}, message=said(first, promoted(store, NAME, DATA)))
    assert (reviewed(store), checked(store)) == ([""], [])


def test_a_ref_that_is_no_line_of_promotions_proves_nothing(store: Store) -> None:
    cited = promoted(store, NAME, DATA)
    tip = promoted(store, NAME, DATA, parent=cited)
    merged = git(store.path, "commit-tree", f"{tip}^{{tree}}", "-p", tip, "-p", "main", stdin=b"merge")
    git(store.path, "update-ref", f"refs/gitinstinct/promoted/{TAG}/{NAME}", merged)
    branch(store, NAME, {PATH: DATA}, message=said(cited))
    assert reviewed(store) == [f"{cited[:10]} is none of that project's promotions"]
    assert [one.rule for one in checked(store)] == ["false-provenance"]


def test_one_project_is_named_and_no_two() -> None:
    two = Cited((NAME,), ((TAG, MAIN_OF_PROJECT), (OTHER_TAG, MAIN_OF_PROJECT)), ("1" * 40,))
    assert two.lack(NAME) == "it lacks the one line `Promoted-From: PROJECT COMMIT`"
