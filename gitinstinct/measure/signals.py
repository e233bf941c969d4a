"""What tells of trouble where an instinct has no `check:` of its own: calls that a session would rather not have had.

A call is bad that failed, was denied or interrupted, was changed by the person before it was made, tries again what
failed shortly before, or changed a file that was then taken back: when the agent comes to the file next, its content is
what it was before the edit. What was taken back and never looked at again in the session, nobody can tell.
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
    if call.outcome is not Outcome.OK or call.edited or _is_undone(call, calls[place + 1 :]):
        return True
    return _is_retry(call, calls[max(0, place - _SOON) : place])


def _is_undone(call: Call, later: Sequence[Call]) -> bool:
    """Whether somebody put the file back as it was before this edit, by the content that the agent finds next."""
    if not (call.path and call.before and call.after) or call.before == call.after:
        return False
    seen = next((one.before for one in later if one.path == call.path and one.before), "")
    return seen == call.before


def _is_retry(call: Call, before: Sequence[Call]) -> bool:
    failed = (one for one in before if one.outcome is Outcome.FAILED and one.tool == call.tool)
    return any(_alike(one.text[:_LENGTH], call.text[:_LENGTH]) for one in failed)


def _alike(one: str, other: str) -> bool:
    if one == other:
        return True
    from rapidfuzz import fuzz

    return fuzz.ratio(one, other) >= _ALIKE
