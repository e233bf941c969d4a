"""From what sessions showed to lines of a ledger, and to the words of a run.

One line for each session that the ledger does not know yet. The words are templates: nothing that a person or a tool
said can get into a ledger through here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta

from gitinstinct.clock import milliseconds
from gitinstinct.instinct.confidence import CAP, steps
from gitinstinct.instinct.ledger import Entry, encode_time, new_entry, observed_origin, origins
from gitinstinct.observer.proposals import Evidence, Proposal

EntryOf = Callable[[Evidence], tuple[str, int] | None]
"""The kind and amount that a session's evidence is worth; None if it is worth no entry."""

_AT_THE_CAP = timedelta(days=7)  # one line a week there: more would say nothing


def entries(
    ledger: Sequence[Entry],
    source: str,
    proposal: Proposal,
    entry_of: EntryOf,
    gone: Callable[[], frozenset[str]],
) -> list[Entry]:
    """One entry for each session that the ledger does not know yet and that still says something.

    `gone` tells the origins that the file knew once: what a person took out, by a plain `git revert` or by hand, is
    not brought back by the same evidence. It is asked only where something would be added.
    """
    known, all_entries = origins(ledger), list(ledger)
    for shown in proposal.evidence:
        verb, amount = entry_of(shown) or ("", 0)
        origin = origin_of(shown, verb)
        if not verb or origin in known or (verb == "confirmed" and _says_nothing_new(all_entries, source, shown)):
            continue
        known.add(origin)
        if origin not in gone():
            text = _text(proposal, verb, amount)
            all_entries.append(new_entry(shown.first, verb, amount, text, origin, all_entries))
    return all_entries[len(ledger) :]


def beginning(shown: Evidence) -> tuple[str, int] | None:
    """A new instinct begins with what each session had shown when it qualified; sessions behind that confirm it."""
    return ("observed", shown.count) if shown.is_founding else None


def confirming(shown: Evidence) -> tuple[str, int]:
    """One sighting more."""
    return ("confirmed", 1)


def contradicting(shown: Evidence) -> tuple[str, int]:
    """One against."""
    return ("contradicted", 1)


def origin_of(shown: Evidence, kind: str) -> str:
    """What the evidence is, as the ledger knows it."""
    return observed_origin(shown.project, shown.session, kind)


def _says_nothing_new(ledger: Sequence[Entry], source: str, shown: Evidence) -> bool:
    """At the cap one line a week is enough. Looks only at what was before, so that a replay decides alike."""
    day = shown.first.date()
    moment = (day.isoformat(), encode_time(milliseconds(shown.first)))
    before = steps([entry for entry in ledger if entry.order[:2] < moment], source)
    if not before or before[-1].after < CAP:
        return False
    return before[-1].entry.date > (day - _AT_THE_CAP).isoformat()


def _text(proposal: Proposal, verb: str, amount: int) -> str:
    if verb == "observed":
        return f"{proposal.seen} {times(amount)} in one session"
    if verb == "contradicted":
        return "the contrary was asked for" if proposal.family == "correction" else "the contrary was seen"
    return f"{proposal.seen} again in another session"


def summary(proposal: Proposal, verb: str, sessions: int) -> str:
    """What a run tells of it, in a few words."""
    where = "one session" if sessions == 1 else f"{sessions} sessions"
    if verb == "contradicted":
        return f"{_text(proposal, verb, 1)} in {where}"
    if verb == "confirmed":
        return f"{proposal.seen} again in {where}"
    founding = sum(shown.count for shown in proposal.evidence if shown.is_founding)
    return f"{proposal.seen} {times(founding)} in {where}"


def times(number: int) -> str:
    """A number of times in words."""
    return {1: "once", 2: "twice"}.get(number, f"{number} times")
