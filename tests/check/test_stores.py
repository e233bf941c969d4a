"""Whole stores: what is committed, what a person changed, what does not belong there, and one commit that mends."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitinstinct.check import stores
from gitinstinct.check.rules import Finding, Severity
from gitinstinct.instinct import markdown
from gitinstinct.store import homes
from gitinstinct.store.errors import Waiting
from gitinstinct.store.layout import About
from gitinstinct.store.store import Store
from tests.support import files
from tests.support.repos import commit_all, corrupt, git, raw_commit
from tests.support.stores import NOW, assert_sound, new_store, newest, subjects

TODAY = "2026-11-29"
GOOD = files.CANONICAL
FORGED = GOOD.replace("confidence: 0.65", "confidence: 0.90")
PATH = "instincts/grep-before-edit.md"


def rules(found: stores.Checked) -> list[tuple[str, str, bool]]:
    return [(one.file, one.rule, one.uncommitted) for one in found.findings]


@pytest.fixture
def held() -> Store:
    return new_store()


def test_a_fresh_store_has_nothing(held: Store) -> None:
    assert stores.check(held, TODAY) == stores.Checked((), 0)
    commit_all(held.path, {PATH: GOOD})
    assert stores.check(held, TODAY) == stores.Checked((), 1)


def test_what_is_committed_and_what_is_not_is_told_apart(held: Store) -> None:
    commit_all(held.path, {PATH: FORGED})
    (held.path / PATH).write_text(FORGED.replace("domain: workflow", "domain: openclaw"))
    (held.path / "instincts/new.md").write_text("no frontmatter")
    (held.path / "notes.txt").write_text("mine")
    (held.path / "instincts/link.md").symlink_to("/etc/passwd")
    before = git(held.path, "status", "--porcelain")
    assert rules(stores.check(held, TODAY)) == [
        (PATH, "derived-field", False),
        (PATH, "unknown-domain", True),
        ("instincts/link.md", "unreadable", True),
        ("instincts/new.md", "unreadable", True),
        ("notes.txt", "stray-file", True),
    ]
    assert git(held.path, "status", "--porcelain") == before, "looking changes nothing"


def test_what_does_not_belong_in_a_tree_is_refused_by_name(held: Store) -> None:
    good, main = held.repo.ask("hash-object", "-w", "--stdin", stdin=GOOD.encode()), newest(held)
    inside = [("100755", b"grep-before-edit.md", good), ("120000", b"link.md", good), ("100644", b"Upper.md", good)]
    tree = held.repo.ask(
        "mktree", "-z", stdin=b"".join(b"%s blob %s\t%s\0" % (m.encode(), o.encode(), n) for m, n, o in inside)
    )
    about = [("100644", name.encode(), main.files[name]) for name in sorted(main.files)]
    odd = raw_commit(
        held.repo, sorted([*about, ("100644", b"payload.sh", good), ("40000", b"instincts", tree)], key=lambda e: e[1])
    )
    git(held.path, "reset", "-q", "--hard", odd)
    found = stores.check(held, TODAY).findings
    assert {(one.file, one.rule) for one in found} == {
        (PATH, "foreign-file"),
        ("instincts/link.md", "foreign-file"),
        ("instincts/Upper.md", "foreign-file"),
        ("payload.sh", "foreign-file"),
    }


def test_a_damaged_file_is_named_and_the_others_are_checked(held: Store) -> None:
    commit_all(held.path, {PATH: GOOD, "instincts/prefer-rg.md": files.made(confidence_="0")})
    corrupt(held.repo, newest(held).files[PATH])
    [found] = [one for one in stores.check(held, TODAY).findings if one.file == PATH]
    assert found.rule == "unreadable"


def test_a_store_that_is_not_protected_runs_no_filter(held: Store, tmp_path: Path) -> None:
    (held.repo.git_dir / "info/attributes").write_text("* filter=evil\n")
    git(held.path, "config", "filter.evil.clean", f"touch {tmp_path}/ran")
    (held.path / PATH).parent.mkdir(exist_ok=True)
    (held.path / PATH).write_text(GOOD)
    assert rules(stores.check(held, TODAY)) == [(".", "unseen-work-tree", True)]
    assert not (tmp_path / "ran").exists()


def test_mending_is_one_commit_of_the_person(held: Store) -> None:
    commit_all(held.path, {PATH: FORGED, "instincts/prefer-rg.md": files.UNADOPTED})
    rehearsed = stores.rehearse(held, TODAY)
    assert subjects(held)[0] == "work", "a rehearsal writes nothing"
    done = stores.mend(held, NOW)
    assert done.done == rehearsed.done == {PATH: ["derived fields written"], "instincts/prefer-rg.md": ["ledger begun"]}
    assert subjects(held)[0] == "check: 2 instincts mended"
    assert git(held.path, "log", "-1", "--format=%an %(trailers:key=Instinct,valueonly,separator=%x2C)") == (
        "Ann grep-before-edit mended,prefer-rg mended"
    )
    assert (held.path / PATH).read_text() == GOOD
    assert not any(one.fixable for one in stores.check(held, TODAY).findings)
    assert_sound(held)
    assert stores.mend(held, NOW).commit is None, "there is nothing left to do"


def test_adoption_counts_from_the_day_of_the_files_commit(held: Store) -> None:
    (held.path / "instincts").mkdir()
    (held.path / "instincts/prefer-rg.md").write_text(files.UNADOPTED)
    git(held.path, "add", "-A")
    git(held.path, "commit", "-qm", "old", env={"GIT_COMMITTER_DATE": "2026-10-01T12:00:00Z"})
    stores.mend(held, NOW)
    [entry] = markdown.parse((held.path / "instincts/prefer-rg.md").read_bytes()).ledger
    assert entry.date == "2026-10-01"


def test_a_persons_edits_are_committed_first_as_theirs(held: Store) -> None:
    commit_all(held.path, {PATH: GOOD, "instincts/gone.md": files.made("gone", domain="tests")})
    (held.path / PATH).write_text(FORGED)
    (held.path / "instincts/gone.md").unlink()
    assert stores.rehearse(held, TODAY).done == {PATH: ["derived fields written"]}
    done = stores.mend(held, NOW)
    assert len(done.edits) == 1
    assert subjects(held)[:2] == ["check: grep-before-edit mended", "edit: 2 instincts"]
    assert_sound(held)


def test_an_unfinished_merge_waits_with_a_reason(held: Store) -> None:
    git(held.path, "config", "--remove-section", "merge.instinct")  # so that plain git leaves its markers
    commit_all(held.path, {PATH: FORGED})
    git(held.path, "checkout", "-q", "-b", "side")
    commit_all(held.path, {PATH: FORGED.replace("workflow", "git")})
    git(held.path, "checkout", "-q", "main")
    commit_all(held.path, {PATH: FORGED.replace("workflow", "testing")})
    git(held.path, "merge", "-q", "side", ok=False)
    found = rules(stores.check(held, TODAY))
    assert (PATH, "derived-field", False) in found
    assert (PATH, "conflict-marker", True) in found
    with pytest.raises(Waiting):
        stores.mend(held, NOW)


def test_a_detached_head_is_no_hindrance(held: Store) -> None:
    commit_all(held.path, {PATH: FORGED})
    git(held.path, "checkout", "-q", "--detach")
    assert rules(stores.check(held, TODAY)) == [(PATH, "derived-field", False)]
    assert stores.mend(held, NOW).commit is not None
    assert stores.check(held, TODAY).findings == ()


def test_every_store_of_this_machine_is_known(held: Store) -> None:
    everybody = new_store(held.path.parents[1] / "global", about=About("global", "", "global"))
    (held.path.parent / ".ffffffffffff.draft" / ".git").mkdir(parents=True)
    assert list(homes.every()) == [everybody.path, held.path]


def test_a_store_that_cannot_be_opened_is_a_finding() -> None:
    from gitinstinct.errors import EnvironmentFault

    found = stores.unusable(Path("/x"), EnvironmentFault("it is shallow", "unshallow it"))
    assert (found.rule, found.severity, found.remedy) == ("unusable-store", Severity.ERROR, "unshallow it")
    assert isinstance(found, Finding)
