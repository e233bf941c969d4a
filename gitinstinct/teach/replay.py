"""A change of words, made again on a newer version of the file.

The lines of the ledger and those that follow from it change with every run; a merge of texts would stumble over them
and a person's change of a sentence would be lost in the noise. So all three versions first get the same evidence, and
what differs then are words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gitinstinct.instinct import edit
from gitinstinct.instinct.ledger import Entry

Merge = Callable[[bytes, bytes, bytes], bytes | None]
"""Git's line-wise merge of ours, base and theirs; None where both changed the same lines."""


def words(newest: bytes, old: bytes, new: bytes, ledger: Sequence[Entry], merge: Merge) -> bytes | None:
    """`newest` with the words that differ between `old` and `new`, and with this ledger.

    None where the same words were changed otherwise since.
    """
    ours, base, theirs = (edit.with_ledger(data, ledger) for data in (newest, old, new))
    if edit.without_evidence(base) == edit.without_evidence(theirs):
        return ours
    return text(ours, base, theirs, merge)


def text(ours: bytes, base: bytes, theirs: bytes, merge: Merge) -> bytes | None:
    """The three-way merge, which needs no process where only one side changed."""
    if theirs in (base, ours):
        return ours
    return theirs if ours == base else merge(ours, base, theirs)


def ledger(newest: Sequence[Entry], old: Sequence[Entry], new: Sequence[Entry]) -> list[Entry]:
    """`newest` with the entries that came or went between `old` and `new`."""
    kept = [entry for entry in newest if entry in new or entry not in old]
    return kept + [entry for entry in new if entry not in old and entry not in kept]
