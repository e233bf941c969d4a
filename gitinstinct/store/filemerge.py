"""What a file of a store becomes in a merge, by its path: an instinct by the one merge, all else by a rule of its own.

A store is never left half merged. What people must decide stands in the file as data; a side that cannot be read never
displaces one that can.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from gitinstinct.git.blobs import Unreadable
from gitinstinct.instinct import ids, sheet
from gitinstinct.instinct import merge as merging
from gitinstinct.instinct.errors import Invalid
from gitinstinct.store.layout import ABOUT

_FORMAT = re.compile(rb"^format: (\d{1,9})\s*$", re.MULTILINE)
Version = bytes | Unreadable | None


class Verdict(NamedTuple):
    """What stands there after the merge (None: nothing), what waits for a person, and why something was not merged."""

    data: bytes | None
    conflicts: tuple[str, ...] = ()
    reason: str = ""


def merge(path: str, base: Version, ours: Version, theirs: Version) -> Verdict:
    """Three versions of one file of a store."""
    if isinstance(ours, Unreadable) or isinstance(theirs, Unreadable):
        fault = next(side for side in (ours, theirs) if isinstance(side, Unreadable))
        left = ours if isinstance(ours, bytes) else theirs
        return Verdict(left if isinstance(left, bytes) else None, reason=fault.reason)
    before = None if isinstance(base, Unreadable) else base
    name = ids.of_path(path)
    if name is None:
        return Verdict(_plain(path, ours, theirs))
    outcome = merging.merge(before, ours, theirs, name)
    if isinstance(outcome, merging.Merged):
        return Verdict(outcome.data)
    if isinstance(outcome, merging.Conflicted):
        return Verdict(outcome.data, outcome.fields)
    return _unmerged(ours or b"", theirs or b"", name, outcome.reason)


def _plain(path: str, ours: bytes | None, theirs: bytes | None) -> bytes | None:
    """No instinct: the newer format, else the smaller; something before nothing. Never a conflict."""
    if ours is None or theirs is None:
        return ours or theirs
    newer = _format(ours) - _format(theirs) if path == ABOUT else 0
    if newer:
        return ours if newer > 0 else theirs
    return min(ours, theirs)


def _format(data: bytes) -> int:
    found = _FORMAT.search(data)
    return int(found[1]) if found else 0


def _unmerged(ours: bytes, theirs: bytes, name: str, reason: str) -> Verdict:
    """A side that can be read stands, held back; where none can, one stays as it is, named wherever it is read."""
    readable = [side for side in sorted((ours, theirs)) if _is_readable(side, name)]
    if not readable:
        return Verdict(min(ours, theirs), (merging.FILE,), reason)
    held = merging.hold(readable[0], "present", "unreadable" if len(readable) == 1 else "too large together")
    return Verdict(held, (merging.FILE,), reason)


def _is_readable(data: bytes, name: str) -> bool:
    try:
        sheet.read(data, name)
    except Invalid:
        return False
    return True
