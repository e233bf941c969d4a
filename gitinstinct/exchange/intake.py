"""One document after the other becomes a file of the import: settled, with its ledger, judged."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from gitinstinct.exchange import customs, evidence, settle
from gitinstinct.exchange.branch import Line
from gitinstinct.exchange.draft import Draft, Refused
from gitinstinct.exchange.evidence import Known
from gitinstinct.exchange.settle import UNTOLD
from gitinstinct.instinct import markdown
from gitinstinct.instinct.confidence import CAP
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.model import Instinct
from gitinstinct.store import library
from gitinstinct.store.layout import About
from gitinstinct.store.tree import Tree


@dataclass
class Intake:
    """What is made of a source so far."""

    about: About
    line: Line
    main: Tree
    now: datetime
    least: int = 0
    files: dict[str, bytes] = field(default_factory=dict)
    coming: list[str] = field(default_factory=list)
    below: list[str] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)

    def take(self, name: str, draft: Draft) -> None:
        """Takes one document, or says why not. What came earlier under its id stays as it was then."""
        try:
            settled = settle.settle(draft, name, self.about, self.line.source)
            data = evidence.with_ledger(settled, self.line.source, self.now, self._known(name))
            worth = markdown.parse(data, name).fold(self.now.date().isoformat(), "").confidence
        except Invalid as error:
            self.refused.append(Refused(draft.file, draft.label, draft.told(error), name))
            return
        if (worth if settled.claimed is None else min(settled.claimed, CAP)) < self.least:
            self.below.append(name)
            return
        verdict = customs.judge(data, name)
        if verdict.stopped:
            self.refused.append(Refused(draft.file, draft.label, verdict.stopped, name))
            return
        self.files[name] = data
        self.coming.append(name)
        self.notes += [(name, note) for note in (*settled.notes, *verdict.told)]
        if settled.claimed is None and b"(no confidence given" in data:
            self.notes.append((name, f"it gives no confidence and begins at {UNTOLD / 100:.2f}"))

    def put_away(self, forgotten: Iterable[str], *, may_miss: bool) -> tuple[str, ...]:
        """Brings along what came before and is not taken now: gone at its source, it is put away.

        Args:
            forgotten: ids that were forgotten there: they are gone, whatever else may be missing.
            may_miss: whether something there could not even be named; then nothing counts as gone.
        """
        seen = {*self.coming, *self.below, *(one.id for one in self.refused)}
        gone = []
        for name, data in self._before.items():
            if name in self.files:
                continue
            is_gone = name not in seen and (not may_miss or name in set(forgotten))
            if name not in seen and not is_gone:
                self.notes.append((name, "it is not there any more, or could not be read; it stays"))
            self.files[name] = self._gone(name, data) if is_gone else data
            if is_gone and self.files[name] != data:
                gone.append(name)
        return tuple(gone)

    def _gone(self, name: str, data: bytes) -> bytes:
        known = self._known(name)
        if known.before is None:
            return data
        try:
            others = known.current.ledger if known.current else ()
            return evidence.gone(data, known.before, self.line.source, self.now, others)
        except Invalid as error:  # no room for one more entry
            self.notes.append((name, f"it is gone there and stays: {error.reason}"))
            return data

    def _known(self, name: str) -> Known:
        current = _parsed(self._current.get(name), name)
        as_written = "" if current is None or current.adopted else self._days.get(name, self.now.date().isoformat())
        return Known(_parsed(self._before.get(name), name), current, as_written)

    @cached_property
    def _before(self) -> dict[str, bytes]:
        return self.line.last.instincts()[0] if self.line.last else {}

    @cached_property
    def _current(self) -> dict[str, bytes]:
        return self.main.instincts()[0]

    @cached_property
    def _days(self) -> dict[str, str]:
        """The days from which files without a ledger count. Costs a walk, and is asked for them alone."""
        return {name: item.as_written for name, item in library.of_tree(self.main).items.items()}


def _parsed(data: bytes | None, name: str) -> Instinct | None:
    """A file as an instinct; one that cannot be read says nothing, and the merge names it."""
    if data is None:
        return None
    try:
        return markdown.parse(data, name)
    except Invalid:
        return None
