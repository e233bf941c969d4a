"""Stores for tests: fresh ones, valid instincts to put in, and what must hold after every write."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from gitinstinct import paths
from gitinstinct.git.identity import Actor
from gitinstinct.git.repo import resolve
from gitinstinct.git.trailers import Message
from gitinstinct.instinct import ids, ledger, markdown
from gitinstinct.instinct.errors import Invalid
from gitinstinct.store import driver, store, tree
from gitinstinct.store.commit import Change, Plan
from gitinstinct.store.layout import About
from gitinstinct.store.store import Store
from gitinstinct.store.tree import Tree
from tests.support.repos import ANN, git

NOW = datetime(2026, 11, 29, 10, tzinfo=UTC)
PROJECT = "a1b2c3d4e5f6"
ABOUT = About("project", PROJECT, "my-api")


def instinct(name: str, action: str = "Run the tests.", sightings: int = 3) -> bytes:
    """A valid file."""
    entry = ledger.parse_line(f"- 2026-11-08 observed {sightings}: seen [01m6x9kf80-9f3ac1d0]")
    assert entry is not None
    fields = {"id": name, "trigger": f"when {name}", "domain": "testing", "source": "session-observation"}
    return markdown.compose(fields | {"scope": "project", "project_id": PROJECT}, name.title(), action, [entry])


def readable(path: str, data: bytes) -> str | None:
    """A judge of edits that knows the format only."""
    try:
        markdown.parse(data, ids.of_path(path))
    except Invalid as error:
        return str(error)
    return None


def new_store(place: Path | None = None, *, identity: Actor | None = ANN, about: About = ABOUT) -> Store:
    """A fresh store at its place in the test's home."""
    place = place or Path(paths.store(about.project_id))
    return store.create(place, about, NOW, identity=identity, driver=driver.command())


def putting(*names: str, action: str = "Run the tests.", run: str = "") -> Plan:
    """A plan that writes these instincts, as an observer run would."""
    files = {ids.path_of(name): instinct(name, action) for name in names}
    trailers = [*(("Instinct", f"{name} new 0.50") for name in names), ("Run", run)]
    change = Change(
        files, Message(f"observe: {len(names)} new", trailers=trailers), record={"run": run} if run else None
    )
    return lambda _: change


def newest(held: Store) -> Tree:
    """The tree of `main`."""
    commit = resolve(held.repo, "refs/heads/main")
    assert commit is not None
    return tree.read(held.repo, commit)


def subjects(held: Store) -> list[str]:
    """The subjects on `main`, newest first."""
    return git(held.path, "log", "--format=%s", "main").splitlines()


def assert_sound(held: Store) -> None:
    """What holds after every write: nothing to commit, nothing broken, no half-done checkout."""
    assert git(held.path, "status", "--porcelain") == ""
    assert git(held.path, "for-each-ref", "refs/worktree/gitinstinct/") == ""
    git(held.path, "fsck", "--strict", "--no-dangling")
