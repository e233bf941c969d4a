"""Two states of a store, or of two stores, side by side."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from gitinstinct.git.blobs import Unreadable, blobs
from gitinstinct.git.repo import Entry, Repo, ls_tree
from gitinstinct.instinct import ids, markdown
from gitinstinct.instinct.errors import Invalid
from gitinstinct.store import layout
from gitinstinct.trace import difference
from gitinstinct.trace.difference import Difference


@dataclass(frozen=True, slots=True)
class Side:
    """A state of a store; `commit` is None for the emptiness before its first one. `label` is what people call it."""

    label: str
    repo: Repo
    commit: str | None


@dataclass(frozen=True, slots=True)
class Fault:
    """A file that could not be compared: in which state, and why."""

    side: str
    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """What differs between two states, by id; what could not be compared; and other files that differ, by path."""

    old: str
    new: str
    differences: tuple[Difference, ...]
    faults: tuple[Fault, ...] = ()
    others: tuple[str, ...] = ()


def compare(old: Side, new: Side, name: str | None = None) -> Comparison:
    """Compares two states: all that they hold, or one instinct.

    Raises:
        GitError: a commit cannot be read.
    """
    before, after = _files(old, name), _files(new, name)
    changed = [path for path in sorted({*before, *after}) if before.get(path) != after.get(path)]
    known = [path for path in changed if ids.of_path(path)]
    faults: list[Fault] = []
    contents = [
        _contents(side, [files[path] for path in known if path in files], faults)
        for side, files in ((old, before), (new, after))
    ]
    unreadable = {fault.path for fault in faults}
    found = tuple(
        difference.between(ids.of_path(path) or "", contents[0].get(path), contents[1].get(path))
        for path in known
        if path not in unreadable
    )
    others = tuple(path for path in changed if path not in known)
    return Comparison(old.label, new.label, found, tuple(faults), others)


def _files(side: Side, name: str | None) -> Mapping[str, Entry]:
    if side.commit is None:
        return {}
    wanted = (ids.path_of(name),) if name else ()
    return {entry.path: entry for entry in ls_tree(side.repo, side.commit, *wanted, recursive=True)}


def _contents(side: Side, entries: Collection[Entry], faults: list[Fault]) -> dict[str, bytes]:
    """The bytes of those files that can be read; what cannot is added to the faults."""
    found = blobs(side.repo, [entry.oid for entry in entries], layout.CAP) if entries else {}
    refused = {refusal.path: refusal.reason for refusal in layout.refusals(entries)}
    good = {}
    for entry in entries:
        content = found[entry.oid]
        reason = refused.get(entry.path) or _unreadable(entry.path, content)
        if reason:
            faults.append(Fault(side.label, entry.path, reason))
        elif isinstance(content, bytes):
            good[entry.path] = content
    return good


def _unreadable(path: str, content: bytes | Unreadable) -> str:
    if isinstance(content, Unreadable):
        return content.reason
    try:
        markdown.parse(content, ids.of_path(path))
    except Invalid as error:
        return str(error)
    return ""
