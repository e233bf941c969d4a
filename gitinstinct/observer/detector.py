"""What a detector is: fed with observations one by one, it says which patterns it sighted. It never writes a store.

One that asks a model collects a portion first and answers when the portion is finished; the local one answers at once.
Both look alike from outside, so that a run, a replay and a comparison treat them the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from gitinstinct.errors import EnvironmentFault
from gitinstinct.observer.events import Observation
from gitinstinct.observer.pattern import Sighting

LOCAL, ANTHROPIC, CLAUDE_CLI = "local", "anthropic", "claude-cli"

KINDS = (LOCAL, ANTHROPIC, CLAUDE_CLI)
"""What a person can choose. Each kind reads for itself: it has its own cursor and its own tally."""


@dataclass(frozen=True, slots=True)
class Spent:
    """What a detector has cost: tokens by how they are billed, and dollars; None where the price is not known."""

    calls: int = 0
    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    dollars: float | None = 0.0

    @property
    def tokens(self) -> int:
        """All tokens."""
        return self.input + self.output + self.cache_read + self.cache_write

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Spent:
        """From a map with these fields.

        Raises:
            KeyError, TypeError, ValueError: one is missing or no number.
        """
        counts = {name: int(data[name]) for name in ("calls", "input", "output", "cache_read", "cache_write")}
        return cls(**counts, dollars=None if data["dollars"] is None else float(data["dollars"]))

    def __add__(self, other: Spent) -> Spent:
        """Both together. An unknown price leaves the sum unknown."""
        known = self.dollars is not None and other.dollars is not None
        return Spent(
            self.calls + other.calls,
            self.input + other.input,
            self.output + other.output,
            self.cache_read + other.cache_read,
            self.cache_write + other.cache_write,
            (self.dollars or 0.0) + (other.dollars or 0.0) if known else None,
        )


class DetectorFault(EnvironmentFault):
    """A detector that could not answer: what it was fed since it last finished counts as not analysed.

    `retry_after` is how many seconds the other side asked for; `backs_off` is False where waiting changes nothing that
    a later try needs (a ceiling, for one, is over at midnight).
    """

    def __init__(
        self, message: str, hint: str = "", *, retry_after: float | None = None, backs_off: bool = True
    ) -> None:
        super().__init__(message, hint)
        self.retry_after = retry_after
        self.backs_off = backs_off


class Detector(Protocol):
    """Finds patterns.

    Attributes:
        name: kind, what it depends on, version: `local/1`, `anthropic/<model>/<prompt>`.
        spent: what it has cost since it was made.
        refused: what it was told and did not believe, as (name, reason).
        prompt: which version of which text it asks a model with; "" where it asks none.
    """

    name: str
    spent: Spent = Spent()
    refused: tuple[tuple[str, str], ...] = ()
    prompt: str = ""

    @property
    def full(self) -> bool:
        """Whether it wants to finish before it is fed more."""
        return False

    def feed(self, observation: Observation, *, is_new: bool = True) -> list[Sighting]:
        """Takes the next observation; the sightings that it completes, in the order of events.

        What is not new was analysed before and is fed again as context, because its session has not ended.

        Raises:
            DetectorFault: it is full, had to finish first, and could not.
        """
        ...

    def finish(self) -> list[Sighting]:
        """Says what is still to be said of what it was fed; more may be fed afterwards.

        Raises:
            DetectorFault: it cannot; what it was fed since it last finished is not analysed.
        """
        return []

    def committed(self) -> None:
        """All that it said has been committed and the cursor remembered: nothing of it is asked for again."""
        return None


def kind(name: str) -> str:
    """The kind of the detector of that name."""
    return name.partition("/")[0]
