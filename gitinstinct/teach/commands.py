"""The commands that change what is known of an instinct: confirm, contradict, set, archive, restore.

Each writes entries of the person's own into the ledgers; the confidence follows. A file without a ledger gets one
first. Several ids are one decision.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from gitinstinct.errors import Found
from gitinstinct.instinct import edit, markdown
from gitinstinct.instinct.confidence import INJECT_FROM, LIST_FROM, Fold, is_put_away
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.ledger import Entry, command_origin, live, new_entry
from gitinstinct.instinct.model import Instinct
from gitinstinct.instinct.shelf import Item
from gitinstinct.teach import account
from gitinstinct.teach.lesson import Lesson, Taught, message

RESTORED_AT = LIST_FROM
"""Hundredths that a restored instinct begins with, unless the person says otherwise."""


@dataclass(frozen=True, slots=True)
class Command:
    """What a person said.

    Attributes:
        verb: the command's name.
        at: the moment of it.
        nonce: what nobody else has: the entries of this command go by it.
        why: the person's reason; empty if they gave none.
        value: hundredths, for `set` and `restore`.
        threshold: hundredths from which an instinct is injected; for the account only.
    """

    verb: str
    at: datetime
    nonce: str
    why: str = ""
    value: int | None = None
    threshold: int = INJECT_FROM

    @property
    def day(self) -> str:
        """Today, as ISO text."""
        return self.at.date().isoformat()


def apply(command: Command, items: Mapping[str, Item]) -> Lesson:
    """What a command makes of some instincts.

    Raises:
        Found: one of the files has no room for more evidence.
    """
    rule = _RULES[command.verb]
    made = {name: _entries(command, rule, item) for name, item in items.items()}
    files = {items[name].path: _recorded(items[name], new) for name, new in made.items() if new}
    taught = [_taught(command, rule, item, files.get(item.path)) for item in items.values()]
    changed = [told for told, new in zip(taught, made.values(), strict=True) if new]
    return Lesson(tuple(taught), files, message(command.verb, changed or taught, command.why))


def _recorded(item: Item, entries: Sequence[Entry]) -> bytes:
    try:
        return edit.record(item.data, entries, item.as_written)
    except Invalid as error:
        raise Found(f"{item.path} takes no more evidence: {error}", f"gitinstinct edit {item.instinct.id}") from error


_UNCHANGED = "not changed"


@dataclass(frozen=True, slots=True)
class _Rule:
    """A command: the verb of its account, the kinds of its entries with their amounts, and what it says.

    `idle` says why there is nothing to do; empty if there is.
    """

    told: str
    entries: Callable[[Command], Sequence[tuple[str, int | None]]]
    account: Callable[[Command, Fold, Fold], str]
    idle: Callable[[Instinct, Fold], str] = lambda instinct, fold: ""


def _entries(command: Command, rule: _Rule, item: Item) -> list[Entry]:
    if item.instinct.forgotten or rule.idle(item.instinct, item.fold(command.day)):
        return []
    made: list[Entry] = []
    for kind, amount in rule.entries(command):
        text = command.why or f"{rule.told} by hand"
        origin = command_origin(command.nonce, kind)
        made.append(new_entry(command.at, kind, amount, text, origin, [*item.instinct.ledger, *made]))
    return made


def _taught(command: Command, rule: _Rule, item: Item, data: bytes | None) -> Taught:
    before = item.fold(command.day)
    if item.instinct.forgotten:
        return Taught(item.instinct.id, _UNCHANGED, before, before, "it was forgotten, and stays so")
    if data is None:
        return Taught(item.instinct.id, _UNCHANGED, before, before, rule.idle(item.instinct, before))
    after = markdown.parse(data).fold(command.day, command.day)
    held = "held back until its conflict is resolved" if item.held else ""
    follows = account.consequence(before, after, command.threshold)
    reason = account.joined(rule.account(command, before, after), follows, held)
    return Taught(item.instinct.id, rule.told, before, after, reason)


def _archived_by_hand(instinct: Instinct, today: Fold) -> str:
    """One that only faded can still be put away for good."""
    return "it is archived already" if is_put_away(live(instinct.ledger)) else ""


def _active(instinct: Instinct, today: Fold) -> str:
    return "it is not archived; `set` gives it another value" if today.status == "active" else ""


def _value_of(command: Command) -> int:
    return RESTORED_AT if command.value is None else command.value


_RULES = {
    "confirm": _Rule(
        "confirmed",
        entries=lambda command: [("confirmed", 1)],
        account=lambda command, before, after: account.confirmed(before, after),
    ),
    "contradict": _Rule(
        "contradicted",
        entries=lambda command: [("contradicted", 1)],
        account=lambda command, before, after: account.contradicted(before, after),
    ),
    "set": _Rule(
        "set",
        entries=lambda command: [("set", _value_of(command))],
        account=lambda command, before, after: account.set_(before, after, _value_of(command)),
    ),
    "archive": _Rule(
        "archived",
        entries=lambda command: [("archived", None)],
        account=lambda command, before, after: "archived by hand",
        idle=_archived_by_hand,
    ),
    "restore": _Rule(
        "restored",
        entries=lambda command: [("restored", None), ("set", _value_of(command))],
        account=lambda command, before, after: f"restored at {_value_of(command) / 100:.2f}",
        idle=_active,
    ),
}
