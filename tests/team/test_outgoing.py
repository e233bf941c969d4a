"""What a push would publish: told in full, and stopped where it must not go."""

from __future__ import annotations

import pytest

from gitinstinct.errors import Found
from gitinstinct.instinct import ids
from gitinstinct.store import outgoing
from gitinstinct.store.outgoing import Outgoing
from gitinstinct.store.store import Store
from gitinstinct.team import link
from tests.support.repos import commit_all, git
from tests.support.stores import instinct

TOKEN = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"


def put(alone: Store, action: str, message: str = "work") -> str:
    return commit_all(alone.path, {ids.path_of("deploy"): instinct("deploy", action)}, message)


def look(alone: Store, *names: str, known: tuple[str, ...] = ()) -> Outgoing:
    return outgoing.look(alone.repo, link.tip(alone), known, names)


def test_everything_is_counted_once(alone: Store) -> None:
    first = put(alone, "Run the tests.")
    put(alone, "Run all tests.")
    found = look(alone)
    assert (found.commits, found.instincts, found.findings) == (4, ("deploy", "run-tests"), ())
    assert found.people == ("Ann <ann@example.org>",)
    assert found.since is not None
    rest = look(alone, known=(first,))
    assert (rest.commits, rest.instincts) == (1, ("deploy",))
    assert look(alone, known=(link.tip(alone),)) == Outgoing()


@pytest.mark.parametrize(
    ("action", "what"),
    [
        (f"Use {TOKEN}.", "secret"),
        ("Look into /home/annabel/notes first.", "somebody's home (/home/annabel)"),
        ("Look into /Users/annabel/x.", "/Users/annabel"),
        ("Ask jdoe42 about it.", "jdoe42"),
        ("On JDOE42-laptop it is slow.", "jdoe42"),
    ],
)
def test_what_must_not_go_is_found_in_old_versions_too(action: str, what: str, alone: Store) -> None:
    bad = put(alone, action)
    put(alone, "Run the tests.")
    [found] = look(alone, "jdoe42").findings
    assert found.where.startswith("instincts/deploy.md in commit ")
    assert bad.startswith(found.where.rpartition(" ")[2])
    assert what in found.what
    assert TOKEN not in found.what
    with pytest.raises(Found, match="nothing was pushed") as caught:
        outgoing.refuse(look(alone, "jdoe42"))
    assert "--fresh" in caught.value.hint


@pytest.mark.parametrize("message", [f"use {TOKEN}", "subject\n\nsee /home/annabel/x", "as jdoe42 said"])
def test_messages_are_looked_at(message: str, alone: Store) -> None:
    commit = put(alone, "Run the tests.", message)
    [found] = look(alone, "jdoe42").findings
    assert found.where == f"the message of commit {commit[:10]}"


@pytest.mark.parametrize(
    "action", ["Build in /home/user/x or /home/runner/work.", "See jdoe420.", "Use ~/.ssh/config."]
)
def test_what_names_nobody_may_go(action: str, alone: Store) -> None:
    put(alone, action)
    assert look(alone, "jdoe42").findings == ()


def test_a_file_that_is_too_large_to_be_looked_at(alone: Store) -> None:
    commit_all(alone.path, {"big.txt": "x" * 100_000})
    git(alone.path, "rm", "-q", "big.txt")
    git(alone.path, "commit", "-q", "-m", "out")
    [found] = look(alone).findings
    assert "cannot be looked at" in found.what
