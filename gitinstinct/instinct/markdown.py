"""Whole files: bytes to `Instinct`, and a new instinct to canonical bytes.

Reading is tolerant (BOM, CRLF, comments, either quote style, no final newline, `---` in the body) and never silent:
what cannot be read raises `Invalid` with the reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from gitinstinct.instinct import body as bodies
from gitinstinct.instinct import fields as known
from gitinstinct.instinct import sheet as sheets
from gitinstinct.instinct.dialect import Value
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.ledger import Entry
from gitinstinct.instinct.model import Instinct
from gitinstinct.instinct.sheet import Sheet

_ENOUGH = 16  # lines of a body that mostly hold all that `check` must know: an entry, so that there is a ledger


def parse(data: bytes, stem: str | None = None) -> Instinct:
    """The instinct that a file holds.

    Args:
        data: the file's bytes.
        stem: the file's name without `.md`, which must equal the id; None for a file outside a store.

    Raises:
        Invalid: the file is no readable instinct; the reason says why.
    """
    return of_sheet(sheets.read(data, stem))


def of_sheet(sheet: Sheet) -> Instinct:
    """The instinct that a file holds which is taken apart already."""
    values, body = sheet.values, sheet.body
    return Instinct(
        id=known.read_id(values),
        trigger=known.text(values, "trigger"),
        title=body.title or _plain(values, "title"),
        action=body.text(bodies.ACTION) or _plain(values, "action"),
        domain=known.text(values, "domain"),
        source=known.text(values, "source"),
        scope=known.text(values, "scope"),
        project_id=known.text(values, "project_id"),
        project_name=known.text(values, "project_name"),
        tags=known.words(values, "tags"),
        paths=known.words(values, "paths"),
        written=sheet.written,
        ledger=sheet.entries,
        notes=tuple(bullet.text for bullet in sheet.bullets if not bullet.entry),
        extra={key: value for key, value in values.items() if key not in known.ORDER},
    )


def _plain(fields: Mapping[str, Value], name: str) -> str:
    """A foreign key that other tools use in place of the body."""
    found = fields.get(name)
    return found.strip() if isinstance(found, str) else ""


def check(data: bytes, stem: str | None = None) -> None:
    """Whether `parse` would succeed, without reading a long ledger to its end.

    Raises:
        Invalid: as `parse`.
    """
    document = sheets.split(data)
    sheets.refuse_markers(document)
    try:
        parse(document._replace(body=document.body[:_ENOUGH]).encode(), stem)
    except Invalid:
        parse(data, stem)


def compose(fields: Mapping[str, object], title: str, action: str, entries: Iterable[Entry]) -> bytes:
    """A new file in canonical form; the derived fields come from the entries.

    Args:
        fields: `id`, `trigger` and whatever else the file shall say, without derived fields.
        title: the heading.
        action: the text below `## Action`.
        entries: the ledger; it must hold at least one.
    """
    ledger = sorted(entries, key=lambda entry: entry.order)
    given = dict(fields) | known.derive(ledger, str(fields.get("source", "")))
    names = [*(name for name in known.ORDER if name in given), *(name for name in given if name not in known.ORDER)]
    lines = [sheets.field_line(name, given[name]) for name in names]
    evidence = "\n".join(entry.render() for entry in ledger)
    return ("---\n" + "".join(lines) + f"---\n\n# {title}\n\n## Action\n{action}\n\n## Evidence\n{evidence}\n").encode()
