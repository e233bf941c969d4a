"""What asking a model means, whichever way leads to it: a prompt goes in, a text and its cost come out, or a fault."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from gitinstinct.observer.detector import DetectorFault, Spent
from gitinstinct.observer.model.prompt import Prompt

MAX_OUTPUT = 8_000
"""Tokens that an answer may have, the model's own thinking included."""

LONGEST = 200_000
"""Characters of an answer that are looked at; `MAX_OUTPUT` tokens make far less."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said, as text, and what that cost: None if it was not told, dollars None where the price is not
    known."""

    text: str
    spent: Spent | None


class Unanswered(DetectorFault):
    """No answer that could be used. `spent` is what it cost all the same; None if that cannot be known."""

    def __init__(
        self, message: str, hint: str = "", *, spent: Spent | None = None, retry_after: float | None = None
    ) -> None:
        super().__init__(message, hint, retry_after=retry_after)
        self.spent = spent


NOTHING = Spent()
"""What a call cost that was refused before a model saw it."""


class Asker(Protocol):
    """A way to a model."""

    def count(self, prompt: Prompt) -> int | None:
        """How many tokens a prompt has; None where nobody can tell. Costs nothing and never raises."""
        ...

    def ask(self, prompt: Prompt) -> Reply:
        """The model's answer. One try: a second one could cost a second time.

        Raises:
            Unanswered: there is none that can be used.
        """
        ...
