"""What came of it: one line for each session and instinct, written once when the session is over, and never changed.

Observations go after a month, a verdict takes longer; so what was counted stays: numbers, no content.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from gitinstinct import paths
from gitinstinct.measure import assigned, files

VERSION = 1
CHECK, SIGNALS, UNTOLD = "check", "signals", "untold"
"""How a session was judged: by the instinct's own check, by signals of trouble, or not at all."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a session was like for an instinct.

    Attributes:
        kind: how that was told; `untold` if the words had changed before it could be.
        eligible: events that counted; with none of them the session says nothing.
        bad: how many of them were bad.
        prompts: what the person said after the instinct was, or was not, given.
        corrections: how many of these corrected the agent, by their words: an estimate.
        settled: when it was written down (ISO 8601).
    """

    session: str
    scope: str
    instinct: str
    kind: str
    eligible: int
    bad: int
    prompts: int
    corrections: int
    settled: str

    @property
    def key(self) -> tuple[str, str, str]:
        """The unit, as in the log."""
        return (self.session, self.scope, self.instinct)

    @property
    def value(self) -> float | None:
        """The share of bad events; None if nothing counted."""
        return self.bad / self.eligible if self.eligible and self.kind != UNTOLD else None


_NUMBERS = ("eligible", "bad", "prompts", "corrections")


def read(project: str) -> list[Outcome]:
    """The outcomes of a project in the order in which they became known, each unit once."""
    found: dict[tuple[str, str, str], Outcome] = {}
    for record in assigned.records(_path(project)):
        outcome = _outcome(record) if record is not None else None
        if outcome is not None:
            found.setdefault(outcome.key, outcome)
    return list(found.values())


def _outcome(record: dict[str, Any]) -> Outcome | None:
    values = {item.name: record.get(item.name) for item in fields(Outcome)}
    numbers = [values[name] for name in _NUMBERS]
    if not all(isinstance(value, int) and value >= 0 for value in numbers):
        return None
    if not all(isinstance(value, str) for name, value in values.items() if name not in _NUMBERS):
        return None
    made = Outcome(**values)  # type: ignore[arg-type]
    return made if made.bad <= made.eligible and made.kind in (CHECK, SIGNALS, UNTOLD) else None


def append(project: str, found: Iterable[Outcome]) -> bool:
    """Adds outcomes; whether the disk took them. What it did not take is counted again next time."""
    records = [{"v": VERSION, **asdict(one)} for one in found]
    return not records or files.append(str(_path(project)), records)


def _path(project: str) -> Path:
    return Path(paths.measure("outcomes")) / f"{project}.jsonl"
