"""Sessions with known patterns in them, and how a detector fares on them.

Two vocabularies: the one of `tests/data/planted.py`, and a held-out one that shares no word with it, has gaps with
foreign steps inside every pattern, other error formats and other languages. What counts as found is what the docstring
of `tests/data/planted.py` says.
"""

from __future__ import annotations

import importlib.util
import json
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from gitinstinct.observer.events import Observation
from gitinstinct.observer.local import LocalDetector
from gitinstinct.observer.pattern import CORRECTION, FAMILIES, Pattern
from gitinstinct.observer.tally import Tally
from tests.support import heldout

_SOURCE = Path(__file__).parents[1] / "data" / "planted.py"
_EVENTS = {
    "SessionStart": "session_start",
    "UserPromptSubmit": "prompt",
    "PreToolUse": "tool_start",
    "PostToolUse": "tool_complete",
    "PostToolUseFailure": "tool_failed",
    "Stop": "stop",
    "SessionEnd": "session_end",
}
_FIELDS = {
    "session_id": "session",
    "tool_use_id": "id",
    "tool_name": "tool",
    "tool_input": "input",
    "tool_response": "output",
    "error": "error",
    "prompt": "prompt",
    "source": "source",
    "timestamp": "at",
}


def generator(held_out: bool = False) -> Any:
    """The generator's module; for the held-out vocabulary a copy of it with other words and more gaps."""
    spec = importlib.util.spec_from_file_location("planted_heldout" if held_out else "planted", _SOURCE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if held_out:
        _hold_out(module)
    return module


def _hold_out(module: Any) -> None:
    for name in ("CORRECTIONS", "PHRASES", "ERRORS", "WORKFLOWS", "PREFERENCES", "DECOY_ERRORS", "SMALL_TALK"):
        setattr(module, name, getattr(heldout, name))
    plain: Any = module.Writer

    class Gappy(plain):  # type: ignore[misc]
        """Puts a foreign step before one call in four."""

        def tool(self, name: str, arg: str, error: str | None = None) -> None:
            if self.r.random() < 0.25:
                super().tool(*self.r.choice(heldout.GAPS))
            super().tool(name, arg, error)

        def fill(self, text: str) -> str:
            return str(super().fill(text.replace("{f}", f"pkg/{self.r.choice(module.WORDS)}{self.r.randint(1, 99)}")))

    module.Writer = Gappy


def record(payload: dict[str, Any]) -> dict[str, Any]:
    """A payload as the hook would store it."""
    event = _EVENTS.get(payload["hook_event_name"], "unknown")
    return {"v": 1, "event": event} | {new: payload[old] for old, new in _FIELDS.items() if old in payload}


def observations(payloads: Iterable[dict[str, Any]]) -> Iterator[Observation]:
    """Payloads as observations, one after another in one segment."""
    offset = 0
    for payload in payloads:
        stored = record(payload)
        yield Observation.from_record(stored, f"1:{offset}")
        offset += len(json.dumps(stored)) + 1


def learn(events: Iterable[Observation], tally: Tally | None = None) -> list[Pattern]:
    """What qualifies, in the order in which it does."""
    detector, tally, found = LocalDetector(), tally or Tally(), {}
    for event in events:
        for sighting in detector.feed(event):
            if tally.add(sighting):
                found[sighting.pattern.signature] = True
    records = (tally.get(signature) for signature in found)
    return [record.pattern for record in records if record]


@dataclass
class Score:
    """Hits and false alarms, by family."""

    planted: Counter[str] = field(default_factory=Counter)
    hit: Counter[str] = field(default_factory=Counter)
    made: Counter[str] = field(default_factory=Counter)
    false: Counter[str] = field(default_factory=Counter)
    missed: list[str] = field(default_factory=list)
    alarms: list[str] = field(default_factory=list)

    def recall(self, families: Iterable[str] = FAMILIES) -> float:
        """Patterns hit of those planted."""
        names = list(families)
        return sum(self.hit[name] for name in names) / max(1, sum(self.planted[name] for name in names))

    def precision(self, families: Iterable[str] = FAMILIES) -> float:
        """One minus the false alarms of the instincts made."""
        names = list(families)
        return 1 - sum(self.false[name] for name in names) / max(1, sum(self.made[name] for name in names))


def _holds(text: str, word: str) -> bool:
    return re.search(rf"(?<![A-Za-z0-9_]){re.escape(word)}(?![A-Za-z0-9_])", text, re.I) is not None


def score(module: Any, seed: int, into: Score, sessions: int = 10) -> list[Pattern]:
    """Play one seed and judge what was learned from it."""
    truth = module.truth(random.Random(seed))
    learned = learn(observations(module.play(seed, sessions)))
    planted = [item for item in truth["patterns"] if "decoy" not in item["family"]]
    refused = {f"{item['wrong']}" for item in planted if item["family"] == CORRECTION}
    hits: set[int] = set()
    for pattern in learned:
        text = f"{pattern.trigger} {pattern.action}"
        own = {place for place, item in enumerate(planted) if _is_hit(text, item)}
        hits |= own
        into.made[pattern.family] += 1
        if not own and _is_alarm(pattern, text, truth, refused):
            into.false[pattern.family] += 1
            into.alarms.append(f"{seed}: {pattern.trigger} -> {pattern.action}")
    for place, item in enumerate(planted):
        into.planted[item["family"]] += 1
        into.hit[item["family"]] += place in hits
        if place not in hits:
            into.missed.append(f"{seed}: {item['family']} {item['all']} {item['any']} {item['times']}")
    return learned


def _is_hit(text: str, item: dict[str, Any]) -> bool:
    return all(_holds(text, word) for word in item["all"]) and (
        not item["any"] or any(_holds(text, word) for word in item["any"])
    )


def _is_alarm(pattern: Pattern, text: str, truth: dict[str, Any], refused: set[str]) -> bool:
    """An instinct that hits nothing: fine only if it speaks of nothing but commands that recur and were not refused."""
    if any(_holds(text, word) for word in (*truth["decoys"], *refused)):
        return True
    return not any(_holds(text, word) for word in truth["neutral"])


def module_name(module: ModuleType) -> str:
    """How a report calls it."""
    return module.__name__.removeprefix("planted_")
