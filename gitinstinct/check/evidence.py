"""The ledger, and what follows from it: forged numbers, lines that count for nothing, evidence that stands twice."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gitinstinct.check.rules import Found
from gitinstinct.check.subject import Readable, Subject
from gitinstinct.instinct import fields, ledger
from gitinstinct.instinct.body import outside_code
from gitinstinct.instinct.fields import shown
from gitinstinct.instinct.ledger import Entry, parse_line
from gitinstinct.instinct.model import Instinct

_KINDS = "observed|confirmed|contradicted|set|archived|restored|retracted|forgotten|effect|promoted|evolved|imported"
# What was meant as an entry: a date and a kind as in one, or a key at the end.
_MEANT = re.compile(
    rf"(?P<sign>[-*+]) +(?P<date>\d{{4}}-\d{{1,2}}-\d{{1,2}}) +(?P<kind>{_KINDS})(?: +(?P<amount>\S+?))?:(?P<rest>.*)",
    re.IGNORECASE,
)
_KEY_AT_END = re.compile(r"\[[0-9a-z]{10}-[0-9a-f]{8}\]\s*$")
_ANY_KEY = re.compile(r"\[([a-z0-9-]{6,40})\]\s*$")
_ORIGIN = re.compile(r"[0-9a-f]{8}")


def derived(subject: Subject, read: Readable) -> Iterator[Found]:
    """Fields that the ledger gives and that say something else."""
    written = read.instinct.written
    for name, value in _given(read.instinct).items():
        if name not in written:
            if value is not None:
                yield Found("missing-field", None, f"{name} is missing; the ledger gives {_shown(name, value)}")
        elif written[name] != value:
            gives = "none" if value is None else _shown(name, value)
            why = f"{name} is {_shown(name, written[name])}; the ledger gives {gives}"
            yield Found("derived-field", read.line_of(name), why)


def differs(instinct: Instinct) -> bool:
    """Whether an instinct says numbers that its ledger does not give. Cheap: for `status`."""
    return any(instinct.written.get(name, value) != value for name, value in _given(instinct).items())


def _given(instinct: Instinct) -> dict[str, int | str | None]:
    """The derived fields as the ledger gives them, None for those that it does not; nothing without a ledger."""
    if not instinct.adopted:
        return {}
    given = fields.derived(fields.derive(instinct.ledger, instinct.source, instinct.written.get("created")))
    return {name: given.get(name) for name in fields.DERIVED}


def _shown(name: str, value: int | str) -> str:
    return f"{int(value) / 100:.2f}" if name == "confidence" else shown(value) if isinstance(value, str) else str(value)


def adoption(subject: Subject, read: Readable) -> Iterator[Found]:
    """A file without a ledger counts with its own confidence."""
    if not read.instinct.adopted:
        value = _shown("confidence", read.instinct.written["confidence"])
        yield Found("unadopted", read.section_line("evidence"), f"it has no ledger and counts as written, {value}")


def lines(subject: Subject, read: Readable) -> Iterator[Found]:
    """Lines that were meant as entries and count for nothing."""
    bullets = {line: bullet for line, bullet in read.bullets}
    for line, bullet in bullets.items():
        if bullet.entry is None and (fault := _fault(bullet.text)):
            yield Found("not-an-entry", line, f"it looks like an entry and counts for nothing: {fault}")
    for index, text in outside_code(read.document.body):
        line = read.body_line(index)
        if line not in bullets and parse_line(text) is not None:
            yield Found("misplaced-entry", line, "an entry outside of ## Evidence counts for nothing")


def _fault(text: str) -> str | None:
    """Why a bullet that was meant as an entry is none; None for free text."""
    found = _MEANT.fullmatch(text.rstrip())
    if found is None:
        return "date, kind or amount is not as it must be" if _KEY_AT_END.search(text) else None
    if found["sign"] != "-":
        return f"it begins with {found['sign']} instead of -"
    if not _ANY_KEY.search(found["rest"]):
        return "it has no key at its end"
    if parse_line(f"- {found['date']} effect: [{'0' * 6}]") is None:
        return f"{shown(found['date'])} is no day"
    if found["kind"] != found["kind"].lower():
        return f"the kind {shown(found['kind'])} is not in lower case"
    return _amount_fault(found["kind"], found["amount"])


def _amount_fault(kind: str, amount: str | None) -> str:
    if kind == "set":
        return f"a set is worth 0.00 to 0.{ledger.HIGHEST_SET}, not {shown(amount or '')}"
    if kind in ledger.COUNTED:
        return f"{shown(amount or '')} is no number of sightings"
    if kind == "retracted":
        return "it does not say which key is retracted"
    return "date, kind, amount or blanks are not as they must be"


def order(subject: Subject, read: Readable) -> Iterator[Found]:
    """Entries that do not stand in the order of date and key."""
    before: Entry | None = None
    for line, entry in read.entries:
        if before is not None and entry.order < before.order:
            yield Found("unsorted-ledger", line, f"the entry of {entry.date} stands behind one of {before.date}")
            return
        before = entry


def doubles(subject: Subject, read: Readable) -> Iterator[Found]:
    """One key with two texts, and one origin twice."""
    keys: dict[str, tuple[int, Entry]] = {}
    origins: dict[str, int] = {}
    for line, entry in read.entries:
        first = keys.setdefault(entry.key, (line, entry))
        if first[1] != entry:
            yield Found("key-with-two-texts", line, f"the key {entry.key} has another text in line {first[0]}")
            continue
        if entry.kind in {"retracted", "forgotten"}:  # these act, they are no evidence
            continue
        at = origins.setdefault(entry.origin, line)
        if at != line:
            yield Found("origin-twice", line, f"the same evidence stands in line {at}")


def keys(subject: Subject, read: Readable) -> Iterator[Found]:
    """Keys that are not of our form, or of another day than their entry."""
    for line, entry in read.entries:
        time = ledger.decode_time(entry.key)
        if time is None or not _ORIGIN.fullmatch(entry.origin):
            yield Found("odd-key", line, f"the key {entry.key} is not of the form time10-origin8")
        elif str(ledger.day_of(time)) != entry.date:
            yield Found("odd-key", line, f"the key {entry.key} is of {ledger.day_of(time)}, the entry of {entry.date}")


def dates(subject: Subject, read: Readable, day: str) -> Iterator[Found]:
    """What is dated after the day of the check."""
    for line, entry in read.entries:
        if entry.date > day:
            yield Found("future-date", line, f"the entry is dated {entry.date}; today is {day}")
    if not read.instinct.adopted:
        for name in ("created", "last_observed"):
            value = str(read.instinct.written.get(name, ""))
            if value > day:
                yield Found("future-date", read.line_of(name), f"{name} is {value}; today is {day}")
