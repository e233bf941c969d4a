"""Changing a file: exactly the lines of the fields and entries that change, and no other byte.

A field's value is replaced inside its line, so that comments, quoting and order stay. A new entry goes to its place in
the ledger. The derived fields follow from the ledger as of its newest entry. Changing nothing gives the same bytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime

from gitinstinct.instinct import body as bodies
from gitinstinct.instinct import fields as known_fields
from gitinstinct.instinct.ids import short_hash
from gitinstinct.instinct.ledger import HIGHEST_SET, Entry, adopted_origin, new_entry, origins
from gitinstinct.instinct.markdown import parse
from gitinstinct.instinct.model import Instinct
from gitinstinct.instinct.sheet import Document, split, with_field, without_field


def record(data: bytes, entries: Iterable[Entry], as_written: str) -> bytes:
    """The file with these entries added. An origin that the file knows already adds nothing.

    Args:
        data: a readable file; one without a ledger is adopted first.
        entries: evidence to add.
        as_written: the ISO day from which an unadopted file counts (the day it was committed).
    """
    instinct = parse(data)
    adopting = [] if instinct.adopted else adoption(instinct, as_written)
    known, wanted = origins(instinct.ledger), list[Entry]()
    for entry in entries:
        if entry.origin not in known:
            known |= origins([entry])
            wanted.append(entry)
    if not wanted:
        return data
    return _rederived(_with_entries(_originals_kept(split(data), instinct), [*adopting, *wanted])).encode()


def adopt(data: bytes, as_written: str) -> bytes:
    """The file with a ledger: its own confidence becomes the first entry. Adopted files stay as they are."""
    instinct = parse(data)
    if instinct.adopted:
        return data
    document = _originals_kept(split(data), instinct)
    return _rederived(_with_entries(document, adoption(instinct, as_written))).encode()


def adoption(instinct: Instinct, as_written: str) -> list[Entry]:
    """The entries that take an unadopted file in: its confidence, clipped to 0.95, with what the file said of its past;
    and that it was put away, if it was."""
    written = instinct.written
    past = []
    if "confirmations" in written:
        past.append(f"{written['confirmations']} confirmations")
    if "last_observed" in written:
        past.append(f"last confirmed {written['last_observed']}")
    text = "as written" + (f" ({', '.join(past)})" if past else "")
    moment = datetime.combine(date.fromisoformat(as_written), datetime.min.time(), UTC)
    value = min(int(written["confidence"]), HIGHEST_SET)
    made = [new_entry(moment, "set", value, text, adopted_origin(instinct.id), [])]
    if written.get("status") == "archived":
        made.append(new_entry(moment, "archived", None, "as written", short_hash(instinct.id, "archived"), made))
    return made


def rederived(data: bytes) -> bytes:
    """The file with its derived fields as the ledger gives them; an unadopted file stays as it is."""
    return _rederived(split(data)).encode() if parse(data).adopted else data


def with_ledger(data: bytes, entries: Iterable[Entry]) -> bytes:
    """The file with exactly these entries: lines that hold others go, missing ones come to their place.

    The derived fields follow; in a file that is left without any entry they stay as they are.
    """
    wanted, document = Counter(iter(entries)), split(data)
    is_adopted, lines = bool(wanted), list(document.body)
    for bullet in reversed(_surplus(bodies.read(lines), wanted)):
        del lines[bullet.start : bullet.end]
    missing = sorted(wanted.elements(), key=lambda entry: entry.order)
    document = _with_entries(document._replace(body=tuple(lines)), missing)
    return (_rederived(document) if is_adopted else document).encode()


def without_evidence(data: bytes) -> bytes:
    """The file without its ledger and without the fields that follow from one: what is left are words."""
    document = split(with_ledger(data, []))
    for name in known_fields.DERIVED:
        document = without_field(document, name)
    return document.encode()


def _surplus(found: bodies.Body, wanted: Counter[Entry]) -> list[bodies.Bullet]:
    """The entry lines that are not wanted. What stays is taken off `wanted`."""
    surplus = []
    for bullet in found.bullets():
        if bullet.entry and wanted[bullet.entry] > 0:
            wanted[bullet.entry] -= 1
        elif bullet.entry:
            surplus.append(bullet)
    return surplus


def _rederived(document: Document) -> Document:
    instinct = parse(document.encode())
    values = known_fields.derive(instinct.ledger, instinct.source, instinct.written.get("created"))
    for name in known_fields.DERIVED:
        if name not in values:
            document = without_field(document, name)
        elif instinct.written.get(name) != _as_read(name, values[name]):
            document = with_field(document, name, values[name])
    return document


def _as_read(name: str, value: str) -> int | str:
    return known_fields.derived({name: value})[name]


def _originals_kept(document: Document, instinct: Instinct) -> Document:
    """Foreign values that derived fields will replace stay as `x_original_<name>`."""
    if instinct.adopted:
        return document
    for name in ("status", "confirmations", "contradictions", "last_observed"):
        written = instinct.written.get(name)
        if written not in (None, 0, "active", "archived"):
            document = with_field(document, f"x_original_{name}", str(written))
    return document


# --- entries


def _with_entries(document: Document, entries: Iterable[Entry]) -> Document:
    for entry in entries:
        document = document._replace(body=_with_entry(document, entry))
    return document


def _with_entry(document: Document, entry: Entry) -> tuple[str, ...]:
    lines, newline = list(document.body), document.newline
    found = bodies.read(lines)
    if not found.named(bodies.EVIDENCE):
        fence = bodies.open_fence(lines)
        closed = [*_ended(lines, newline), fence + newline] if fence else lines
        return (*_with_blank_end(closed, newline), f"## Evidence{newline}", entry.render() + newline)
    at = _entry_place(found, entry)
    if at and not lines[at - 1].endswith("\n"):
        lines[at - 1] += newline
    lines.insert(at, entry.render() + newline)
    return tuple(lines)


def _entry_place(found: bodies.Body, entry: Entry) -> int:
    """Behind the last entry that sorts before it; else before the first bullet; else below the heading."""
    bullets = found.bullets()
    earlier = [bullet.end for bullet in bullets if bullet.entry and bullet.entry.order <= entry.order]
    if earlier:
        return earlier[-1]
    return bullets[0].start if bullets else found.named(bodies.EVIDENCE)[0].start + 1


def _ended(lines: Sequence[str], newline: str) -> list[str]:
    ended = list(lines)
    if ended and not ended[-1].endswith("\n"):
        ended[-1] += newline
    return ended


def _with_blank_end(lines: Sequence[str], newline: str) -> list[str]:
    ended = _ended(lines, newline)
    if not ended or ended[-1].strip():
        ended.append(newline)
    return ended
