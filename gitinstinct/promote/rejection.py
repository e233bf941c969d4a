"""A promotion that a person has turned down: remembered by what it says, on this machine, and not proposed again.

Its key is another one than that of consent. Whoever does not want an instinct for all projects has said nothing about
it in its own project, where it goes on as before. One letter changed, and it is another promotion.
"""

from __future__ import annotations

from datetime import datetime

from gitinstinct.instinct import ids, words
from gitinstinct.instinct.model import Instinct
from gitinstinct.promote import branches
from gitinstinct.trust import book, giving
from gitinstinct.trust.book import Book

_BY = "review"


def key(instinct: Instinct) -> str:
    """The hash of a promotion by its words: those that it would have globally, not a project's that differ."""
    return _hash(words.content_hash(instinct))


def key_of_commit(commit: str) -> str:
    """The hash of one whose words cannot be taken: a branch that is none of ours, known by its commit alone."""
    return _hash(commit)


def _hash(said: str) -> str:
    return ids.short_hash("promote", said, digits=words.HASH_LENGTH)


def is_rejected(instinct: Instinct, decided: Book) -> bool:
    """Whether this promotion was turned down here.

    Args:
        instinct: as it would be globally.
        decided: the list of this machine.
    """
    return key(instinct) in decided.rejected


def reject(name: str, key: str, at: datetime, why: str = "") -> None:
    """Turns the promotion of an instinct down.

    Args:
        name: the instinct's id.
        key: of the promotion.
        at: the moment.
        why: the person's reason.

    Raises:
        EnvironmentFault: the list cannot be written.
    """
    giving.decide(book.REJECTED, [(key, branches.called(name))], _BY, at, why)


def revoke(name: str, at: datetime, why: str = "") -> bool:
    """Lets every promotion of an instinct be proposed again. Errors as `reject`.

    Returns:
        Whether one was turned down.
    """
    found = sorted(book.rejected_as(branches.called(name)))
    giving.decide(book.REVOKED, [(key, branches.called(name)) for key in found], _BY, at, why)
    return bool(found)
