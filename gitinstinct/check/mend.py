"""Mending what is mechanical: pure, bytes in, bytes out. Words and the content of the ledger are never touched."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gitinstinct.check.subject import Home
from gitinstinct.instinct import body as bodies
from gitinstinct.instinct import domains, edit, hidden, markdown, sheet
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.ledger import parse_line
from gitinstinct.instinct.sheet import Document

Step = Callable[[bytes], bytes]


def mended(data: bytes, as_written: str, home: Home | None) -> tuple[bytes, list[str]]:
    """A readable file without its mechanical faults, and what was done, in a few words each.

    Args:
        data: a file that can be read.
        as_written: the ISO day from which a file without a ledger counts.
        home: the store that it is in; None for a bare file.

    Raises:
        Invalid: the file cannot be read.
    """
    steps: list[tuple[str, Step]] = [
        ("hidden characters taken out", _without_strays),
        ("domain's own word written", _with_domain),
        ("scope and project of the store written", lambda data: _at_home(data, home)),
        ("ledger begun", lambda data: edit.adopt(data, as_written)),
        ("ledger sorted", _sorted),
        ("derived fields written", edit.rederived),
    ]
    markdown.parse(data)
    done = []
    for what, step in steps:
        after = step(data)
        if after != data:
            data = after
            done.append(what)
    return data, done


def _without_strays(data: bytes) -> bytes:
    """Without lone zero-width signs and odd spaces; entries of the ledger stay as they are."""
    document = sheet.split(data)
    fields, body = _plain(document.fields), _plain(document.body)
    changed = document._replace(fields=fields, body=body).encode()
    if changed == data:
        return data
    try:
        same = markdown.parse(changed).ledger == markdown.parse(data).ledger
    except Invalid:
        return data
    return changed if same else data


def _plain(lines: Sequence[str]) -> tuple[str, ...]:
    return tuple(line if parse_line(line) else _plain_line(line) for line in lines)


def _plain_line(line: str) -> str:
    content = line.rstrip("\r\n")
    return hidden.without_harmless(content) + line[len(content) :]


def _with_domain(data: bytes) -> bytes:
    written = markdown.parse(data).domain
    known = domains.canonical(written)
    if not written or known == written or known not in domains.DOMAINS:
        return data
    return sheet.with_field(sheet.split(data), "domain", known).encode()


def _at_home(data: bytes, home: Home | None) -> bytes:
    if home is None:
        return data
    instinct, document = markdown.parse(data), sheet.split(data)
    if instinct.scope not in ("", home.scope):
        document = sheet.with_field(document, "scope", home.scope)
    if home.project_id and instinct.project_id not in ("", home.project_id):
        document = sheet.with_field(document, "project_id", home.project_id)
    return document.encode()


def _sorted(data: bytes) -> bytes:
    """The entries in their order, in the places where entries stand; free text between them stays where it is."""
    document = sheet.split(data)
    bullets = [bullet for bullet in bodies.read(document.body).bullets() if bullet.entry]
    ordered = sorted(bullets, key=lambda bullet: bullet.entry.order if bullet.entry else ())
    return data if ordered == bullets else _rearranged(document, bullets, ordered).encode()


def _rearranged(document: Document, places: Sequence[bodies.Bullet], ordered: Sequence[bodies.Bullet]) -> Document:
    lines = list(document.body)
    for place, bullet in zip(places, ordered, strict=True):
        old, new = document.body[place.start], document.body[bullet.start]
        lines[place.start] = new.rstrip("\r\n") + old[len(old.rstrip("\r\n")) :]  # the last line may have no end
    return document._replace(body=tuple(lines))
