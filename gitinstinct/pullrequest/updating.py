"""Bringing a promotion's branch up to date with what it is to be merged into, so that any merge of it is right.

A host's button runs no merge driver: it merges lines, and two sides that each counted one become one. Here the base is
merged into the branch by our own rules first. Then the branch holds all of the base, and whatever a host does with it,
a merge or a squash, gives the branch's own tree.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from gitinstinct.errors import Found
from gitinstinct.git import objects, refs
from gitinstinct.git.refs import Move
from gitinstinct.git.repo import refs as read_refs
from gitinstinct.instinct import ids
from gitinstinct.promote import branches, note
from gitinstinct.pullrequest.publishing import There
from gitinstinct.store import incoming, merging, tree
from gitinstinct.store.errors import Waiting
from gitinstinct.store.store import Store, identity, locked


@dataclass(frozen=True, slots=True)
class Updated:
    """What became of a branch.

    Attributes:
        id: the instinct.
        before: the commit that our branch had; None if only the remote had one.
        commit: the commit that it has now, or would have; in a rehearsal the old one.
        merged: ids that both sides had changed.
        conflicts: id to the fields that both sides say differently; the branch holds both, for a person to decide.
        changed: whether anything had to be merged.
    """

    id: str
    before: str | None
    commit: str
    merged: tuple[str, ...] = ()
    conflicts: Mapping[str, tuple[str, ...]] | None = None
    changed: bool = False


def update(store: Store, name: str, there: There, now: datetime, *, rehearse: bool = False) -> Updated:
    """Merges the remote's branch of the same name, and then the base, into a promotion's branch.

    Args:
        store: the global store.
        name: the instinct's id.
        there: how the remote stands.
        now: the time of the commits.
        rehearse: decide only.

    Raises:
        Found: no such promotion waits, here or there; or it cannot be merged. Nothing has changed.
        Waiting: the branch is checked out somewhere, or moved meanwhile.
    """
    full = branches.branch(name)
    with locked(store.name):
        found = read_refs(store.repo, full).get(full)
        before, seen = found.oid if found else None, there.seen.get(name)
        if before is None and seen is None:
            raise Found(f"no promotion of {name} waits", "gitinstinct review lists those that do")
        branches.refuse_checked_out(store, name)
        done = Updated(name, before, before or seen or "")
        for theirs, what in (
            (seen, f"{branches.called(name)} of the team"),
            (there.main, f"{there.link.name} of the team"),
        ):
            if theirs is not None:
                done = _merged(store, done, theirs, what, now, rehearse=rehearse)
        if not rehearse and done.commit != before:
            _move(store, full, before, done.commit)
    return _with_unsettled(store, done)


def _with_unsettled(store: Store, done: Updated) -> Updated:
    """With what an earlier merge has left in conflict on the branch, too."""
    fields = note.unsettled(tree.read(store.repo, done.commit).read(ids.path_of(done.id)), done.id)
    return replace(done, conflicts={**({done.id: fields} if fields else {}), **(done.conflicts or {})})


def _merged(store: Store, done: Updated, theirs: str, what: str, now: datetime, *, rehearse: bool) -> Updated:
    """The branch with another commit merged into it; not visible yet."""
    found = merging.decide(store.repo, done.commit, theirs)
    if found.up_to_date:
        return done
    if found.unreadable:
        first = found.unreadable[0]
        raise Found(f"{what} cannot be merged: {incoming.shown(first.path)}: {first.reason}", "mend it there first")
    merged = tuple(dict.fromkeys((*done.merged, *found.merged)))
    conflicts = {**(done.conflicts or {}), **found.conflicts}
    if rehearse:
        return Updated(done.id, done.before, done.commit, merged, conflicts, changed=True)
    if found.bases == (done.commit,):  # nothing of its own yet: it goes on to theirs
        return Updated(done.id, done.before, theirs, merged, conflicts, changed=True)
    person, moment = identity(store), max(int(now.timestamp()), objects.GENESIS_TIME)
    message = merging.message(f"{what} into {branches.called(done.id)}", found).render()
    wanted = objects.Commit(message, person, person, moment, [done.commit, theirs], found.files)
    return Updated(done.id, done.before, objects.write(store.repo, [wanted])[0], merged, conflicts, changed=True)


def _move(store: Store, full: str, before: str | None, to: str) -> None:
    if not refs.move(store.repo, [Move(full, before, to)], identity(store), "gitinstinct: brought up to date"):
        raise Waiting(f"{full.removeprefix('refs/heads/')} moved meanwhile", "try again")
