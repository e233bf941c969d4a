"""Merging instincts: two people learn, nothing is lost, nothing counts twice.

`merge` is one pure function of three files. The git merge driver, the merge of two commits, promotion and `resolve`
call it and get the same bytes, whichever side is called ours. `rules` says what is merged how; `side` takes a file
apart; `frontmatter`, `sections`, `ledger` and `words` merge its parts; `choice` and `order` are the three-way choices
that they are made of.

Loaded by the merge driver at every start: no PyYAML, no dataclasses, nothing heavy at the top.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from gitinstinct.instinct import errors, fields
from gitinstinct.instinct import sheet as sheets
from gitinstinct.instinct.ledger import Entry
from gitinstinct.instinct.merge import frontmatter, ledger, sections, shortcut, words
from gitinstinct.instinct.merge.choice import smaller, three_way
from gitinstinct.instinct.merge.rules import FILE
from gitinstinct.instinct.merge.side import Form, Side
from gitinstinct.instinct.sheet import LENGTH, Sheet

__all__ = ["FILE", "Conflicted", "Invalid", "Merged", "Outcome", "hold", "merge", "whole"]


class Merged(NamedTuple):
    """The sides agree: the file's bytes, or None where it is deleted."""

    data: bytes | None


class Conflicted(NamedTuple):
    """A valid file, held back until a person settles what `fields` names (in its `conflicts`, too)."""

    data: bytes
    fields: tuple[str, ...]


class Invalid(NamedTuple):
    """Nothing was merged: a side cannot be read as this instinct, or the result would be none."""

    reason: str


Outcome = Merged | Conflicted | Invalid


def merge(base: bytes | None, ours: bytes | None, theirs: bytes | None, stem: str | None = None) -> Outcome:
    """Merges three versions of one instinct.

    Args:
        base: the version that both sides come from; None or empty if there is none.
        ours, theirs: the sides; None where the file is deleted.
        stem: the id that the file must have, by its name in the store; None for bare files.
    """
    if ours == theirs or theirs == base:
        return Merged(ours)
    if ours == base:
        return Merged(theirs)
    if ours is None or theirs is None:
        return _kept(ours or theirs or b"")
    quick = shortcut.merge(base, ours, theirs, stem) if base else None
    if quick is not None and len(quick) <= LENGTH:
        return Merged(quick)
    return whole(base, ours, theirs, stem)


def whole(base: bytes | None, ours: bytes, theirs: bytes, stem: str | None = None) -> Outcome:
    """The same, by taking the files apart in any case."""
    try:
        return _merged(base or None, ours, theirs, stem)
    except errors.Invalid as error:
        return Invalid(str(error))


def _merged(base: bytes | None, ours: bytes, theirs: bytes, stem: str | None) -> Outcome:
    forms = [Form(data or b"") for data in (base, ours, theirs)]
    sides = [
        _side(form.plain(data) if data is not None else None, name, stem)
        for form, data, name in zip(forms, (base, ours, theirs), ("the base", "our side", "their side"), strict=True)
    ]
    _refuse_strangers(*sides)
    stub = _stub(*sides[1:])
    if stub is not None:
        return Merged((ours, theirs)[stub])
    text, disputes = _whole(*sides)
    data = _dressed(text, base is None, *forms)
    if len(data) > LENGTH:
        return Invalid(f"the merged file would have {len(data):,} bytes; {LENGTH:,} is the most for one instinct")
    if disputes:  # written here and not by a side, so that it must prove readable
        sheets.read(data, stem)
    return Conflicted(data, tuple(sorted(disputes))) if disputes else Merged(data)


def _side(data: bytes | None, name: str, stem: str | None) -> Side:
    """A side; a base that cannot be read is none, as where two people made the file."""
    if data is None:
        return Side(None)
    try:
        return Side(sheets.read(data, stem))
    except errors.Invalid as error:
        if name == "the base":
            return Side(None)
        raise errors.Invalid(f"{name} cannot be read: {error}") from error


def _refuse_strangers(base: Side, ours: Side, theirs: Side) -> None:
    names = {side.text("id") for side in (base, ours, theirs) if side.sheet}
    if len(names) > 1:
        raise errors.Invalid(f"the sides are different instincts: {', '.join(sorted(names))}")


def _stub(ours: Side, theirs: Side) -> int | None:
    """Which side absorbs the other because it was forgotten there; of two stubs the one with the first entry."""
    found = [
        (min(entry.order for entry in side.entries if entry.kind == "forgotten"), _text(side.sheet), number)
        for number, side in enumerate((ours, theirs))
        if any(entry.kind == "forgotten" for entry in side.entries)
    ]
    return min(found)[2] if found else None


def _text(sheet: Sheet | None) -> bytes:
    return sheet.document.encode() if sheet else b""


def _whole(base: Side, ours: Side, theirs: Side) -> tuple[str, Mapping[str, AbstractSet[str]]]:
    lines = ledger.entries(base, ours, theirs)
    body, disputes = sections.merge(base, ours, theirs, lines)
    whole = words.file_dispute(base, ours, theirs, FILE)
    disputes |= {FILE: whole} if whole else {}
    given = _given([line.entry for line in lines], ours, theirs, base)
    text, disputes = frontmatter.merge(base, ours, theirs, given, disputes)
    head = three_way(base.head, ours.head, theirs.head, smaller)
    fence = three_way(base.fence, ours.fence, theirs.fence, smaller)
    return "".join((head, text, fence, body)), disputes


def _given(entries: list[Entry], ours: Side, theirs: Side, base: Side) -> Mapping[str, str] | None:
    """The derived fields, as the merged ledger gives them."""
    if not entries:
        return None
    source = three_way(base.text("source"), ours.text("source"), theirs.text("source"), smaller)
    created = [str(day) for side in (ours, theirs) if (day := side.written.get("created"))]
    return fields.derive(entries, source, min(created, default=None))


def _dressed(text: str, is_new: bool, base: Form, ours: Form, theirs: Form) -> bytes:
    """The text with BOM, line ends and final newline as the side has them that changed them; two new files plainly."""
    bom, crlf, unended = (
        ours_has and theirs_has if is_new else three_way(base_has, ours_has, theirs_has, lambda one, _: one)
        for base_has, ours_has, theirs_has in (
            (base.bom, ours.bom, theirs.bom),
            (base.crlf, ours.crlf, theirs.crlf),
            (not base.ended, not ours.ended, not theirs.ended),
        )
    )
    data = text.removesuffix("\n").encode() if unended else text.encode()
    return (b"\xef\xbb\xbf" if bom else b"") + (data.replace(b"\n", b"\r\n") if crlf else data)


def _kept(edited: bytes) -> Outcome:
    """Deleted on one side, edited on the other: the edit stays, and is held back."""
    return Conflicted(hold(edited, "absent", "present"), (FILE,))


def hold(data: bytes, *values: str) -> bytes:
    """A file with a conflict on the whole of it; one that cannot be read stays as it is, and is held back anyway."""
    form = Form(data)
    try:
        sheet = sheets.read(form.plain(data))
    except errors.Invalid:
        return data
    side = Side(sheet)
    open_ = {**side.disputes, FILE: frozenset(values)}
    kept = [raw for name, raw in side.blocks.items() if name not in ("", "conflicts")]
    document = sheet.document
    text = "".join((document.head, *kept, frontmatter.written(open_), side.blocks[""], document.fence, *document.body))
    return _dressed(text, False, form, form, form)
