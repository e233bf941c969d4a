"""A project's id changes when it gets a remote: its store moves, and says so in one commit.

The folder is renamed first. A kill behind that leaves a store whose `store.yaml` still has the old id at the new place;
calling `move` again finishes it.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path

from gitinstinct.errors import EnvironmentFault
from gitinstinct.git.trailers import Message
from gitinstinct.instinct import ids, markdown, sheet
from gitinstinct.instinct.errors import Invalid
from gitinstinct.store import commit, store, vetting
from gitinstinct.store.commit import Change
from gitinstinct.store.edits import Vet
from gitinstinct.store.errors import disk
from gitinstinct.store.layout import ABOUT, About
from gitinstinct.store.store import Store
from gitinstinct.store.tree import Tree


def move(old: Path, new: Path, about: About, now: datetime, *, vet: Vet = vetting.reason) -> Store:
    """Moves a project's store to another place and id.

    Args:
        old: where the store is, or was.
        new: where it belongs now.
        about: what it is now.
        now: the time of the commit.
        vet: judges a person's edits, which are committed first.

    Raises:
        EnvironmentFault: a store is there already: two stores must be merged, not moved.
    """
    if old.exists() and (new / ".git").exists():
        raise EnvironmentFault(f"there are stores at {old} and at {new}", "merge them: gitinstinct projects merge")
    if old.exists():
        _rename(store.open(old), new)
    moved = store.open(new)
    if moved.about != about:
        commit.write(moved, lambda tree: _readdressed(tree, moved.about, about), now, vet=vet)
    return replace(moved, about=about)


def _rename(old: Store, new: Path) -> None:
    with store.locked(old.name), disk(f"the store could not be moved to {new}"):
        new.parent.mkdir(parents=True, exist_ok=True)
        old.path.rename(new)
    if (new / ".git" / "worktrees").is_dir():
        store.open(new).repo.run("worktree", "repair", expect=range(256))


def _readdressed(tree: Tree, before: About, after: About) -> Change:
    files = {ABOUT: after.render()}
    for name, data in tree.instincts()[0].items():
        try:
            if markdown.parse(data, name).project_id == before.project_id:
                files[ids.path_of(name)] = sheet.with_field(sheet.split(data), "project_id", after.project_id).encode()
        except Invalid:  # what cannot be read is not rewritten; it is named wherever the store is read
            continue
    message = Message(f"init: {after.name} takes the id {after.project_id}", trailers=[("Project", after.project_id)])
    return Change(files, message)
