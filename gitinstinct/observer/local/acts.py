"""A step, read: the commands that it ran or the kind of file that it edited.

All four families look at the same acts, so a command line is parsed once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from gitinstinct.observer.events import Outcome
from gitinstinct.observer.local import programs
from gitinstinct.observer.local.commands import Command, Role, parse
from gitinstinct.observer.local.safe import is_word
from gitinstinct.observer.pattern import Pattern
from gitinstinct.observer.sessions import Step

_EXTENSION = re.compile(r"\.([A-Za-z][A-Za-z0-9]{0,9})$")


class Found(NamedTuple):
    """A pattern that one family saw, with the observations it saw it in; the last one completed it."""

    pattern: Pattern
    observations: tuple[str, ...]
    variant: str = ""


@dataclass(frozen=True, slots=True)
class Act:
    """One step of the agent; `commands` of a shell call, or the `kind` of an edited file (`*.py`, `Cargo.toml`)."""

    step: Step
    commands: tuple[Command, ...] = ()
    kind: str = ""

    @property
    def is_ok(self) -> bool:
        """Whether the call succeeded."""
        return self.step.outcome is Outcome.OK

    @property
    def anchor(self) -> str:
        """The id of the observation that ended it."""
        return self.step.observations[-1]

    @property
    def doings(self) -> tuple[Command, ...]:
        """Its commands without those that only look."""
        return tuple(command for command in self.commands if command.role is not Role.READER)

    def mentions(self, term: str) -> bool:
        """Whether the term stands in what the call was given, as a word of its own."""
        return re.search(rf"(?<!\w)(?<!\w-){re.escape(term)}(?![\w-])", self.step.text, re.I) is not None


def read(step: Step) -> Act:
    """The act behind a step."""
    return Act(step, parse(step.command) if step.command else (), file_kind(step.path) if step.path else "")


def file_kind(path: str) -> str:
    """`*.py` for a Python file, the name itself for a file that a tool prescribes; "" where there is no telling."""
    name = re.split(r"[/\\]", path)[-1]
    if name in programs.MANIFESTS:
        return name
    found = _EXTENSION.search(name)
    return f"*.{found[1].lower()}" if found and is_word(found[1]) else ""
