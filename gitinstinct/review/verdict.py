"""What may be answered: consent where nothing speaks against it, with a reason where something does, else none."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from gitinstinct.review.waiting import Case
from gitinstinct.trust import giving

BY = "review"


@dataclass(frozen=True, slots=True)
class Sorted:
    """Cases that can be accepted now, and the others, each with why not."""

    accepted: tuple[Case, ...]
    left: tuple[tuple[Case, str], ...]


def sort(cases: Iterable[Case], *, in_bulk: bool, why: str = "") -> Sorted:
    """Which of these cases can be accepted.

    Args:
        cases: what a person consents to.
        in_bulk: whether they did so without naming each: then every finding needs a look of its own.
        why: their reason.
    """
    accepted, left = [], []
    for case in cases:
        reason = objection(case, why)
        if not reason and in_bulk and case.findings:
            reason = "something is odd about it: look at it by itself"
        if reason:
            left.append((case, reason))
        else:
            accepted.append(case)
    return Sorted(tuple(accepted), tuple(left))


def objection(case: Case, why: str = "") -> str:
    """Why a case cannot be accepted, as a sentence without a full stop; empty if it can."""
    if case.held == "conflicted":
        return "it is in conflict: gitinstinct resolve comes first"
    if case.is_refused:
        worst = case.findings[0]
        return f"no agent may be told of it, whoever accepts it: {worst.why} in the {worst.field}"
    if case.needs_reason and not why:
        return "something is odd about it, so it needs a reason (-m)"
    return ""


def accept(cases: Iterable[Case], now: datetime, why: str = "") -> None:
    """Consents to the words of these.

    Raises:
        EnvironmentFault: that cannot be written down.
    """
    giving.approve((case.item.instinct for case in cases), BY, now, why)


def reject(cases: Iterable[Case], now: datetime, why: str = "") -> None:
    """Refuses them for good; the files stay. Errors as `accept`."""
    giving.reject((case.item.instinct for case in cases), BY, now, why)


def revoke(cases: Iterable[Case], now: datetime, why: str = "") -> None:
    """Takes back what was decided: they wait again. Errors as `accept`."""
    giving.revoke((case.item.instinct for case in cases), BY, now, why)
