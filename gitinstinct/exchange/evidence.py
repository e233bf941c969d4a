"""The ledger of what comes in.

A file with a ledger of its own brings it: these are entries with origins, which count once however often they come. A
file without one gets one entry: the confidence that it claims, dated the day of the import. Its origin says what was
claimed where, so that the same import in two clones is one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from gitinstinct.exchange.settle import UNTOLD, Settled
from gitinstinct.instinct import edit, markdown, sheet
from gitinstinct.instinct.confidence import CAP
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.ids import short_hash
from gitinstinct.instinct.ledger import COUNTING, Entry, live, new_entry, origins
from gitinstinct.instinct.model import Instinct

_ORIGINALS = ("status", "confirmations", "contradictions", "last_observed")


@dataclass(frozen=True, slots=True)
class Known:
    """What a store knows of an id already.

    Attributes:
        before: the instinct as it came from this source last; None if it never did.
        current: the instinct on `main`; None if there is none.
        as_written: the ISO day from which the current one counts while it has no ledger.
    """

    before: Instinct | None = None
    current: Instinct | None = None
    as_written: str = ""

    @property
    def has_other_evidence(self) -> bool:
        """Whether the store's own word stands already: anything live that this source did not bring."""
        if self.current is None:
            return False
        if not self.current.adopted:
            return True
        brought = origins(self.before.ledger) if self.before else set()
        return any(entry.kind in COUNTING and entry.origin not in brought for entry in live(self.current.ledger))


def with_ledger(settled: Settled, source: str, now: datetime, known: Known) -> bytes:
    """The document with its ledger, and the fields that follow from it.

    Raises:
        Invalid: its own ledger is not to be believed.
    """
    found = markdown.parse(settled.data)
    if found.adopted:
        entries = _own(found, now)
        return edit.with_ledger(settled.data, entries)
    document = sheet.split(settled.data)
    for name in _ORIGINALS:
        written = found.written.get(name)
        if written not in (None, 0, "active", "archived") and f"x_original_{name}" not in found.extra:
            document = sheet.with_field(document, f"x_original_{name}", str(written))
    return edit.with_ledger(document.encode(), _inherited(settled, found, source, now, known))


def _own(found: Instinct, now: datetime) -> list[Entry]:
    """The entries of a file's own ledger. A retraction takes back what stands in the same file and nothing else."""
    today = now.date().isoformat()
    future = next((entry for entry in found.ledger if entry.date > today), None)
    if future is not None:
        raise Invalid(f"its ledger has an entry of {future.date}, and today is {today}")
    standing = {entry.origin for entry in found.ledger if entry.kind != "retracted"}
    kept = [entry for entry in found.ledger if entry.kind != "retracted" or _target(entry) in standing]
    if not any(entry.kind != "retracted" for entry in kept):
        raise Invalid("its ledger holds no evidence")
    return kept


def _target(entry: Entry) -> str:
    return str(entry.amount).rpartition("-")[2]


def _inherited(settled: Settled, found: Instinct, source: str, now: datetime, known: Known) -> list[Entry]:
    """What this source brought before, and what it claims now, if that is new."""
    gone = _gone_origin(source, found.id)
    entries = [entry for entry in known.before.ledger if entry.origin != gone] if known.before else []
    current = known.current
    if current is not None and not current.adopted and not known.before:
        entries += edit.adoption(current, known.as_written)  # the merge would take one word for the other
    value = min(UNTOLD if settled.claimed is None else settled.claimed, CAP)
    wanted = [("imported", None) if known.has_other_evidence else ("set", value)]
    marks = [short_hash(source, found.id, "imported", str(value))]
    if settled.away:
        wanted, marks = [*wanted, ("archived", None)], [*marks, short_hash(source, found.id, "archived")]
    text = _told(settled, found, source)
    for (kind, amount), origin in zip(wanted, marks, strict=True):
        if origin not in origins(entries):
            others = [*entries, *(current.ledger if current else ())]
            said = text if kind != "archived" else f"put away at {source}"
            entries.append(new_entry(now, kind, amount, said, origin, others))
    return entries


def _told(settled: Settled, found: Instinct, source: str) -> str:
    """What an entry says of the past that the file claims."""
    claims = ["no confidence given" if settled.claimed is None else f"{settled.claimed / 100:.2f} claimed there"]
    for name, what in (("confirmations", "{} confirmations"), ("last_observed", "last seen {}")):
        if found.written.get(name):
            claims.append(what.format(found.written[name]))
    told = ((str(found.extra.get(name, "")), what) for name, what in _CLAIMS.items())
    claims += [f"{count} {what}" for count, what in told if count.isdigit()]
    return f"inherited from {source} ({', '.join(claims)})"


_CLAIMS = {"observations": "observations", "observed_count": "sightings", "evidence_count": "pieces of evidence"}


def gone(data: bytes, before: Instinct, source: str, now: datetime, others: Iterable[Entry]) -> bytes:
    """The file as it came last, put away because its source no longer has it. Once is enough.

    Raises:
        Invalid: the file has no room for one more entry.
    """
    origin = _gone_origin(source, before.id)
    entry = new_entry(now, "archived", None, f"gone at {source}", origin, [*before.ledger, *others])
    return edit.record(data, [entry], now.date().isoformat())


def _gone_origin(source: str, name: str) -> str:
    return short_hash(source, name, "gone")
