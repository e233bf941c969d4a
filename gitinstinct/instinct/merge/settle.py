"""Settling a conflict: the text that a person chose is put in its place, and the conflict goes.

The file stays readable and its evidence as it was; where that cannot be, nothing is settled. Which text is whose is not
known here: `conflicts` lists values, and history tells who said them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from collections.abc import Set as AbstractSet

from gitinstinct.instinct import dialect
from gitinstinct.instinct import sheet as sheets
from gitinstinct.instinct.dialect import Value
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.fields import DERIVED
from gitinstinct.instinct.merge import frontmatter, side
from gitinstinct.instinct.merge.rules import ACTION, FILE, TITLE
from gitinstinct.instinct.merge.side import Form, Side, is_evidence
from gitinstinct.instinct.sheet import Document

ABSENT, PRESENT, UNREADABLE = "absent", "present", "unreadable"
"""What a version may be where the file as a whole is in dispute."""

_KEY = re.compile(r"[A-Za-z_][\w-]*")
_LOOSE = (side.INTRO, side.PREAMBLE)
_PARTS = {TITLE: side.TITLE, ACTION: "## action"}
_FOLLOWING = frozenset(DERIVED) | {"id", "conflicts", FILE}
"""What no person chooses in a conflict; such an entry, which no merge of ours writes, only goes."""


def disputes(data: bytes) -> dict[str, tuple[str, ...]]:
    """What is in conflict in a file: field to its possible values, sorted.

    Raises:
        Invalid: the file cannot be read.
    """
    return {name: tuple(sorted(values, key=_bytes)) for name, values in _side(data).disputes.items()}


def settle(data: bytes, field: str, value: str) -> bytes:
    """The file with one conflict settled.

    Args:
        data: the file.
        field: what is in conflict, as `conflicts` calls it.
        value: what shall stand there; empty if the field or section shall go. For the file as a whole it does not
            matter: that it goes is the caller's business.

    Raises:
        Invalid: the file cannot be read, the field is not in conflict, or the value cannot stand there.
    """
    form, before = Form(data), _side(data)
    if field not in before.disputes:
        raise Invalid(f"{field or 'the introduction'} is not in conflict")
    left = {name: values for name, values in before.disputes.items() if name != field}
    document = _without_dispute(_chosen(before, field, value), left)
    text = document.encode()
    after = Side(sheets.read(text))
    if after.entries != before.entries or after.disputes != left or not _says(after, field, value):
        raise Invalid(f"this text cannot stand in {field or 'the introduction'}: it would be read as something else")
    return _dressed(form, text)


def said(data: bytes | None, field: str, values: Collection[str] = ()) -> str | None:
    """What a version of the file says in a field; empty where it has no such field, None where it cannot be read.

    Args:
        data: the version; None if there is no file.
        field: as `conflicts` calls it.
        values: texts by which a section is found that has no heading of its own.
    """
    try:
        found = _side(data) if data is not None else None
    except Invalid:
        return UNREADABLE if field == FILE else None
    if field == FILE:
        return PRESENT if found else ABSENT
    return _said(found, field, values) if found else None


def _side(data: bytes) -> Side:
    return Side(sheets.read(Form(data).plain(data)))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _dressed(form: Form, data: bytes) -> bytes:
    ended = data if form.ended else data.removesuffix(b"\n")
    return (b"\xef\xbb\xbf" if form.bom else b"") + (ended.replace(b"\n", b"\r\n") if form.crlf else ended)


# --- reading


def _said(found: Side, field: str, values: Collection[str]) -> str:
    if field in found.fields and field not in _PARTS:
        return _text(found, field)
    name = _part(found, field, values)
    if name is None:
        return _text(found, field)
    if field == TITLE:
        return found.sheet.body.title if found.sheet else ""
    raw = found.parts[name]
    return raw.partition("\n")[2].strip() if field == ACTION else raw.rstrip("\n")


def _text(found: Side, field: str) -> str:
    value = found.value(field)
    return value or "" if value is None or isinstance(value, str) else dialect.flow(value)


def _part(found: Side, field: str, values: Collection[str]) -> str | None:
    """The part of the body that a field's name means: one that says one of the values, else the one of that heading."""
    if field in _PARTS:
        return _PARTS[field] if _PARTS[field] in found.parts else None
    others = {name: raw for name, raw in found.parts.items() if name not in _PARTS.values() and not is_evidence(name)}
    same = [name for name, raw in others.items() if raw.strip() and raw.rstrip("\n") in values]
    headed = [name for name, raw in others.items() if _is_headed(raw, field)]
    loose = [] if field.startswith("#") or _KEY.fullmatch(field) else [name for name in _LOOSE if others.get(name)]
    return next(iter(same + headed + loose), None)


def _is_headed(raw: str, field: str) -> bool:
    return field.startswith("#") and raw.partition("\n")[0].strip().lower() == field.lower()


def _says(after: Side, field: str, value: str) -> bool:
    if field in _FOLLOWING:
        return True
    found = _said(after, field, (value,))
    return found == value or not (value or found.strip())


# --- writing


def _chosen(before: Side, field: str, value: str) -> Document:
    """The document with the value in its place."""
    assert before.sheet is not None
    document, values = before.sheet.document, before.disputes[field]
    if field in _FOLLOWING or _said(before, field, values) == value:
        return document
    part = _part(before, field, values)
    if field in before.fields or (part is None and field not in _PARTS and _KEY.fullmatch(field)):
        document = _with_field(document, field, value)
        if field not in _PARTS:
            return document
    return document._replace(body=tuple(dialect.cut(_body(before, field, part, value))))


def _with_field(document: Document, name: str, value: str) -> Document:
    if not value:
        return sheets.without_field(document, name)
    return sheets.with_field(document, name, _typed(value))


def _typed(text: str) -> Value:
    """A list or a map again, where the text is one."""
    if not text.startswith(("[", "{")):
        return text
    try:
        found = dialect.fields([f"x: {text}\n"])["x"].value
    except Invalid:
        return text
    return found if dialect.flow(found) == text else text


def _body(before: Side, field: str, part: str | None, value: str) -> str:
    parts = dict(before.parts)
    if part is not None:
        parts[part] = _written(field, parts[part], value)
        return "".join(parts.values())
    names = [*parts]
    at = 1 if field == TITLE else next((at for at, name in enumerate(names) if is_evidence(name)), len(names))
    heading = {TITLE: "# ", ACTION: "## Action\n"}.get(field, "")
    new = f"{heading}{value}\n\n" if value else ""
    return "".join([*map(parts.__getitem__, names[:at]), new, *map(parts.__getitem__, names[at:])])


def _written(field: str, raw: str, value: str) -> str:
    """A part's lines with another text in them; blank lines around it stay."""
    if not value or field == TITLE:
        return f"# {value}\n" if value else ""
    heading, _, rest = raw.partition("\n") if field == ACTION else ("", "", raw)
    below = rest[len(rest.rstrip("\n")) :] or "\n"
    if field != ACTION:
        return value + below
    above = rest[: len(rest) - len(rest.lstrip("\n"))] if rest.strip("\n") else ""
    return f"{heading}\n{above}{value}{below}"


def _without_dispute(document: Document, left: Mapping[str, AbstractSet[str]]) -> Document:
    """The document with these conflicts and no others."""
    span = dialect.fields(document.fields)["conflicts"]
    lines = tuple(dialect.cut(frontmatter.written(left))) if left else ()
    return document._replace(fields=(*document.fields[: span.start], *lines, *document.fields[span.end :]))
