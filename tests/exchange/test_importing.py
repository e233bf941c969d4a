"""Imports as branches: corrections come, local edits stay, what is gone is put away, the same twice is nothing."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from gitinstinct.errors import Found, UsageError
from gitinstinct.exchange import branch, importing, sources
from gitinstinct.exchange.gathering import Wish
from gitinstinct.git.repo import refs
from gitinstinct.instinct import ids, markdown
from gitinstinct.store.layout import About
from gitinstinct.store.store import Store
from tests.exchange.support import BOT, bring, data, instinct, names
from tests.support import files
from tests.support.repos import git
from tests.support.stores import NOW, assert_sound, new_store, putting, subjects
from tests.support.teaching import apply, said

BOTH = ["shop-commit-length", "shop-named-exports"]
LATER = NOW + timedelta(days=3)


@pytest.fixture
def store() -> Store:
    return new_store()


@pytest.fixture
def team(tmp_path: Path) -> Path:
    """A file of two instincts."""
    path = tmp_path / "team.yaml"
    path.write_text(BOT)
    return path


def by_hand(store: Store, name: str, old: str, new: str) -> None:
    """A person's edit of a file, committed."""
    path = store.path / ids.path_of(name)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    git(store.path, "commit", "-qam", "by hand")


def tip(store: Store) -> str:
    return git(store.path, "rev-parse", "main")


def test_what_a_file_holds_is_merged_from_a_branch_of_its_own(store: Store, team: Path) -> None:
    plan, outcome = bring(store, team)
    assert outcome is not None
    assert (plan.coming, outcome.merging.added) == (tuple(BOTH), tuple(BOTH))
    assert instinct(store, BOTH[0]).written["confidence"] == 60
    assert instinct(store, BOTH[1]).extra["imported_from"] == "file:team.yaml"
    [ref] = refs(store.repo, "refs/gitinstinct/imports/").values()
    assert git(store.path, "log", "-1", "--format=%P", "main").split()[1] == ref.oid
    assert git(store.path, "log", "-1", "--format=%(trailers)", ref.oid).strip() == "Import-Source: file:team.yaml"
    assert git(store.path, "log", "-1", "--format=%s", "main") == "import: 2 instincts from file:team.yaml"
    assert_sound(store)


def test_the_same_file_twice_changes_nothing(store: Store, team: Path) -> None:
    bring(store, team)
    before = tip(store)
    plan, outcome = bring(store, team, now=LATER)
    assert (plan.is_new, outcome, tip(store)) == (False, None, before)


def test_a_correction_comes_and_a_local_edit_stays(store: Store, team: Path) -> None:
    bring(store, team)
    by_hand(store, BOTH[1], "Prefer named exports", "Prefer named exports, always")
    team.write_text(BOT.replace("Write short", "Write very short").replace("0.6", "0.65"))
    bring(store, team, now=LATER)
    assert instinct(store, BOTH[0]).action == "Write very short commit messages"
    assert instinct(store, BOTH[0]).written["confidence"] == 65
    assert instinct(store, BOTH[1]).action == "Prefer named exports, always"
    assert_sound(store)


def test_what_both_changed_is_a_conflict(store: Store, team: Path) -> None:
    bring(store, team)
    by_hand(store, BOTH[0], "Write short", "Write long")
    team.write_text(BOT.replace("Write short", "Write very short"))
    plan, outcome = bring(store, team, now=LATER)
    assert outcome is not None
    assert set(outcome.merging.conflicts) == {BOTH[0]}
    assert [one.verb for one in importing.outcomes(plan, outcome.merging)] == ["conflict"]


def test_what_is_gone_is_put_away_and_comes_back(store: Store, team: Path) -> None:
    bring(store, team)
    team.write_text(BOT.partition("---\nid: shop-named")[0])
    plan, _ = bring(store, team, now=LATER)
    assert plan.gone == (BOTH[1],)
    assert instinct(store, BOTH[1]).written["status"] == "archived"
    before = tip(store)
    assert bring(store, team, now=LATER)[1] is None
    assert tip(store) == before
    team.write_text(BOT)
    bring(store, team, now=LATER + timedelta(days=1))
    assert instinct(store, BOTH[1]).written["status"] == "active"


def test_what_cannot_be_read_is_not_gone(store: Store, team: Path) -> None:
    bring(store, team)
    team.write_text(BOT.replace("0.7", "high"))
    plan, outcome = bring(store, team, now=LATER)
    assert [one.id for one in plan.refused] == [BOTH[1]]
    assert (plan.gone, outcome) == ((), None)


def test_nothing_is_gone_while_something_cannot_be_named(store: Store, tmp_path: Path) -> None:
    folder = tmp_path / "team"
    folder.mkdir()
    (folder / "a.md").write_text(BOT)
    (folder / "b.md").write_text(files.CANONICAL)
    bring(store, folder)
    (folder / "a.md").write_bytes(b"---\nid: x\ntrigger: \xff\n---\n")
    plan, _ = bring(store, folder, now=LATER)
    assert plan.gone == ()
    assert {name for name, note in plan.notes if "it stays" in note} == set(BOTH)


def test_file_mates_survive(store: Store, team: Path) -> None:
    bring(store, team)
    team.write_text(BOT.replace("0.6", "0.9"))
    bring(store, team, now=LATER)
    assert names(store) == BOTH


def test_evidence_of_ours_is_not_overruled(store: Store, team: Path) -> None:
    bring(store, team)
    apply(store, said("confirm", at=NOW + timedelta(hours=1)), BOTH[0])
    assert instinct(store, BOTH[0]).written["confidence"] == 65
    team.write_text(BOT.replace("0.6", "0.3"))
    bring(store, team, now=LATER)
    found = instinct(store, BOTH[0])
    assert found.ledger[-1].kind == "imported"
    assert found.written["confidence"] == 65


def test_an_instinct_that_is_there_keeps_its_own_confidence(store: Store, team: Path) -> None:
    from gitinstinct.store import commit

    commit.write(store, putting(BOTH[0]), NOW)
    bring(store, team)
    found = instinct(store, BOTH[0])
    assert [entry.kind for entry in found.ledger] == ["observed", "imported"]
    assert found.fold("2026-11-29", "").confidence == 44  # 0.50 of three weeks ago


def test_a_file_without_a_ledger_is_not_taken_for_a_worse_one(store: Store, tmp_path: Path) -> None:
    by_person = store.path / "instincts" / "prefer-rg.md"
    by_person.parent.mkdir()
    by_person.write_text(files.UNADOPTED)
    git(store.path, "add", "-A")
    git(store.path, "commit", "-qm", "by hand")
    path = tmp_path / "x.md"
    path.write_text(files.UNADOPTED.replace('"0.8"', '"0.4"'))
    bring(store, path)
    assert instinct(store, "prefer-rg").fold("2026-11-29", "").confidence == 80


def test_a_ledger_comes_along_and_counts_once(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "x.md"
    path.write_text(files.CANONICAL)
    bring(store, path)
    other = tmp_path / "y.md"
    other.write_text(files.CANONICAL)
    bring(store, other, now=LATER)
    assert instinct(store, "grep-before-edit").ledger == markdown.parse(files.CANONICAL.encode()).ledger


def test_files_of_one_name_are_told_apart_by_what_they_hold(store: Store, tmp_path: Path) -> None:
    paths = [tmp_path / folder / "instincts.yaml" for folder in "ab"]
    texts = [BOT, BOT.replace("id: shop", "id: bank")]
    for path, text in zip(paths, texts, strict=True):
        path.parent.mkdir()
        path.write_text(text)
    first, _ = bring(store, paths[0])
    second, _ = bring(store, paths[1])
    assert first.line.source == "file:instincts.yaml"
    assert second.line.source.startswith("file:instincts.yaml~")
    assert len(names(store)) == 4
    assert all(instinct(store, name).written["status"] == "active" for name in names(store))
    for path in paths:
        assert bring(store, path, now=LATER)[1] is None
    paths[1].write_text(texts[1].replace("0.7", "0.8"))
    assert bring(store, paths[1], now=LATER)[0].line.source == second.line.source


def test_two_imports_in_one_second_do_not_meet(store: Store, tmp_path: Path) -> None:
    plans = []
    for folder, text in (("a", BOT), ("b", BOT.replace("id: shop", "id: bank"))):
        path = tmp_path / folder / "instincts.yaml"
        path.parent.mkdir()
        path.write_text(text)
        plans.append(importing.plan(store, sources.gather(str(path)), Wish(), NOW))
    for plan in plans:
        importing.bring(store, plan, NOW)
    assert len(names(store)) == 4
    for folder in "ab":
        assert bring(store, tmp_path / folder / "instincts.yaml", now=LATER)[1] is None


def test_a_clone_knows_what_was_imported(store: Store, team: Path, tmp_path: Path) -> None:
    from gitinstinct.store import store as stores

    bring(store, team)
    git(tmp_path, "clone", "-q", str(store.path), "clone")
    clone = stores.open(tmp_path / "clone")
    stores.wire(clone.repo)
    assert bring(clone, team, now=LATER)[1] is None
    team.write_text(BOT.replace("Write short", "Write very short"))
    _, outcome = bring(clone, team, now=LATER)
    assert outcome is not None
    assert not outcome.merging.conflicts
    assert instinct(clone, BOTH[0]).action.startswith("Write very short")


def test_the_same_import_in_two_clones_is_one(team: Path, tmp_path: Path) -> None:
    stores_ = [new_store(tmp_path / name) for name in ("one", "two")]
    for days, store in enumerate(stores_):
        bring(store, team, now=NOW + timedelta(days=days))
    ledgers = [instinct(store, BOTH[0]).ledger for store in stores_]
    assert ledgers[0][0].origin == ledgers[1][0].origin


def test_a_copied_import_is_no_base(store: Store, team: Path) -> None:
    """A cherry-pick has the trailer and, in its tree, everything else: nothing of that is gone at the source."""
    from gitinstinct.store import commit

    commit.write(store, putting("ours"), NOW)
    message = "import: copied\n\nImport-Source: file:team.yaml"
    git(store.path, "commit", "-q", "--allow-empty", "-m", message)
    plan, _ = bring(store, team)
    assert plan.gone == ()
    assert instinct(store, "ours").written["status"] == "active"


def test_a_rehearsal_moves_nothing(store: Store, team: Path) -> None:
    before = git(store.path, "for-each-ref")
    _, outcome = bring(store, team, rehearse=True)
    assert outcome is not None
    assert outcome.merging.added == tuple(BOTH)
    assert git(store.path, "for-each-ref") == before


def test_a_person_is_asked_for_less(store: Store, team: Path) -> None:
    plan, _ = bring(store, team, wish=Wish(least=65))
    assert (plan.coming, plan.below) == ((BOTH[1],), (BOTH[0],))
    plan, _ = bring(store, team, wish=Wish(), now=LATER)
    assert names(store) == BOTH
    plan, outcome = bring(store, team, wish=Wish(least=65), now=LATER)
    assert (plan.gone, outcome) == ((), None)


def test_one_instinct_can_get_another_id(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "x.md"
    path.write_text(files.UNADOPTED)
    bring(store, path, wish=Wish(id="other-name"))
    assert instinct(store, "other-name").extra["x_original_id"] == "prefer-rg"
    bring(store, path)
    assert instinct(store, "other-name").written["status"] == "active"
    path.write_text(BOT)
    with pytest.raises(UsageError, match="holds 2"):
        bring(store, path, wish=Wish(id="x"))


def test_a_name_of_ones_own(store: Store, team: Path, tmp_path: Path) -> None:
    bring(store, team, wish=Wish(name="the shop"))
    moved = team.rename(tmp_path / "elsewhere.yaml")
    assert bring(store, moved, wish=Wish(name="the shop"), now=LATER)[1] is None
    assert "import: 2 instincts from the shop" in subjects(store)


def test_what_was_forgotten_there_is_gone_and_takes_nothing_away(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "x.md"
    path.write_text(files.CANONICAL)
    bring(store, path)
    entry = "- 2026-11-29 forgotten: x [01m6x9kf80-aaaaaaaa]"
    path.write_text(f"---\nid: grep-before-edit\nstatus: forgotten\n---\n\n## Evidence\n{entry}\n")
    plan, _ = bring(store, path, now=LATER)
    assert plan.gone == ("grep-before-edit",)
    found = instinct(store, "grep-before-edit")
    assert (found.written["status"], found.forgotten) == ("archived", False)


SECRET = "AKIA" + "IOSFODNN7" + "EXAMPLQ"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"Use {SECRET} as the key.", "secret"),
        ("Look into /home/ann/notes first.", "home"),
        ("Use \u202ereversed\u202c text.", "direction"),
        ("Use ta\U000e0041gs.", "tag character"),
        ("Use zero\u200bwidth.", "zero-width"),
        ("Use esc\x1b[31m.", "control"),
    ],
)
def test_what_may_not_come_in_is_named_and_the_rest_comes(store: Store, team: Path, text: str, reason: str) -> None:
    team.write_text(BOT.replace("Prefer named exports", text))
    plan, outcome = bring(store, team)
    assert outcome is not None
    assert names(store) == BOTH[:1]
    assert reason in plan.refused[0].reason
    assert SECRET not in plan.refused[0].reason
    assert SECRET not in git(store.path, "log", "-p", "--all")


def test_a_reason_names_the_line_of_the_file(store: Store, team: Path) -> None:
    team.write_text(BOT.replace('"when exporting from a module"', "when exporting: modules"))
    plan, _ = bring(store, team)
    assert plan.refused[0].reason.startswith("line 25: YAML: ")


def test_what_is_too_broken_for_a_name_of_its_own_is_not_gone(store: Store, team: Path) -> None:
    bring(store, team)
    for broken in ("id: shop-named-exports\nid: other", "trigger: &a x\nname: y"):
        team.write_text(BOT.replace("id: shop-named-exports", broken))
        plan, outcome = bring(store, team, now=LATER)
        assert len(plan.refused) == 1
        assert (plan.gone, outcome) == ((), None)


def test_a_name_with_a_secret_is_not_kept(store: Store, tmp_path: Path) -> None:
    path = tmp_path / f"{SECRET}.md"
    path.write_text(BOT)
    with pytest.raises(UsageError, match="looks like a secret"):
        bring(store, path)


def test_doubles_are_told(store: Store, team: Path) -> None:
    double = BOT + "\n" + BOT.partition("---\n")[2].replace("0.6", "0.95").join(["---\n", ""])
    team.write_text(double)
    plan, _ = bring(store, team)
    assert [one.reason for one in plan.refused] == [
        "shop-commit-length stands twice; it was taken from team.yaml (0.95)"
    ]
    assert instinct(store, BOTH[0]).written["confidence"] == 90


def test_a_source_without_an_instinct_is_told(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "README.md"
    path.write_text("# Nothing\n")
    with pytest.raises(Found, match="no instinct in it"):
        bring(store, path)


def test_uncommitted_edits_come_first(store: Store, team: Path) -> None:
    bring(store, team)
    path = store.path / ids.path_of(BOTH[0])
    path.write_text(path.read_text().replace("Write short", "Write long"))
    team.write_text(BOT.replace("0.7", "0.75"))
    _, outcome = bring(store, team, now=LATER)
    assert outcome is not None
    assert len(outcome.edits) == 1
    assert instinct(store, BOTH[0]).action == "Write long commit messages"
    assert_sound(store)


def test_the_global_store_takes_them_too(team: Path, tmp_path: Path) -> None:
    store = new_store(tmp_path / "global", about=About("global", "", "global"))
    bring(store, team)
    assert b"scope: global\n" in data(store, BOTH[0])
    assert b"project_id" not in data(store, BOTH[0])


def test_the_history_of_an_import_stays_small_in_its_messages(store: Store, tmp_path: Path) -> None:
    many = "".join(files.made(f"name-{number:04}").decode() + "\n" for number in range(300))
    path = tmp_path / "many.md"
    path.write_text(many)
    plan, _ = bring(store, path)
    assert len(plan.coming) == 300
    message = git(store.path, "log", "-1", "--format=%B", "main")
    assert "and 100 more" in message
    assert len(message) < 40_000


def test_names_with_odd_signs_find_their_branch_again(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "my *odd* [file]\nname~1.yaml"
    path.write_text(BOT)
    plan, _ = bring(store, path)
    assert "\n" not in plan.line.source
    assert bring(store, path, now=LATER)[1] is None
    assert branch.find(store.repo, "file:my", {BOTH[0]}, loose=True).last is None
