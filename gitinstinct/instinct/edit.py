"""Changing a file: exactly the lines of the fields and entries that change, and no other byte.

A field's value is replaced inside its line, so that comments, quoting and order stay. A new entry goes to its place in
the ledger. The derived fields follow from the ledger as of its newest entry. Changing nothing gives the same bytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime

import yaml

from gitinstinct.instinct import body as bodies
from gitinstinct.instinct import dialect, model
from gitinstinct.instinct.ids import short_hash
from gitinstinct.instinct.ledger import HIGHEST_SET, Entry, adopted_origin, new_entry, origins
from gitinstinct.instinct.markdown import Document, field_line, parse, split
from gitinstinct.instinct.model import Instinct


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
    document = _with_entries(replace(document, body=tuple(lines)), missing)
    return (_rederived(document) if is_adopted else document).encode()


def without_evidence(data: bytes) -> bytes:
    """The file without its ledger and without the fields that follow from one: what is left are words."""
    document = split(with_ledger(data, []))
    for name in model.DERIVED:
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
    values = model.derive(instinct.ledger, instinct.source, instinct.written.get("created"))
    for name in model.DERIVED:
        if name not in values:
            document = without_field(document, name)
        elif instinct.written.get(name) != _as_read(name, values[name]):
            document = with_field(document, name, values[name])
    return document


def _as_read(name: str, value: str) -> int | str:
    return model.derived({name: value})[name]


def _originals_kept(document: Document, instinct: Instinct) -> Document:
    """Foreign values that derived fields will replace stay as `x_original_<name>`."""
    if instinct.adopted:
        return document
    for name in ("status", "confirmations", "contradictions", "last_observed"):
        written = instinct.written.get(name)
        if written not in (None, 0, "active", "archived"):
            document = with_field(document, f"x_original_{name}", str(written))
    return document


# --- fields


def with_field(document: Document, name: str, value: object) -> Document:
    """The document with a field set: its value replaced in place, or a new line at its place in the order."""
    spans = _spans(document.fields)
    text = field_line(name, value).removesuffix("\n")
    if name in spans:
        return replace(document, fields=_replaced(document.fields, spans[name], text))
    at = _place(name, spans, len(document.fields))
    return replace(document, fields=(*document.fields[:at], text + document.newline, *document.fields[at:]))


def without_field(document: Document, name: str) -> Document:
    """The document without a field's lines."""
    span = _spans(document.fields).get(name)
    if span is None:
        return document
    return replace(document, fields=document.fields[: span.start] + document.fields[span.end :])


class _Span:
    """Where a field stands: its lines, and its value inside them."""

    def __init__(self, key: yaml.ScalarNode, value: yaml.Node) -> None:
        self.start = key.start_mark.line
        self.name_end = key.end_mark.column
        self.value_start = (value.start_mark.line, value.start_mark.column)
        self.value_end = (value.end_mark.line, value.end_mark.column)
        self.end = self.start + 1
        self.quote = getattr(value, "style", None)
        self.on_one_line = self.start == value.start_mark.line == value.end_mark.line


def _spans(fields: Sequence[str]) -> dict[str, _Span]:
    spans = {name: _Span(key, node) for name, (key, node) in dialect.compose("".join(fields)).items()}
    for span in spans.values():
        # A block scalar's end mark stands at the start of the line behind it, a list's may as well.
        last, column = span.value_end
        span.end = max(span.start + 1, last if column == 0 else last + 1)
    return spans


def _replaced(fields: Sequence[str], span: _Span, text: str) -> tuple[str, ...]:
    """The lines with one field's value replaced; a value over several lines becomes one line."""
    line = fields[span.start]
    end = "\r\n" if line.endswith("\r\n") else "\n"
    value = text.partition(": ")[2]
    if not span.on_one_line:
        return (*fields[: span.start], text + end, *fields[span.end :])
    begin, stop = span.value_start[1], span.value_end[1]
    if begin == stop:  # nothing stood there: the mark is right behind the colon
        begin = stop = line.index(":", span.name_end) + 1
        value = " " + value
    elif span.quote in ("'", '"') and not value.startswith('"'):
        value = f"{span.quote}{value}{span.quote}"
    return (*fields[: span.start], line[:begin] + value + line[stop:], *fields[span.start + 1 :])


def _place(name: str, spans: Mapping[str, _Span], last: int) -> int:
    """The line before which a new field goes: behind the nearest field that stands before it in the order."""
    if name not in model.ORDER:
        return last
    before = [spans[other].end for other in model.ORDER[: model.ORDER.index(name)] if other in spans]
    return max(before, default=0)


# --- entries


def _with_entries(document: Document, entries: Iterable[Entry]) -> Document:
    for entry in entries:
        document = replace(document, body=_with_entry(document, entry))
    return document


def _with_entry(document: Document, entry: Entry) -> tuple[str, ...]:
    lines, newline = list(document.body), document.newline
    found = bodies.read(lines)
    if not found.named(bodies.EVIDENCE):
        return (*_with_blank_end(lines, newline), f"## Evidence{newline}", entry.render() + newline)
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


def _with_blank_end(lines: Sequence[str], newline: str) -> list[str]:
    ended = list(lines)
    if ended and not ended[-1].endswith("\n"):
        ended[-1] += newline
    if not ended or ended[-1].strip():
        ended.append(newline)
    return ended
