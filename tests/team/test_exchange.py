"""Pull, push, sync between two people, whatever the remote is or does."""

from __future__ import annotations

import contextlib
import threading
from pathlib import Path

import pytest

from gitinstinct.errors import Found
from gitinstinct.git.remote import Answer
from gitinstinct.git.repo import Repo
from gitinstinct.git.unreachable import Unreachable
from gitinstinct.instinct import ids
from gitinstinct.store.errors import Waiting
from gitinstinct.team import exchange
from gitinstinct.team.exchange import NothingThere, Overtaken
from gitinstinct.team.link import SHARED
from tests.support.mates import TALK, Mate, blob, commit_of, mate, tree
from tests.support.repos import commit_all, git, script
from tests.support.stores import NOW, instinct


def test_two_people_learn_and_nothing_is_lost(ann: Mate, bob: Mate, hub: Path) -> None:
    ann.learn("run-tests")
    ann.sync()
    bob.learn("use-rg")
    [pulled] = bob.sync().pulls
    assert pulled.outcome.merging.added == ("run-tests",)
    assert ann.pull().outcome.forwarded
    assert ann.tip == bob.tip == git(hub, "rev-parse", SHARED)
    assert {"instincts/run-tests.md", "instincts/use-rg.md"} <= set(ann.files().split())
    for one in (ann, bob):
        assert git(one.store.path, "status", "--porcelain") == ""
        git(one.store.path, "fsck", "--strict", "--no-dangling")


def test_the_branches_of_the_code_are_never_fetched(ann: Mate, bob: Mate, hub: Path) -> None:
    before = set(git(hub, "for-each-ref", "--format=%(refname)").splitlines())
    ann.learn("run-tests")
    ann.sync()
    bob.sync()
    git(bob.store.path, "fetch", "-q")
    git(bob.store.path, "pull", "-q")
    assert [name for name in bob.refs() if "remotes" in name or "tags" in name] == ["refs/remotes/origin/instincts"]
    assert "main.py" not in git(bob.store.path, "cat-file", "--batch-all-objects", "--batch-check") + bob.files()
    assert set(git(hub, "for-each-ref", "--format=%(refname)").splitlines()) - before == {SHARED}


def test_nothing_new_is_no_commit(ann: Mate, bob: Mate) -> None:
    ann.sync()
    tip = ann.tip
    again = ann.sync()
    assert again.pulls[0].outcome.commit is None
    assert again.sent is not None
    assert again.sent.outgoing.commits == 0
    assert ann.tip == tip


def test_a_pull_from_where_nothing_is_yet(ann: Mate) -> None:
    with pytest.raises(NothingThere, match="no branch instincts at") as caught:
        ann.pull()
    assert "push" in caught.value.hint


def test_an_edit_by_hand_travels(ann: Mate, bob: Mate) -> None:
    ann.learn("run-tests")
    file = ann.store.path / ids.path_of("run-tests")
    file.write_bytes(file.read_bytes().replace(b"Run the tests.", b"Run all tests."))
    assert len(exchange.settle(ann.store, NOW).edits) == 1
    ann.sync()
    bob.sync()
    assert b"Run all tests." in (bob.store.path / ids.path_of("run-tests")).read_bytes()


def test_a_conflict_is_kept_as_data_and_ends_in_one_state(ann: Mate, bob: Mate) -> None:
    ann.learn("run-tests", action="Run the tests.")
    ann.sync()
    bob.sync()
    ann.learn("run-tests", action="Run the fast tests.")
    bob.learn("run-tests", action="Run all tests.")
    ann.sync()
    [pulled] = bob.sync().pulls
    assert list(pulled.outcome.merging.conflicts) == ["run-tests"]
    ann.sync()
    assert ann.files() == bob.files()
    assert "<<<<" not in (ann.store.path / ids.path_of("run-tests")).read_text()


# --- pushes that are not taken


def test_a_push_that_is_behind(ann: Mate, bob: Mate) -> None:
    ann.sync()
    bob.sync()
    ann.learn("a")
    ann.sync()
    bob.learn("b")
    sent = exchange.push(bob.store, bob.link, TALK)
    assert sent.pushed is not None
    assert sent.pushed.answer is Answer.BEHIND
    with pytest.raises(Found, match="what you have not") as caught:
        exchange.declined(bob.link, sent)
    assert "sync" in caught.value.hint


def test_a_hook_declines(ann: Mate, hub: Path) -> None:
    script(hub / "hooks", "pre-receive", "printf '\\033[31mprotected\\033[0m\\n' >&2; exit 1")
    with pytest.raises(Found, match="declined") as caught:
        ann.sync()
    assert "protected" in caught.value.message
    assert caught.value.message.isprintable()


def test_others_are_quicker_for_ever(ann: Mate, bob: Mate, hub: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ann.sync()
    pushes: list[int] = []
    real = exchange.push

    def overtaken(*given: object, **named: object) -> exchange.Sent:
        tip = git(hub, "rev-parse", SHARED)
        git(hub, "update-ref", SHARED, git(hub, "commit-tree", f"{tip}^{{tree}}", "-p", tip, "-m", f"n{len(pushes)}"))
        pushes.append(1)
        return real(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(exchange, "push", overtaken)
    monkeypatch.setattr(exchange, "_PAUSE", 0)
    ann.learn("a")
    with pytest.raises(Overtaken, match="5 times"):
        ann.sync()
    assert len(pushes) == exchange.ATTEMPTS


def test_what_no_other_store_would_take_is_not_pushed(ann: Mate, hub: Path) -> None:
    commit_all(ann.store.path, {"notes.txt": "x\n"})
    with pytest.raises(Found, match=r"notes\.txt"):
        ann.sync()
    assert SHARED not in git(hub, "for-each-ref")


def test_a_secret_is_not_pushed(ann: Mate, hub: Path) -> None:
    secret = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    data = instinct("deploy").replace(b"Run the tests.", f"Use {secret}.".encode())
    commit_all(ann.store.path, {ids.path_of("deploy"): data})
    commit_all(ann.store.path, {ids.path_of("deploy"): instinct("deploy")})
    with pytest.raises(Found, match=r"instincts/deploy\.md in commit") as caught:
        ann.sync()
    assert secret not in caught.value.message
    assert SHARED not in git(hub, "for-each-ref")


# --- remotes that change


def test_a_rewritten_branch_is_told_and_kept_and_not_published_again(ann: Mate, bob: Mate, hub: Path) -> None:
    ann.learn("a")
    ann.sync()
    before = bob.sync().pulls[0].theirs
    bob.learn("mine")
    top = git(hub, "rev-parse", f"{SHARED}~2")
    rewritten = git(hub, "commit-tree", f"{SHARED}^{{tree}}", "-p", top, "-m", "squashed")
    git(hub, "update-ref", SHARED, rewritten)
    mine = bob.tip
    synced = bob.sync()
    [pulled] = synced.pulls
    assert synced.sent is None
    assert git(hub, "rev-parse", SHARED) == rewritten
    assert pulled.rewritten == before or pulled.rewritten
    assert git(bob.store.path, "rev-parse", pulled.backup) == mine
    assert {"instincts/a.md", "instincts/mine.md"} <= set(bob.files().split())
    assert git(bob.store.path, "merge-base", "--is-ancestor", rewritten, "main", ok=True) == ""


def test_a_branch_that_is_gone(ann: Mate, hub: Path) -> None:
    ann.learn("a")
    ann.sync()
    git(hub, "update-ref", "-d", SHARED)
    tip = ann.tip
    for work in (ann.pull, ann.sync):
        with pytest.raises(NothingThere, match="is gone"):
            work()
    assert ann.tip == tip
    assert SHARED not in git(hub, "for-each-ref"), "not brought back unasked"
    assert exchange.push(ann.store, ann.link, TALK).outgoing.commits == 2, "all of it is looked at again"
    assert git(hub, "rev-parse", SHARED) == tip
    assert not ann.sync().pulls[0].rewritten
    assert ann.link.gone not in ann.refs()


def test_a_push_to_a_branch_that_went_away_meanwhile(ann: Mate, hub: Path) -> None:
    """What was published once and is there no longer is not published again without a look at it."""
    ann.sync()
    git(hub, "update-ref", "-d", SHARED)
    ann.learn("a")
    sent = exchange.push(ann.store, ann.link, TALK)
    assert sent.pushed is not None
    assert sent.pushed.answer is Answer.BEHIND
    assert SHARED not in git(hub, "for-each-ref")


def test_a_hostile_branch_changes_nothing(ann: Mate, hub: Path) -> None:
    ann.sync()
    there = Repo(hub)
    entry = ("120000", b"x.md", blob(there, b"/etc/passwd"))
    top = tree(there, ("40000", b"instincts", tree(there, entry)))
    git(hub, "update-ref", SHARED, commit_of(there, top, git(hub, "rev-parse", SHARED)))
    before = git(ann.store.path, "for-each-ref")
    for work in (ann.pull, ann.sync):
        with pytest.raises(Found, match=r"instincts/x\.md: a symbolic link"):
            work()
    assert git(ann.store.path, "for-each-ref") == before, "plain git is not offered it either"


def test_a_shallow_remote(ann: Mate, bob: Mate, hub: Path, tmp_path: Path) -> None:
    ann.learn("a")
    ann.sync()
    git(tmp_path, "clone", "-q", "--bare", "--depth=1", "-b", "instincts", f"file://{hub}", "shallow.git")
    cut = mate(tmp_path / "cut", tmp_path / "shallow.git")
    with pytest.raises(Unreachable, match="shallow"):
        cut.pull()
    assert not (cut.store.repo.git_dir / "shallow").exists()


def test_an_unfinished_merge_comes_first(ann: Mate, bob: Mate) -> None:
    ann.learn("a")
    ann.sync()
    bob.learn("b")
    (bob.store.repo.git_dir / "MERGE_HEAD").write_text(bob.tip + "\n")
    with pytest.raises(Waiting, match="merge"):
        bob.pull()


def test_a_plain_clone_is_wired(ann: Mate, bob: Mate) -> None:
    ann.sync()
    git(bob.store.path, "config", "--remove-section", "merge.instinct")
    (bob.store.repo.git_dir / "info" / "attributes").unlink()
    assert bob.pull().wired
    assert "%A" in git(bob.store.path, "config", "merge.instinct.driver")
    assert not bob.pull().wired


@pytest.mark.slow
def test_bombs_end_within_limits_and_change_nothing(ann: Mate, hub: Path) -> None:
    ann.sync()
    there, tip = Repo(hub), git(hub, "rev-parse", SHARED)
    about, top = git(hub, "rev-parse", f"{SHARED}:store.yaml"), git(hub, "rev-parse", f"{SHARED}^{{tree}}")

    def with_files(instincts: str) -> str:
        entries = ("40000", b"instincts", instincts), ("100644", b"store.yaml", about)
        return commit_of(there, tree(there, *entries), tip)

    stream = b"".join(
        b"commit refs/p/%d\ncommitter x <x@y> %d +0000\ndata 1\nx\nfrom %s\n\n" % (number, number, tip.encode())
        for number in range(10_000)
    )
    git(hub, "fast-import", "--quiet", stdin=stream)
    parents = git(hub, "for-each-ref", "--format=%(objectname)", "refs/p").splitlines()
    endless = tree(there, ("100644", b"x.md", blob(there, b"x")))
    for _ in range(10):
        endless = tree(there, *(("40000", b"%d" % number, endless) for number in range(10)))
    small = blob(there, b"x")
    many = [("100644", b"f%06d.md" % number, small) for number in range(100_000)]
    before = git(ann.store.path, "for-each-ref")
    for commit, says in (
        (commit_of(there, top, *parents), "10,000 parents; 16 are the most"),
        (commit_of(there, top, tip, message=b"x" * 100_000_000), "65,536 are the most"),
        (with_files(tree(there, ("100644", b"big.md", blob(there, bytes(200_000_000))))), "65,536 is the most"),
        (with_files(tree(there, *many)), "20,000 files"),
        (with_files(endless), "instincts/0"),
    ):
        git(hub, "update-ref", SHARED, commit)
        with pytest.raises(Found, match="not taken") as caught:
            ann.pull()
        assert says in caught.value.message
        assert git(ann.store.path, "for-each-ref") == before


# --- plain git, and many at once


def test_a_teammate_who_uses_plain_git_only(ann: Mate, bob: Mate, home: Path) -> None:
    for name, value in {
        "pull.rebase": "true",
        "pull.ff": "only",
        "merge.ff": "only",
        "push.default": "matching",
    }.items():
        git(home, "config", "--global", name, value)
    ann.learn("run-tests", action="Run the tests.")
    ann.sync()
    git(bob.store.path, "pull", "-q", "--no-edit")
    bob.learn("use-rg")
    ann.learn("run-tests", "prefer-uv", action="Run the fast tests.")
    ann.sync()
    git(bob.store.path, "pull", "-q", "--no-edit")
    git(bob.store.path, "push", "-q")
    ann.pull()
    assert ann.files() == bob.files()
    assert {"instincts/use-rg.md", "instincts/prefer-uv.md"} <= set(ann.files().split())


@pytest.mark.parametrize("times", [3, pytest.param(25, marks=pytest.mark.slow)])
def test_two_who_push_at_once_lose_nothing(times: int, ann: Mate, bob: Mate) -> None:
    """Whoever was overtaken five times in a row is told, and the next sync takes it along."""
    ann.sync()
    failed: list[BaseException] = []

    def work(one: Mate, name: str) -> None:
        try:
            for number in range(times):
                one.learn(f"{name}-{number}")
                with contextlib.suppress(Overtaken):
                    one.sync()
        except BaseException as error:
            failed.append(error)

    both = [threading.Thread(target=work, args=given) for given in ((ann, "ann"), (bob, "bob"))]
    for thread in both:
        thread.start()
    for thread in both:
        thread.join()
    assert not failed
    for one in (ann, bob, ann):
        one.sync()
    assert ann.files() == bob.files()
    names = set(ann.files().split())
    assert {f"instincts/{who}-{number}.md" for who in ("ann", "bob") for number in range(times)} <= names
