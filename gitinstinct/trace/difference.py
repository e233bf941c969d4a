"""What differs between two states of an instinct, field by field.

Words, evidence and numbers are three things: words are somebody's choice, evidence is what happened, and the numbers
only follow from it. deepdiff compares the words; it never sees a file's bytes, only texts that our own reader made.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from gitinstinct.instinct import body, markdown, sheet
from gitinstinct.instinct.confidence import fold
from gitinstinct.instinct.fields import DERIVED
from gitinstinct.instinct.ledger import Entry, live
from gitinstinct.instinct.model import Instinct
from gitinstinct.trace.account import said

_WORDS = ("trigger", "title", "action", "domain", "source", "scope", "project_id", "project_name")


@dataclass(frozen=True, slots=True)
class Field:
    """One field: its text on either side; None where it is missing."""

    name: str
    old: str | None
    new: str | None


@dataclass(frozen=True, slots=True)
class Difference:
    """One instinct in two states; a side is None where there is no such instinct.

    Attributes:
        words: fields that somebody chose: trigger, action, tags, further sections, unknown keys …
        added: lines of the ledger that only the new state has; `removed`: that only the old one has.
        silenced: lines that both have, and that no longer count in the new one.
        numbers: derived fields, as the files say them.
        worth: what the ledger gives, in hundredths, old and new; None on a side that is not there.
    """

    id: str
    old: Instinct | None
    new: Instinct | None
    words: tuple[Field, ...]
    added: tuple[Entry, ...]
    removed: tuple[Entry, ...]
    silenced: tuple[Entry, ...]
    numbers: tuple[Field, ...]
    worth: tuple[int | None, int | None]

    @property
    def change(self) -> str:
        """`new`, `gone`, `changed`, or `form` if only comments, order, quoting or blank lines differ."""
        if self.old is None:
            return "new"
        if self.new is None:
            return "gone"
        return "changed" if self.words or self.added or self.removed or self.silenced or self.numbers else "form"

    @property
    def forged(self) -> str:
        """The confidence that the new file claims, where its ledger gives another one; else empty."""
        claimed = self.new.written.get("confidence") if self.new else None
        return "" if claimed in (None, self.worth[1]) else said({"confidence": claimed}, "confidence")

    @property
    def counting(self) -> frozenset[Entry]:
        """The lines that count in the new state."""
        return frozenset(live(self.new.ledger)) if self.new else frozenset()


def between(name: str, old: bytes | None, new: bytes | None) -> Difference:
    """What differs between two readable files of one instinct, of which one may be missing.

    Raises:
        Invalid: a file cannot be read.
    """
    before, after = (markdown.parse(data) if data is not None else None for data in (old, new))
    lines = tuple(before.ledger if before else ()), tuple(after.ledger if after else ())
    words = [_words(data, said) if data is not None and said else {} for data, said in ((old, before), (new, after))]
    both = before is not None and after is not None
    return Difference(
        id=name,
        old=before,
        new=after,
        words=tuple(_changes(*words)) if both else (),
        added=tuple(_without(lines[1], lines[0])),
        removed=tuple(_without(lines[0], lines[1])),
        silenced=tuple(_without(_without(live(lines[0]), live(lines[1])), _without(lines[0], lines[1]))),
        numbers=tuple(_changes(_numbers(before), _numbers(after))) if both else (),
        worth=(_worth(before), _worth(after)),
    )


def _without(entries: Iterable[Entry], others: Iterable[Entry]) -> list[Entry]:
    """The entries that the others lack, each as often as they lack it, in the order of the fold."""
    return sorted((Counter(entries) - Counter(others)).elements(), key=lambda entry: entry.order)


def _worth(instinct: Instinct | None) -> int | None:
    """As of the newest line, as the file's own number is; an unadopted file is worth what it says."""
    if instinct is None:
        return None
    if instinct.newest is None:
        return int(instinct.written["confidence"])
    return fold(instinct.ledger, instinct.source, instinct.newest).confidence


def _words(data: bytes, instinct: Instinct) -> dict[str, str]:
    """All that is text, flat: field → text, without empty ones."""
    read = body.read(sheet.split(data).body)
    found = {name: str(getattr(instinct, name)) for name in _WORDS}
    found |= {"tags": ", ".join(instinct.tags), "paths": ", ".join(instinct.paths)}
    found |= {name: _flat(value) for name, value in instinct.extra.items() if name not in ("tags", "paths")}
    further = [section.name for section in read.sections if section.name.lower() not in (body.ACTION, body.EVIDENCE)]
    found |= {f"## {name}": read.text(name.lower()) for name in further}
    found |= {"free text in the evidence": "\n".join(instinct.notes)}
    return {name: text for name, text in found.items() if text}


def _flat(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)


def _numbers(instinct: Instinct | None) -> dict[str, str]:
    written = instinct.written if instinct else {}
    return {name: said(written, name) for name in DERIVED if name in written}


def _changes(old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[Field]:
    """The fields that differ, those of the new state first, in its order."""
    if old == new:
        return
    from deepdiff import DeepDiff

    # At 0 it compares key by key even if most keys differ, and does not report the whole as replaced.
    found = DeepDiff(dict(old), dict(new), view="tree", threshold_to_diff_deeper=0)
    names = {str(change.path(output_format="list")[0]) for changes in found.values() for change in changes}
    for name in dict.fromkeys((*new, *old)):
        if name in names:
            yield Field(name, old.get(name), new.get(name))
