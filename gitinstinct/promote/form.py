"""What a project's instinct is globally: the same file without what is the project's own.

Where the global store knows the instinct already, its words stand and only the project's evidence comes: what a curator
has said since is never taken back by a promotion. Words that the project says otherwise are told and never picked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from gitinstinct.instinct import edit, fit, globs, lint, markdown, private, sheet, steering
from gitinstinct.instinct import fields as known
from gitinstinct.instinct.ledger import Entry, live
from gitinstinct.instinct.model import Instinct
from gitinstinct.instinct.sheet import Document
from gitinstinct.instinct.shelf import Item

LEFT_OUT = frozenset({"promoted", "effect", "evolved"})
"""Kinds that speak of the project's own file, not of what was seen."""

_OWN = (
    "project_id", "project_name", "source_repo", "x_original_project_id", "x_original_project_name", "x_original_scope",
)  # fmt: skip
_COMPARED = ("trigger", "title", "action", "domain", "tags", "paths", "check", "anchors")


@dataclass(frozen=True, slots=True)
class Differs:
    """Words that a project says otherwise than the global store has them: the field, and both texts."""

    field: str
    project: str
    everybody: str


@dataclass(frozen=True, slots=True)
class Form:
    """A project's instinct as it is globally.

    Attributes:
        data: the file.
        instinct: the same, read.
        differs: words of the project that are not taken.
        left_out: paths and anchors that only this project has, each as `field: value`.
        names: fields in which the project is named, each as `field: name`.
    """

    data: bytes
    instinct: Instinct
    differs: tuple[Differs, ...] = ()
    left_out: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


def evidence(item: Item) -> list[Entry]:
    """The entries of a project's instinct that count everywhere; a file without a ledger gets its first one."""
    entries = item.instinct.ledger or tuple(edit.adoption(item.instinct, item.as_written))
    return [entry for entry in entries if entry.kind not in LEFT_OUT]


def of(item: Item, name: str, everybody: Item | None, telling: Collection[str] = ()) -> Form:
    """A project's instinct in its global form.

    Args:
        item: as the project has it.
        name: the id that it has globally.
        everybody: the same instinct as the global store has it; None if it has none.
        telling: words that name the project.

    Raises:
        Invalid: what comes out is no readable instinct.
    """
    if everybody is not None:
        data = edit.with_ledger(edit.without_evidence(everybody.data), evidence(item))
        made = markdown.parse(data, name)
        names = tuple(_named({"evidence": _evidence(made)}, telling))
        return Form(data, made, tuple(_differs(item.instinct, everybody.instinct)), (), names)
    document, left_out = _everywhere(_unowned(sheet.split(edit.adopt(item.data, item.as_written))), item.instinct)
    document = sheet.with_field(document, "id", name) if item.instinct.id != name else document
    data = edit.with_ledger(document.encode(), evidence(item))
    made = markdown.parse(data, name)
    texts = {"trigger": made.trigger, "title": made.title, "action": made.action, "evidence": _evidence(made)}
    return Form(data, made, (), tuple(left_out), tuple(_named(texts, telling)))


def _unowned(document: Document) -> Document:
    for name in _OWN:
        document = sheet.without_field(document, name)
    return sheet.with_field(document, "scope", "global")


# --- what only this project has


def _everywhere(document: Document, instinct: Instinct) -> tuple[Document, list[str]]:
    """The document without what would keep it from other projects, and what that was."""
    left_out = []
    wanted = {"paths": (instinct.paths, fits_anywhere), "anchors": (_anchors(instinct), _is_program)}
    for name, (values, keeps) in wanted.items():
        kept = [value for value in values if keeps(value)]
        if len(kept) == len(values):
            continue
        left_out += [f"{name}: {value}" for value in values if not keeps(value)]
        document = sheet.without_field(document, name)
        document = sheet.with_field(document, name, kept) if kept else document
    return document, left_out


def _anchors(instinct: Instinct) -> tuple[str, ...]:
    return known.words(instinct.extra, "anchors")


def fits_anywhere(pattern: str) -> bool:
    """Whether a glob names no folder, so that any project may have such files: `*.py`, `**/*.py`, `Makefile`."""
    return not any(part.strip("*?") for branch in globs.branches(pattern) for part in _folders(branch))


def _folders(pattern: str) -> list[str]:
    return pattern.removeprefix("./").strip("/").split("/")[:-1]


def _is_program(anchor: str) -> bool:
    """A file in a folder is the project's; one word is a program, or a file that many have."""
    return "/" not in anchor and "\\" not in anchor


def _evidence(instinct: Instinct) -> str:
    return "\n".join([*(entry.text for entry in instinct.ledger), *instinct.notes])


def _named(texts: Mapping[str, str], telling: Collection[str]) -> Iterator[str]:
    for field, text in texts.items():
        yield from (f"{field}: {name}" for name in private.named(text, telling))


# --- words that differ


def _differs(mine: Instinct, theirs: Instinct) -> Iterator[Differs]:
    for field in _COMPARED:
        project, everybody = _text(mine, field), _text(theirs, field)
        if project != everybody:
            yield Differs(field, project, everybody)


def _text(instinct: Instinct, field: str) -> str:
    value = getattr(instinct, field, instinct.extra.get(field, ""))
    return value if isinstance(value, str) else ", ".join(map(str, value))


# --- what stops it


def objections(form: Form, secrets: Collection[str], hosts: Collection[str] = ()) -> list[str]:
    """Why these words may not be everybody's, each as a phrase; empty if they may.

    Args:
        form: the instinct as it would be.
        secrets: the kinds of secret that its file holds.
        hosts: names of hosts whose addresses are no finding.
    """
    found = [f"a secret ({kind})" for kind in secrets]
    levels = (fit.REFUSED, fit.WARNING)
    found += [f"{one.why} in the {one.field}" for one in steering.findings(form.instinct, hosts) if one.level in levels]
    text = form.data.decode()
    found += [f"a private path ({home})" for home in dict.fromkeys(private.homes(text))]
    words = (form.instinct.trigger, form.instinct.action)
    if not found and any("a private path" in lint.unfit(text) for text in words):
        found.append("a private path")
    return [*found, *_empty(form.instinct)]


def _empty(instinct: Instinct) -> Iterator[str]:
    for name, text in (("trigger", instinct.trigger), ("action", instinct.action)):
        if lint.placeholder(text):
            yield f"nothing in the {name}"


def put_away(entries: Iterable[Entry]) -> Entry | None:
    """The entry of a ledger by which a person put it away; None if they did not, or brought it back."""
    switches = [entry for entry in live(entries) if entry.kind in ("archived", "restored")]
    return switches[-1] if switches and switches[-1].kind == "archived" else None
