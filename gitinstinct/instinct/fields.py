"""The fields of the frontmatter: their order, which of them follow from the ledger, and how each is read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache

from gitinstinct.instinct.confidence import fold
from gitinstinct.instinct.dialect import Value
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.ids import is_id
from gitinstinct.instinct.ledger import Entry

ORDER = (
    "id", "trigger", "confidence", "domain", "source", "scope", "project_id", "project_name",
    "status", "created", "last_observed", "confirmations", "contradictions",
)  # fmt: skip
"""The fields of a new file, in order; optional and unknown keys follow in their own."""

DERIVED = ("confidence", "status", "created", "last_observed", "confirmations", "contradictions")
"""Fields that the ledger gives. Never merged; rewritten whenever the ledger changes."""

KNOWN = frozenset(ORDER) | {"tags", "paths", "check", "source_repo", "imported_from", "anchors", "conflicts"}

_NUMBER = re.compile(r"-?\d{1,3}(?:\.\d{1,30})?")
_COUNT = re.compile(r"\d{1,9}")
_COMMA = re.compile(r",(?![^{]*\})")  # not the commas of a glob like *.{ts,tsx}


def derive(ledger: Sequence[Entry], source: str, created: int | str | None = None) -> dict[str, str]:
    """The derived fields as text, as of the ledger's newest entry; those that it does not give are missing.

    An imported instinct may be older than its ledger: `created` is what the file says of that.
    """
    found = fold(ledger, source, max(entry.date for entry in ledger))
    values = {
        "confidence": f"{found.confidence / 100:.2f}",
        "status": found.status,
        "created": min(filter(None, (found.created, str(created or ""))), default=None),
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
        if name in fields and (written := text(fields, name)):
            found[name] = _read(name, written)
    return found


@lru_cache(maxsize=1024)
def _read(name: str, written: str) -> int | str:
    return _READERS[name](name, written)


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
