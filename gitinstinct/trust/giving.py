"""Who decides, and how that is written down: a person's own words as they land, and what `review` is told.

A decision follows the branch, never the other way round: a crash between the two only makes an instinct wait.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from datetime import datetime

from gitinstinct.errors import EnvironmentFault
from gitinstinct.instinct import words
from gitinstinct.instinct.model import Instinct
from gitinstinct.trust import book

_WHY = 300


def approve(instincts: Iterable[Instinct], by: str, at: datetime, why: str = "") -> None:
    """Lets the words of these instincts reach an agent.

    Args:
        instincts: as they are now.
        by: the command or detector that answers for them.
        at: the moment.
        why: a person's reason, kept with the decision.

    Raises:
        EnvironmentFault: the list cannot be used or written.
    """
    _write(instincts, "", by, at, why)


def reject(instincts: Iterable[Instinct], by: str, at: datetime, why: str = "") -> None:
    """Keeps these words from every agent, and from being asked about again. Arguments and errors as `approve`."""
    _write(instincts, f"{book.REJECTED} ", by, at, why)


def revoke(instincts: Iterable[Instinct], by: str, at: datetime, why: str = "") -> None:
    """Takes back what was decided on these words: they wait again. Arguments and errors as `approve`."""
    _write(instincts, f"{book.REVOKED} ", by, at, why)


def landed(instincts: Iterable[Instinct], by: str, at: datetime, *, typed: bool = False) -> None:
    """Lets words reach an agent that have just been committed by whom they are from.

    Where the list cannot be written the commit stands all the same, and the words wait: `status` says why.

    Args:
        instincts: as they were committed.
        by: the command or detector.
        at: the moment.
        typed: whether a person gave the command for just these words; else what they rejected before stays so.
    """
    rejected = frozenset() if typed else book.read().rejected
    with contextlib.suppress(EnvironmentFault):
        approve((one for one in instincts if words.content_hash(one) not in rejected), by, at)


def decide(kind: str, decided: Iterable[tuple[str, str]], by: str, at: datetime, why: str = "") -> None:
    """Writes down what was decided on something that is no instinct's words in their own store.

    Args:
        kind: `book.REJECTED` or `book.REVOKED`.
        decided: hash (64 hex digits) and name of each, the name without blanks.
        by: the command.
        at: the moment.
        why: a person's reason, kept with the decision.

    Raises:
        EnvironmentFault: the list cannot be used or written.
    """
    _append(f"{kind} ", decided, by, at, why)


def _write(instincts: Iterable[Instinct], kind: str, by: str, at: datetime, why: str) -> None:
    _append(kind, ((words.content_hash(one), one.id) for one in instincts), by, at, why)


def _append(kind: str, decided: Iterable[tuple[str, str]], by: str, at: datetime, why: str) -> None:
    reason = " ".join(why.split())[:_WHY]
    lines = [f"{kind}{said} {name} {by} {at:%Y-%m-%dT%H:%M:%SZ} {reason}".rstrip() for said, name in decided]
    try:
        book.append(lines)
    except OSError as error:
        raise EnvironmentFault(str(error), "gitinstinct review --repair puts it aside and begins a new one") from error
