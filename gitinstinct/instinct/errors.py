"""Why a file is no readable instinct."""

from __future__ import annotations


class Invalid(Exception):
    """A file, a field or a line that cannot be read. A value is never guessed: the reader names what is wrong.

    Attributes:
        reason: one sentence without a full stop, fit to stand behind the file's name.
        line: the line of the file, counted from 1, or None where the fault has no place.
    """

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(f"line {line}: {reason}" if line else reason)
        self.reason = reason
        self.line = line
