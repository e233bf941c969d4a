"""Instincts as JSON and as lines for people. Values in, values out; `output` prints them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from gitinstinct.cli.output import Part
from gitinstinct.inject.usage import Use, Used
from gitinstinct.instinct.confidence import INJECT_FROM, LIST_FROM
from gitinstinct.instinct.ledger import Entry, live
from gitinstinct.instinct.model import Instinct
from gitinstinct.instinct.shelf import Item, Problem

# --- for people


def words(instinct: Instinct) -> Iterator[list[Part]]:
    """The lines of what an instinct says: when, and what to do then."""
    yield [("when  ", "dim"), instinct.trigger.removeprefix("when ")]
    for index, line in enumerate(instinct.action.split("\n")):
        yield [("do    " if index == 0 else "      ", "dim"), line]


def colour(confidence: int) -> str:
    """The colour of what a confidence (hundredths) is good for: injected, listed, silent."""
    return "green" if confidence >= INJECT_FROM else "yellow" if confidence >= LIST_FROM else "dim"


def used(found: Used | None) -> str:
    """When an instinct last reached a session, and how many it has reached."""
    if found is None:
        return "nothing yet: no session has had it, as far back as the record goes"
    number = "1 session" if found.sessions == 1 else f"{found.sessions} sessions"
    return f"{moment(found.last.at)}  session {found.last.session or 'without an id'}; {number} so far"


def use(found: Use | None) -> str:
    """When anything last reached a session."""
    if found is None:
        return "no session yet"
    return f"last {moment(found.at)}, session {found.session or 'without an id'}; all: gitinstinct inject --log"


def moment(at: str) -> str:
    """A time of the record as people read it, in local time."""
    try:
        return datetime.fromisoformat(at).astimezone().strftime("%Y-%m-%d %H:%M")
    except ValueError:
        return at


# --- for scripts


def used_json(found: Used | None) -> dict[str, Any] | None:
    """When an instinct last reached a session; None if it never did."""
    return None if found is None else {"at": found.last.at, "session": found.last.session, "sessions": found.sessions}


def use_json(found: Use | None) -> dict[str, Any] | None:
    """The last time that anything reached a session; None if nothing ever did."""
    return None if found is None else {"at": found.at, "session": found.session, "id": found.id}


def instinct_json(item: Item, scope: str, day: str, held: str | None) -> dict[str, Any]:
    """One instinct, as `list --json` tells it. Confidences are numbers from 0 to 1.

    `confidence`, `status` and `created` are what the file says, `effective` and `effective_status` what its evidence
    is worth on that day. `held` is why this machine keeps it back: see `holding`.
    """
    instinct, today = item.instinct, item.fold(day)
    at_newest = item.fold(instinct.newest or item.as_written or day)
    written = instinct.written
    return {
        "id": instinct.id,
        "trigger": instinct.trigger,
        "action": instinct.action,
        "confidence": int(written.get("confidence", at_newest.confidence)) / 100,
        "effective": today.confidence / 100,
        "effective_status": today.status,
        "domain": instinct.domain,
        "source": instinct.source,
        "scope": scope,
        "status": written.get("status", at_newest.status),
        "held": held,
        "confirmations": today.confirmations,
        "contradictions": today.contradictions,
        "created": written.get("created", at_newest.created),
        "last_observed": today.last_observed,
        "tags": list(instinct.tags),
        "path": item.path,
        "conflicts": instinct.conflicts,
    }


def full_json(item: Item, scope: str, day: str, held: str | None) -> dict[str, Any]:
    """The same with the ledger, as `show --json` tells it."""
    alive = {id(entry) for entry in live(item.instinct.ledger)}  # by identity: a line that stands twice counts once
    entries = sorted(item.instinct.ledger, key=lambda entry: entry.order)
    ledger = [entry_json(entry, id(entry) in alive) for entry in entries]
    return instinct_json(item, scope, day, held) | {"ledger": ledger}


def entry_json(entry: Entry, is_live: bool) -> dict[str, Any]:
    """One line of the ledger; the amount of a `set` is a number from 0 to 1."""
    amount: Any = entry.amount
    if entry.kind == "set" and isinstance(amount, int):
        amount = amount / 100
    return {
        "date": entry.date, "kind": entry.kind, "amount": amount, "text": entry.text, "key": entry.key, "live": is_live,
    }  # fmt: skip


def problem_json(problem: Problem) -> dict[str, str]:
    """A file that cannot be used."""
    return {"path": problem.path, "reason": problem.reason}
