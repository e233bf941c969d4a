"""The value: an instinct as its file says, each field with the type that it must have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from gitinstinct.instinct.confidence import ARCHIVE_BELOW, Fold, fold
from gitinstinct.instinct.dialect import Value
from gitinstinct.instinct.ledger import HIGHEST_SET, Entry

STATUSES = frozenset({"active", "archived", "forgotten"})


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
