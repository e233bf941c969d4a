"""The ledger: the machine-readable lines under `## Evidence`, the only truth about confidence.

    - DATE KIND [AMOUNT]: TEXT [KEY]

A line that does not have this form is free text and counts for nothing. KEY is `<time10>-<origin8>`: `time10` orders
the entries of a day, `origin8` says what the evidence is. The same origin counts once, so a replay, a second clone or
a merge can bring an entry twice without harm.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import NamedTuple

from gitinstinct.instinct.ids import short_hash

COUNTED = frozenset({"observed", "confirmed", "contradicted"})
"""Kinds with a number of sightings."""
COUNTING = COUNTED | {"set"}
"""Kinds that move the confidence."""

_LINE = re.compile(
    r"- (?P<date>\d{4}-\d\d-\d\d) (?P<kind>[a-z]+)(?: (?P<amount>[a-z0-9.-]+))?: (?P<text>.*?) ?"
    r"\[(?P<key>[a-z0-9-]{6,40})\]"
)
_COUNT = re.compile(r"[1-9]\d{0,5}")
_VALUE = re.compile(r"0(?:\.\d{1,2})?")
_KEY = re.compile(r"[a-z0-9-]{6,40}")
_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's base 32
_TIME_LENGTH = 10
_TEXT_LENGTH = 200
HIGHEST_SET = 95


class Entry(NamedTuple):
    """One line of the ledger.

    `amount` is n for sightings, hundredths for `set`, the KEY for `retracted`, else None.
    """

    date: str
    kind: str
    amount: int | str | None
    text: str
    key: str

    @property
    def origin(self) -> str:
        """What the evidence is, whatever its date: the part of the key behind its last hyphen."""
        return self.key.rpartition("-")[2]

    @property
    def order(self) -> tuple[str, str, str, str, str]:
        """Entries are sorted by day, then by key; the rest decides where one key was given twice."""
        return (self.date, self.key, self.kind, str(self.amount), self.text)

    @property
    def sightings(self) -> int:
        """The number of sightings; 0 for kinds that have none."""
        return self.amount if self.kind in COUNTED and isinstance(self.amount, int) else 0

    @property
    def claim(self) -> str:
        """Kind and amount, as the line says them: `observed 3`, `archived`."""
        return self.kind if self.amount is None else f"{self.kind} {self._amount_text()}"

    def render(self) -> str:
        """The line, without its end."""
        text = f" {self.text}" if self.text else ""
        return f"- {self.date} {self.claim}:{text} [{self.key}]"

    def _amount_text(self) -> str:
        if self.kind == "set" and isinstance(self.amount, int):
            return f"{self.amount / 100:.2f}"
        return str(self.amount)


@lru_cache(maxsize=2048)  # the sides of a merge, and two versions of a file, have most lines in common
def parse_line(line: str) -> Entry | None:
    """The entry that a line of Markdown holds, or None if it is free text."""
    found = _LINE.fullmatch(line.rstrip())
    if found is None or not _is_day(found["date"]):
        return None
    kind, amount = found["kind"], _amount(found["kind"], found["amount"])
    if amount is _WRONG:
        return None
    return Entry(found["date"], kind, amount, found["text"], found["key"])  # type: ignore[arg-type]


_WRONG = object()


def _amount(kind: str, text: str | None) -> object:
    """The amount as its kind wants it, or `_WRONG`. An unknown kind keeps what stands there."""
    if kind in COUNTED:
        return int(text) if text and _COUNT.fullmatch(text) else _WRONG
    if kind == "set":
        return _hundredths(text)
    if kind == "retracted":
        return text if text and _KEY.fullmatch(text) else _WRONG
    return text


def _hundredths(text: str | None) -> object:
    if not text or not _VALUE.fullmatch(text):
        return _WRONG
    value = int((text[2:] + "00")[:2])
    return value if value <= HIGHEST_SET else _WRONG


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def live(entries: Iterable[Entry]) -> list[Entry]:
    """The entries that count, sorted: not retracted, and of one origin only the first, across kinds.

    A retraction acts on every entry of its origin, whatever its date, but never on a retraction; and what was
    forgotten stays forgotten.
    """
    ordered = sorted(entries, key=lambda entry: entry.order)
    gone = retracted_origins(ordered)
    seen: set[str] = set()
    kept: list[Entry] = []
    for entry in ordered:
        origin = entry.origin
        if entry.kind in {"retracted", "forgotten"}:
            kept.append(entry)
        elif origin not in gone and origin not in seen:
            seen.add(origin)
            kept.append(entry)
    return kept


def retracted_origins(entries: Iterable[Entry]) -> set[str]:
    """The origins that no longer count, for ever."""
    return {str(entry.amount).rpartition("-")[2] for entry in entries if entry.kind == "retracted"}


def origins(entries: Iterable[Entry]) -> set[str]:
    """Every origin that is there, live or retracted: evidence of these is not written again."""
    known = list(entries)
    return {entry.origin for entry in known} | retracted_origins(known)


# --- keys


def observed_origin(project: str, session: str, kind: str) -> str:
    """The origin of observed evidence: one for each project, session and family.

    `observed` and `confirmed` are the family `seen`: a session speaks for an instinct once.
    """
    family = "seen" if kind in {"observed", "confirmed"} else kind
    return short_hash(project, session, family)


def command_origin(nonce: str, kind: str) -> str:
    """The origin of a person's command; two entries of one command have two."""
    return short_hash(nonce, kind)


def adopted_origin(instinct: str) -> str:
    """The origin of taking a file in that had no ledger."""
    return short_hash(instinct, "adopted")


def make_key(moment: datetime, origin: str, others: Iterable[Entry]) -> str:
    """A key for an entry of that moment, ordered behind the other entries of the same UTC day."""
    day = moment.astimezone(UTC).date()
    time = int(moment.timestamp() * 1000)
    same_day = [t for t in (decode_time(entry.key) for entry in others) if t is not None and day_of(t) == day]
    return f"{encode_time(max([time, *(t + 1 for t in same_day)]))}-{origin}"


def encode_time(milliseconds: int) -> str:
    """Milliseconds since 1970 as ten digits of Crockford's base 32, lower case."""
    digits = []
    for _ in range(_TIME_LENGTH):
        milliseconds, digit = divmod(milliseconds, 32)
        digits.append(_DIGITS[digit])
    return "".join(reversed(digits))


def decode_time(key: str) -> int | None:
    """The milliseconds in a key's `time10`, or None for a foreign key."""
    time = key.rpartition("-")[0]
    if len(time) != _TIME_LENGTH or any(digit not in _DIGITS for digit in time):
        return None
    value = 0
    for digit in time:
        value = value * 32 + _DIGITS.index(digit)
    return value


def day_of(milliseconds: int) -> date | None:
    """The UTC day, or None for a time beyond the calendar (a foreign key)."""
    try:
        return datetime.fromtimestamp(milliseconds // 1000, UTC).date()
    except (ValueError, OverflowError, OSError):
        return None


def one_line(text: str, length: int = _TEXT_LENGTH) -> str:
    """Text fit for an entry: one line, no control characters, no brackets that could be taken for a key."""
    clean = "".join(c if c.isprintable() else " " for c in text).replace("[", "(").replace("]", ")")
    words = " ".join(clean.split())
    return words if len(words) <= length else words[: length - 1].rstrip() + "…"


def new_entry(
    moment: datetime, kind: str, amount: int | str | None, text: str, origin: str, others: Sequence[Entry]
) -> Entry:
    """An entry for what happened at that moment, with a key that sorts behind the day's others."""
    day = moment.astimezone(UTC).date().isoformat()
    return Entry(day, kind, amount, one_line(text), make_key(moment, origin, others))
