"""Every shape of history that plain git can make of a store, merged through our driver.

What git gives the driver no say in (deletions, renames, links, octopus merges) is told as it is: `check` finds what is
wrong afterwards.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from gitinstinct.check import merges
from gitinstinct.instinct import edit, markdown
from gitinstinct.instinct.errors import Invalid
from gitinstinct.store import driver, filemerge, merging, store, tree
from tests.support import files, versions
from tests.support.driven import MARK, OURS, PATH, START, THEIRS, Desk, confirmed, desk
from tests.support.repos import git
from tests.support.versions import Act

OTHER = "instincts/other.md"
A, B, C = "confirmed by a", "confirmed by bb", "confirmed by ccc"


@pytest.fixture
def held(tmp_path: Path) -> Desk:
    """A store with one instinct."""
    made = desk(tmp_path / "store")
    made.commit(START, "start")
    return made


def assert_as_in_process(held: Desk) -> None:
    """The newest merge holds what our own merge of its parents makes."""
    decided, before = redecided(held), tree.read(held.repo, held.git("rev-parse", "HEAD^1")).files
    made = tree.read(held.repo, held.git("rev-parse", "HEAD")).read_all([*before, *decided.files])[0]
    assert {path: made.get(path) for path in decided.files} == decided.files
    assert look(held) == []


def redecided(held: Desk) -> merging.Merging:
    """What our own merge makes of the newest merge's parents."""
    ours, theirs = held.git("rev-parse", "HEAD^1", "HEAD^2").splitlines()
    return merging.decide(held.repo, ours, theirs)


def look(held: Desk) -> list[merges.Wounded]:
    """What `check` would find."""
    return merges.look(tree.read(held.repo, held.git("rev-parse", "HEAD")), "shapes")


# --- merges


def test_plain_and_fast_forward(held: Desk) -> None:
    held.on("side", "main")
    held.confirm(2, who="bb")
    held.on("main")
    assert held.merge() == 0
    assert held.evidence() == ["seen", B]
    held.confirm(1)
    held.on("side")
    held.confirm(3, who="bb")
    held.on("main")
    assert held.merge() == 0
    assert held.evidence() == ["seen", A, B, B]
    assert_as_in_process(held)


@pytest.mark.parametrize("flags", [(), ("-X", "ours"), ("-X", "renormalize"), ("-s", "recursive"), ("--no-ff",)])
def test_two_that_confirm_the_same(held: Desk, flags: tuple[str, ...]) -> None:
    """2 and 1 and 1 are 4, whatever git is told about text."""
    held.on("side", "main")
    held.confirm(2, who="bb")
    held.on("main")
    held.confirm(1)
    assert held.merge(*flags, "side") == 0
    assert markdown.parse(held.data()).written["confirmations"] == 5
    assert_as_in_process(held)


@pytest.mark.parametrize("inner", ["", "text", "binary", "instinct"])
def test_criss_cross(held: Desk, inner: str) -> None:
    """Each takes the other in, then both go on: the base is a merge of its own, with nine marks in a conflict."""
    if inner:
        held.git("config", "merge.instinct.recursive", inner)
    held.on("side", "main")
    held.confirm(2, who="bb")
    held.on("main")
    held.confirm(1)
    held.git("branch", "main1")
    held.git("merge", "-q", "--no-edit", "side")
    held.on("side")
    held.git("merge", "-q", "--no-edit", "main1")
    held.confirm(4, who="bb")
    held.on("main")
    held.confirm(3)
    assert len(held.git("merge-base", "--all", "main", "side").splitlines()) == 2
    assert held.merge() == 0
    assert held.evidence() == ["seen", A, B, A, B]


def test_criss_cross_of_words(held: Desk) -> None:
    """The virtual base is in conflict itself; who settled it is heard."""

    def says(trigger: bytes) -> bytes:
        return START.replace(b"when searching text", trigger)

    held.on("side", "main")
    held.commit(says(b"when b"), "b")
    held.on("main")
    held.commit(says(b"when a"), "a")
    held.git("branch", "main1")
    for branch, other, settled in (("main", "side", b"when b"), ("side", "main1", b"when b")):
        held.on(branch)
        assert held.merge(other) == 1
        held.commit(says(settled), "settled")
    assert held.merge("main") == 0
    assert held.data() == says(b"when b")


def test_both_make_the_same_instinct(held: Desk) -> None:
    held.on("side", "main")
    held.commit(files.made("other"), "theirs", OTHER)
    held.confirm(2, who="bb", path=OTHER)
    held.on("main")
    held.commit(files.made("other"), "ours", OTHER)
    held.confirm(1, path=OTHER)
    assert held.merge() == 0
    assert held.evidence(OTHER) == ["seen", A, B]
    assert_as_in_process(held)


@pytest.mark.parametrize("gone", ["ours", "theirs"])
def test_deleted_against_edited_is_gits_own_conflict(held: Desk, gone: str) -> None:
    held.part(None, None if gone == "ours" else OURS, None if gone == "theirs" else THEIRS)
    assert held.merge() == 1
    assert held.status() == f"{'DU' if gone == 'ours' else 'UD'} {PATH}"
    assert held.data() == (THEIRS if gone == "ours" else OURS), "the edit lies there"
    held.git("merge", "--abort")
    assert held.status() == ""


def test_deleted_on_both_sides(held: Desk) -> None:
    held.part(None, None, None)
    assert held.merge() == 0
    assert not (held.folder / PATH).exists()
    assert_as_in_process(held)


def test_deleted_against_untouched(held: Desk) -> None:
    held.on("side", "main")
    held.commit(None)
    held.on("main")
    held.commit(files.made("other", action="Do otherwise, at length, so that nothing is alike here."), "x", OTHER)
    assert held.merge() == 0
    assert not (held.folder / PATH).exists()
    assert_as_in_process(held)


def test_a_stub_of_what_was_forgotten_absorbs(held: Desk) -> None:
    stub = b"---\nid: prefer-rg\nstatus: forgotten\n---\n\n## Evidence\n- 2026-11-20 forgotten: [01m7pjsb80-0a0a0a0a]\n"
    held.part(None, stub, THEIRS)
    assert held.merge() == 0
    assert held.data() == stub
    assert_as_in_process(held)


def test_renamed_against_edited_is_found_afterwards(held: Desk) -> None:
    """Git carries the edit over to the new name; the id inside does not follow, so the file is refused by name."""
    renamed = "instincts/prefer-ripgrep.md"
    held.on("side", "main")
    held.git("mv", PATH, renamed)
    held.git("commit", "-q", "-m", "rename")
    held.on("main")
    held.confirm(1)
    assert held.merge() == 0
    assert held.data(renamed) == OURS
    decided = redecided(held)
    assert decided.conflicts == {"prefer-rg": ("file",)}, "to us it is one that is gone and one that came"
    with pytest.raises(Invalid, match="is not the file's name"):
        markdown.parse(held.data(renamed), "prefer-ripgrep")


def test_replaced_against_edited_is_found_afterwards(held: Desk) -> None:
    """A terse instinct that replaces another looks like a new name for it. The driver sees two ids and declines."""
    replaced = files.made("other", tags=["search"])
    held.on("side", "main")
    held.git("rm", "-q", PATH)
    held.commit(confirmed(replaced, 4, who="bb"), "instead", OTHER)
    held.on("main")
    held.confirm(1)
    assert held.merge() == 1
    assert held.status() == f"UU {OTHER}\nD  {PATH}"
    data = held.data(OTHER)
    assert MARK in data
    assert A.encode() in data
    assert B.encode() in data
    held.git("checkout", "--theirs", OTHER)
    held.git("add", "-A")
    held.git("commit", "-q", "-m", "as they have it")
    decided = redecided(held)
    assert decided.added == ("other",)
    assert decided.conflicts == {"prefer-rg": ("file",)}
    assert look(held) == [], "a person has decided that it goes"


def test_a_folder_that_was_renamed(held: Desk) -> None:
    """Git moves what the other side adds into the new folder; there it is no instinct, and is named."""
    held.commit(files.made("second", action="Something else."), "second", "instincts/second.md")
    held.on("side", "main")
    held.git("mv", "instincts", "habits")
    held.git("commit", "-q", "-m", "rename")
    held.on("main")
    held.confirm(1)
    assert held.merge() == 0
    assert held.evidence("habits/prefer-rg.md") == ["seen", A]
    found = tree.read(held.repo, held.git("rev-parse", "HEAD"))
    assert {refusal.path for refusal in found.refusals} == {"habits/prefer-rg.md", "habits/second.md"}


@pytest.mark.parametrize("what", ["link", "submodule"])
def test_what_is_no_file_is_gits_own_conflict(held: Desk, tmp_path: Path, what: str) -> None:
    held.on("side", "main")
    held.git("rm", "-q", PATH)
    if what == "link":
        (held.folder / "instincts").mkdir(exist_ok=True)
        (held.folder / PATH).symlink_to("/etc/passwd")
        held.git("add", "-A")
    else:
        oid = held.git("rev-parse", "HEAD")
        held.git("update-index", "--add", "--cacheinfo", f"160000,{oid},{PATH}")
    held.git("commit", "-q", "-m", what)
    held.git("reset", "-q", "--hard")
    held.git("checkout", "-q", "-f", "main")
    held.git("clean", "-qfd")
    held.confirm(1)
    assert held.merge() == 1
    verdicts = merging.decide(held.repo, "main", held.git("rev-parse", "side"))
    assert verdicts.files.get(PATH, OURS) is not None


def test_three_at_once(held: Desk) -> None:
    """For more than one branch git calls no driver: it takes lines, or gives up and leaves all as it was."""
    for number, who in ((2, "bb"), (3, "ccc")):
        held.on(who, "main")
        held.confirm(number, who=who)
        held.on("main")
    held.confirm(1)
    assert held.merge("bb", "ccc") != 0
    held.git("reset", "-q", "--merge")
    assert held.evidence() == ["seen", A]
    for branch in ("bb", "ccc"):
        assert held.merge(branch) == 0
    assert held.evidence() == ["seen", A, B, C]


# --- other ways to carry a commit over


def test_squash_then_merge(held: Desk) -> None:
    held.on("side", "main")
    held.confirm(2, who="bb")
    held.on("main")
    held.confirm(1)
    held.git("merge", "-q", "--squash", "side")
    held.git("commit", "-q", "-m", "squashed")
    held.on("side")
    held.confirm(4, who="bb")
    held.on("main")
    assert held.merge() == 0
    assert held.evidence() == ["seen", A, B, B]
    assert_as_in_process(held)


def test_squashed_then_retracted(held: Desk) -> None:
    held.on("side", "main")
    held.confirm(2, who="bb")
    held.on("main")
    held.git("merge", "-q", "--squash", "side")
    held.git("commit", "-q", "-m", "squashed")
    held.commit(versions.done(held.data(), [Act("retract", 1, "a")]), "retract")
    assert held.merge() == 0
    assert markdown.parse(held.data()).written["confirmations"] == 3


def test_rebase(held: Desk) -> None:
    """The sides are swapped there; nothing may depend on which is called ours."""
    held.on("side", "main")
    held.confirm(2, who="bb")
    held.confirm(4, who="bb")
    held.on("main")
    held.confirm(1)
    held.on("side")
    assert held.code("rebase", "-q", "main") == 0
    assert held.evidence() == ["seen", A, B, B]
    assert held.git("log", "--format=%s", "main..side").splitlines() == ["confirm by bb"] * 2


def test_cherry_pick_twice_and_then_merge(held: Desk) -> None:
    held.on("side", "main")
    picked = held.confirm(2, who="bb")
    held.on("main")
    held.confirm(1)
    assert held.code("cherry-pick", picked) == 0
    assert held.evidence() == ["seen", A, B]
    assert held.code("cherry-pick", picked) == 1, "it is empty now"
    held.git("cherry-pick", "--skip")
    assert held.merge() == 0
    assert held.evidence() == ["seen", A, B]


def test_cherry_pick_of_an_instinct_with_a_past(held: Desk, tmp_path: Path) -> None:
    """Where the file is missing git has no base for the driver: modified against deleted."""
    other = desk(tmp_path / "other")
    tip = held.confirm(1)
    other.git("fetch", "-q", str(held.folder), "main")
    assert other.code("cherry-pick", tip) == 1
    assert other.status() == f"DU {PATH}"
    other.git("cherry-pick", "--abort")
    other.commit(confirmed(START, 2, who="bb"), "known already")
    assert other.code("cherry-pick", tip) == 0
    assert other.evidence() == ["seen", A, B]


def test_revert_of_an_observation(held: Desk) -> None:
    taken = held.confirm(1)
    held.confirm(2, who="bb")
    assert held.code("revert", "--no-edit", taken) == 0
    assert held.evidence() == ["seen", B]
    assert markdown.parse(held.data()).written["confirmations"] == 4


def test_revert_of_a_retraction_changes_nothing(held: Desk) -> None:
    held.confirm(1)
    retracted = held.commit(versions.done(held.data(), [Act("retract", 1, "a")]), "retract")
    held.confirm(3, who="bb")
    held.code("revert", "--no-edit", retracted)
    assert sum(entry.kind == "retracted" for entry in markdown.parse(held.data()).ledger) == 1


def test_stash_pop(held: Desk) -> None:
    (held.folder / PATH).write_bytes(THEIRS)
    held.git("stash", "-q")
    held.confirm(1)
    assert held.code("stash", "pop", "-q") == 0
    assert held.evidence() == ["seen", A, B]


def test_a_mailed_patch(held: Desk, tmp_path: Path) -> None:
    held.on("side", "main")
    held.confirm(2, who="bb")
    patch = tmp_path / "patch"
    patch.write_text(held.git("format-patch", "-1", "--stdout") + "\n")
    held.on("main")
    held.confirm(1)
    assert held.code("am", "-q", "-3", str(patch)) == 0
    assert held.evidence() == ["seen", A, B]


def test_rerere_replays_no_dispute_that_is_settled_otherwise(held: Desk) -> None:
    """Git records conflicts by their markers; ours have none, so there is nothing to replay."""
    held.git("config", "rerere.enabled", "true")
    held.part(None, OURS.replace(b"when searching text", b"when a"), THEIRS.replace(b"when searching text", b"when b"))
    assert held.merge() == 1
    disputed = held.data()
    assert markdown.parse(disputed).conflicts
    held.commit(disputed.replace(b"trigger: when a", b"trigger: when both"), "settled")
    held.git("reset", "-q", "--hard", "HEAD~1")
    assert held.merge() == 1
    assert held.data() == disputed


def test_pull_between_two_clones(tmp_path: Path) -> None:
    """Two who use git alone, a bare repository between them."""
    first = desk(tmp_path / "ann")
    first.commit(START, "start")
    git(tmp_path, "clone", "-q", "--bare", str(first.folder), "hub")
    first.git("remote", "add", "origin", str(tmp_path / "hub"))
    first.git("fetch", "-q")
    first.git("branch", "-q", "-u", "origin/main", "main")
    git(tmp_path, "clone", "-q", str(tmp_path / "hub"), "bob")
    second = Desk(tmp_path / "bob")
    store.wire(second.repo, driver=driver.command())
    for number in range(1, 4):
        for who, clone in (("a", first), ("bb", second)):
            clone.confirm(number, who=who)
            clone.git("pull", "-q", "--no-rebase", "--no-edit")
            clone.git("push", "-q", "origin", "HEAD:main")
    first.git("pull", "-q", "--no-rebase", "--no-edit")
    assert first.data() == second.data()
    assert sorted(first.evidence()) == sorted(["seen", *[A] * 3, *[B] * 3])


# --- the same by both


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 12))])
def test_git_with_our_driver_and_our_own_merge_make_the_same_tree(tmp_path: Path, seed: int) -> None:
    """Random acts of two people on ten instincts, merged by git and by us."""
    chance = random.Random(seed)
    held, names = desk(tmp_path / "store"), [f"made-{number}" for number in range(10)]
    starts = {f"instincts/{name}.md": files.made(name, action=f"Do {name}. " * 20) for name in names}
    for path, data in starts.items():
        held.commit(data, "start", path)
    for branch, who in (("side", "bb"), ("main", "a")):
        held.on(branch, *(["main"] if branch == "side" else []))
        for path in starts:
            for kind in chance.sample(sorted(versions._DO), chance.randrange(4)):
                before = held.data(path)
                after = versions.done(before, [Act(kind, chance.randrange(6), who)])
                if after != before:
                    held.commit(after, kind, path)
    held.merge("--no-commit", "side")
    held.git("add", "-A")
    made = held.git("write-tree")
    held.git("merge", "--abort")
    ours, theirs = held.git("rev-parse", "main", "side").splitlines()
    decided = merging.decide(held.repo, ours, theirs)
    for path, content in decided.files.items():
        assert content is not None
        (held.folder / path).write_bytes(content)
    held.git("add", "-A")
    assert held.git("write-tree") == made


def test_which_side_is_called_ours_does_not_matter() -> None:
    for base, ours, theirs in ((START, OURS, THEIRS), (None, OURS, THEIRS), (START, None, THEIRS)):
        assert filemerge.merge(PATH, base, ours, theirs).data == filemerge.merge(PATH, base, theirs, ours).data
    assert edit.rederived(OURS) == OURS
