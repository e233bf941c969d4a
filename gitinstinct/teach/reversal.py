"""Taking back what one commit did to one file, while everything that came later stays.

Evidence is taken back by its origin: an entry that the commit added is retracted, for ever; a retraction that it added
is answered by the same evidence under another origin; an entry that it removed or altered stands again as it was. So
the confidence is what it would be if the commit had never been. What is written is the same on every machine: two who
take the same thing back count it once. Words go back where nobody changed them since.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from gitinstinct.instinct import edit, markdown
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.ledger import (
    Entry,
    adopted_origin,
    command_origin,
    live,
    new_entry,
    origins,
    retracted_origins,
)
from gitinstinct.instinct.model import Instinct
from gitinstinct.teach import replay
from gitinstinct.teach.replay import Merge

_KEY_LENGTH = 40  # of a ledger's key, at most


@dataclass(frozen=True, slots=True)
class Versions:
    """A file as it was before the commit, after it, and now; None where there is none.

    `as_written` is the ISO day from which the newest counts if it has no ledger.
    """

    before: bytes | None
    after: bytes | None
    newest: bytes | None
    as_written: str


@dataclass(frozen=True, slots=True)
class Reversal:
    """What taking back comes to.

    Attributes:
        data: the file's content then; None if it goes.
        did: what was taken back, in a few words each.
        left: why something could not be, in a few words; empty if all was.
    """

    data: bytes | None
    did: tuple[str, ...] = ()
    left: str = ""


def reverse(name: str, found: Versions, now: datetime, why: str, merge: Merge) -> Reversal:
    """Takes back what a commit did to the instinct `name`.

    Args:
        name: the id.
        found: the file's versions.
        now: when it is taken back.
        why: the text of the retractions.
        merge: git's merge of texts.
    """
    if found.newest is None:
        return _absent(found)
    if found.after is None:
        return Reversal(found.newest, left="it is there again")
    try:
        old = markdown.parse(found.before) if found.before is not None else None
        new, present = markdown.parse(found.after), markdown.parse(found.newest)
    except Invalid:
        return _as_text(found, merge)
    if present.forgotten:
        return Reversal(found.newest, left="it was forgotten, and stays so")
    if old is not None and not (old.adopted or new.adopted or present.adopted):
        return _as_text(found, merge)
    try:
        return _reversed(_Case(name, old, new, now, why), found, merge)
    except Invalid as error:  # a retraction needs room
        return Reversal(found.newest, left=f"it takes no more evidence: {error}")


def _absent(found: Versions) -> Reversal:
    if found.before is None:
        return Reversal(None)
    if found.after is None:
        return Reversal(found.before, ("the file is back",))
    return Reversal(None, left="it was deleted since")


def _as_text(found: Versions, merge: Merge) -> Reversal:
    """Without a ledger on any side all of it is words; and so is what cannot be read."""
    assert found.newest is not None
    assert found.after is not None
    if found.before is None:
        whole = found.newest == found.after
        return Reversal(None, ("the file is gone",)) if whole else Reversal(found.newest, left="it was changed since")
    data = replay.text(found.newest, found.after, found.before, merge)
    if data is None or (data != found.before and not _is_readable(data)):
        return Reversal(found.newest, left="it was changed again since")
    return Reversal(data, ("its text is as before",)) if data != found.newest else Reversal(data)


def _is_readable(data: bytes) -> bool:
    try:
        markdown.parse(data)
    except Invalid:
        return False
    return True


@dataclass(frozen=True, slots=True)
class _Case:
    """What is known of a commit's effect on one instinct; `old` is None for a file that it added."""

    name: str
    old: Instinct | None
    new: Instinct
    now: datetime
    why: str


def _reversed(case: _Case, found: Versions, merge: Merge) -> Reversal:
    assert found.newest is not None
    adopted = edit.rederived(edit.adopt(found.newest, found.as_written))
    present = markdown.parse(adopted).ledger
    worded, left = _worded(case, adopted, found, present, merge)
    ledger, did = _ledger(case, present)
    if worded != adopted:
        did.append("its words are as before")
    if not did:
        return Reversal(found.newest, left=left)
    return Reversal(edit.with_ledger(worded, ledger), tuple(did), left)


def _worded(case: _Case, adopted: bytes, found: Versions, present: Sequence[Entry], merge: Merge) -> tuple[bytes, str]:
    """The newest version with its words taken back; else itself, and why not."""
    if found.before is None or found.after is None:
        return adopted, ""
    data = replay.words(adopted, found.after, found.before, present, merge)
    if data is None or not _is_readable(data):
        return adopted, "its words were changed again since"
    return data, _stale_confidence(case)


def _stale_confidence(case: _Case) -> str:
    """A number that a person wrote into a file without a ledger is evidence since the file was adopted."""
    if case.old is None or case.old.adopted or case.new.adopted:
        return ""
    same = case.old.written["confidence"] == case.new.written["confidence"]
    return "" if same else "its confidence was taken into the ledger since; `set` changes it"


def _ledger(case: _Case, present: Sequence[Entry]) -> tuple[list[Entry], list[str]]:
    """The newest ledger without what the commit did to it, and what that was."""
    ledger = [_unaltered(case, entry) for entry in present]
    altered = sum(one != other for one, other in zip(ledger, present, strict=True))
    retracted = list(_retractions(case, ledger))
    ledger += retracted
    again = [entry for entry in _again(case, ledger) if entry.origin not in origins(ledger)]
    told = (
        (len(retracted), "no longer count", "no longer counts"),
        (len(again), "count again", "counts again"),
        (altered, "are as before", "is as before"),
    )
    did = [
        f"{count} {'entry' if count == 1 else 'entries'} {one if count == 1 else many}"
        for count, many, one in told
        if count
    ]
    return [*ledger, *again], did


def _unaltered(case: _Case, entry: Entry) -> Entry:
    """The entry as it stood before the commit altered its line."""
    if case.old is None or entry not in case.new.ledger or entry in case.old.ledger:
        return entry
    was = [one for one in case.old.ledger if one.origin == entry.origin]
    now = [one for one in case.new.ledger if one.origin == entry.origin]
    return was[0] if len(was) == len(now) == 1 and was[0].kind != "retracted" else entry


def _retractions(case: _Case, present: Sequence[Entry]) -> Iterator[Entry]:
    """One for each origin that the commit added and that still counts."""
    known = {entry.origin for entry in case.old.ledger} if case.old else set()
    if case.old is not None:
        known.add(adopted_origin(case.name))  # taking a file in is no evidence, it only says the same otherwise
    added = {entry.origin for entry in case.new.ledger} or {adopted_origin(case.name)}
    ledger = list(present)
    for entry in live(present):
        if entry.origin in added - known and entry.kind not in {"retracted", "forgotten"}:
            origin = command_origin(entry.key, "retracted")
            ledger.append(new_entry(case.now, "retracted", entry.key, case.why, origin, ledger))
            yield ledger[-1]


def _again(case: _Case, present: Sequence[Entry]) -> Iterator[Entry]:
    """What the commit retracted, under other origins; and what it removed, as it was."""
    before = case.old.ledger if case.old else ()
    gone, retracted_before = retracted_origins(present), retracted_origins(before)
    counted = {entry.origin: entry for entry in reversed(live(before)) if entry.kind != "retracted"}
    for entry in case.new.ledger:
        target = str(entry.amount).rpartition("-")[2]
        if entry.kind == "retracted" and target in counted and target in gone - retracted_before:
            yield _reinstated(counted[target], entry)
    kept = {entry.origin for entry in case.new.ledger}
    yield from (entry for entry in before if entry.origin not in kept and entry.kind != "forgotten")


def _reinstated(entry: Entry, retraction: Entry) -> Entry:
    """The same evidence at the same place of the same day, under an origin that follows from its retraction."""
    origin = command_origin(retraction.origin, entry.kind)
    place = (entry.key.rpartition("-")[0] or entry.key)[: _KEY_LENGTH - len(origin) - 1]
    return Entry(entry.date, entry.kind, entry.amount, entry.text, f"{place}-{origin}")
