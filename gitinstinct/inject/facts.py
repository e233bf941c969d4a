"""What one version of an instinct is worth to a session, on whatever day: all that is to know before it is chosen.

It depends on the file's bytes alone, so it is kept by the id of the blob and made once for each version.
"""

from __future__ import annotations

from typing import NamedTuple

from gitinstinct.instinct import fields, fit, words
from gitinstinct.instinct.confidence import ARCHIVE_BELOW, is_put_away, steps, weekly, weeks
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.ledger import HIGHEST_SET, live
from gitinstinct.instinct.model import Instinct

CONFLICTED, NO_ACTION = "conflicted", "it has no action"
_PUT_AWAY = ("archived", "forgotten")


class Facts(NamedTuple):
    """One version of an instinct.

    Attributes:
        value: hundredths after its newest counting entry.
        since: the ISO day of that entry.
        weekly: hundredths that it loses in a full week.
        state: `archived` or `forgotten` whatever it is worth, else empty.
        seen: confirmations.
        text: the hash of its words.
        fault: why no session may get it at all; empty if one may.
        pathed: whether it is only for certain files.
    """

    value: int
    since: str
    weekly: int
    state: str
    seen: int
    text: str
    fault: str
    pathed: bool

    def confidence(self, day: str) -> int:
        """Hundredths on a day."""
        return max(0, self.value - weeks(self.since, day) * self.weekly) if self.since else 0

    def status(self, confidence: int) -> str:
        """`active`, `archived` or `forgotten`, with what it is worth on a day."""
        return self.state or ("archived" if confidence < ARCHIVE_BELOW else "active")


def of(instinct: Instinct, as_written: str) -> Facts:
    """What a version of an instinct is worth; `as_written` is the day from which one without a ledger counts."""
    alive = live(instinct.ledger)
    counting = steps(instinct.ledger, instinct.source)
    value, since = (counting[-1].after, counting[-1].entry.date) if counting else (0, "")
    if not instinct.adopted:
        value, since = min(int(instinct.written["confidence"]), HIGHEST_SET), as_written
    return Facts(
        value=value,
        since=since,
        weekly=weekly(instinct.source),
        state=_state(instinct, is_put_away(alive)),
        seen=instinct.fold(since or as_written or "1970-01-01", as_written).confirmations,
        text=words.content_hash(instinct),
        fault=_fault(instinct),
        pathed=bool(instinct.paths),
    )


def _state(instinct: Instinct, is_away: bool) -> str:
    if instinct.forgotten:
        return "forgotten"
    if instinct.adopted:
        return "archived" if is_away else ""
    written = str(instinct.written.get("status", ""))
    return written if written in _PUT_AWAY else ""


def _fault(instinct: Instinct) -> str:
    if instinct.conflicts:
        return CONFLICTED
    if not instinct.action.strip():
        return NO_ACTION
    refused = fit.refusal(instinct)
    if refused:
        return f"refused: {refused}"
    try:
        anchors(instinct)
    except Invalid as error:
        return str(error)
    return ""


def anchors(instinct: Instinct) -> tuple[str, ...]:
    """The files and programs that must be there.

    Raises:
        Invalid: what stands in the file is no list of words.
    """
    return fields.words(instinct.extra, "anchors")
