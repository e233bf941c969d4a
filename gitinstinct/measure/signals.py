"""What tells of trouble where an instinct has no `check:` of its own: calls that a session would rather not have had.

A call is bad that failed, was denied or interrupted, was changed by the person before it was made, or tries again what
failed shortly before. That the person undid an edit later is not among them: observations hold no hash of a file, so
nobody could tell.
"""

from __future__ import annotations

from collections.abc import Sequence

from gitinstinct.measure.calls import Call
from gitinstinct.measure.conduct import Share
from gitinstinct.observer.events import Outcome

_SOON = 5  # calls
_ALIKE = 90  # per cent
_LENGTH = 400  # characters that are compared


def pooled(calls: Sequence[Call]) -> Share:
    """How many calls a session had, and how many of them were bad."""
    bad = sum(is_bad(calls, place) for place in range(len(calls)))
    return Share(len(calls), bad)


def is_bad(calls: Sequence[Call], place: int) -> bool:
    """Whether the call at a place tells of trouble."""
    call = calls[place]
    return call.outcome is not Outcome.OK or call.edited or _is_retry(call, calls[max(0, place - _SOON) : place])


def _is_retry(call: Call, before: Sequence[Call]) -> bool:
    failed = (one for one in before if one.outcome is Outcome.FAILED and one.tool == call.tool)
    return any(_alike(one.text[:_LENGTH], call.text[:_LENGTH]) for one in failed)


def _alike(one: str, other: str) -> bool:
    if one == other:
        return True
    from rapidfuzz import fuzz

    return fuzz.ratio(one, other) >= _ALIKE
