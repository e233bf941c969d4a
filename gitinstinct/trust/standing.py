"""Whether an instinct's words may reach an agent here, and if not, why: one answer for every command."""

from __future__ import annotations

from gitinstinct.instinct import fit, words
from gitinstinct.instinct.model import Instinct
from gitinstinct.trust.book import Book

REFUSED, REJECTED, WAITING = "refused", "rejected", "waiting"
REVIEW, ALL = "review", "all"
"""Policies: what nobody here has consented to waits, or is taken as it comes. A refusal holds under both."""


def held(instinct: Instinct, decided: Book, policy: str) -> str | None:
    """Why its words are kept back, or None.

    Args:
        instinct: which.
        decided: the list of this machine.
        policy: `review` or `all`.
    """
    if fit.refusal(instinct):
        return REFUSED
    name = words.content_hash(instinct)
    if name in decided.rejected:
        return REJECTED
    return None if policy == ALL or name in decided.approved else WAITING
