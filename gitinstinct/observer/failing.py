"""How a run that failed is remembered: for `status`, and so that a detector that cannot answer is left alone a while.

A rest doubles with every failure in a row and never lasts longer than six hours; a part of it is random, so that many
machines that lost the same service do not come back at once. What the other side asks for is honoured. A person who
types `--now` does not wait for it.
"""

from __future__ import annotations

import random
from datetime import datetime, timedelta

from gitinstinct import paths
from gitinstinct.errors import EnvironmentFault, FatalError
from gitinstinct.observer import state
from gitinstinct.observer.detector import DetectorFault
from gitinstinct.observer.state import State

_FIRST, _LONGEST = timedelta(minutes=5), timedelta(hours=6)
_ASKED_FOR = timedelta(days=1)  # nobody is waited for longer
_DOUBLINGS = 10


def remember(project: str, detector: str, error: Exception, now: datetime) -> None:
    """Writes down why a run failed. The state is loaded afresh: a failed run leaves nothing else behind.

    Raises:
        EnvironmentFault: it cannot be written.
    """
    memory = state.load(project, detector)
    memory.failure = told(memory, error, now)
    try:
        state.save(project, memory)
    except OSError as full:
        place = paths.tally(project, detector)
        raise EnvironmentFault(f"{reason(error)}; and {place} cannot be written: {full.strerror}") from error


def told(memory: State, error: Exception, now: datetime) -> dict[str, object]:
    """What is kept of a failure: when, why, and when a run tries again by itself."""
    failure: dict[str, object] = {"at": now.isoformat(), "reason": reason(error)}
    if isinstance(error, DetectorFault) and error.backs_off:
        times = int(memory.failure.get("times", 0)) + 1
        failure |= {"times": times, "again": (now + rest(times, error.retry_after)).isoformat()}
    return failure


def rest(times: int, retry_after: float | None, share: float | None = None) -> timedelta:
    """How long a detector rests after so many failures in a row.

    Args:
        times: 1 for the first.
        retry_after: seconds that the other side asked for.
        share: 0 to 1, how much of the random part is added; chosen at random if None.
    """
    whole = min(_FIRST * int(2 ** min(times - 1, _DOUBLINGS)), _LONGEST)
    pause = whole / 2 + whole / 2 * (random.random() if share is None else share)
    asked = min(timedelta(seconds=min(max(retry_after or 0.0, 0.0), 1e6)), _ASKED_FOR)
    return max(pause, asked)


def again(memory: State) -> datetime | None:
    """When the detector may be asked again; None if it does not rest."""
    return _moment(memory.failure.get("again"))


def at(memory: State) -> datetime | None:
    """When the last run failed; None if it did not."""
    return _moment(memory.failure.get("at"))


def _moment(text: object) -> datetime | None:
    try:
        return datetime.fromisoformat(text) if isinstance(text, str) else None
    except ValueError:
        return None


def reason(error: Exception) -> str:
    """Why it failed, in one phrase."""
    if isinstance(error, FatalError):
        return error.message
    if isinstance(error, OSError):
        return f"{error.filename or 'the disk'}: {error.strerror or error}"
    return f"a bug: {type(error).__name__}"
