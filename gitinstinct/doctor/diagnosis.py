"""One thing that was looked at: how it is, and the way out where it is not well."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum


class Level(StrEnum):
    """An error means that something does not work; a warning, that it may not, or not as safely as it should."""

    OK = "ok"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What was found.

    Attributes:
        name: what was looked at, in a word.
        text: one sentence without a full stop.
        way_out: what to do; empty where all is well.
        cure: mends it without a risk; None where only a person can.
    """

    name: str
    level: Level
    text: str
    way_out: str = ""
    cure: Callable[[], None] | None = field(default=None, repr=False, compare=False)


def ok(name: str, text: str) -> Diagnosis:
    """All is well."""
    return Diagnosis(name, Level.OK, text)


def warning(name: str, text: str, way_out: str, cure: Callable[[], None] | None = None) -> Diagnosis:
    """It works, but should be looked at."""
    return Diagnosis(name, Level.WARNING, text, way_out, cure)


def error(name: str, text: str, way_out: str) -> Diagnosis:
    """It does not work."""
    return Diagnosis(name, Level.ERROR, text, way_out)
