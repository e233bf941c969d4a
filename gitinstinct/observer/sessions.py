"""A session as a person would tell it: what was asked, what the agent did, how that ended.

Hooks report the start and the end of a call apart, and ends come in any order. Here the two become one step. Denied and
interrupted calls are no steps that anything could be learned from, and not every "prompt" was typed by a person.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from gitinstinct.observer import events
from gitinstinct.observer.events import Observation, Outcome

_IDLE = timedelta(hours=24)
_JITTER = timedelta(minutes=10)  # hooks that run at once are not in order
_PENDING = 64  # calls under way in one session; the oldest are forgotten

_MACHINE_SOURCES = frozenset(
    "system sdk loop_wakeup schedule_wakeup poll_event task-notification coordinator peer".split()
)
_MACHINE_TEXT = re.compile(
    r"\s*(?:<[A-Za-z][\w:-]*[\s/>]|/[\w:-]+(?:\s|$)|Warmup\s*$|\[Request interrupted|\[SUGGESTION MODE|Caveat: "
    r"|This session is being continued)"
)
_ENDS = frozenset({"tool_complete", "tool_failed"})


@dataclass(frozen=True, slots=True)
class Step:
    """One finished call. `number` counts the session's steps; `command` or `path` is set for shell calls and edits.

    `text` is what the call was given (for looking words up), `error` what a failed call said; both are bounded.
    `observations` are the ids of its start, where there was one, and of its end.
    """

    number: int
    tool: str
    command: str
    path: str
    text: str
    outcome: Outcome
    error: str
    observations: tuple[str, ...]


def is_over(spoke: datetime | None, now: datetime | None) -> bool:
    """Whether a session that spoke last at that moment counts as ended: a day later, whatever comes of it is new.

    A session or a present without a known time is not over.
    """
    return spoke is not None and now is not None and now - spoke > _IDLE


def went_back(spoke: datetime | None, now: datetime | None) -> bool:
    """Whether time went back in a session: a back-fill tells its beginning after the end that a hook captured. What
    stands side by side there did not happen one after the other."""
    return spoke is not None and now is not None and spoke - now > _JITTER


def is_person(observation: Observation) -> bool:
    """Whether a prompt was typed by a person: no notification, no slash command, no text of the harness."""
    return observation.source not in _MACHINE_SOURCES and _MACHINE_TEXT.match(observation.prompt) is None


class Pairing:
    """The calls of one session that have begun and not ended."""

    def __init__(self) -> None:
        self._pending: dict[str, Observation] = {}
        self._steps = 0

    def feed(self, observation: Observation) -> Step | None:
        """Take one event; the step that it finishes, if it finishes one."""
        if observation.event == "tool_start":
            self._begin(observation)
        elif observation.event == "denied":
            start = self._take(observation)
            return self._step(start or observation, observation, Outcome.INTERRUPTED)
        elif observation.event in _ENDS:
            return self._end(observation)
        return None

    def abandon(self) -> list[Step]:
        """The calls that never ended, now that the person speaks: some harnesses tell a refusal in no other way."""
        left, self._pending = list(self._pending.values()), {}
        return [self._step(start, start, Outcome.INTERRUPTED) for start in left]

    def _begin(self, start: Observation) -> None:
        self._pending[start.call or start.id] = start
        if len(self._pending) > _PENDING:
            del self._pending[next(iter(self._pending))]

    def _take(self, end: Observation) -> Observation | None:
        """The start that belongs to an end: by its id, else the oldest call without id of the same tool and input."""
        if end.call:
            return self._pending.pop(end.call, None)
        for key, start in self._pending.items():
            same_input = end.input is None or start.input is None or start.input == end.input
            if not start.call and start.tool == end.tool and same_input:
                return self._pending.pop(key)
        return None

    def _end(self, end: Observation) -> Step:
        start = self._take(end)
        asked = start if start is not None and end.input is None else end
        return self._step(asked, end, events.outcome(end), start)

    def _step(self, asked: Observation, end: Observation, ended: Outcome, start: Observation | None = None) -> Step:
        self._steps += 1
        return Step(
            number=self._steps,
            tool=end.tool or asked.tool,
            command=events.command(asked),
            path=events.file_path(asked),
            text=events.input_text(asked),
            outcome=ended,
            error=events.failure_text(end) if ended is Outcome.FAILED else "",
            observations=(start.id, end.id) if start is not None else (end.id,),
        )
