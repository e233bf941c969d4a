"""A document in foreign words becomes an instinct of this store: fields under our names, every other byte as it was.

A value is never guessed. What cannot be used is either the reason why the instinct is not taken (its id, trigger,
action, confidence) or stays as `x_original_<name>`, as everything does that is replaced.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gitinstinct.exchange.draft import Draft
from gitinstinct.instinct import body as bodies
from gitinstinct.instinct import dialect, domains, lint, sheet
from gitinstinct.instinct import fields as known
from gitinstinct.instinct.dialect import Value
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.fields import shown
from gitinstinct.instinct.sheet import Document
from gitinstinct.store.layout import About

UNTOLD = 30
"""Hundredths of an instinct that comes without a confidence: listed, and never injected."""
INHERITED = "inherited"

_ACTIONS = frozenset(
    "操作 行为 行動 行动 动作 步骤 アクション 手順 조치 행동 действие действия aktion vorgehen acción acciones ação"
    " behavior behaviour instruction rule".split()
) | {"do this", "what to do", "recommended action"}
_EVIDENCES = frozenset("证据 證據 根拠 証拠 증거 근거 доказательства belege evidencia evidências preuves".split())
_AWAY = frozenset("archived deprecated retired inactive disabled".split())
_HEADING = re.compile(r"(\s*##\s+)(.*?)(\s*)")


@dataclass(frozen=True, slots=True)
class Settled:
    """A document that this store can take, but for its evidence.

    Attributes:
        data: the document.
        notes: what was made of it that its author did not write.
        claimed: hundredths that it claims; None where it claims none.
        away: whether its author had put it away.
    """

    data: bytes
    notes: tuple[str, ...]
    claimed: int | None
    away: bool


def settle(draft: Draft, name: str, about: About, source: str) -> Settled:
    """The document under this id, in this store.

    Args:
        draft: what a reader found.
        name: the id that it gets.
        about: the store.
        source: where it comes from.

    Raises:
        Invalid: it lacks what an instinct must have.
    """
    document = _plain(sheet.split(draft.data))
    sheet.refuse_markers(document)
    values = _values(document)
    if values.get("conflicts") not in (None, "", []):
        raise Invalid("it has a conflict that nobody has settled")
    notes: list[str] = []
    document = _with_id(document, values, name)
    document = _with_trigger(document, values)
    document = _with_action(_closed(document))
    document, claimed = _with_confidence(document, values)
    document = _readable(document, notes)
    document = _named(document, values, notes)
    document = _at_home(document, about, source)
    return Settled(document.encode(), tuple(notes), claimed, _is_away(values))


def _plain(document: Document) -> Document:
    return document._replace(head=document.head.removeprefix("\ufeff"))


def _values(document: Document) -> dict[str, Value]:
    return {name: field.value for name, field in dialect.fields(document.fields).items()}


def _words(values: Mapping[str, Value], name: str) -> str:
    """A value if it is text; else nothing."""
    value = values.get(name)
    return value.strip() if isinstance(value, str) else ""


def _section(document: Document, name: str) -> str:
    return bodies.read(document.body).text(name)


def _kept(document: Document, name: str, value: Value) -> Document:
    """The document with a foreign value under another name, unless an older one is kept there already."""
    other = f"x_original_{name}"
    return document if other in dialect.fields(document.fields) else sheet.with_field(document, other, value)


def _with_id(document: Document, values: Mapping[str, Value], name: str) -> Document:
    written = values.get("id", "")
    if written == name:
        return document
    document = _kept(document, "id", written) if written else document
    return sheet.with_field(document, "id", name)


def _with_trigger(document: Document, values: Mapping[str, Value]) -> Document:
    """The trigger of the field, else of a section."""
    written = known.text(values, "trigger")
    if lint.placeholder(written) and (told := _section(document, "trigger")):
        written = " ".join(told.split())
        document = sheet.with_field(document, "trigger", written)
    if lint.placeholder(written):
        raise Invalid(f"the trigger {shown(written)} says nothing" if written else "no trigger")
    return document


def _closed(document: Document) -> Document:
    """The document with the code fence that runs to its end closed: evidence comes below it."""
    lines, fence = document.body, bodies.open_fence(document.body)
    if not fence:
        return document
    ended = (*lines[:-1], lines[-1] if lines[-1].endswith("\n") else lines[-1] + document.newline)
    return document._replace(body=(*ended, fence + document.newline))


# --- the action


def _with_action(document: Document) -> Document:
    """The document with a section `## Action`: under our name for a heading in other words; else what stands first."""
    document = _ours(document, bodies.ACTION, _ACTIONS)
    document = _ours(document, bodies.EVIDENCE, _EVIDENCES)
    words = _section(document, bodies.ACTION) or _words(_values(document), "action")
    if not words:
        document = _with_first_as_action(document)
        words = _section(document, bodies.ACTION)
    if lint.placeholder(words):
        raise Invalid(f"the action {shown(words)} says nothing" if words else "no action")
    return document


def _ours(document: Document, name: str, others: frozenset[str]) -> Document:
    body = bodies.read(document.body)
    found = next((one for one in body.sections if one.name.lower().strip(" :：") in others), None)  # noqa: RUF001
    if body.named(name) or found is None:
        return document
    lines = list(document.body)
    heading = _HEADING.fullmatch(lines[found.start])
    if heading is None:
        return document
    lines[found.start] = f"{heading[1]}{name.capitalize()}{heading[3]}"
    return document._replace(body=tuple(lines))


def _with_first_as_action(document: Document) -> Document:
    """Text that stands below the title, or at the top, before any section, is what to do."""
    body, lines = bodies.read(document.body), list(document.body)
    end = body.sections[0].start if body.sections else len(lines)
    title = next((at for at, line in bodies.outside_code(lines, 0, end) if line.startswith("# ")), -1)
    start = next((at for at in range(title + 1, end) if lines[at].strip()), None)
    if start is None:
        return document
    newline = document.newline
    return document._replace(body=(*lines[:start], f"## Action{newline}", *lines[start:]))


# --- fields


def _with_confidence(document: Document, values: Mapping[str, Value]) -> tuple[Document, int | None]:
    """The document with a confidence that our reader takes, and what it claims."""
    claimed = known.derived({"confidence": values.get("confidence", "")}).get("confidence")
    if claimed is not None:
        return document, int(claimed)
    return sheet.with_field(document, "confidence", f"{UNTOLD / 100:.2f}"), None


def _readable(document: Document, notes: list[str]) -> Document:
    """Fields that our reader would stumble over stay under another name."""
    checks: dict[str, Callable[[Mapping[str, Value]], object]] = {
        name: known.derived for name in known.DERIVED if name != "confidence"
    }
    checks |= {name: lambda one, name=name: known.text(one, name) for name in _TEXTS}  # type: ignore[misc]
    checks |= {name: lambda one, name=name: known.words(one, name) for name in ("tags", "paths")}  # type: ignore[misc]
    for name, value in _values(document).items():
        reason = _fault(checks[name], {name: value}) if name in checks else ""
        if reason:
            document = sheet.without_field(_kept(document, name, value), name)
            notes.append(f"{reason}; it is kept as x_original_{name}")
    return document


_TEXTS = ("domain", "source", "scope", "project_id", "project_name")


def _fault(check: Callable[[Mapping[str, Value]], object], values: Mapping[str, Value]) -> str:
    try:
        check(values)
    except Invalid as error:
        return error.reason
    return ""


def _named(document: Document, values: Mapping[str, Value], notes: list[str]) -> Document:
    """Domain and source in our words."""
    written = _words(values, "domain") or _words(values, "category")
    domain = domains.canonical(written)
    if written and domain != values.get("domain"):
        document = _kept(document, "domain", written) if values.get("domain") else document
        document = sheet.with_field(document, "domain", domain)
    if domain != written:
        notes.append(f"its domain {shown(written)} is called {domain} here")
    return document if _words(values, "source") else sheet.with_field(document, "source", INHERITED)


def _at_home(document: Document, about: About, source: str) -> Document:
    """Scope and project follow from the store. What others said of them is kept, as is where they had it from."""
    project = about.name if about.project_id else ""
    wanted = {"scope": about.scope, "project_id": about.project_id, "project_name": project, "imported_from": source}
    for name, value in wanted.items():
        written = _words(_values(document), name)
        if written == value:
            continue
        if written:
            document = _kept(document, name, written)
        document = sheet.with_field(document, name, value) if value else sheet.without_field(document, name)
    return document


def _is_away(values: Mapping[str, Value]) -> bool:
    return _words(values, "status").lower() in _AWAY or _words(values, "active").lower() == "false"
