"""Commands on a store under a person's hands: their edits first, nothing by halves, or a reason to wait."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gitinstinct.errors import EnvironmentFault, Found
from gitinstinct.instinct import markdown
from gitinstinct.instinct.model import Instinct
from gitinstinct.instinct.shelf import Item
from gitinstinct.store.errors import Waiting
from gitinstinct.store.store import Store
from gitinstinct.teach import commands, desk
from gitinstinct.teach.desk import Unknown
from gitinstinct.teach.lesson import Lesson
from tests.support import files
from tests.support.repos import commit_all, git, snapshot
from tests.support.stores import NOW, assert_sound, new_store, newest, subjects
from tests.support.teaching import START, apply, run, said, worth

FORGED = files.CANONICAL.replace("confidence: 0.65", "confidence: 0.95").replace(
    "confirmations: 8", "confirmations: 80"
)


@pytest.fixture
def store() -> Store:
    made = new_store()
    run(made, 1, {"a": ("observed", 6), "b": ("observed", 3)})
    return made


def instinct(store: Store, name: str) -> Instinct:
    return markdown.parse(newest(store).read(f"instincts/{name}.md") or b"", name)


def test_several_ids_are_one_commit_of_the_persons(store: Store) -> None:
    before = git(store.path, "rev-parse", "main")
    done = apply(store, said("confirm", why="as agreed"), "b", "a", "b")
    assert git(store.path, "rev-list", f"{before}..main").split() == [done.commit]
    assert git(store.path, "log", "-1", "--format=%an <%ae>", "main") == "Ann <ann@example.org>"
    trailers = git(store.path, "log", "-1", "--format=%(trailers:key=Instinct,valueonly)", "main").split("\n")
    assert trailers[:2] == ["b confirmed 0.46 -> 0.51", "a confirmed 0.66 -> 0.71"]
    assert [entry.text for entry in instinct(store, "a").ledger] == ["observed in s1", "as agreed"]
    assert_sound(store)


def test_a_rehearsal_writes_nothing_and_says_the_same(store: Store) -> None:
    (store.path / "instincts/a.md").write_text((store.path / "instincts/a.md").read_text() + "- mine\n")
    before = snapshot(store.path)
    rehearsed = apply(store, said("confirm"), "a", rehearse=True)
    assert snapshot(store.path) == before
    done = apply(store, said("confirm"), "a")
    assert rehearsed.lesson.taught == done.lesson.taught
    assert (rehearsed.commit, done.first) == (None, ("a edited",))


@pytest.mark.parametrize("names", [("a", "nowhere"), ("aa",), ("../a",), ("",), ("A",)])
def test_an_unknown_id_writes_nothing(store: Store, names: tuple[str, ...]) -> None:
    (store.path / "instincts/a.md").write_text((store.path / "instincts/a.md").read_text() + "- mine\n")
    before = snapshot(store.path)
    with pytest.raises(Unknown) as unknown:
        apply(store, said("confirm"), *names)
    assert snapshot(store.path) == before
    assert unknown.value.names == tuple(name for name in names if name != "a")


def test_the_nearest_ids_are_suggested() -> None:
    known = ["grep-before-edit", "grep-after-edit", "use-pnpm"]
    assert desk.suggestion(["grep-befor-edit"], known) == "did you mean grep-before-edit or grep-after-edit?"
    assert desk.suggestion(["zzz"], known) == "gitinstinct list shows the ids"


def _unreadable(top: Path) -> None:
    commit_all(top, {"instincts/a.md": "---\nid: a\nconfidence: high\n---\n"})


def _linked(top: Path) -> None:
    (top / "instincts/a.md").unlink()
    (top / "instincts/a.md").symlink_to("b.md")
    git(top, "add", "-A")
    git(top, "commit", "-q", "-m", "link")


@pytest.mark.parametrize(
    ("setup", "reason"), [(_unreadable, "confidence is 'high'"), (_linked, "no instinct is called a")]
)
def test_a_file_that_cannot_be_read_is_named_and_left(store: Store, setup: Callable[[Path], None], reason: str) -> None:
    setup(store.path)
    before = git(store.path, "rev-parse", "main")
    with pytest.raises(Found, match=reason):
        apply(store, said("confirm"), "a", "b")
    assert git(store.path, "rev-parse", "main") == before


# --- what a person did by hand


def _bullet(text: str) -> str:
    return text + "- it saved me an hour\n"


def _words(text: str) -> str:
    return text.replace("Find the exact place with Grep", "Find the place with `rg`")


def _numbers(text: str) -> str:
    return text.replace("confidence: 0.65", "confidence: 0.95").replace("confirmations: 8", "confirmations: 80")


def _evidence(text: str) -> str:
    return text.replace("## Evidence\n", "## Evidence\n- 2026-11-09 confirmed 1: I saw it [mine-0000aaaa]\n")


def _comment(text: str) -> str:
    return text.replace("\n", "\r\n").replace("domain: workflow", "domain: workflow   # for now")


HANDS = {"a bullet": _bullet, "words": _words, "numbers": _numbers, "evidence": _evidence, "a comment, CRLF": _comment}


@pytest.mark.parametrize("is_committed", [False, True], ids=["uncommitted", "committed with plain git"])
@pytest.mark.parametrize("hand", HANDS.values(), ids=HANDS)
def test_hand_edits_stay_and_what_follows_is_healed(hand: Callable[[str], str], is_committed: bool) -> None:
    store = new_store()
    commit_all(store.path, {"instincts/grep-before-edit.md": files.CANONICAL})
    edited = hand(files.CANONICAL).encode()
    (store.path / "instincts/grep-before-edit.md").write_bytes(edited)
    if is_committed:
        git(store.path, "commit", "-q", "-a", "-m", "By hand")
    done = apply(store, said("confirm"), "grep-before-edit")
    assert done.first == (() if is_committed else ("grep-before-edit edited",))
    data = newest(store).read("instincts/grep-before-edit.md") or b""
    found = markdown.parse(data)
    assert found.written["confidence"] == found.fold(found.newest or "", "").confidence
    assert found.written["confirmations"] == 9 + (hand is _evidence)
    assert set(markdown.parse(edited).ledger) < set(found.ledger)
    kept = [line for line in edited.splitlines() if not line.startswith((b"confi", b"last_observed"))]
    assert [line for line in data.splitlines() if line in kept] == kept
    assert_sound(store)


def test_a_file_dropped_in_is_committed_then_adopted(store: Store) -> None:
    (store.path / "instincts/prefer-rg.md").write_text(files.UNADOPTED)
    done = apply(store, said("contradict", at=NOW), "prefer-rg")
    assert done.first == ("prefer-rg added",)
    assert done.lesson.taught[0].change == "0.80 -> 0.70"
    assert [entry.kind for entry in instinct(store, "prefer-rg").ledger] == ["set", "contradicted"]
    assert subjects(store)[:2] == ["contradict: prefer-rg 0.80 -> 0.70", "edit: prefer-rg"]


def test_a_file_deleted_by_hand_is_gone(store: Store) -> None:
    (store.path / "instincts/a.md").unlink()
    with pytest.raises(Unknown):
        apply(store, said("confirm"), "a")
    assert apply(store, said("confirm"), "b").first == ("a deleted",)
    assert set(worth(store)) == {"b"}


def test_what_cannot_be_committed_is_told_and_stays(store: Store) -> None:
    (store.path / "instincts/a.md").write_text("half typed")
    done = apply(store, said("confirm"), "b")
    assert [held.path for held in done.held] == ["instincts/a.md"]
    with pytest.raises(Waiting, match=r"instincts/a\.md waits for you"):
        apply(store, said("confirm"), "a")
    assert (store.path / "instincts/a.md").read_text() == "half typed"


# --- surroundings


def test_a_detached_head_stays_where_it_is(store: Store) -> None:
    git(store.path, "checkout", "-q", "--detach", "main")
    before = git(store.path, "rev-parse", "HEAD")
    apply(store, said("confirm"), "a")
    assert git(store.path, "rev-parse", "HEAD") == before
    assert git(store.path, "rev-parse", "main~1") == before


def test_an_unfinished_merge_makes_its_own_files_wait(store: Store) -> None:
    text = (store.path / "instincts/a.md").read_text()
    git(store.path, "checkout", "-q", "-b", "other")
    commit_all(store.path, {"instincts/a.md": text.replace("Run the tests", "Run them")})
    git(store.path, "checkout", "-q", "main")
    commit_all(store.path, {"instincts/a.md": text.replace("Run the tests", "Test")})
    git(store.path, "merge", "other", ok=False)
    status = git(store.path, "status", "--porcelain")
    with pytest.raises(Waiting, match=r"instincts/a\.md waits for you: a merge is unfinished"):
        apply(store, said("confirm"), "a")
    assert git(store.path, "status", "--porcelain") == status
    assert apply(store, said("confirm"), "b").commit


def test_a_branch_that_is_missing_is_said(store: Store) -> None:
    git(store.path, "checkout", "-q", "--detach")
    git(store.path, "branch", "-q", "-D", "main")
    with pytest.raises(EnvironmentFault, match=r"the branch main of .* is missing"):
        apply(store, said("confirm"), "a")


def test_a_foreign_git_that_was_quicker_is_taken_into_account(store: Store) -> None:
    """The command decides again on what is there when it lands."""
    calls: list[dict[str, Item]] = []

    def decide(at: desk.Desk) -> Lesson:
        calls.append(at.items(["a"]))
        if len(calls) == 1:
            run(store, 2, {"a": ("confirmed", 1)})
        return commands.apply(command, calls[-1])

    command = said("confirm", at=START)
    done = desk.carry_out(store, decide, command.at)
    assert len(calls) == 2
    assert len(instinct(store, "a").ledger) == 3
    assert done.lesson.taught[0].before == calls[1]["a"].fold(command.day)
