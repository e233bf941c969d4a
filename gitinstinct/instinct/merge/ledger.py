"""The ledger and the free text of the evidence: three-way sets, whoever wrote which line where.

An entry is its key. `retracted` and `forgotten` stay whoever takes them out: what was undone comes back by a new entry
alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from gitinstinct.instinct import body as bodies
from gitinstinct.instinct.body import Body, Bullet
from gitinstinct.instinct.ledger import Entry
from gitinstinct.instinct.merge.choice import smaller, three_way, three_way_set
from gitinstinct.instinct.merge.side import Side

_STAY = frozenset({"retracted", "forgotten"})


class Line(NamedTuple):
    """An entry and the line that holds it, as it stands in the file."""

    entry: Entry
    text: str


def entries(base: Side, ours: Side, theirs: Side) -> list[Line]:
    """The merged ledger, sorted."""
    return of_lines(*map(_lines, (base, ours, theirs)))


def of_lines(base: Iterable[Line], ours: Iterable[Line], theirs: Iterable[Line]) -> list[Line]:
    """The merged ledger, sorted, of the lines of three."""
    known, one, other = map(_by_key, (base, ours, theirs))
    merged = [_one(known.get(key), one.get(key), other.get(key)) for key in one.keys() | other.keys()]
    return sorted((line for line in merged if line), key=lambda line: line.entry.order)


def _lines(side: Side) -> list[Line]:
    bullets = side.sheet.bullets if side.sheet else ()
    return [Line(bullet.entry, bullet.text) for bullet in bullets if bullet.entry]


def _by_key(lines: Iterable[Line]) -> dict[str, Line]:
    """Key → its line. Where a text merge by plain git left a key twice, the smaller text stands for both."""
    found: dict[str, Line] = {}
    for line in lines:
        before = found.get(line.entry.key)
        found[line.entry.key] = line if before is None else _smaller(before, line)
    return found


def _smaller(one: Line, other: Line) -> Line:
    return one if one.text == smaller(one.text, other.text) else other


def _one(base: Line | None, ours: Line | None, theirs: Line | None) -> Line | None:
    if ours and theirs:
        return three_way(base, ours, theirs, lambda one, other: _smaller(one, other) if one and other else None)
    left = ours or theirs
    return None if left == base and left is not None and left.entry.kind not in _STAY else left


def free(base: Side, ours: Side, theirs: Side) -> list[str]:
    """What stands in the evidence beside the entries: bullets and paragraphs, sorted."""
    known, one, other = (frozenset(_free(side)) for side in (base, ours, theirs))
    return sorted(three_way_set(known, one, other))


def _free(side: Side) -> Iterable[str]:
    if side.sheet is None:
        return
    body, bullets = side.sheet.body, {bullet.start: bullet for bullet in side.sheet.bullets}
    for section in body.named(bodies.EVIDENCE):
        yield from _blocks(body, section.start + 1, section.end, bullets)


def _blocks(body: Body, index: int, end: int, bullets: Mapping[int, Bullet]) -> Iterable[str]:
    """Free bullets, paragraphs, whole code fences."""
    lines = body.lines
    while index < end:
        if bullet := bullets.get(index):
            index = bullet.end
            if not bullet.entry:
                yield bullet.text
            continue
        start = index
        while index < end and index not in bullets and (lines[index].strip() or index in body.code):
            index += 1
        if index > start:
            yield "".join(lines[start:index]).rstrip()
        else:
            index += 1


def evidence(base: Side, ours: Side, theirs: Side, merged: Sequence[Line]) -> str | None:
    """The evidence sections as text: one side's bytes where only that side changed them; None if there are none."""
    before, one, other = (side.evidence for side in (base, ours, theirs))
    only = ours if one == other or other == before else theirs if one == before else None
    if only is not None and {*_by_key(_lines(only)).values()} == {*merged}:
        return only.evidence
    return _rebuilt(base, ours, theirs, merged)


def _rebuilt(base: Side, ours: Side, theirs: Side, merged: Sequence[Line]) -> str | None:
    lines = [line.text for line in merged] + free(base, ours, theirs)
    before, one, other = (_frame(side.evidence) for side in (base, ours, theirs))
    heading, gap, end = (three_way(before[part], one[part], other[part], smaller) for part in range(3))
    return "".join((heading or "## Evidence\n", gap, *(f"{line}\n" for line in lines), end))


def _frame(raw: str | None) -> tuple[str, str, str]:
    """Heading, blank lines below it, blank lines at the end."""
    heading, _, rest = (raw or "").partition("\n")
    inner = rest.lstrip("\n")
    bare = inner.rstrip("\n")
    return heading + "\n" if raw else "", "\n" * (len(rest) - len(inner)), "\n" * max(0, len(inner) - len(bare) - 1)
