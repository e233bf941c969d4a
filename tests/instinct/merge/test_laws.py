"""The laws of merging, on bytes: what two or three people do comes out alike, in whichever order it meets."""

from __future__ import annotations

import os
from itertools import permutations

from hypothesis import given, settings

from gitinstinct.instinct import edit, markdown
from gitinstinct.instinct.ledger import live, retracted_origins
from gitinstinct.instinct.merge import Invalid, Merged, merge, shortcut, whole
from tests.support import versions
from tests.support.versions import START, acts, done

MANY = settings(max_examples=int(os.environ.get("GITINSTINCT_EXAMPLES", "100")), deadline=None)


def merged(base: bytes | None, ours: bytes, theirs: bytes) -> bytes:
    outcome = merge(base, ours, theirs, "prefer-rg")
    assert not isinstance(outcome, Invalid), outcome.reason
    assert outcome.data is not None
    return outcome.data


@MANY
@given(acts(who="a"), acts(who="bb"))
def test_sides_may_be_swapped(ours: list[versions.Act], theirs: list[versions.Act]) -> None:
    one, other = done(START, ours), done(START, theirs)
    assert merged(START, one, other) == merged(START, other, one)


@MANY
@given(acts(), acts(who="bb"))
def test_what_is_there_already_changes_nothing(ours: list[versions.Act], theirs: list[versions.Act]) -> None:
    one, other = done(START, ours), done(START, theirs)
    both = merged(START, one, other)
    assert merged(START, one, one) == one
    assert merged(START, one, START) == one
    assert merged(START, both, other) == both
    assert merged(other, both, other) == both


@MANY
@given(acts(who="a"), acts(who="bb"), acts(who="ccc"))
def test_three_people_come_out_alike(a: list[versions.Act], b: list[versions.Act], c: list[versions.Act]) -> None:
    sides = [done(START, did) for did in (a, b, c)]
    results = {merged(START, merged(START, one, two), three) for one, two, three in permutations(sides)}
    assert len(results) == 1


@MANY
@given(acts(who="a"), acts(who="bb"), acts(who="bb", kinds=versions.EVIDENCE))
def test_a_squash_counts_nothing_twice(
    ours: list[versions.Act], theirs: list[versions.Act], later: list[versions.Act]
) -> None:
    """Their branch was squashed into ours; git knows no common ancestor but the old one when it goes on."""
    one, other = done(START, ours), done(START, theirs)
    squashed = merged(START, one, other)
    further = done(other, later)
    again = merged(START, squashed, further)
    assert again == merged(other, squashed, further)
    keys = [entry.key for entry in markdown.parse(again).ledger]
    assert len(keys) == len(set(keys))


@MANY
@given(acts(who="a"), acts(who="bb", kinds=versions.EVIDENCE))
def test_a_pick_counts_once_however_often_it_is_made(ours: list[versions.Act], theirs: list[versions.Act]) -> None:
    one, other = done(START, ours), done(START, theirs)
    picked = merged(START, one, other)
    assert merged(START, picked, other) == picked


@MANY
@given(acts(who="a"), acts(who="bb"), acts(who="a", kinds=versions.EVIDENCE), acts(who="bb", kinds=versions.EVIDENCE))
def test_a_criss_cross_comes_out_as_one_merge(
    ours: list[versions.Act], theirs: list[versions.Act], later: list[versions.Act], there: list[versions.Act]
) -> None:
    """Each took the other in, then went on: the two old tips are both ancestors, and their merge is the base."""
    one, other = done(START, ours), done(START, theirs)
    both = merged(START, one, other)
    left, right = done(both, later), done(both, there)
    assert merged(merged(START, one, other), left, right) == merged(both, left, right)
    assert markdown.parse(merged(both, left, right)).id == "prefer-rg"


@MANY
@given(acts(who="a"), acts(who="bb"))
def test_evidence_is_the_union_and_derived_fields_follow(ours: list[versions.Act], theirs: list[versions.Act]) -> None:
    one, other = done(START, ours), done(START, theirs)
    both = merged(START, one, other)
    keys = {entry.key for side in (one, other) for entry in markdown.parse(side).ledger}
    ledger = markdown.parse(both).ledger
    assert {entry.key for entry in ledger} == keys
    assert edit.rederived(both) == both
    assert not {entry.origin for entry in live(ledger) if entry.kind != "retracted"} & retracted_origins(ledger)


@MANY
@given(acts(who="a", kinds=versions.EVIDENCE), acts(who="bb", kinds=versions.EVIDENCE))
def test_evidence_alone_never_conflicts(ours: list[versions.Act], theirs: list[versions.Act]) -> None:
    outcome = merge(START, done(START, ours), done(START, theirs), "prefer-rg")
    assert type(outcome).__name__ == "Merged"


@MANY
@given(acts(who="a"), acts(who="bb"))
def test_two_who_made_the_same_instinct(ours: list[versions.Act], theirs: list[versions.Act]) -> None:
    one, other = done(START, ours), done(START, theirs)
    both = merged(None, one, other)
    assert both == merged(None, other, one) == merged(b"", one, other)
    assert merged(None, both, other) == both


@settings(max_examples=400, deadline=None)
@given(acts(who="a"), acts(who="bb"), acts(who="ccc", kinds=versions.EVIDENCE))
def test_the_short_way_gives_the_same_bytes(
    ours: list[versions.Act], theirs: list[versions.Act], before: list[versions.Act]
) -> None:
    base = done(START, before)
    one, other = done(base, ours), done(base, theirs)
    if one != other and base not in (one, other):
        quick = shortcut.merge(base, one, other, "prefer-rg")
        assert quick is None or Merged(quick) == whole(base, one, other, "prefer-rg")


@MANY
@given(acts(who="a", kinds=versions.EVIDENCE), acts(who="bb", kinds=versions.EVIDENCE))
def test_the_short_way_is_taken_for_evidence(ours: list[versions.Act], theirs: list[versions.Act]) -> None:
    one, other = done(START, ours), done(START, theirs)
    fields = [set(markdown.parse(data).written) for data in (START, one, other)]
    if one != other and START not in (one, other) and fields[0] == fields[1] == fields[2]:
        assert shortcut.merge(START, one, other, "prefer-rg") or "last_observed:" not in str(merged(START, one, other))
