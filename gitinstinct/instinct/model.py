"""The values: an instinct as its file says, field by field, each with the type that it must have."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from gitinstinct.instinct.confidence import ARCHIVE_BELOW, Fold, fold
from gitinstinct.instinct.dialect import Value
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.ids import is_id
from gitinstinct.instinct.ledger import HIGHEST_SET, Entry

ORDER = (
    "id", "trigger", "confidence", "domain", "source", "scope", "project_id", "project_name",
    "status", "created", "last_observed", "confirmations", "contradictions",
)  # fmt: skip
"""The fields of a new file, in order; optional and unknown keys follow in their own."""

DERIVED = ("confidence", "status", "created", "last_observed", "confirmations", "contradictions")
"""Fields that the ledger gives. Never merged; rewritten whenever the ledger changes."""

KNOWN = frozenset(ORDER) | {"tags", "paths", "check", "source_repo", "imported_from", "anchors", "conflicts"}

STATUSES = frozenset({"active", "archived", "forgotten"})

_NUMBER = re.compile(r"-?\d{1,3}(?:\.\d{1,30})?")
_COUNT = re.compile(r"\d{1,9}")
_COMMA = re.compile(r",(?![^{]*\})")  # not the commas of a glob like *.{ts,tsx}


@dataclass(frozen=True)
class Instinct:
    """One instinct, as its file says.

    `written` holds the derived fields as they stand in the file (confidence in hundredths, dates as ISO days); what
    they should be, `fold` tells. `extra` are unknown keys; `notes` are evidence bullets that are no entries.
    """

    id: str
    trigger: str
    title: str
    action: str
    domain: str
    source: str
    scope: str
    project_id: str
    project_name: str
    tags: tuple[str, ...]
    paths: tuple[str, ...]
    written: Mapping[str, int | str]
    ledger: tuple[Entry, ...]
    notes: tuple[str, ...]
    extra: Mapping[str, Value] = field(default_factory=dict)

    @property
    def adopted(self) -> bool:
        """Whether the file has a ledger. One without counts with the confidence that is written in it."""
        return bool(self.ledger)

    @property
    def forgotten(self) -> bool:
        """Whether it is a stub that absorbs all that comes for its id."""
        return any(entry.kind == "forgotten" for entry in self.ledger)

    @cached_property
    def newest(self) -> str | None:
        """The day of the newest entry: the derived fields are those of that day."""
        return max((entry.date for entry in self.ledger), default=None)

    def fold(self, day: str, as_written: str) -> Fold:
        """What the evidence is worth on a day; `as_written` is the day from which an unadopted file counts."""
        known = self._folds.get((day, as_written))
        return known or self._folds.setdefault((day, as_written), self._fold(day, as_written))

    @cached_property
    def _folds(self) -> dict[tuple[str, str], Fold]:
        """A listing asks three times for the same day: to choose, to sort, to show."""
        return {}

    def _fold(self, day: str, as_written: str) -> Fold:
        if self.adopted:
            return fold(self.ledger, self.source, day)
        confidence = min(int(self.written["confidence"]), HIGHEST_SET)
        found = fold([Entry(as_written, "set", confidence, "", "written")], self.source, day)
        status = str(self.written.get("status", "active"))
        return Fold(
            confidence=found.confidence,
            status="archived" if status != "forgotten" and found.confidence < ARCHIVE_BELOW else _known(status),
            confirmations=int(self.written.get("confirmations", 0)),
            contradictions=int(self.written.get("contradictions", 0)),
            created=_text(self.written.get("created")) or as_written,
            last_observed=_text(self.written.get("last_observed")),
        )

    @property
    def conflicts(self) -> list[dict[str, Value]]:
        """What two sides said differently and nobody has settled: maps with `field` and `values`."""
        listed = self.extra.get("conflicts", [])
        return [item for item in listed if isinstance(item, dict)] if isinstance(listed, list) else []


def _known(status: str) -> str:
    return status if status in STATUSES else "active"


def _text(value: object) -> str | None:
    return None if value is None else str(value)


# --- fields of the frontmatter


def derive(ledger: Sequence[Entry], source: str, created: int | str | None = None) -> dict[str, str]:
    """The derived fields as text, as of the ledger's newest entry; those that it does not give are missing.

    An imported instinct may be older than its ledger: `created` is what the file says of that.
    """
    found = fold(ledger, source, max(entry.date for entry in ledger))
    values = {
        "confidence": f"{found.confidence / 100:.2f}",
        "status": found.status,
        "created": min(filter(None, (found.created, _text(created))), default=None),
        "last_observed": found.last_observed,
        "confirmations": str(found.confirmations),
        "contradictions": str(found.contradictions),
    }
    return {name: value for name, value in values.items() if value is not None}


def read_id(fields: Mapping[str, Value]) -> str:
    """The id. Invalid when it is missing or not in the id's alphabet."""
    name = fields.get("id", "")
    if not name:
        raise Invalid("no id")
    if not isinstance(name, str) or not is_id(name):
        raise Invalid(f"the id {shown(str(name))} is not kebab-case, a-z and 0-9, 64 characters at most")
    return name


def text(fields: Mapping[str, Value], name: str) -> str:
    """A field that holds text; empty when it is missing."""
    found = fields.get(name, "")
    if not isinstance(found, str):
        raise Invalid(f"{name} is a {_kind(found)}, not text")
    return " ".join(found.split())


def words(fields: Mapping[str, Value], name: str) -> tuple[str, ...]:
    """A field that holds a list of words, or the same as one text with commas."""
    found = fields.get(name, [])
    if isinstance(found, str):
        return tuple(word.strip() for word in _COMMA.split(found) if word.strip())
    if isinstance(found, list) and all(isinstance(word, str) for word in found):
        return tuple(word for word in found if word)
    raise Invalid(f"{name} is not a list of words")


def derived(fields: Mapping[str, Value]) -> dict[str, int | str]:
    """The derived fields as written. A value is never guessed: `confidence: high` is an error, not 0.5."""
    found: dict[str, int | str] = {}
    for name in DERIVED:
        written = text(fields, name)
        if written:
            found[name] = _READERS[name](name, written)
    return found


def _confidence(name: str, written: str) -> int:
    """Hundredths, rounded half up."""
    if not _NUMBER.fullmatch(written) or not 0 <= float(written) <= 1:
        raise Invalid(f"{name} is {shown(written)}, not a number from 0 to 1")
    whole, _, fraction = written.removeprefix("-").partition(".")
    thousandths = int(whole) * 1000 + int((fraction + "000")[:3])
    return (thousandths + 5) // 10


def _day(name: str, written: str) -> str:
    """A date, or an ISO timestamp cut to its day."""
    try:
        return datetime.fromisoformat(written).date().isoformat()
    except ValueError:
        raise Invalid(f"{name} is {shown(written)}, not a date like 2026-11-29") from None


def _number(name: str, written: str) -> int:
    if not _COUNT.fullmatch(written):
        raise Invalid(f"{name} is {shown(written)}, not a whole number")
    return int(written)


def _status(name: str, written: str) -> str:
    return written


_READERS: dict[str, Callable[[str, str], int | str]] = {
    "confidence": _confidence,
    "status": _status,
    "created": _day,
    "last_observed": _day,
    "confirmations": _number,
    "contradictions": _number,
}


def shown(value: str) -> str:
    """A value as it may stand in a message: short, in quotes, nothing raw in it."""
    cut = value if len(value) <= 40 else value[:39] + "…"
    return ascii(cut) if not cut.isprintable() else f"'{cut}'"


def _kind(value: Value) -> str:
    return "map" if isinstance(value, dict) else "list"
