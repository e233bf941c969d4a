"""Promotions in shared global stores, made by plumbing: branches that wait, and what they say they were picked from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from gitinstinct.git import objects
from gitinstinct.git.identity import Actor
from gitinstinct.git.repo import Repo
from gitinstinct.git.trailers import Message
from gitinstinct.instinct import ids, ledger, markdown
from gitinstinct.instinct.ledger import Entry
from gitinstinct.store.layout import BRANCH, About
from tests.support.mates import Mate, mate
from tests.support.repos import ANN, git

ALL = About("global", "", "global")
TAG = "0123456789ab"
FIRST = Entry("2026-11-08", "observed", 11, "seen", "01m6x9kf80-9f3ac1d0")
SECOND = Entry("2026-11-10", "confirmed", 1, "seen again", "01m72cnze0-41b7e2aa")
THIRD = Entry("2026-11-11", "confirmed", 1, "and again", "01m75k3j80-c05d9b13")


def everybodys(place: Path, hub: Path, who: Actor = ANN) -> Mate:
    """Somebody's global store, linked to a remote that is a store alone."""
    return mate(place, hub, who, ALL, BRANCH)


def file(name: str, *entries: Entry, action: str = "Run the tests.", trigger: str = "", **more: object) -> bytes:
    """A global instinct with this ledger."""
    fields: dict[str, object] = {
        "id": name, "trigger": trigger or f"when {name} comes up", "domain": "workflow",
        "source": "session-observation", "scope": "global",
    } | more  # fmt: skip
    return markdown.compose(fields, name.title(), action, entries or (FIRST,))


def commit(
    repo: Repo, files: Mapping[str, bytes | None], parents: Sequence[str], message: str, *, empty: bool = False
) -> str:
    """A commit that no ref holds."""
    wanted = objects.Commit(message.encode(), ANN, ANN, 1_795_000_000, parents, files, empty)
    return objects.write(repo, [wanted])[0]


def given(store_repo: Repo, name: str, data: bytes, tag: str = TAG) -> str:
    """A project's promotion commit, and the ref on which it lies."""
    ref = f"refs/gitinstinct/promoted/{tag}/{name}"
    before = store_repo.ask("rev-parse", "--verify", "--quiet", ref, expect=(0, 1))
    parents = [before or objects.write_genesis(store_repo)]
    made = commit(store_repo, {ids.path_of(name): data}, parents, _message(name, tag), empty=True)
    store_repo.run("update-ref", ref, made)
    return made


def waits(mate: Mate, name: str, data: bytes, *, base: str = "", tag: str = TAG, branch: str = "") -> str:
    """A promotion that waits on its branch in somebody's store, picked from a promotion commit; the branch's tip."""
    repo = mate.store.repo
    picked = given(repo, name, data, tag)
    text = _message(name, tag).rstrip("\n") + f"\n(cherry picked from commit {picked})\n"
    made = commit(repo, {ids.path_of(name): data}, [base or mate.tip], text)
    repo.run("update-ref", branch or f"refs/heads/promote/{name}", made)
    return made


def _message(name: str, tag: str) -> str:
    trailers = [("Instinct", f"{name} promoted 0.85"), ("Promoted-From", f"{tag} {'ab' * 20}")]
    return Message(f"promote: {name}", trailers=trailers).render().decode()


def refs(place: Path) -> dict[str, str]:
    """Every ref of a repository, to its commit."""
    lines = git(place, "for-each-ref", "--format=%(refname) %(objectname)").splitlines()
    return dict(line.split(" ") for line in lines)


def origins(data: bytes) -> set[str]:
    """The origins of a file's ledger."""
    return ledger.origins(markdown.parse(data).ledger)
