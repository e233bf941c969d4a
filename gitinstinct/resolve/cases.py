"""What waits for a person in a store: instincts with conflicts, and files that plain git left with its markers."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gitinstinct.instinct import ids, markdown
from gitinstinct.instinct.errors import Invalid
from gitinstinct.resolve import dispute, lineage
from gitinstinct.resolve.archive import Archive
from gitinstinct.resolve.dispute import Dispute
from gitinstinct.resolve.lineage import Lineage
from gitinstinct.store import filemerge
from gitinstinct.teach.desk import Desk

_MARKED = re.compile(rb"^(?:<{7,}|>{7,}|\|{7,}) ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Case:
    """An instinct that waits.

    Attributes:
        name: the instinct; of another file its path.
        present: the file as it stands.
        data: what is to be settled: the same, or what its sides merge to (None: nothing).
        disputes: what is in conflict in it.
        left: why the file cannot be merged anew; empty if it can, or need not be.
    """

    name: str
    present: bytes | None
    data: bytes | None
    disputes: tuple[Dispute, ...] = ()
    left: str = ""

    @property
    def path(self) -> str:
        """Where the file lies in the store."""
        return ids.path_of(self.name) if ids.is_id(self.name) else self.name

    @property
    def is_remade(self) -> bool:
        """Whether its sides were merged anew, so that it changes without any choice."""
        return not self.left and self.data != self.present

    @property
    def is_open(self) -> bool:
        """Whether somebody has to do something."""
        return bool(self.left or self.disputes or self.is_remade)


def is_marked(data: bytes | None) -> bool:
    """Whether git's text merge left its markers in a file."""
    return data is not None and _MARKED.search(data) is not None


def waiting(desk: Desk) -> list[str]:
    """The ids of all instincts that wait in the store."""
    conflicted = {name for name, item in desk.shelf.items.items() if item.instinct.conflicts}
    broken = [problem.path for problem in desk.shelf.problems]
    marked = {ids.of_path(path) or "" for path, data in desk.read(broken).items() if is_marked(data)}
    return sorted(conflicted | marked)


def find(archive: Archive, desk: Desk, name: str, data: bytes) -> Case:
    """What there is to settle of one instinct; a case that is not open, if there is nothing.

    Args:
        archive: the store's history.
        desk: the store as it stands.
        name: the instinct.
        data: its file.
    """
    try:
        found = markdown.parse(data, name)
    except Invalid as error:
        return _remade(archive, desk, name, data, str(error))
    if not found.conflicts:
        return Case(name, data, data)
    disputes = dispute.of_history(archive, lineage.read(archive.repo, name), name, data, desk.day)
    return Case(name, data, data, tuple(disputes), "" if disputes else "its `conflicts` say nothing that is known")


def _remade(archive: Archive, desk: Desk, name: str, data: bytes, fault: str) -> Case:
    """A file with markers: the sides of the merge that brought them in are merged anew."""
    if not is_marked(data):
        return Case(name, data, data, left=fault)
    known = lineage.read(archive.repo, name)
    sides = _marked_by(archive, known, name, data)
    if sides is None:
        return Case(name, data, data, left=f"{fault}, and history does not tell of which versions")
    verdict = filemerge.merge(ids.path_of(name), sides.base, sides.ours.data, sides.theirs.data)
    if verdict.reason:
        return Case(name, data, data, left=verdict.reason)
    merged = verdict.data
    disputes = dispute.of_sides(archive, known, name, merged, sides, desk.day) if merged and verdict.conflicts else []
    return Case(name, data, merged, tuple(disputes))


def _marked_by(archive: Archive, known: Lineage, name: str, data: bytes) -> dispute.Sides | None:
    """The sides of the merge that committed exactly this file; what somebody changed in it since would be lost."""
    if known.tip is None or known.contents[known.tip] != data:
        return None
    return dispute.of_merge(archive, known, ids.path_of(name), known.origin(known.tip, lambda one: one == data))
