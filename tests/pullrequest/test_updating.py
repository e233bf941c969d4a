"""Bringing a promotion's branch up to date: afterwards any merge of it gives what our merge gives."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitinstinct.errors import Found
from gitinstinct.instinct import markdown
from gitinstinct.promote import branches
from gitinstinct.pullrequest import publishing, updating
from gitinstinct.pullrequest.updating import Updated
from gitinstinct.store import merging
from gitinstinct.store.errors import Waiting
from tests.support.mates import TALK, Mate
from tests.support.repos import commit_all, git
from tests.support.shared import FIRST, SECOND, THIRD, file, origins, refs, waits
from tests.support.stores import NOW, assert_sound

PATH = "instincts/run-tests.md"


def update(who: Mate, *, rehearse: bool = False) -> Updated:
    with publishing.looked(who.store, who.link, TALK, rehearse=rehearse) as there:
        return updating.update(who.store, "run-tests", there, NOW, rehearse=rehearse)


def push(who: Mate) -> None:
    with publishing.looked(who.store, who.link, TALK, rehearse=False) as there:
        publishing.push(who.store, publishing.plan(who.store, "run-tests", there, NOW, TALK), who.link, TALK)


def parted(ann: Mate, bob: Mate, *, action: str = "Run the tests.") -> None:
    """Both know it; Bob promotes a second sighting, and Ann puts a third on main: text counts one of the two."""
    commit_all(ann.store.path, {PATH: file("run-tests")})
    ann.sync()
    bob.sync()
    waits(bob, "run-tests", file("run-tests", FIRST, SECOND, action=action))
    third = {PATH: file("run-tests", FIRST, THIRD), "instincts/more.md": file("more")}
    commit_all(ann.store.path, third)
    ann.sync()


def plain(tmp_path: Path, hub: Path) -> Path:
    """A clone by plain git without a driver, as a host has it."""
    git(tmp_path, "clone", "-q", str(hub), "host")
    git(tmp_path / "host", "config", "core.attributesFile", "/dev/null")
    return tmp_path / "host"


def test_a_text_merge_of_a_branch_that_is_behind_is_wrong(ann: Mate, bob: Mate, hub: Path, tmp_path: Path) -> None:
    parted(ann, bob)
    push(bob)
    host = plain(tmp_path, hub)
    git(host, "merge", "-q", "origin/promote/run-tests", "-m", "button", ok=False)
    git(ann.store.path, "fetch", "-q", str(hub), "promote/run-tests")
    ours = merging.decide(ann.store.repo, ann.tip, refs(hub)["refs/heads/promote/run-tests"])
    assert (host / PATH).read_bytes() != ours.files.get(PATH)


@pytest.mark.parametrize("way", ["merge", "squash"])
def test_after_an_update_every_merge_gives_what_ours_gives(
    ann: Mate, bob: Mate, hub: Path, tmp_path: Path, way: str
) -> None:
    parted(ann, bob)
    push(bob)
    before = refs(hub)["refs/heads/promote/run-tests"]
    git(ann.store.path, "fetch", "-q", str(hub), "promote/run-tests")
    ours = merging.decide(ann.store.repo, ann.tip, before).files
    done = update(bob)
    push(bob)
    assert (done.changed, done.merged, done.conflicts) == (True, ("run-tests",), {})
    host = plain(tmp_path, hub)
    if way == "merge":
        git(host, "merge", "-q", "--no-ff", "origin/promote/run-tests", "-m", "button")
    else:
        git(host, "merge", "-q", "--squash", "origin/promote/run-tests")
        git(host, "commit", "-q", "-m", "squashed")
    assert (host / PATH).read_bytes() == ours[PATH]
    assert git(host, "rev-parse", "HEAD^{tree}") == git(bob.store.path, "rev-parse", f"{done.commit}^{{tree}}")
    assert len(origins((host / PATH).read_bytes())) == 3
    git(host, "push", "-q", "origin", "HEAD:main")
    bob.pull()
    assert [one.id for one in branches.landed(bob.store.repo)] == ["run-tests"]
    assert_sound(bob.store)


def test_a_second_update_does_nothing(ann: Mate, bob: Mate) -> None:
    parted(ann, bob)
    first = update(bob)
    again = update(bob)
    assert (again.changed, again.commit) == (False, first.commit)


def test_a_rehearsal_writes_nothing(ann: Mate, bob: Mate) -> None:
    parted(ann, bob)
    before = refs(bob.store.path)
    done = update(bob, rehearse=True)
    assert (done.changed, done.merged) == (True, ("run-tests",))
    assert refs(bob.store.path) == before


def test_what_a_teammate_added_to_the_branch_is_taken_in(ann: Mate, bob: Mate, hub: Path) -> None:
    waits(ann, "run-tests", file("run-tests", FIRST, SECOND))
    push(ann)
    waits(bob, "run-tests", file("run-tests", FIRST, THIRD))
    done = update(bob)
    push(bob)
    data = git(bob.store.path, "show", f"{done.commit}:{PATH}").encode()
    assert len(origins(data)) == 3
    assert refs(hub)["refs/heads/promote/run-tests"] == done.commit


def test_one_that_is_only_there_gets_a_branch_here(ann: Mate, bob: Mate) -> None:
    waits(ann, "run-tests", file("run-tests"))
    push(ann)
    commit_all(ann.store.path, {"instincts/more.md": file("more")})
    ann.sync()
    done = update(bob)
    assert done.before is None
    assert refs(bob.store.path)["refs/heads/promote/run-tests"] == done.commit
    assert "more" in git(bob.store.path, "ls-tree", "-r", "--name-only", done.commit)


def test_a_conflict_is_data_on_the_branch(ann: Mate, bob: Mate) -> None:
    parted(ann, bob, action="Run all the tests, always.")
    commit_all(ann.store.path, {PATH: file("run-tests", FIRST, THIRD, action="Run the quick tests.")})
    ann.sync()
    done = update(bob)
    assert done.conflicts == {"run-tests": ("action",)}
    instinct = markdown.parse(git(bob.store.path, "show", f"{done.commit}:{PATH}").encode() + b"\n")
    assert [one["field"] for one in instinct.conflicts] == ["action"]


def test_one_that_landed_is_not_made_anew(ann: Mate, bob: Mate, hub: Path) -> None:
    tip = waits(bob, "run-tests", file("run-tests"))
    git(bob.store.path, "push", "-q", str(hub), f"{tip}:refs/heads/main")
    done = update(bob)
    assert done.commit == tip == refs(hub)["refs/heads/main"]


def test_a_branch_on_which_a_person_stands_is_theirs(ann: Mate, bob: Mate) -> None:
    parted(ann, bob)
    git(bob.store.path, "switch", "-q", "promote/run-tests")
    before = refs(bob.store.path)
    with pytest.raises(Waiting, match="checked out"):
        update(bob)
    assert refs(bob.store.path) | {"refs/remotes/origin/main": ""} == before | {"refs/remotes/origin/main": ""}


def test_one_that_nobody_has_is_none(ann: Mate) -> None:
    with pytest.raises(Found, match="no promotion of run-tests waits"):
        update(ann)
