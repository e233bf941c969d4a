"""What a `check:` finds in a session: how many of its calls it concerns, and how many of these went against it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gitinstinct.measure.calls import Call
from gitinstinct.measure.grammar import Check
from gitinstinct.measure.regexes import Pattern


class Share(NamedTuple):
    """How many events counted, and how many of them were bad."""

    eligible: int
    bad: int

    @property
    def value(self) -> float | None:
        """The session's one value, 0 to 1; None if nothing in it counted."""
        return self.bad / self.eligible if self.eligible else None


def judge(check: Check, calls: Sequence[Call]) -> Share:
    """What a check finds in the calls of one session."""
    concerned = [place for place, call in enumerate(calls) if _concerns(check, call)]
    if check.then is not None:
        return _followed(check.then, check.within, concerned, calls)
    if check.before is not None:
        return _preceded(check.before, check.within, concerned, calls)
    return _alone(check, [calls[place].text for place in concerned])


def _concerns(check: Check, call: Call) -> bool:
    return check.concerns(call.tool, call.path) and (check.when is None or check.when.found(call.text))


def _alone(check: Check, texts: Sequence[str]) -> Share:
    """Each call by itself. With both patterns only what matches one of them counts; what matches `bad` is bad."""
    bad = [check.bad is not None and check.bad.found(text) for text in texts]
    good = [check.good is not None and check.good.found(text) for text in texts]
    if check.bad is None:
        return Share(len(texts), len(texts) - sum(good))
    if check.good is None:
        return Share(len(texts), sum(bad))
    return Share(sum(one or other for one, other in zip(bad, good, strict=True)), sum(bad))


def _followed(then: Pattern, within: int, concerned: Sequence[int], calls: Sequence[Call]) -> Share:
    """Whether each occasion is followed. Several calls before it is are one occasion, which the last of them opens."""
    eligible = bad = 0
    for place, following in zip(concerned, [*concerned[1:], len(calls)], strict=False):
        behind = calls[place + 1 : place + 1 + within]
        done = next((step for step, call in enumerate(behind, place + 1) if then.found(_told(call))), None)
        is_again = following < len(calls) and following <= place + within and (done is None or following < done)
        if not is_again:
            eligible += 1
            bad += done is None
    return Share(eligible, bad)


def _preceded(before: Pattern, within: int, concerned: Sequence[int], calls: Sequence[Call]) -> Share:
    """Whether each occasion is prepared. Calls shortly after another such call belong to its occasion."""
    eligible = bad = 0
    for former, place in zip([-within - 1, *concerned], concerned, strict=False):
        if place - former <= within:
            continue
        eligible += 1
        bad += not any(before.found(_told(call)) for call in calls[max(0, place - within) : place])
    return Share(eligible, bad)


def _told(call: Call) -> str:
    """A call as `then` and `before` see it: the tool's name, a blank, what it was given."""
    return f"{call.tool} {call.text}"
