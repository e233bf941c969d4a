"""What may go wrong in a way that a person can act on.

The core raises one of these; only `gitinstinct.cli` catches them, prints one sentence and the hint, and exits with
the code. Everything else that escapes is a bug and ends in a report file.
"""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """The exit codes of every command (documented in README)."""

    DONE = 0
    FOUND = 1
    USAGE = 2
    ENVIRONMENT = 3
    INTERRUPTED = 130


class FatalError(Exception):
    """A failure that the person can act on: one sentence, a hint, an exit code."""

    code = ExitCode.ENVIRONMENT

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class Found(FatalError):
    """There is something to tell: an unknown id, a conflict, a finding."""

    code = ExitCode.FOUND


class UsageError(FatalError):
    """The command was called in a way that it cannot carry out."""

    code = ExitCode.USAGE


class EnvironmentFault(FatalError):
    """Git, a lock, the disk or a file is not as it must be."""

    code = ExitCode.ENVIRONMENT
