"""Exports: what goes out, what never does, and the branch it goes by."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from gitinstinct.errors import Found
from gitinstinct.exchange import exporting, sources
from gitinstinct.exchange.selection import Choice, Selection, select
from gitinstinct.git.trailers import Message
from gitinstinct.instinct import ids, markdown
from gitinstinct.store import commit
from gitinstinct.store.commit import Change
from gitinstinct.store.errors import Waiting
from gitinstinct.store.store import Store
from tests.exchange.support import bring, instinct, names
from tests.support import files
from tests.support.repos import git
from tests.support.stores import NOW, new_store
from tests.support.teaching import apply, said

DAY = NOW.date().isoformat()


def put(store: Store, **made: bytes) -> None:
    """Commits instincts; an underscore in a name stands for a hyphen."""
    wanted: dict[str, bytes | None] = {ids.path_of(name.replace("_", "-")): data for name, data in made.items()}
    commit.write(store, lambda _: Change(wanted, Message("put")), NOW, vet=lambda *_: None)


@pytest.fixture
def store() -> Store:
    made = new_store()
    put(
        made,
        prefer_rg=files.made(),
        run_tests=files.made("run-tests", "when done", "Run the tests.", domain="testing", tags=["ci", "slow"]),
    )
    return made


def chosen(store: Store, choice: Choice | None = None) -> list[str]:
    return [one.id for one in select(store, choice or Choice(), DAY).items]


def test_all_live_ones_go_out_in_the_order_of_ids(store: Store) -> None:
    assert chosen(store) == ["prefer-rg", "run-tests"]
    apply(store, said("archive", at=NOW), "prefer-rg")
    assert chosen(store) == ["run-tests"]


@pytest.mark.parametrize(
    ("choice", "wanted", "name"),
    [
        (Choice(domain="testing"), ["run-tests"], "testing"),
        (Choice(tag="ci"), ["run-tests"], "tag-ci"),
        (Choice(ids=("prefer-rg",)), ["prefer-rg"], "prefer-rg"),
        (Choice(least=40), ["prefer-rg", "run-tests"], "from-40"),
        (Choice(), ["prefer-rg", "run-tests"], "all"),
    ],
)
def test_words_narrow_it(store: Store, choice: Choice, wanted: list[str], name: str) -> None:
    assert (chosen(store, choice), choice.name) == (wanted, name)


@pytest.mark.parametrize("choice", [Choice(ids=("nobody",)), Choice(domain="nothing"), Choice(least=95)])
def test_nothing_to_export_is_told(store: Store, choice: Choice) -> None:
    with pytest.raises(Found):
        select(store, choice, DAY)


def test_an_archived_one_is_named_when_it_was_asked_for(store: Store) -> None:
    apply(store, said("archive", at=NOW), "prefer-rg")
    found = select(store, Choice(ids=("prefer-rg", "run-tests")), DAY)
    assert found.left_out == (("prefer-rg", "is archived"),)


def test_the_project_stays_unnamed_unless_it_is_wanted(store: Store) -> None:
    [one, _] = select(store, Choice(), DAY).items
    assert b"project_id" not in one.data
    assert b"project_name" not in one.data
    assert markdown.parse(one.data).ledger == instinct(store, "prefer-rg").ledger
    [one, _] = select(store, Choice(with_project=True), DAY).items
    assert b"project_id: a1b2c3d4e5f6\nproject_name: my-api\n" in one.data


def test_a_file_without_a_ledger_goes_out_with_one(store: Store) -> None:
    put(store, prefer_rg=files.UNADOPTED.encode())
    [one] = select(store, Choice(ids=("prefer-rg",)), DAY).items
    assert markdown.parse(one.data).ledger[0].claim == "set 0.80"


SECRET = "AKIA" + "IOSFODNN7" + "EXAMPLQ"


@pytest.mark.parametrize(
    ("action", "reason"),
    [(f"Use {SECRET}.", "secret"), ("Look into /home/ann/x.", "home"), ("Use \u202eit.", "direction")],
)
def test_one_that_may_not_go_out_stops_all(store: Store, action: str, reason: str) -> None:
    put(store, prefer_rg=files.made(action=action))
    with pytest.raises(Found, match=f"nothing was exported: prefer-rg: .*{reason}") as caught:
        select(store, Choice(), DAY)
    assert SECRET not in caught.value.message
    assert chosen(store, Choice(domain="testing")) == ["run-tests"]


# --- the branch


def exported(store: Store, name: str = "all", *, days: int = 0) -> exporting.Exported:
    return exporting.commit(store, name, select(store, Choice(), DAY), NOW + timedelta(days=days))


def test_an_export_is_a_commit_of_its_own_with_the_last_as_its_parent(store: Store) -> None:
    first = exported(store)
    assert first.is_new
    assert git(store.path, "ls-tree", "-r", "--name-only", first.commit).splitlines() == [
        "instincts/prefer-rg.md", "instincts/run-tests.md",
    ]  # fmt: skip
    again = exported(store, days=1)
    assert (again.commit, again.is_new) == (first.commit, False)
    apply(store, said("confirm", at=NOW), "run-tests")
    assert git(store.path, "rev-parse", f"{exported(store, days=1).commit}^") == first.commit
    assert git(store.path, "rev-list", "--max-parents=0", "export/all") == git(
        store.path, "rev-list", "--max-parents=0", "main"
    )


def test_what_is_no_longer_chosen_leaves_the_branch(store: Store) -> None:
    exported(store)
    apply(store, said("archive", at=NOW), "prefer-rg")
    assert git(store.path, "ls-tree", "-r", "--name-only", exported(store).commit) == "instincts/run-tests.md"


def test_a_branch_that_a_person_looks_at_is_not_moved(store: Store) -> None:
    exported(store)
    git(store.path, "checkout", "-q", "export/all")
    apply_later = replace(said("confirm"), at=NOW)
    apply(store, apply_later, "run-tests")
    with pytest.raises(Waiting, match="export/all is checked out"):
        exported(store)


# --- bundles and remotes


def other(tmp_path: Path) -> Store:
    return new_store(tmp_path / "other")


def test_a_bundle_keeps_ledgers_and_carries_corrections(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "x.bundle"
    exporting.bundled(store, exported(store), file)
    theirs = other(tmp_path)
    bring(theirs, file)
    assert instinct(theirs, "run-tests").ledger == instinct(store, "run-tests").ledger
    apply(store, said("confirm", at=NOW), "run-tests")
    apply(store, said("archive", at=NOW), "prefer-rg")
    exporting.bundled(store, exported(store), file)
    plan, _ = bring(theirs, file, now=NOW + timedelta(days=1))
    assert plan.gone == ("prefer-rg",)
    assert instinct(theirs, "run-tests").ledger == instinct(store, "run-tests").ledger
    assert names(theirs) == ["prefer-rg", "run-tests"]


def test_a_bundle_takes_no_other_files_place(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "x.txt"
    file.write_text("mine")
    with pytest.raises(Found, match="is no bundle"):
        exporting.bundled(store, exported(store), file)
    assert file.read_text() == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["home", "x.txt"]


def test_a_push_gives_the_branch_and_never_forces(store: Store, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--bare", "-b", "main", "hub.git")
    hub = str(tmp_path / "hub.git")
    exporting.pushed(store, exported(store), hub)
    assert git(tmp_path / "hub.git", "for-each-ref", "--format=%(refname)") == "refs/heads/export/all"
    theirs = other(tmp_path)
    bring(theirs, tmp_path / "hub.git")
    assert names(theirs) == ["prefer-rg", "run-tests"]
    stranger = new_store(tmp_path / "stranger")
    put(stranger, third=files.made("third", "when third", "Do the third."))
    made = exporting.commit(stranger, "all", select(stranger, Choice(), DAY), NOW)
    with pytest.raises(Found, match="another export/all"):
        exporting.pushed(stranger, made, hub)


def test_an_export_of_others_is_read_from_its_address(store: Store) -> None:
    exported(store)
    found = sources.gather(f"file://{store.path}#export/all")
    assert [file.path for file in found.files] == ["instincts/prefer-rg.md", "instincts/run-tests.md"]


def test_an_export_holds_nothing_of_observations(store: Store) -> None:
    made: Selection = select(store, Choice(), DAY)
    assert all(one.data.startswith(b"---\nid: ") for one in made.items)
    tree = git(store.path, "ls-tree", "-r", "--name-only", exported(store).commit)
    assert all(line.startswith("instincts/") for line in tree.splitlines())
