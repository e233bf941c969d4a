"""What a range does to evidence that was there: lines that vanish or change, ids that change, files that go.

Evidence is only ever added. What was wrong is retracted, by a line of its own; what must go is forgotten, by a stub. So
a line that is simply not there any more, or says something else, was lost by a merge or taken away.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from gitinstinct.check.rules import Finding, Found, Severity, told
from gitinstinct.check.span.states import States, instincts
from gitinstinct.check.subject import Readable, Subject
from gitinstinct.instinct import ids
from gitinstinct.instinct.ledger import Entry, retracted_origins

_NAMED = 3


@dataclass(frozen=True, slots=True)
class Ledger:
    """The entries of one file, by key, with their lines."""

    entries: Mapping[str, tuple[int, Entry]] = field(default_factory=dict)
    forgotten: bool = False
    section: int | None = None


def look(states: States) -> list[Finding]:
    """What became of the evidence of a range's older side, by file."""
    wanted = [path for path in {*states.changed, *states.gone} if ids.of_path(path)]
    before = _before(states, wanted)
    after = {path: _ledger(path, data) for path, data in instincts(states.new, wanted).items()}
    found = []
    for path, known in sorted(before.items()):
        now = after.get(path)
        if now is not None:
            found += [told(one, path) for one in _compared(known, now)]
        elif path in states.gone:
            found += _gone(path, known, {one: led for one, led in after.items() if led and one not in before})
    return found


Known = dict[str, list[Entry]]
"""Key → the entry, as each of the bases has it."""


def _before(states: States, wanted: list[str]) -> dict[str, Known]:
    known: dict[str, Known] = {}
    for base in states.bases:
        for path, data in instincts(base, wanted).items():
            ledger = _ledger(path, data)
            of_file = known.setdefault(path, {})
            for key, (_, entry) in (ledger.entries if ledger else {}).items():
                of_file.setdefault(key, []).append(entry)
    return known


def _ledger(path: str, data: bytes) -> Ledger | None:
    """None for a file that cannot be read, which has its own finding."""
    read = Subject(path, data, ids.of_path(path) or "").read
    if not isinstance(read, Readable):
        return None
    entries = {entry.key: (line, entry) for line, entry in read.entries}
    return Ledger(entries, read.instinct.forgotten, read.section_line("evidence"))


def _compared(known: Known, now: Ledger) -> Iterator[Found]:
    if now.forgotten:
        return
    off = retracted_origins(entry for _, entry in now.entries.values())
    lost = [some[0] for key, some in known.items() if key not in now.entries and some[0].origin not in off]
    if lost:
        yield Found("lost-evidence", now.section, f"{_lines(lost)} of evidence gone: {_named(lost)}")
    for key, some in known.items():
        if key in now.entries:
            line, entry = now.entries[key]
            if all(entry != one for one in some):
                yield _rewritten(line, some[0], entry)


def _rewritten(line: int, old: Entry, new: Entry) -> Found:
    if (old.date, old.claim) != (new.date, new.claim):
        why = f"the entry said `{old.date} {old.claim}` and says `{new.date} {new.claim}` now"
        return Found("rewritten-evidence", line, why)
    return Found("rewritten-evidence", line, "the entry has another text now", severity=Severity.WARNING)


def _gone(path: str, known: Known, added: Mapping[str, Ledger]) -> Iterator[Finding]:
    name = ids.of_path(path)
    for other, ledger in added.items():
        taken = known.keys() & ledger.entries.keys()
        if len(taken) * 2 > len(known):
            line = ledger.entries[min(taken)][0]
            yield told(Found("changed-id", line, f"it has the evidence of {name}, which is gone"), other)
            return
    yield told(Found("gone", None, f"it is gone, with {_lines(list(known))} of evidence"), path)


def _lines(some: list[Entry] | list[str]) -> str:
    return f"{len(some)} line{'s' if len(some) != 1 else ''}"


def _named(some: list[Entry]) -> str:
    listed = ", ".join(f"{one.date} {one.claim}" for one in some[:_NAMED])
    return listed + (f" and {len(some) - _NAMED} more" if len(some) > _NAMED else "")
