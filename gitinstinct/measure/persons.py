"""What a person wrote or confirmed is theirs: it is withheld from no session, and no measurement puts it away."""

from __future__ import annotations

from gitinstinct.instinct.ledger import Entry, adopted_origin, live
from gitinstinct.instinct.model import Instinct

_SOURCES = frozenset({"manual", "reflection"})
_OBSERVED = " in another session"  # how an observer's `confirmed` ends, see `observer.evidence`
_INHERITED = "inherited from "  # how an import's `set` begins, see `exchange.evidence`


def may_withhold(instinct: Instinct) -> bool:
    """Whether a session may go without it to find out what it is worth.

    A ledger does not name who confirmed: what does not read as the observer's or as an import's counts as a person's.
    """
    if instinct.source in _SOURCES or not instinct.adopted:
        return False
    return not any(is_persons(entry, instinct.id) for entry in live(instinct.ledger))


def is_persons(entry: Entry, name: str) -> bool:
    """Whether a line of this instinct's ledger reads as a person's command."""
    if entry.kind == "confirmed":
        return not entry.text.endswith(_OBSERVED)
    if entry.kind == "set":
        return entry.origin != adopted_origin(name) and not entry.text.startswith(_INHERITED)
    return entry.kind == "restored"
