"""Merges by plain git, without our driver: what they lose is found in their commits and put back by `--fix`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gitinstinct import paths
from gitinstinct.check import merges, stores
from gitinstinct.check.rules import Finding, Severity
from gitinstinct.instinct import ids, markdown
from gitinstinct.store.store import Store
from tests.support import files, versions
from tests.support.repos import commit_all, git
from tests.support.stores import NOW, assert_sound, new_store, newest, subjects
from tests.support.versions import Act

TODAY = "2026-11-29"
PATH = "instincts/prefer-rg.md"
START = files.made(tags=["search"])


@pytest.fixture
def held() -> Store:
    """A store in which git merges line by line, as in a clone on a host or without the tool."""
    made = new_store()
    git(made.path, "config", "--remove-section", "merge.instinct")
    commit_all(made.path, {PATH: START})
    return made


def confirmed(data: bytes, *numbers: int, who: str = "a") -> bytes:
    return versions.done(data, [Act("confirm", number, who) for number in numbers])


def parted(held: Store, ours: dict[str, bytes | None], theirs: dict[str, bytes | None], *flags: str) -> None:
    """Two sides, and a merge that a person has to end if git cannot."""
    git(held.path, "checkout", "-q", "-b", "side")
    change(held, theirs, "theirs")
    git(held.path, "checkout", "-q", "main")
    change(held, ours, "ours")
    git(held.path, "merge", "-q", "--no-edit", *flags, "side", ok=False)


def change(held: Store, some: dict[str, bytes | None], message: str) -> None:
    for path, data in some.items():
        if data is None:
            (held.path / path).unlink()
    commit_all(held.path, {path: data for path, data in some.items() if data is not None}, message)


def ended(held: Store, *flags: str) -> None:
    """What a person does who has had enough."""
    git(held.path, "add", "-A")
    git(held.path, "commit", "-q", "-m", "Merge branch 'side'", *flags)


def found(held: Store) -> list[tuple[str, Severity]]:
    return [(one.file, one.severity) for one in told(held)]


def told(held: Store) -> list[Finding]:
    return [one for one in stores.check(held, TODAY).findings if one.rule == "text-merge"]


def ledger(held: Store, path: str = PATH) -> list[str]:
    return [entry.text for entry in markdown.parse((held.path / path).read_bytes()).ledger]


def fixed(held: Store) -> None:
    """Mended in one commit; afterwards there is nothing left to find or to do."""
    before = len(subjects(held))
    rehearsed = stores.rehearse(held, TODAY)
    done = stores.mend(held, NOW)
    assert done.done == rehearsed.done
    assert len(subjects(held)) == before + 1
    assert told(held) == []
    assert stores.mend(held, NOW).commit is None
    assert_sound(held)


def ours_kept(held: Store) -> None:
    git(held.path, "checkout", "--ours", PATH)


def theirs_kept(held: Store) -> None:
    git(held.path, "checkout", "--theirs", PATH)


@pytest.mark.parametrize("kept", [ours_kept, theirs_kept], ids=["ours", "theirs"])
def test_evidence_that_a_resolution_dropped_comes_back(held: Store, kept: Callable[[Store], None]) -> None:
    parted(held, {PATH: confirmed(START, 1)}, {PATH: confirmed(START, 2, who="bb")})
    kept(held)
    ended(held)
    [finding] = told(held)
    assert (finding.file, finding.severity, finding.fixable) == (PATH, Severity.ERROR, True)
    assert "has lost 1 line of evidence" in finding.why
    assert git(held.path, "rev-parse", "--short=10", "main") in finding.why
    fixed(held)
    assert ledger(held) == ["seen", "confirmed by a", "confirmed by bb"]
    assert markdown.parse((held.path / PATH).read_bytes()).written["confirmations"] == 5


def test_what_came_after_the_merge_stays(held: Store) -> None:
    parted(held, {PATH: confirmed(START, 1)}, {PATH: confirmed(START, 2, who="bb")})
    ours_kept(held)
    ended(held)
    later = confirmed((held.path / PATH).read_bytes(), 3).replace(b"Use `rg`.", b"Use `rg -n`.")
    commit_all(held.path, {PATH: later}, "later")
    fixed(held)
    assert ledger(held) == ["seen", "confirmed by a", "confirmed by bb", "confirmed by a"]
    assert b"Use `rg -n`." in (held.path / PATH).read_bytes()


def test_words_that_a_person_chose_in_the_merge_are_theirs(held: Store) -> None:
    ours = START.replace(b"when searching text", b"when grepping")
    theirs = START.replace(b"when searching text", b"when looking for a word")
    parted(held, {PATH: ours}, {PATH: theirs})
    (held.path / PATH).write_bytes(START.replace(b"when searching text", b"when looking for words"))
    ended(held)
    assert told(held) == []


def test_chosen_words_stay_when_evidence_comes_back(held: Store) -> None:
    ours = confirmed(START.replace(b"when searching text", b"when grepping"), 1)
    theirs = confirmed(START.replace(b"when searching text", b"when looking"), 2, who="bb")
    parted(held, {PATH: ours}, {PATH: theirs})
    theirs_kept(held)
    ended(held)
    fixed(held)
    instinct = markdown.parse((held.path / PATH).read_bytes())
    assert (instinct.trigger, instinct.conflicts) == ("when looking", [])
    assert len(instinct.ledger) == 3


def test_markers_that_were_committed(held: Store) -> None:
    parted(held, {PATH: confirmed(START, 1)}, {PATH: confirmed(START, 2, who="bb")})
    ended(held)
    assert b"<<<<<<<" in (held.path / PATH).read_bytes()
    assert found(held) == [(PATH, Severity.ERROR)]
    fixed(held)
    assert ledger(held) == ["seen", "confirmed by a", "confirmed by bb"]


def test_markers_that_a_person_took_out_with_one_of_the_sides(held: Store) -> None:
    parted(held, {PATH: confirmed(START, 1)}, {PATH: confirmed(START, 2, who="bb")})
    ended(held)
    commit_all(held.path, {PATH: confirmed(START, 1).replace(b"Use `rg`.", b"Mine.")}, "clean up")
    assert found(held) == [(PATH, Severity.ERROR)]
    fixed(held)
    assert ledger(held) == ["seen", "confirmed by a", "confirmed by bb"]
    assert b"Mine." in (held.path / PATH).read_bytes()


def test_both_sides_kept_one_behind_the_other(held: Store) -> None:
    """Doubled fields make the file unreadable."""
    ours, theirs = confirmed(START, 1), confirmed(START, 2, who="bb")
    parted(held, {PATH: ours}, {PATH: theirs})
    (held.path / PATH).write_bytes(ours.replace(b"confidence:", b"confidence: 0.50\nconfidence:", 1))
    ended(held)
    assert found(held) == [(PATH, Severity.ERROR)]
    fixed(held)


def test_a_line_that_stands_twice_is_a_warning(held: Store) -> None:
    ours, theirs = confirmed(START, 1), confirmed(START, 1, 2)
    parted(held, {PATH: ours}, {PATH: theirs})
    line = next(line for line in ours.splitlines(keepends=True) if b"confirmed 1" in line)
    (held.path / PATH).write_bytes(theirs + line)
    ended(held)
    assert found(held) == [(PATH, Severity.WARNING)]
    fixed(held)
    assert len(ledger(held)) == 3


def test_gits_counter_of_7_where_8_is_right(held: Store) -> None:
    """Both raise 6 to 7 and their lines stand apart: git calls it clean. The lines are there, the numbers are not."""
    base = confirmed(START, 1, 3, 5)
    commit_all(held.path, {PATH: base})
    parted(held, {PATH: confirmed(base, 0)}, {PATH: confirmed(base, 4, who="bb")})
    assert git(held.path, "status", "--porcelain") == ""
    assert b"confirmations: 7" in (held.path / PATH).read_bytes()
    assert "derived-field" in {one.rule for one in stores.check(held, TODAY).findings if one.file == PATH}
    assert told(held) == []
    stores.mend(held, NOW)
    assert markdown.parse((held.path / PATH).read_bytes()).written["confirmations"] == 8


def terse(name: str) -> bytes:
    return files.made(name, trigger="when searching", action="Use it.")


def test_two_files_that_git_took_for_one(held: Store) -> None:
    """`old` is replaced by `new` on one side and confirmed on the other: git puts the evidence into `new`."""
    old, new = "instincts/old.md", "instincts/new.md"
    commit_all(held.path, {old: terse("old")})
    parted(held, {old: None, new: terse("new")}, {old: confirmed(terse("old"), 2, who="bb")})
    if git(held.path, "status", "--porcelain"):
        ended(held)
    assert not (held.path / old).exists()
    assert "confirmed by bb" in ledger(held, new), "what git makes of it"
    assert dict(found(held)) == {old: Severity.ERROR, new: Severity.ERROR}
    assert "of which git took it for the new name" in next(one.why for one in told(held) if one.file == new)
    fixed(held)
    assert (held.path / new).read_bytes() == terse("new")
    assert ledger(held, old) == ["seen", "confirmed by bb"]
    assert b"field: file" in (held.path / old).read_bytes(), "deleted against edited: held until a person decides"


def test_a_file_that_a_person_deleted_in_the_merge_or_since(held: Store) -> None:
    parted(held, {PATH: confirmed(START, 1)}, {PATH: confirmed(START, 2, who="bb")})
    (held.path / PATH).unlink()
    ended(held)
    assert told(held) == []


def test_a_persons_own_line_in_the_merge_stays(held: Store) -> None:
    parted(held, {PATH: confirmed(START, 1)}, {PATH: confirmed(START, 2, who="bb")})
    (held.path / PATH).write_bytes(confirmed(START, 1, 4))
    ended(held)
    fixed(held)
    assert ledger(held).count("confirmed by a") == 2


def test_what_our_driver_and_our_own_merge_make_is_sound(held: Store) -> None:
    from gitinstinct.store import driver, store

    store.wire(held.repo, driver=driver.command())
    parted(held, {PATH: confirmed(START, 1)}, {PATH: confirmed(START, 2, who="bb")})
    assert git(held.path, "status", "--porcelain") == ""
    assert told(held) == []


def test_a_merge_that_was_sound_is_remembered(held: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    parted(held, {"instincts/one.md": terse("one")}, {"instincts/two.md": terse("two")})
    assert told(held) == []
    memory = Path(paths.root("cache")) / "merges" / held.name
    assert git(held.path, "rev-parse", "main") in memory.read_text()
    with monkeypatch.context() as patched:
        patched.setattr(merges, "_sides", lambda *_: pytest.fail("it is looked at again"))
        assert told(held) == []
    memory.write_text("another version\n")
    assert told(held) == []
    assert git(held.path, "rev-parse", "main") in memory.read_text()


def test_a_wound_is_never_remembered_as_sound(held: Store) -> None:
    parted(held, {PATH: confirmed(START, 1)}, {PATH: confirmed(START, 2, who="bb")})
    ours_kept(held)
    ended(held)
    assert told(held) == told(held) != []


def test_without_a_cache_all_is_found_again(held: Store) -> None:
    Path(paths.root("cache")).parent.mkdir(parents=True, exist_ok=True)
    Path(paths.root("cache")).write_text("a file in its place")
    parted(held, {PATH: confirmed(START, 1)}, {PATH: confirmed(START, 2, who="bb")})
    ended(held)
    assert found(held) == [(PATH, Severity.ERROR)]


def test_a_persons_uncommitted_change_is_committed_before_the_healing(held: Store) -> None:
    parted(held, {PATH: confirmed(START, 1)}, {PATH: confirmed(START, 2, who="bb")})
    ours_kept(held)
    ended(held)
    (held.path / PATH).write_bytes((held.path / PATH).read_bytes().replace(b"Use `rg`.", b"Use `rg -n`."))
    rehearsed = stores.rehearse(held, TODAY)
    done = stores.mend(held, NOW)
    assert (rehearsed.done, len(done.edits)) == (done.done, 1)
    assert subjects(held)[:2] == ["check: prefer-rg mended", "edit: prefer-rg"]
    assert b"Use `rg -n`." in (held.path / PATH).read_bytes()
    assert len(ledger(held)) == 3


def test_unrelated_histories_and_three_parents_are_left_alone(held: Store) -> None:
    tree = git(held.path, "rev-parse", "main^{tree}")
    root = git(held.path, "commit-tree", "-m", "a root of its own", tree)
    octopus = git(held.path, "commit-tree", "-m", "x", "-p", "main", "-p", root, "-p", "main~1", tree)
    both = git(held.path, "commit-tree", "-m", "y", "-p", octopus, "-p", root, tree)
    git(held.path, "reset", "-q", "--hard", both)
    assert told(held) == []
    assert merges.look(newest(held), held.name) == []


def test_several_wounds_of_one_file_heal_together(held: Store) -> None:
    for round_, who in enumerate(("bb", "ccc")):
        base = (held.path / PATH).read_bytes()
        parted(held, {PATH: confirmed(base, round_ + 1)}, {PATH: confirmed(base, round_ + 3, who=who)})
        ours_kept(held)
        ended(held)
        git(held.path, "branch", "-qD", "side")
    assert found(held) == [(PATH, Severity.ERROR)] * 2
    fixed(held)
    assert sorted(ledger(held)) == sorted(["seen", *["confirmed by a"] * 2, "confirmed by bb", "confirmed by ccc"])
    assert ids.of_path(PATH) == "prefer-rg"
