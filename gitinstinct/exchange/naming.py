"""The ids under which foreign instincts come in: their own, or one made of it, the same in every clone."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from gitinstinct.exchange.draft import Draft
from gitinstinct.instinct import body as bodies
from gitinstinct.instinct import dialect, ids, sheet
from gitinstinct.instinct.dialect import Value
from gitinstinct.instinct.errors import Invalid

_DATED = re.compile(r"^\d{4}-?\d{2}-?\d{2}[-_]")
_CUT = 56  # characters that a slug has at most


def names(drafts: Sequence[Draft]) -> list[str]:
    """The id for each draft; empty for one that cannot be read as far as its name.

    Two that are called differently and would get one id are told apart by a hash.
    """
    told = [_called(draft) for draft in drafts]
    made = [_id(*one) for one in told]
    called: dict[str, set[str]] = {}
    for name, (written, _) in zip(made, told, strict=True):
        called.setdefault(name, set()).add(written)
    return [
        name if len(called[name]) == 1 or written == name else _apart(name, written)
        for name, (written, _) in zip(made, told, strict=True)
    ]


def _called(draft: Draft) -> tuple[str, str]:
    """What a draft is called, and its domain, which stands for a name that has no letters of ours."""
    values, body = _parts(draft)
    words = [values.get("id"), values.get("name"), _DATED.sub("", draft.stem), body.title]
    words += [body.text(bodies.ACTION), values.get("action"), values.get("trigger")]
    called = next((" ".join(word.split()) for word in words if isinstance(word, str) and word.strip()), "")
    domain = values.get("domain")
    return called, domain if isinstance(domain, str) else ""


def _parts(draft: Draft) -> tuple[Mapping[str, Value], bodies.Body]:
    try:
        document = sheet.split(draft.data)
        values = {name: field.value for name, field in dialect.fields(document.fields).items()}
    except Invalid:  # `settle` tells why; what it is called may still be seen
        return ({} if draft.label == f"line {draft.line}" else {"id": draft.label}), bodies.read(())
    return values, bodies.read(document.body)


def _id(called: str, domain: str) -> str:
    if ids.is_id(called):
        return called
    slug = ids.slug(called)
    if not called:
        return ""
    if not slug:
        return f"{ids.slug(domain)[:_CUT].rstrip('-') or 'instinct'}-{ids.short_hash(called)}"
    whole = "-".join(ids.slug(word) for word in re.findall(r"[^\W_]+", called) if ids.slug(word))
    return _apart(slug, called) if len(whole) > _CUT else slug


def _apart(name: str, written: str) -> str:
    return f"{name[:_CUT].rstrip('-')}-{ids.short_hash(written, digits=6)}"
