"""What may be answered: consent where nothing speaks against it, with a reason where something does, else none."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from gitinstinct.errors import FatalError
from gitinstinct.promote import branches, landing, rejection
from gitinstinct.promote.branches import Waiting
from gitinstinct.promote.landing import Landed
from gitinstinct.review.promotions import Unusable
from gitinstinct.review.waiting import Case
from gitinstinct.store.layout import Refusal
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
        reason = objection(case, why) or (oddity(case) if in_bulk else "")
        if reason:
            left.append((case, reason))
        else:
            accepted.append(case)
    return Sorted(tuple(accepted), tuple(left))


def oddity(case: Case) -> str:
    """Why a case needs a look of its own, as a sentence without a full stop; empty if nothing is odd about it."""
    if case.item.instinct.conflicts:
        return "it is in conflict: look at it by itself"
    if case.findings:
        return "something is odd about it: look at it by itself"
    if case.promotion and not (case.sources and all(one.is_verified for one in case.sources)):
        return "where it comes from is no more than a claim: look at it by itself"
    return ""


_LANDING = frozenset({"branch", "file"})
"""What findings are about that are none of the words: they keep a promotion from landing."""


def objection(case: Case, why: str = "") -> str:
    """Why a case cannot be accepted, as a sentence without a full stop; empty if it can."""
    if case.held == "conflicted":
        return f"it is in conflict: gitinstinct resolve {case.id} comes first"
    if case.promotion and case.promotion.conflicts:
        fields = ", ".join(case.promotion.conflicts)
        return f"it and the global store differ in {fields}: gitinstinct review --update {case.id} comes first"
    if case.promotion and case.findings[:1] and case.findings[0].field in _LANDING:
        return f"it cannot land: {case.findings[0].why}"
    if case.is_refused:
        worst = case.findings[0]
        return f"no agent may be told of it, whoever accepts it: {worst.why} in the {worst.field}"
    if case.needs_reason and not why:
        return "something is odd about it, so it needs a reason (-m)"
    return ""


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of promotions that were accepted.

    Attributes:
        landed: those that `main` has now.
        failed: those that could not, each with why not.
        problems: stores of projects that could not be told of it, each with the reason.
    """

    landed: tuple[Landed, ...] = ()
    failed: tuple[tuple[Case, FatalError], ...] = ()
    problems: tuple[Refusal, ...] = ()


def accept(cases: Iterable[Case], now: datetime, why: str = "") -> Taken:
    """Consents to the words of these; a promotion lands on `main` first. One that cannot stops no other.

    Raises:
        EnvironmentFault: that cannot be written down. What came before stands.
    """
    several = list(cases)
    giving.approve((case.item.instinct for case in several if not case.promotion), BY, now, why)
    landed, failed = [], []
    for case in several:
        try:
            landed += [landing.land(case.store, case.promotion.waiting, now)] if case.promotion else []
        except FatalError as error:
            failed.append((case, error))
            continue
        if case.promotion:
            giving.approve([case.item.instinct], BY, now, why)
    problems = landing.settle(now).problems if landed else ()
    return Taken(tuple(landed), tuple(failed), problems)


def reject(cases: Iterable[Case | Unusable], now: datetime, why: str = "") -> None:
    """Refuses them for good; the files stay, and of a promotion what the remote has.

    A promotion's branch here goes first, so that one that was cut off in between is asked about again.

    Raises:
        EnvironmentFault: that cannot be written down, or a person stands on the branch of a promotion.
    """
    several = list(cases)
    branch = [(one, waiting) for one in several if (waiting := _branch(one))]
    for one, waiting in branch:
        branches.refuse_checked_out(one.store, waiting.id)
    giving.reject((one.item.instinct for one in several if isinstance(one, Case) and not one.promotion), BY, now, why)
    for one, waiting in branch:
        branches.close(one.store, waiting.id)
        rejection.reject(waiting.id, one.key, now, why)


def _branch(one: Case | Unusable) -> Waiting | None:
    if isinstance(one, Unusable):
        return one.waiting
    return one.promotion.waiting if one.promotion else None


def revoke(cases: Iterable[Case], now: datetime, why: str = "") -> None:
    """Takes back what was decided on these instincts: they wait again.

    Raises:
        EnvironmentFault: that cannot be written down.
    """
    giving.revoke((case.item.instinct for case in cases), BY, now, why)
