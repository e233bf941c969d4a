"""Numbers of several people, put together: sessions and sums of each test, no text and no session.

Who measures alone often waits for months. Independent tests of the same words multiply: their E is one test's. Each
export names the machine by a hash that says nothing else, so that two exports of one machine do not count twice.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from gitinstinct import paths
from gitinstinct.errors import Found
from gitinstinct.instinct.ids import is_id, short_hash
from gitinstinct.measure import assignment, process
from gitinstinct.measure.decision import Decision, Verdict
from gitinstinct.measure.process import Arm, Evidence
from gitinstinct.measure.strata import Stratum, gather

FORMAT = "gitinstinct-measure/1"
_MOST = 1_000_000  # sessions in an arm, and bytes of a file times ten
_LONGEST = 200
_WORDS = ("instinct", "scope", "text", "model", "kind")


@dataclass(frozen=True, slots=True)
class Sums:
    """The sums of one test, as they are exported."""

    instinct: str
    scope: str
    text: str
    model: str
    kind: str
    evidence: Evidence

    @property
    def name(self) -> tuple[str, str, str, str, str]:
        """What is the same test in two exports."""
        return (self.instinct, self.scope, self.text, self.model, self.kind)


@dataclass(frozen=True, slots=True)
class Export:
    """What one machine knows: a name for it, when that was, its tests."""

    origin: str
    at: str
    tests: tuple[Sums, ...]


def own(now: datetime) -> Export:
    """What this machine knows."""
    tests = (_test(stratum) for stratum in gather() if stratum.decision.evidence.sessions)
    return Export(_origin(), now.isoformat(), tuple(tests))


def _origin() -> str:
    """A name for this machine from which nobody learns its seed."""
    return short_hash("measure", (assignment.seed() or b"").hex(), digits=16)


def _test(stratum: Stratum) -> Sums:
    scope = paths.GLOBAL if stratum.owner == paths.GLOBAL else "project"
    return Sums(stratum.instinct, scope, stratum.text, stratum.model, stratum.kind, stratum.decision.evidence)


def as_json(found: Export) -> dict[str, Any]:
    """An export as others read it."""
    tests = [
        {
            "instinct": test.instinct, "scope": test.scope, "text": test.text, "model": test.model, "kind": test.kind,
            "injected": _arm_json(test.evidence.injected), "withheld": _arm_json(test.evidence.withheld),
            "log_e": {"helps": round(test.evidence.helps, 6), "harms": round(test.evidence.harms, 6)},
        }
        for test in found.tests
    ]  # fmt: skip
    return {"format": FORMAT, "origin": found.origin, "at": found.at, "tests": tests}


def _arm_json(arm: Arm) -> dict[str, float]:
    return {"sessions": arm.sessions, "bad": round(arm.bad, 6)}


def read(path: Path) -> Export:
    """An export from a file.

    Raises:
        Found: it is none.
    """
    try:
        data = json.loads(path.read_bytes()[: 10 * _MOST])
        if data["format"] != FORMAT:
            raise ValueError(data["format"])
        tests = tuple(map(_read, data["tests"]))
        return Export(_short(data["origin"]), _short(data["at"]), tests)
    except OSError as error:
        raise Found(f"{path} cannot be read: {error.strerror}", "name a file that `measure export` wrote") from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise Found(f"{path} is no export of measurements", "name a file that `measure export` wrote") from error


def _read(data: dict[str, Any]) -> Sums:
    if not is_id(_short(data["instinct"])):
        raise ValueError(data["instinct"])
    arms = [_arm(data[name]) for name in ("injected", "withheld")]
    logs = [float(data["log_e"][name]) for name in ("helps", "harms")]
    if not all(math.isfinite(value) and value <= 700 for value in logs):
        raise ValueError(logs)
    instinct, scope, text, model, kind = (_short(data[name]) for name in _WORDS)
    return Sums(instinct, scope, text, model, kind, Evidence(logs[0], logs[1], arms[0], arms[1]))


def _arm(data: dict[str, Any]) -> Arm:
    sessions, bad = data["sessions"], float(data["bad"])
    if not isinstance(sessions, int) or not 0 <= bad <= sessions <= _MOST:
        raise ValueError(data)
    return Arm(sessions, bad)


def _short(value: object) -> str:
    if not isinstance(value, str) or len(value) > _LONGEST:
        raise ValueError(value)
    return value


@dataclass(frozen=True, slots=True)
class Pooled:
    """One test over several machines."""

    test: Sums
    machines: int

    @property
    def decision(self) -> Decision:
        """HELPS or HARMS if all together say so. That it does nothing is looked for on one machine only."""
        evidence = self.test.evidence
        if process.is_enough(evidence.helps):
            return Decision(Verdict.HELPS, evidence)
        return Decision(Verdict.HARMS if process.is_enough(evidence.harms) else Verdict.UNKNOWN, evidence)


def pooled(exports: Iterable[Export]) -> list[Pooled]:
    """The tests of several machines, each machine by its newest export."""
    newest: dict[str, Export] = {}
    for export in sorted(exports, key=lambda export: export.at):
        newest[export.origin] = export
    by_name: dict[tuple[str, ...], list[Sums]] = {}
    for export in newest.values():
        for test in {test.name: test for test in export.tests}.values():
            by_name.setdefault(test.name, []).append(test)
    return [Pooled(_sum(by_name[name]), len(by_name[name])) for name in sorted(by_name)]


def _sum(tests: Sequence[Sums]) -> Sums:
    first, found = tests[0], [test.evidence for test in tests]
    evidence = Evidence(
        sum(one.helps for one in found),
        sum(one.harms for one in found),
        _both([one.injected for one in found]),
        _both([one.withheld for one in found]),
    )
    return Sums(*first.name, evidence)


def _both(arms: Sequence[Arm]) -> Arm:
    return Arm(sum(arm.sessions for arm in arms), sum(arm.bad for arm in arms))
