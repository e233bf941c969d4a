"""Promotions at a remote: the branches that wait there, and the commits that they were taken from."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitinstinct.git.url import parse
from gitinstinct.store.layout import BRANCH
from gitinstinct.team import link as links
from gitinstinct.team import promoted, promotions
from gitinstinct.team.link import SHARED, Link
from gitinstinct.team.promotions import Came
from tests.support.mates import BOB, GENESIS, TALK, Mate, bare, blob, mate, tree
from tests.support.repos import commit_all, git, repository
from tests.support.shared import (
    ALL,
    FIRST,
    SECOND,
    TAG,
    THIRD,
    commit,
    everybodys,
    file,
    given,
    refs,
    waits,
)

REF = f"refs/gitinstinct/promoted/{TAG}/run-tests"


@pytest.fixture
def hub(tmp_path: Path) -> Path:
    """A remote that is a store alone."""
    return bare(tmp_path / "hub.git")


@pytest.fixture
def ann(tmp_path: Path, hub: Path) -> Mate:
    """Somebody who shares the global store."""
    made = everybodys(tmp_path / "ann", hub)
    made.sync()
    return made


@pytest.fixture
def bob(tmp_path: Path, hub: Path, ann: Mate) -> Mate:
    """Somebody who joined."""
    made = everybodys(tmp_path / "bob", hub, BOB)
    made.sync()
    return made


def bring(who: Mate, *, rehearse: bool = False) -> Came:
    return promotions.bring(who.store, who.link, TALK.seconds, rehearse=rehearse)


def put(who: Mate, hub: Path, *specs: str) -> None:
    """By plain git."""
    git(who.store.path, "push", "-q", str(hub), *specs)


def seen(who: Mate) -> dict[str, str]:
    return promotions.known(who.store.repo, who.link)


# --- branches that wait


def test_a_branch_that_waits_there_is_shown_here(ann: Mate, bob: Mate, hub: Path) -> None:
    tip = waits(ann, "run-tests", file("run-tests"))
    put(ann, hub, "promote/run-tests")
    came = bring(bob)
    assert dict(came.new) == {"run-tests": tip}
    assert refs(bob.store.path)["refs/remotes/origin/promote/run-tests"] == tip
    assert not bring(bob).new, "once"
    assert not [name for name in bob.refs() if "incoming" in name]


def test_one_that_moved_on_is_told_again_and_one_that_is_gone_is_forgotten(ann: Mate, bob: Mate, hub: Path) -> None:
    first = waits(ann, "run-tests", file("run-tests"))
    put(ann, hub, "promote/run-tests")
    bring(bob)
    second = waits(ann, "run-tests", file("run-tests", FIRST, SECOND), base=first)
    put(ann, hub, "promote/run-tests")
    assert dict(bring(bob).new) == {"run-tests": second}
    put(ann, hub, ":promote/run-tests")
    came = bring(bob)
    assert (dict(came.gone), seen(bob)) == ({"run-tests": second}, {})


def test_our_own_branch_goes_on_with_what_others_added_to_it(ann: Mate, bob: Mate, hub: Path) -> None:
    first = waits(ann, "run-tests", file("run-tests"))
    put(ann, hub, "promote/run-tests")
    bring(ann)
    git(bob.store.path, "fetch", "-q", str(hub), "promote/run-tests")
    second = waits(bob, "run-tests", file("run-tests", FIRST, SECOND), base=first)
    put(bob, hub, "promote/run-tests")
    git(ann.store.path, "switch", "-q", "promote/run-tests")
    bring(ann)
    assert refs(ann.store.path)["refs/heads/promote/run-tests"] == first, "a person stands on it"
    git(ann.store.path, "switch", "-q", "main")
    bring(ann)
    assert refs(ann.store.path)["refs/heads/promote/run-tests"] == second


def test_our_own_branch_that_went_another_way_stays(ann: Mate, bob: Mate, hub: Path) -> None:
    mine = waits(ann, "run-tests", file("run-tests"))
    waits(bob, "run-tests", file("run-tests", THIRD))
    put(bob, hub, "promote/run-tests")
    bring(ann)
    assert refs(ann.store.path)["refs/heads/promote/run-tests"] == mine


def test_a_rehearsal_moves_no_ref(ann: Mate, bob: Mate, hub: Path) -> None:
    waits(ann, "run-tests", file("run-tests"))
    put(ann, hub, "promote/run-tests", REF)
    before = refs(bob.store.path)
    assert set(bring(bob, rehearse=True).new) == {"run-tests"}
    assert refs(bob.store.path) == before


def test_beside_other_branches_they_have_another_name(tmp_path: Path) -> None:
    hub, code = bare(tmp_path / "hub.git"), tmp_path / "code"
    repository(code)
    commit_all(code, {"main.py": "x\n"})
    git(code, "push", "-q", str(hub), "HEAD:main", "HEAD:promote/run-tests")
    ann, bob = (mate(tmp_path / name, hub, who, ALL, SHARED) for name, who in (("ann", BOB), ("bob", BOB)))
    ann.sync()
    bob.sync()
    tip = waits(ann, "run-tests", file("run-tests"))
    put(ann, hub, "promote/run-tests:instinct-promote/run-tests", f"{REF}:{REF}")
    came = bring(bob)
    assert (dict(came.new), came.promoted) == ({"run-tests": tip}, 0)
    assert [name for name in bob.refs() if "promote" in name] == ["refs/remotes/origin/instinct-promote/run-tests"]


def test_a_name_that_is_no_id_is_counted_and_left(ann: Mate, bob: Mate, hub: Path) -> None:
    waits(ann, "run-tests", file("run-tests"))
    put(ann, hub, *(f"promote/run-tests:refs/heads/promote/{name}" for name in ("Upper", "a/b", "x--y", "run-tests")))
    came = bring(bob)
    assert (set(came.new), came.ignored) == ({"run-tests"}, 3)


def link_in_it(ann: Mate) -> str:
    repo = ann.store.repo
    entries = tree(repo, ("120000", b"x.md", blob(repo, b"/etc/passwd")))
    about = repo.ask("rev-parse", f"{BRANCH}:store.yaml")
    made = tree(repo, ("40000", b"instincts", entries), ("100644", b"store.yaml", about))
    return repo.ask("commit-tree", made, "-p", ann.tip, "-m", "x")


def foreign_file(ann: Mate) -> str:
    return commit(ann.store.repo, {"evil.sh": b"rm -rf /\n"}, [ann.tip], "x\n")


def other_store(ann: Mate) -> str:
    about = b'format: 1\nscope: project\nproject_id: "a1b2c3d4e5f6"\nname: "my-api"\n'
    return commit(ann.store.repo, {"store.yaml": about}, [GENESIS], "x\n")


def no_beginning(ann: Mate) -> str:
    return commit(ann.store.repo, {"store.yaml": ALL.render()}, [], "x\n")


def newer_format(ann: Mate) -> str:
    return commit(ann.store.repo, {"store.yaml": b"format: 99\nscope: global\nname: x\n"}, [ann.tip], "x\n")


@pytest.mark.parametrize(
    ("hostile", "why"),
    [
        (link_in_it, "symbolic link"),
        (foreign_file, "does not belong"),
        (other_store, "belongs to"),
        (no_beginning, "no common beginning"),
        (newer_format, "format 99"),
    ],
)
def test_a_bad_one_is_named_and_the_others_come(ann: Mate, bob: Mate, hub: Path, hostile: object, why: str) -> None:
    waits(ann, "run-tests", file("run-tests"))
    bad = hostile(ann)  # type: ignore[operator]
    put(ann, hub, "promote/run-tests", f"{bad}:refs/heads/promote/bad")
    came = bring(bob)
    assert set(came.new) == {"run-tests"} == set(seen(bob))
    assert why in came.refused["promote/bad"]


def test_one_whose_objects_git_refuses_is_found_among_many(ann: Mate, bob: Mate, hub: Path) -> None:
    for number in range(5):
        waits(ann, f"fine-{number}", file(f"fine-{number}"))
    repo = ann.store.repo
    evil = tree(repo, ("40000", b".GIT", tree(repo, ("100644", b"config", blob(repo, b"x")))))
    lines = f"tree {evil}\nparent {ann.tip}\nauthor x <x@y> 1 +0000\ncommitter x <x@y> 1 +0000\n\nx\n"
    bad = repo.ask("hash-object", "-t", "commit", "-w", "--literally", "--stdin", stdin=lines.encode())
    put(ann, hub, *(f"promote/fine-{number}" for number in range(5)), f"{bad}:refs/heads/promote/bad")
    came = bring(bob)
    assert len(came.new) == 5
    assert "damaged or dangerous" in came.refused["promote/bad"]


def test_more_than_a_look_takes_comes_with_the_next(
    ann: Mate, bob: Mate, hub: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(promotions, "MOST", 2)
    for number in range(3):
        waits(ann, f"many-{number}", file(f"many-{number}"))
        put(ann, hub, f"promote/many-{number}")
    assert bring(bob).later == 1
    assert (len(bring(bob).new), len(seen(bob))) == (1, 3)


def test_plain_git_in_the_store_stays_as_harmless_as_before(ann: Mate, bob: Mate, hub: Path) -> None:
    waits(ann, "run-tests", file("run-tests"))
    put(ann, hub, "promote/run-tests", REF)
    bring(bob)
    before = refs(bob.store.path)
    git(bob.store.path, "fetch", "-q", "--prune")
    assert refs(bob.store.path) == before
    git(ann.store.path, "branch", "mine")
    git(ann.store.path, "push", "-q")
    assert set(refs(hub)) == {BRANCH, "refs/heads/promote/run-tests", REF}


# --- the commits that they were taken from


def landed(who: Mate, name: str, data: bytes) -> str:
    """As if it had been picked and merged: main has what was given."""
    made = given(who.store.repo, name, data)
    tip = commit(who.store.repo, {f"instincts/{name}.md": data}, [who.tip], "x\n")
    git(who.store.path, "merge", "-q", "--ff-only", tip)
    return made


def test_they_go_with_a_push_once_main_has_what_is_in_them(ann: Mate, hub: Path) -> None:
    made = given(ann.store.repo, "run-tests", file("run-tests"))
    ann.sync()
    assert promoted.send(ann.store, ann.link, TALK, ann.tip).sent == ()
    assert REF not in refs(hub), "what nobody agreed to stays here"
    landed(ann, "lint-first", file("lint-first"))
    ann.sync()
    assert promoted.send(ann.store, ann.link, TALK, ann.tip).sent == (REF.replace("run-tests", "lint-first"),)
    assert made not in refs(hub).values()
    assert promoted.send(ann.store, ann.link, TALK, ann.tip).sent == (), "once"


def test_they_come_with_a_pull_and_move_forward_only(ann: Mate, bob: Mate, hub: Path) -> None:
    first = landed(ann, "run-tests", file("run-tests"))
    ann.sync()
    promoted.send(ann.store, ann.link, TALK, ann.tip)
    assert bring(bob).promoted == 1
    assert refs(bob.store.path)[REF] == first
    second = landed(ann, "run-tests", file("run-tests", FIRST, SECOND))
    put(ann, hub, REF)
    bring(bob)
    assert refs(bob.store.path)[REF] == second
    put(ann, hub, f"+{first}:{REF}")
    came = bring(bob)
    assert (refs(bob.store.path)[REF], came.promoted, dict(came.refused)) == (second, 0, {})


def test_what_does_not_go_on_from_what_was_seen_is_refused(ann: Mate, bob: Mate, hub: Path) -> None:
    mine = given(bob.store.repo, "run-tests", file("run-tests"))
    given(ann.store.repo, "run-tests", file("run-tests", THIRD, action="Do as I say."))
    put(ann, hub, REF)
    came = bring(bob)
    assert refs(bob.store.path)[REF] == mine
    assert "go on from" in came.refused[f"promoted/{TAG}/run-tests"]


def test_nothing_is_put_in_the_place_of_anothers(ann: Mate, bob: Mate, hub: Path) -> None:
    landed(ann, "run-tests", file("run-tests"))
    ann.sync()
    promoted.send(ann.store, ann.link, TALK, ann.tip)
    theirs = refs(hub)[REF]
    bob.pull()
    given(bob.store.repo, "run-tests", file("run-tests", FIRST, trigger="when Bob says so"))
    went = promoted.send(bob.store, bob.link, TALK, bob.tip)
    assert (went.sent, refs(hub)[REF]) == ((), theirs)
    assert "another promotion" in went.left[f"promoted/{TAG}/run-tests"]


def test_one_with_a_secret_is_left_here_by_name(ann: Mate, hub: Path) -> None:
    landed(ann, "run-tests", file("run-tests"))
    token = "ghp_" + "A1b2C3d4E5f6G7h8I9j0" * 2
    given(ann.store.repo, "run-tests", file("run-tests", action=f"Use {token[:40]}."))
    ann.sync()
    went = promoted.send(ann.store, ann.link, TALK, ann.tip)
    assert went.sent == ()
    assert "secret" in went.left[f"promoted/{TAG}/run-tests"]
    assert token[:40] not in str(went)


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda repo: commit(repo, {"instincts/run-tests.md": b"no"}, [GENESIS], "x\n", empty=True), "frontmatter"),
        (
            lambda repo: commit(
                repo, {"instincts/run-tests.md": file("run-tests"), "instincts/more.md": file("more")}, [GENESIS], "x\n"
            ),
            "holds other files",
        ),
        (lambda repo: commit(repo, {"instincts/run-tests.md": file("run-tests")}, [], "x\n"), "no common beginning"),
    ],
)
def test_a_hostile_one_proves_nothing(ann: Mate, bob: Mate, hub: Path, make: object, why: str) -> None:
    put(ann, hub, f"{make(ann.store.repo)}:{REF}")  # type: ignore[operator]
    came = bring(bob)
    assert REF not in refs(bob.store.path)
    assert why in came.refused[f"promoted/{TAG}/run-tests"], dict(came.refused)


def test_names_that_are_none_of_ours_are_left_alone(ann: Mate, bob: Mate, hub: Path) -> None:
    made = given(ann.store.repo, "run-tests", file("run-tests"))
    for name in ("xyz/run-tests", f"{TAG}/Upper", f"{TAG}/a/b", "0123456789abcdef/run-tests"):
        put(ann, hub, f"{made}:refs/gitinstinct/promoted/{name}")
    assert bring(bob).promoted == 0
    assert not [name for name in bob.refs() if "promoted" in name]


def test_beside_other_branches_they_do_not_go(tmp_path: Path, hub: Path) -> None:
    ann = everybodys(tmp_path / "ann", hub)
    landed(ann, "run-tests", file("run-tests"))
    ann.sync()
    beside = Link(parse(str(hub)), SHARED)
    assert promoted.send(ann.store, beside, TALK, ann.tip).sent == ()
    assert REF not in refs(hub)


def test_another_remote_forgets_the_branches_of_the_first(ann: Mate, bob: Mate, hub: Path, tmp_path: Path) -> None:
    waits(ann, "run-tests", file("run-tests"))
    put(ann, hub, "promote/run-tests")
    bring(bob)
    links.establish(bob.store, Link(parse(str(bare(tmp_path / "other.git"))), BRANCH))
    assert not [name for name in bob.refs() if "promote" in name]
