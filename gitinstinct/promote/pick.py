"""The promotions of several projects come into the global store: each recorded where it is from, fetched, and picked by
git itself, with our merge driver.

All of one instinct in one go: either every project's evidence is there afterwards, one commit each, or nothing is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from gitinstinct import paths
from gitinstinct.errors import FatalError, Found
from gitinstinct.git import objects, picking
from gitinstinct.git.objects import Commit
from gitinstinct.git.trailers import Message
from gitinstinct.instinct import edit, ids
from gitinstinct.instinct.shelf import Item
from gitinstinct.promote import form, note
from gitinstinct.promote.form import Form
from gitinstinct.promote.record import Recorded, record, take_back
from gitinstinct.promote.sources import Source
from gitinstinct.store import driver, library
from gitinstinct.store.errors import disk
from gitinstinct.store.store import Store, identity
from gitinstinct.store.tree import Tree


@dataclass(frozen=True, slots=True)
class Brought:
    """What one project brought: its promotion commit, and the commit that it became; None if it changed nothing."""

    source: Source
    promotion: str
    commit: str | None


@dataclass(frozen=True, slots=True)
class Picks:
    """What the global store would have.

    Attributes:
        tip: the newest commit; the one to begin with if nothing was brought.
        data: the instinct's file there; None if nothing was brought.
        brought: by project.
    """

    tip: str
    data: bytes | None = None
    brought: tuple[Brought, ...] = ()


Tag = Callable[[str], str]
"""What the project of an id is called in the global store."""
Bring = Callable[[Tree], Picks]
"""Picks onto a commit of the global store."""


def standing(everybody: Tree, name: str) -> Item | None:
    """The instinct as a commit of the global store has it; None if it has none.

    Raises:
        Found: it is such that nothing may be added to it.
    """
    path = ids.path_of(name)
    if path not in everybody.files:
        return None
    item = library.of_tree(everybody).items.get(name)
    if item is None:
        raise Found(f"{path} of the global store cannot be read", "gitinstinct check --global tells why")
    refuse(item)
    return item


def refuse(item: Item) -> None:
    """Refuses to add to what a person has put away, or must first settle.

    Raises:
        Found: it is such.
    """
    name, instinct = item.instinct.id, item.instinct
    if instinct.forgotten:
        raise Found(f"{name} was forgotten in the global store, and stays so", "give it another id, if it must be")
    if instinct.conflicts:
        raise Found(
            f"{name} is in conflict in the global store", f"settle it first: gitinstinct resolve {name} --global"
        )
    away = form.put_away(form.evidence(item))
    if away is not None:
        said = f" ({away.text})" if away.text else ""
        raise Found(
            f"{name} was put away in the global store on {away.date}{said}",
            f"bring it back first: gitinstinct restore {name} --global",
        )


def forms(sources: Sequence[Source], name: str, there: Item | None) -> list[tuple[Source, Form]]:
    """Each project's instinct in its global form. Where the global store has none, the first one's words stand."""
    made = []
    for source in sources:
        one = form.of(source.item, name, there)
        there = there or Item(ids.path_of(name), one.data, one.instinct, "")
        made.append((source, one))
    return made


def bring(everybody: Store, onto: Tree, sources: Sequence[Source], name: str, tag: Tag, now: datetime) -> Picks:
    """Picks what the projects have and a commit of the global store has not. No ref of a branch moves.

    Args:
        everybody: the global store, whose lock the caller holds.
        onto: the commit.
        sources: the projects' instincts, the one whose words count first.
        name: the id.
        tag: what a project is called there.
        now: the moment.

    Raises:
        Found: the instinct there takes nothing, or a pick met a conflict; then all refs are where they were.
        Waiting: another process was quicker.
        GitError: git could not read or write.
    """
    there = standing(onto, name)
    made: list[Recorded] = []
    try:
        for source, one in forms(sources, name, there):
            recorded = record(source, one, there.instinct if there else None, everybody, tag(source.project), now)
            made += [recorded] if recorded else []
        return _picked(everybody, onto, there, made, now) if made else Picks(onto.commit)
    except FatalError:
        take_back(made, everybody)
        raise


def _picked(everybody: Store, onto: Tree, there: Item | None, made: Sequence[Recorded], now: datetime) -> Picks:
    repo = everybody.repo
    for one in made:
        picking.fetch(repo, one.source.store.repo, [one.ref])
    base = _adopted(everybody, onto, there, now) if there and not there.instinct.adopted else onto.commit
    folder = Path(paths.root("cache")) / "promote"
    with disk("there is no place to pick in"):
        paths.make_private(str(folder))
    time = max(int(now.timestamp()), picking.time_of(repo, base))
    settings = {f"merge.{driver.NAME}.driver": driver.command()}
    commits = [one.commit for one in made]
    found = picking.pick(repo, folder, base, commits, identity(everybody), time, {driver.SWITCH: "1"}, settings)
    if found.conflict is not None:
        raise _conflict(next(one for one in made if one.commit == found.conflict), found.paths)
    brought = tuple(Brought(one.source, one.commit, found.made.get(one.commit)) for one in made)
    if not found.made:
        return Picks(onto.commit, None, brought)
    return Picks(found.tip, library.newest(everybody, found.tip).read(_path(made)), brought)


def _path(made: Sequence[Recorded]) -> str:
    return ids.path_of(made[0].ref.rpartition("/")[2])


def _conflict(one: Recorded, files: Sequence[str]) -> Found:
    where = ", ".join(files) or "what it changes"
    message = f"the promotion of {one.source.id} from {one.source.store.about.name} conflicts in {where}"
    return Found(message, "nothing was changed; see both: gitinstinct show --global, gitinstinct show")


def _adopted(everybody: Store, onto: Tree, there: Item, now: datetime) -> str:
    """A merge never adopts: evidence that came to a file without a ledger would count instead of its confidence."""
    data = edit.adopt(there.data, there.as_written)
    adopted = note.readable(data, there.instinct.id)
    worth = f"{adopted.fold(there.as_written, '').confidence / 100:.2f}" if adopted else ""
    person, name = identity(everybody), there.instinct.id
    message = Message(f"check: {name} adopted", trailers=[("Instinct", f"{name} adopted {worth}")])
    moment = max(int(now.timestamp()), picking.time_of(everybody.repo, onto.commit))
    [commit] = objects.write(
        everybody.repo, [Commit(message.render(), person, person, moment, [onto.commit], {there.path: data})]
    )
    return commit
