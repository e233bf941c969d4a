"""Versions of one instinct for merge tests: what an agent and its person do to a file, one act after another."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from gitinstinct.instinct import edit, markdown, sheet
from gitinstinct.instinct.ids import short_hash
from gitinstinct.instinct.ledger import Entry, encode_time
from tests.support import files

START = files.made("prefer-rg", tags=["search", "shell"], reviewer="core", note="kept")
_TRIGGERS = ("when searching text", "when grepping", "when looking for a word", '"when quoted"')
_ACTIONS = ("Use `rg`.", "Use `rg -n`.", "Use `git grep`\nin a repository.")


class Act(NamedTuple):
    """Something done to a file; `who` and `number` make its evidence distinct."""

    kind: str
    number: int
    who: str


def acts(kinds: Iterable[str] = (), who: str = "a") -> SearchStrategy[list[Act]]:
    """A few acts of one person."""
    some = list(kinds) or sorted(_DO)
    return st.lists(st.builds(Act, st.sampled_from(some), st.integers(0, 5), st.just(who)), max_size=5)


def done(data: bytes, did: Iterable[Act]) -> bytes:
    """The file after these acts."""
    for act in did:
        data = _DO[act.kind](data, act)
    return data


def _entry(act: Act, kind: str, amount: int | str | None) -> Entry:
    """Two people who see the same session write the same origin; all else is their own."""
    day = f"2026-11-{10 + act.number:02}"
    time = encode_time(1_794_000_000_000 + act.number * 1000 + len(act.who))
    return Entry(day, kind, amount, f"{kind} by {act.who}", f"{time}-{short_hash(act.who, str(act.number), kind)}")


def _evidence(kind: str, amount: int | str | None) -> Callable[[bytes, Act], bytes]:
    return lambda data, act: edit.record(data, [_entry(act, kind, amount)], "2026-11-01")


def _shared(data: bytes, act: Act) -> bytes:
    """A session that everybody has seen: one origin, whoever writes it, but each with a key of their own."""
    entry = _entry(act, "confirmed", 1)
    key = f"{entry.key.rpartition('-')[0]}-{short_hash('shared', str(act.number))}"
    return edit.record(data, [entry._replace(key=key)], "2026-11-01")


def _retract(data: bytes, act: Act) -> bytes:
    ledger = markdown.parse(data).ledger
    entry = ledger[act.number % len(ledger)]
    return edit.record(data, [_entry(act, "retracted", entry.key)], "2026-11-01")


def _field(name: str, values: tuple[object, ...]) -> Callable[[bytes, Act], bytes]:
    def set_it(data: bytes, act: Act) -> bytes:
        value = values[act.number % len(values)]
        document = sheet.split(data)
        made = sheet.without_field(document, name) if value is None else sheet.with_field(document, name, value)
        return edit.rederived(made.encode())

    return set_it


def _action(data: bytes, act: Act) -> bytes:
    document = sheet.split(data)
    start = next(at for at, line in enumerate(document.body) if line.startswith("## Action"))
    end = next(at for at, line in enumerate(document.body) if line.startswith("## Evidence"))
    words = (f"{_ACTIONS[act.number % len(_ACTIONS)]}\n", "\n")
    return document._replace(body=(*document.body[: start + 1], *words, *document.body[end:])).encode()


def _section(data: bytes, act: Act) -> bytes:
    name = f"\n## Notes of {act.who} {act.number}\n"
    return data if name.encode() in data else data + f"{name}kept\n".encode()


def _bullet(data: bytes, act: Act) -> bytes:
    bullet = f"- seen by {act.who}, {act.number}\n".encode()
    if b"\n## Notes" in data or bullet in data:
        return data
    lines = data.splitlines(keepends=True)
    others = [line for line in lines if line.startswith(b"- seen by")]
    return b"".join([*(line for line in lines if line not in others), *sorted([*others, bullet])])


def _comment(data: bytes, act: Act) -> bytes:
    """A comment behind a derived field, and one above a written one."""
    if b"  # " in data:
        return data
    line = next(line for line in data.splitlines(keepends=True) if line.startswith(b"confidence:"))
    return data.replace(line, line.rstrip() + b"  # surely\n").replace(b"domain:", b"# what it is about\ndomain:")


_DO: dict[str, Callable[[bytes, Act], bytes]] = {
    "observe": _evidence("observed", 3),
    "confirm": _evidence("confirmed", 1),
    "contradict": _evidence("contradicted", 1),
    "set": _evidence("set", 40),
    "archive": _evidence("archived", None),
    "restore": _evidence("restored", None),
    "shared": _shared,
    "retract": _retract,
    "trigger": _field("trigger", _TRIGGERS),
    "domain": _field("domain", ("git", "debugging", "testing")),
    "tags": _field("tags", (["search"], ["rg", "search", "shell"], ["shell", "speed"], ["a"])),
    "reviewer": _field("reviewer", ("core", "tools", None)),
    "new key": _field("owner", ("ann", "bob")),
    "action": _action,
    "section": _section,
    "bullet": _bullet,
    "comment": _comment,
}
KINDS = tuple(sorted(_DO))
"""All acts."""
EVIDENCE = ("observe", "confirm", "contradict", "set", "archive", "restore", "shared", "retract")
"""Acts that no two people can disagree about."""
