"""What history tells of a conflict: who says what, since when, on which evidence; and where it does not tell."""

from __future__ import annotations

import pytest

from gitinstinct.instinct import edit
from gitinstinct.instinct.ledger import Entry
from gitinstinct.resolve import dispute, lineage
from gitinstinct.resolve.archive import Archive
from gitinstinct.resolve.dispute import Dispute
from tests.support.disputes import ANN_SAYS, BASE, BOB_SAYS, NAME, PATH, Quarrel, disagreed, quarrel
from tests.support.repos import commit_all

DAY = "2026-11-29"
ANN, BOB = "Use `rg -n`.", "Use `git grep`\nin a repository."


def told(held: Quarrel) -> dict[str, Dispute]:
    repo = held.store.repo
    found = dispute.of_history(Archive(repo), lineage.read(repo, NAME), NAME, held.committed(), DAY)
    return {one.field: one for one in found}


def test_the_first_parent_is_ours() -> None:
    held = disagreed()
    action = told(held)["action"]
    assert action.ours is not None
    assert action.theirs is not None
    assert (action.base, action.ours.value, action.theirs.value) == ("Use `rg`.", ANN, BOB)
    assert action.values == (BOB, ANN)
    assert action.standing == BOB
    assert action.merge is not None
    assert action.merge.commit == held.git("rev-parse", "main")
    assert {value: entry.subject for value, entry in action.written.items()} == {ANN: "edit: by hand", BOB: "edit: bob"}
    assert action.newest == BOB


def test_evidence_and_confidence_of_each_side() -> None:
    held = quarrel()
    entry = Entry("2026-11-21", "confirmed", 1, "again", "01m72cnze0-41b7e2aa")
    held.elsewhere("bob", BOB_SAYS)
    held.says(ANN_SAYS)
    held.file.write_bytes(edit.record(held.file.read_bytes(), [entry], DAY))
    held.git("commit", "-q", "-a", "-m", "confirm")
    held.merged("bob")
    action = told(held)["action"]
    assert action.ours is not None
    assert action.theirs is not None
    assert (action.ours.evidence, action.theirs.evidence) == ((entry,), ())
    assert (action.ours.confidence, action.theirs.confidence) == (51, 44)
    assert action.written[ANN].subject == "edit: by hand"  # not the commit after it, which left the field alone


def test_later_commits_and_merges_hide_nothing() -> None:
    held = disagreed()
    merge = held.git("rev-parse", "main")
    held.elsewhere("carol", {"note: kept": "note: carol"})
    held.says({"domain: workflow": "domain: git"})
    held.merged("carol")
    action = told(held)["action"]
    assert action.merge is not None
    assert action.merge.commit == merge
    assert action.ours is not None
    assert action.ours.value == ANN


def test_a_third_who_disagrees_gets_a_number() -> None:
    held = disagreed()
    held.elsewhere("carol", {"Use `rg`.": "Use `ag`."}, "2026-11-25", start="main~1^")
    held.merged("carol")
    action, trigger = told(held)["action"], told(held)["trigger"]
    assert action.values == ("Use `ag`.", BOB, ANN)
    assert (action.ours, action.theirs, action.base, action.merge) == (None, None, None, None)
    assert {value: entry.subject for value, entry in action.written.items()} == {
        ANN: "edit: by hand", BOB: "edit: bob", "Use `ag`.": "edit: carol",
    }  # fmt: skip
    assert action.newest == "Use `ag`."
    assert trigger.ours is not None


@pytest.mark.parametrize("how", ["rebase", "cherry-pick", "merge --squash"])
def test_one_parent_tells_no_sides(how: str) -> None:
    held = quarrel()
    held.elsewhere("bob", {"Use `rg`.": BOB})
    held.says({"Use `rg`.": ANN})
    if how == "rebase":
        held.git("checkout", "-q", "bob")
    held.git(*how.split(" "), "main" if how == "rebase" else "bob", ok=False)
    held.git("add", PATH)
    held.git("-c", "core.editor=true", *(("commit",) if "squash" in how else (how, "--continue")))
    found = lineage.read(held.store.repo, NAME, "HEAD")
    [action] = dispute.of_history(Archive(held.store.repo), found, NAME, held.committed("HEAD"), DAY)
    assert (action.ours, action.theirs, action.merge) == (None, None, None)
    assert [*action.written] == [ANN]
    assert action.newest is None


def test_both_merge_alike_and_then_each_other() -> None:
    held = quarrel()
    held.elsewhere("bob", BOB_SAYS)
    held.says(ANN_SAYS)
    held.git("checkout", "-q", "bob")
    held.git("merge", "-q", "main", ok=False)
    held.git("commit", "-q", "-a", "-m", "merge: main")
    held.git("checkout", "-q", "main")
    held.merged("bob~1")
    held.git("merge", "-q", "bob")
    action = told(held)["action"]
    assert action.ours is not None
    assert action.ours.value == ANN


def test_two_bases() -> None:
    """A criss-cross: what the two ancestors merge to is the base."""
    held = quarrel()
    held.elsewhere("bob", {"domain: workflow": "domain: git"})
    held.says({"note: kept": "note: ann"})
    held.git("branch", "ann")
    held.git("checkout", "-q", "bob")
    held.git("merge", "-q", "--no-edit", "ann")
    held.says({"Use `rg`.": BOB})
    held.git("checkout", "-q", "main")
    held.git("merge", "-q", "--no-edit", "--no-ff", "bob~1^1")
    held.says({"Use `rg`.": ANN})
    assert len(held.git("merge-base", "--all", "main", "bob").splitlines()) == 2
    held.merged("bob")
    action = told(held)["action"]
    assert action.base == "Use `rg`."
    assert action.ours is not None
    assert action.ours.value == ANN


def test_two_who_made_it_have_no_base() -> None:
    held = quarrel()
    for branch, words in (("bob", BOB), ("main", ANN)):
        held.git("checkout", "-q", "-B", branch, "main~1" if branch == "bob" else "bob~1")
        commit_all(held.store.path, {PATH: BASE.replace(b"Use `rg`.", words.encode())}, f"learn: {branch}")
    held.merged("bob")
    action = told(held)["action"]
    assert action.ours is not None
    assert (action.base, action.ours.value, action.written[BOB].subject) == (None, ANN, "learn: bob")


def test_deleted_there_and_edited_here() -> None:
    held = quarrel()
    held.removed_elsewhere("bob")
    held.says(ANN_SAYS)
    held.merged("bob")
    whole = told(held)["file"]
    assert whole.ours is not None
    assert whole.theirs is not None
    assert (whole.ours.value, whole.theirs.value, whole.theirs.confidence) == ("present", "absent", None)
    assert whole.written["absent"].subject == "remove it"


def test_conflicts_that_nobody_merged_have_numbers() -> None:
    """Written by hand, or by another tool."""
    held = quarrel()
    held.says({"note: kept": "note: kept\nconflicts:\n  - field: note\n    values: [kept, other]"})
    note = told(held)["note"]
    assert note.ours is None
    assert note.values == ("kept", "other")
