"""A conflict, told from history: what the base said, who said otherwise, and how much each side's word is worth.

Which value is ours and which theirs is known where one merge of two commits brought the conflict about. After several
merges, or a rebase that threw the other parent away, it is not; then the values have numbers, and nobody guesses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as made

from gitinstinct.instinct import ids, markdown
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.ledger import Entry
from gitinstinct.instinct.merge import settle
from gitinstinct.resolve.archive import Archive
from gitinstinct.resolve.lineage import Lineage, Test
from gitinstinct.store.history import Logged


@dataclass(frozen=True, slots=True)
class Version:
    """A file as one side has it: its bytes (None: no file) and the commit that made it so, where that is known."""

    data: bytes | None
    commit: str | None = None


@dataclass(frozen=True, slots=True)
class Sides:
    """The three versions whose merge is in conflict, and the merge, where it is a commit."""

    base: bytes | None
    ours: Version
    theirs: Version
    merge: str | None = None


@dataclass(frozen=True, slots=True)
class Voice:
    """One side's word.

    Attributes:
        value: what it says.
        confidence: what the side's whole evidence is worth today, in hundredths; None where there is no file.
        evidence: the entries that the side has and the base has not.
    """

    value: str
    confidence: int | None
    evidence: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Dispute:
    """One field of one instinct that is in conflict.

    Attributes:
        name: the instinct.
        field: as `conflicts` calls it.
        values: what it may be, sorted; people count them from 1.
        standing: what stands in the file meanwhile.
        base: what it was before; None if that is not known.
        ours, theirs: the two sides; None where history does not tell them apart.
        merge: the commit in which the conflict appeared; None if it is not known, or not made yet.
        written: value to the commit that wrote it, where that is known.
    """

    name: str
    field: str
    values: tuple[str, ...]
    standing: str
    base: str | None = None
    ours: Voice | None = None
    theirs: Voice | None = None
    merge: Logged | None = None
    written: Mapping[str, Logged] = made(default_factory=dict)

    @property
    def newest(self) -> str | None:
        """The value that was written last; None if that is not known of all, or two are of the same second."""
        dates = sorted((entry.date for entry in self.written.values()), reverse=True)
        if len(dates) < max(2, len(self.values)) or dates[0] == dates[1]:
            return None
        return next(value for value, entry in self.written.items() if entry.date == dates[0])


def of_sides(archive: Archive, lineage: Lineage, name: str, data: bytes, sides: Sides, day: str) -> list[Dispute]:
    """The conflicts of a file whose sides are known.

    Args:
        archive: the store's history.
        lineage: the versions among which the sides' commits are.
        name: the instinct.
        data: the merged file.
        sides: whose merge it is.
        day: today, as of which confidences are told.
    """
    return [_told(archive, lineage, found, sides, day) for found in _bare(name, data)]


def of_history(archive: Archive, lineage: Lineage, name: str, data: bytes, day: str) -> list[Dispute]:
    """The conflicts of a file in the store, with what its history tells of them."""
    return [_from_history(archive, lineage, found, day) for found in _bare(name, data)]


def _bare(name: str, data: bytes) -> list[Dispute]:
    found = settle.disputes(data)
    return [Dispute(name, field, values, settle.said(data, field, values) or "") for field, values in found.items()]


def _from_history(archive: Archive, lineage: Lineage, found: Dispute, day: str) -> Dispute:
    def is_open(data: bytes | None) -> bool:
        return open_in(data).get(found.field) == found.values

    if lineage.tip is None or not is_open(lineage.contents[lineage.tip]):
        return _numbered(archive, lineage, found)
    origin = lineage.origin(lineage.tip, is_open)
    sides = of_merge(archive, lineage, ids.path_of(found.name), origin)
    if sides is None:
        return _numbered(archive, lineage, found)
    return _told(archive, lineage, found, sides, day)


def of_merge(archive: Archive, lineage: Lineage, path: str, commit: str) -> Sides | None:
    """The sides of a merge commit; None if it is none, or one of more than two."""
    versions = lineage.parents[commit]
    parents = archive.told([commit])[commit].parents
    if len(versions) != 2 or len(parents) != 2:
        return None
    ours, theirs = (Version(lineage.contents.get(one), one) for one in versions)
    return Sides(archive.base(parents, path), ours, theirs, commit)


def open_in(data: bytes | None) -> Mapping[str, tuple[str, ...]]:
    """What is in conflict in a version, field to values; nothing in one that is not there or cannot be read."""
    try:
        return settle.disputes(data) if data is not None else {}
    except Invalid:
        return {}


def _says(found: Dispute, value: str) -> Test:
    """Whether a version has this value, and no doubt about it."""

    def test(data: bytes | None) -> bool:
        return settle.said(data, found.field, found.values) == value and found.field not in open_in(data)

    return test


# --- two sides


def _told(archive: Archive, lineage: Lineage, found: Dispute, sides: Sides, day: str) -> Dispute:
    both = (sides.ours, sides.theirs)
    values = [settle.said(side.data, found.field, found.values) for side in both]
    if {*values} != {*found.values}:  # an earlier merge had left it open on a side
        return _numbered(archive, lineage, found)
    commits = {
        value: lineage.origin(side.commit, _says(found, value))
        for side, value in zip(both, values, strict=True)
        if side.commit is not None and value is not None
    }
    told = archive.told([*commits.values(), sides.merge, *(side.commit for side in both)])
    ours, theirs = (
        Voice(value or "", _worth(side, told, day), _since(sides.base, side.data))
        for side, value in zip(both, values, strict=True)
    )
    return Dispute(
        found.name, found.field, found.values, found.standing,
        base=settle.said(sides.base, found.field, found.values),
        ours=ours,
        theirs=theirs,
        merge=told[sides.merge] if sides.merge else None,
        written={value: told[commit] for value, commit in commits.items()},
    )  # fmt: skip


def _worth(side: Version, told: Mapping[str, Logged], day: str) -> int | None:
    try:
        instinct = markdown.parse(side.data) if side.data is not None else None
    except Invalid:
        return None
    since = told[side.commit].date.date().isoformat() if side.commit else day
    return instinct.fold(day, since).confidence if instinct else None


def _since(base: bytes | None, data: bytes | None) -> tuple[Entry, ...]:
    known = {entry.key for entry in _ledger(base)}
    return tuple(sorted((e for e in _ledger(data) if e.key not in known), key=lambda entry: entry.order))


def _ledger(data: bytes | None) -> Sequence[Entry]:
    try:
        return markdown.parse(data).ledger if data is not None else ()
    except Invalid:
        return ()


# --- more than two, or none that is known


def _numbered(archive: Archive, lineage: Lineage, found: Dispute) -> Dispute:
    """Only the values, and which commit wrote each last."""
    commits = {value: next(lineage.beginnings(_says(found, value)), None) for value in found.values}
    told = archive.told(commits.values())
    written = {value: told[commit] for value, commit in commits.items() if commit}
    return Dispute(found.name, found.field, found.values, found.standing, written=written)
