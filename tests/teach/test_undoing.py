"""Taking back runs and commands in real stores, between runs that stay."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from gitinstinct.errors import Found
from gitinstinct.instinct import edit, markdown
from gitinstinct.store import library
from gitinstinct.store.store import Store
from gitinstinct.teach import desk, undoing
from tests.support import files
from tests.support.repos import commit_all, git
from tests.support.stores import assert_sound, new_store, newest, subjects
from tests.support.teaching import START, apply, run, runs, said, undo, worth, worth_of

DAYS = 0.05  # between two runs of a long history


@pytest.fixture
def store() -> Store:
    return new_store()


def seen_by(numbers: range) -> dict[int, dict[str, tuple[str, int]]]:
    """What runs saw of ten instincts."""
    return {n: {f"i{n % 10}": ("observed", 3), f"i{(n * 3 + 1) % 10}": ("confirmed", 1)} for n in numbers}


def test_a_wrong_run_in_the_middle_of_two_hundred(store: Store) -> None:
    """It begins two instincts and speaks against five; later runs go on with all but one of them."""
    evidence = seen_by(range(200))
    evidence[100] |= {"rubbish": ("confirmed", 1)}
    right = worth_of({number: one for number, one in evidence.items() if number != 90}, DAYS)
    evidence[90] = {f"i{number}": ("contradicted", 2) for number in range(1, 6)}
    evidence[90] |= {"nonsense": ("observed", 11), "rubbish": ("observed", 11)}
    wrong = runs(store, evidence, DAYS)[90]
    done = undo(store, wrong)
    assert done.lesson.notes == ()
    assert worth(store) == right | {"nonsense": (0, "archived", 0, 0)}
    assert {told.id for told in done.lesson.taught} == {"i1", "i2", "i3", "i4", "i5", "nonsense", "rubbish"}
    assert git(store.path, "log", "-1", "--format=%(trailers:key=Undoes,valueonly)", "main").strip() == wrong
    assert_sound(store)
    again = undo(store, wrong)
    assert (again.commit, again.lesson.taught) == (None, ())


def test_one_after_the_other_back_to_the_beginning(store: Store) -> None:
    runs(store, seen_by(range(4)))
    apply(store, said("set", value=90), "i0")
    stages = [worth(store)]
    for _ in range(5):
        assert undo(store).commit
        stages.append(worth(store))
    assert set(stages[-1].values()) == {(0, "archived", 0, 0)}
    assert [subject.split(" ")[1:3] for subject in subjects(store)[:5]][-1][0] == "set"
    with pytest.raises(Found, match="there is nothing to take back"):
        undo(store)
    for done in [line.split()[0] for line in git(store.path, "log", "--format=%H", "-5", "main").splitlines()]:
        undo(store, done)
        stages.pop()
        assert worth(store) == stages[-1]


def test_an_undo_can_be_taken_back_and_the_run_after_it_again(store: Store) -> None:
    first = run(store, 1, {"a": ("observed", 3)})
    wrong = run(store, 2, {"a": ("confirmed", 2), "b": ("observed", 6)}, days=1)
    before = worth(store)
    undone = undo(store, wrong).commit
    without = worth(store)
    run(store, 3, {"a": ("confirmed", 1)}, days=2)
    later = worth(store)
    assert undo(store, undone).lesson.taught[0].reason == "1 entry counts again"
    assert worth(store)["b"] == before["b"]
    assert undo(store, wrong).commit
    assert worth(store) == later
    assert undo(store, wrong).commit is None
    assert undo(store).lesson.message.subject.startswith("undo: run ")  # the third
    assert worth(store) == without
    undo(store, first)
    assert worth(store)["a"] == (0, "archived", 0, 0)


COMMANDS = {
    "confirm": None, "contradict": None, "set": 90, "archive": None,
}  # fmt: skip


@pytest.mark.parametrize(("verb", "value"), COMMANDS.items())
def test_a_persons_command_is_taken_back(verb: str, value: int | None, store: Store) -> None:
    run(store, 1, {"a": ("observed", 6), "b": ("observed", 3)})
    commit_all(store.path, {"instincts/prefer-rg.md": files.UNADOPTED})
    before = worth(store)
    apply(store, said(verb, value=value), "a", "prefer-rg")
    assert worth(store) != before
    done = undo(store)
    assert worth(store)["a"] == before["a"]
    assert worth(store)["prefer-rg"][:2] == before["prefer-rg"][:2]
    assert done.lesson.message.subject.startswith(f"undo: {verb} ")


def test_restoring_is_taken_back_whole(store: Store) -> None:
    run(store, 1, {"a": ("observed", 6)})
    apply(store, said("archive"), "a")
    before = worth(store)
    apply(store, said("restore", value=50), "a")
    assert undo(store).lesson.taught[0].reason == "2 entries no longer count; it is neither injected nor listed"
    assert worth(store) == before


# --- words


def test_words_go_back_although_runs_went_on(store: Store) -> None:
    run(store, 1, {"a": ("observed", 6)})
    text = (newest(store).read("instincts/a.md") or b"").decode()
    (store.path / "instincts/a.md").write_text(
        text.replace("Run the tests.", "Run some tests.").replace("when a", "when b")
    )
    run(store, 2, {"a": ("confirmed", 1)})
    run(store, 3, {"a": ("confirmed", 1)})
    edited = git(store.path, "log", "--format=%H", "--grep=^edit: a", "main")
    done = undo(store, edited[:9])
    assert done.lesson.taught[0].reason == "its words are as before"
    found = markdown.parse(newest(store).read("instincts/a.md") or b"")
    assert (found.action, found.trigger, len(found.ledger)) == ("Run the tests.", "when a", 3)


def test_words_that_were_changed_again_stay_and_that_is_said(store: Store) -> None:
    run(store, 1, {"a": ("observed", 6)})
    for old, new in (("Run the", "Run some"), ("Run some", "Run all")):
        text = (store.path / "instincts/a.md").read_text()
        commit_all(store.path, {"instincts/a.md": text.replace(old, new)}, f"edit: {new}")
    done = undo(store, "main~1")
    assert (done.commit, done.lesson.notes) == (None, ("a: its words were changed again since",))
    undo(store)
    assert undo(store).commit, "in order they go back"
    assert b"Run the tests." in (newest(store).read("instincts/a.md") or b"")


def test_other_files_of_a_commit_stay_and_that_is_said(store: Store) -> None:
    run(store, 1, {"a": ("observed", 6)})
    text = (store.path / "instincts/a.md").read_text()
    commit_all(store.path, {"instincts/a.md": text.replace("Run", "Do"), "notes.txt": "mine"}, "edit: much")
    done = undo(store)
    assert done.lesson.notes == ("notes.txt stays as it is: it is no instinct",)
    assert git(store.path, "show", "main:notes.txt") == "mine"


# --- plain git


def test_the_persons_own_change_is_committed_first_and_not_taken_for_the_newest(store: Store) -> None:
    wrong = run(store, 1, {"a": ("observed", 6)})
    (store.path / "instincts/b.md").write_text(files.UNADOPTED.replace("prefer-rg", "b"))
    done = undo(store)
    assert done.first == ("b added",)
    assert git(store.path, "log", "-1", "--format=%(trailers:key=Undoes,valueonly)", "main").strip() == wrong
    assert worth(store)["b"][0] == 80


def test_plain_git_revert_of_a_run_reads_right(store: Store) -> None:
    run(store, 1, {"a": ("observed", 3), "b": ("observed", 3)})
    before = worth(store)
    run(store, 2, {"a": ("confirmed", 2), "new": ("observed", 11)}, days=1)
    git(store.path, "revert", "--no-edit", "main")
    assert worth(store) == before
    assert "run " in undo(store).lesson.message.subject, "the run that was reverted is passed over"
    assert set(worth(store).values()) == {(0, "archived", 0, 0)}


def test_a_revert_that_stumbles_over_later_runs_is_right_once_it_is_settled(store: Store) -> None:
    """Without our driver git stops at the numbers that both changed. Whichever a person takes, the evidence decides."""
    git(store.path, "config", "--remove-section", "merge.instinct")
    run(store, 1, {"a": ("observed", 3)})
    run(store, 2, {"a": ("confirmed", 2)}, days=1)
    run(store, 3, {"a": ("confirmed", 1)}, days=2)
    git(store.path, "revert", "--no-edit", "main~1", ok=False)
    text = (store.path / "instincts/a.md").read_text()
    assert "<<<<<<<" in text
    settled, side = [], ""
    for line in text.splitlines():
        side = {"<<<<<<<": "ours", "=======": "theirs", ">>>>>>>": ""}.get(line[:7], side)
        if line[:7] not in ("<<<<<<<", "=======", ">>>>>>>", "|||||||") and side != "theirs" and "in s2" not in line:
            settled.append(line)
    commit_all(store.path, {"instincts/a.md": "\n".join(settled) + "\n"})
    assert worth(store)["a"] == (51, "active", 4, 0)
    written = markdown.parse(newest(store).read("instincts/a.md") or b"")
    assert edit.rederived(newest(store).read("instincts/a.md") or b"") != newest(store).read("instincts/a.md")
    assert [entry.text for entry in written.ledger] == ["observed in s1", "confirmed in s3"]
    apply(store, said("confirm", at=START + timedelta(days=2)), "a")
    healed = newest(store).read("instincts/a.md") or b""
    assert edit.rederived(healed) == healed


def test_a_revert_that_is_itself_taken_back(store: Store) -> None:
    run(store, 1, {"a": ("observed", 3), "b": ("observed", 3)})
    run(store, 2, {"a": ("confirmed", 2), "new": ("observed", 11)}, days=1)
    before = worth(store)
    git(store.path, "revert", "--no-edit", "main")
    undo(store, "main")
    assert worth(store) == before


def test_an_undo_that_plain_git_reverted_can_be_done_again(store: Store) -> None:
    wrong = run(store, 1, {"a": ("observed", 3)})
    undo(store, wrong)
    git(store.path, "revert", "--no-edit", "main")
    assert worth(store)["a"][0] > 0
    assert undo(store, wrong).commit
    assert worth(store)["a"][0] == 0


def test_what_a_merge_brought_is_taken_back_with_it(store: Store) -> None:
    run(store, 1, {"a": ("observed", 3)})
    before = worth(store)
    git(store.path, "checkout", "-q", "-b", "theirs")
    git(store.path, "checkout", "-q", "main")
    run(store, 2, {"c": ("observed", 6)})
    git(store.path, "checkout", "-q", "theirs")
    commit_all(store.path, {"instincts/d.md": (store.path / "instincts/a.md").read_text().replace("id: a", "id: d")})
    git(store.path, "checkout", "-q", "main")
    git(store.path, "merge", "-q", "--no-ff", "-m", "merge: theirs", "theirs")
    undo(store)
    assert worth(store)["d"] == (0, "archived", 0, 0)
    assert worth(store)["a"] == before["a"]
    assert worth(store)["c"][0] > 0


def test_a_colleague_who_only_uses_plain_git(store: Store, tmp_path: Path) -> None:
    """Their commits are pulled, worked on, and taken back like any others."""
    wrong = run(store, 1, {"a": ("observed", 6), "b": ("observed", 3), "c": ("observed", 3)})
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(store.path), str(clone))
    (clone / "instincts/c.md").unlink()
    text = (clone / "instincts/a.md").read_text().replace("Run the tests.", "Run a test.")
    theirs = commit_all(clone, {"instincts/a.md": text, "instincts/prefer-rg.md": files.UNADOPTED}, "Tidy up")
    apply(store, said("confirm"), "b")
    before = worth(store)
    git(store.path, "pull", "-q", "--no-rebase", "--no-edit", str(clone), "main")
    assert "c" not in worth(store)
    apply(store, said("confirm"), "a", "prefer-rg")
    done = undo(store, theirs)
    assert {told.id: told.reason for told in done.lesson.taught} == {
        "a": "its words are as before",
        "c": "the file is back; from 0.30 on it is listed",
        "prefer-rg": "1 entry no longer counts; below 0.70 it is listed, no longer injected",
    }
    assert worth(store)["c"] == before["c"]
    git(clone, "pull", "-q", "--no-rebase", str(store.path), "main")
    git(clone, "revert", "--no-edit", "HEAD")
    assert git(clone, "diff", "--name-only", "HEAD~2", "HEAD") == ""
    git(store.path, "pull", "-q", "--no-rebase", str(clone), "main")
    assert undo(store, wrong).commit
    assert worth(store)["b"][0] == 30, "the confirmation stands alone"


# --- what cannot be


@pytest.mark.parametrize(
    ("wanted", "reason"),
    [
        ("01nowhere", "no run and no commit of main is called 01nowhere"),
        ("-x", "no run and no commit of main is called -x"),
        ("main^{tree}", "no run and no commit"),
        ("aside", "no run and no commit"),
        ("main~2", "a store's first commit cannot be taken back"),
    ],
)
def test_what_names_nothing(store: Store, wanted: str, reason: str) -> None:
    run(store, 1, {"a": ("observed", 3)})
    git(store.path, "branch", "aside", git(store.path, "commit-tree", "-m", "x", "main^{tree}"))
    with pytest.raises(Found, match=reason.replace("^", r"\^")):
        undo(store, wanted)


def _forget(path: Path) -> None:
    data = edit.with_ledger(path.read_bytes(), [markdown.parse(files.CANONICAL.encode()).ledger[0]])
    path.write_bytes(data.replace(b"observed 5:", b"forgotten:"))


def _damage(path: Path) -> None:
    path.write_text("---\nid: a\nconfidence: high\n---\n")


@pytest.mark.parametrize(
    ("change", "note"),
    [
        (_forget, "a: it was forgotten, and stays so"),
        (_damage, "a: it was changed again since"),
        (lambda path: path.unlink(), "a: it was deleted since"),
    ],
)
def test_what_stands_in_the_way_is_said(store: Store, change: Callable[[Path], None], note: str) -> None:
    run(store, 1, {"a": ("observed", 3)})
    wrong = run(store, 2, {"a": ("confirmed", 1), "b": ("observed", 6)})
    change(store.path / "instincts/a.md")
    commit_all(store.path, {}, "work")
    done = undo(store, wrong)
    assert done.lesson.notes == (note,)
    assert [told.id for told in done.lesson.taught] == ["b"]


def test_a_rehearsal_shows_what_it_would_do(store: Store) -> None:
    wrong = run(store, 1, {"a": ("observed", 6)})
    before = git(store.path, "rev-parse", "main")
    command = said("undo")
    [target] = undoing.targets(store.repo, wrong)
    done = desk.carry_out(store, lambda at: undoing.undo(command, at, store.repo, target), command.at, rehearse=True)
    assert done.lesson.taught[0].change == "0.66 -> 0.00"
    assert git(store.path, "rev-parse", "main") == before
    assert undo(store).lesson.taught == done.lesson.taught


def test_the_reason_stands_in_the_ledger(store: Store) -> None:
    wrong = run(store, 1, {"a": ("observed", 6)})
    undo(store, wrong, command=said("undo", why="another project"))
    assert library.read(store).items["a"].instinct.ledger[-1].text == "another project"
    run(store, 2, {"b": ("observed", 6)})
    undo(store)
    assert library.read(store).items["b"].instinct.ledger[-1].text.startswith("undo of run 01")
