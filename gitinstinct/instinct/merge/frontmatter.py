"""The frontmatter: each field by the rule for its kind, each kept as the lines that a side wrote."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet

from gitinstinct.instinct import dialect, fields
from gitinstinct.instinct import sheet as sheets
from gitinstinct.instinct.fields import ORDER
from gitinstinct.instinct.merge import words
from gitinstinct.instinct.merge.choice import smaller, three_way, three_way_set
from gitinstinct.instinct.merge.order import in_order
from gitinstinct.instinct.merge.rules import Rule, rule_of
from gitinstinct.instinct.merge.side import Side
from gitinstinct.instinct.merge.words import Reading

Disputes = dict[str, AbstractSet[str]]


def merge(
    base: Side, ours: Side, theirs: Side, given: Mapping[str, str] | None, disputes: Mapping[str, AbstractSet[str]]
) -> tuple[str, Disputes]:
    """The merged fields as text, and all that is in dispute.

    Args:
        base, ours, theirs: the sides.
        given: the derived fields as the merged ledger gives them; None if there is no ledger.
        disputes: what is in dispute outside the frontmatter.
    """
    sides, open_ = (base, ours, theirs), dict(disputes)
    found = dict(_kept(given, sides))
    for name in ours.fields.keys() | theirs.fields.keys():
        if name not in found and rule_of(name, sides) is Rule.WORDS:
            found[name], dispute = words.merge(name, _reading(name), *sides)
            open_ |= {name: dispute | open_.get(name, frozenset())} if dispute else {}
    present = {name: raw for name, raw in found.items() if raw}
    order = in_order(ORDER, present, *([*side.fields] for side in sides))
    tail = three_way(base.blocks[""], ours.blocks[""], theirs.blocks[""], smaller)
    return "".join([*(present[name] for name in order), _conflicts(open_, *sides), tail]), open_


def _kept(given: Mapping[str, str] | None, sides: tuple[Side, Side, Side]) -> Iterator[tuple[str, str]]:
    """The lines of every field that nobody can disagree about."""
    _, ours, theirs = sides
    parsed, disputed = fields.derived(given or {}), any(side.disputes for side in sides)
    for name in dict.fromkeys([*ours.fields, *theirs.fields, *(given or ())]):
        rule = rule_of(name, sides)
        if rule in _AGREED and ours.blocks.get(name) == theirs.blocks.get(name) and not disputed:
            yield name, ours.blocks[name]
        elif rule is Rule.DERIVED and given is not None:
            yield name, _given(name, given, parsed, sides)
        elif rule is Rule.LIST:
            yield name, _list(name, *sides)
        elif rule in (Rule.QUIET, Rule.DERIVED):
            yield name, _quiet(name, *sides)


_AGREED = (Rule.WORDS, Rule.QUIET)
"""What both sides say alike is taken as it is."""


def _reading(name: str) -> Reading:
    return Reading(
        value=lambda side: _text(side, name),
        raw=lambda side: side.blocks.get(name, ""),
        write=lambda value: sheets.field_line(name, value) if value else "",
    )


def _text(side: Side, name: str) -> str:
    """A value as one text, which is compared and listed."""
    value = side.value(name)
    if value is None or isinstance(value, str):
        return value or ""
    return dialect.flow(value)


def _quiet(name: str, base: Side, ours: Side, theirs: Side) -> str:
    """Where both changed it differently, the smaller stands."""
    before, one, other = (_text(side, name) for side in (base, ours, theirs))
    chosen = three_way(before, one, other, _lower if name == "confidence" else smaller)
    return words.one_of(*(_block(side, name, chosen) for side in (base, ours, theirs)))


def _lower(one: str, other: str) -> str:
    """Of two numbers the lower; what is no number was refused before."""
    return min(one, other, key=lambda text: (not text, float(text or 0), text))


def _block(side: Side, name: str, value: str) -> str:
    return side.blocks.get(name, "") if _text(side, name) == value else ""


def _list(name: str, base: Side, ours: Side, theirs: Side) -> str:
    """A list comes out as a set: sorted, without doubles."""
    before, one, other = (fields.words(side.values_of(name), name) for side in (base, ours, theirs))
    merged = sorted(three_way_set(frozenset(before), frozenset(one), frozenset(other)))
    if not merged and not (one and other):
        return ""
    value = dialect.flow(merged)
    written = (
        side.blocks.get(name, "") if [*had] == merged else side.with_value(name, value)
        for side, had in ((base, before), (ours, one), (theirs, other))
    )
    return words.one_of(*written) or sheets.field_line(name, merged)


def _given(name: str, given: Mapping[str, str], parsed: Mapping[str, int | str], sides: Iterable[Side]) -> str:
    """A field that the ledger gives, in the line that a side has for it."""
    if name not in given:
        return ""
    lines = (
        side.blocks.get(name, "") if side.written.get(name) == parsed[name] else side.with_value(name, given[name])
        for side in sides
    )
    return words.one_of(*lines) or f"{name}: {given[name]}\n"


def _conflicts(disputes: Disputes, base: Side, ours: Side, theirs: Side) -> str:
    """The lines of `conflicts`, a side's own where it says the same."""
    if not disputes:
        return ""
    same = [side.blocks["conflicts"] if side.disputes == disputes else "" for side in (base, ours, theirs)]
    return words.one_of(*same) or written(disputes)


def written(disputes: Mapping[str, AbstractSet[str]]) -> str:
    """`conflicts` as lines that people can read and settle: one value a line."""
    lines = ["conflicts:\n"]
    for name in sorted(disputes):
        lines += [f"  - field: {dialect.scalar(name)}\n", "    values:\n"]
        lines += [f"      - {dialect.scalar(value)}\n" for value in sorted(disputes[name], key=_bytes)]
    return "".join(lines)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
