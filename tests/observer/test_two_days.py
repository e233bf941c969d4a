"""Two days of work at once: sessions by day, nights, a machine that sleeps, a clock that is changed and set."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from gitinstinct import paths
from gitinstinct.capture.project import Project
from gitinstinct.config import Config
from gitinstinct.observer import run
from gitinstinct.observer.daemon import loop
from gitinstinct.observer.daemon.look import Eyes, go_round, pause
from gitinstinct.observer.daemon.plan import Asked, Looked
from gitinstinct.store import homes, library
from tests.support.work import PROJECT, captured, spool

OTHER = Project("b1b2c3d4e5f6", "other")
START = datetime(2026, 10, 24, 6, tzinfo=UTC)  # a Saturday, eight o'clock in Berlin; in the next night the hour repeats


@dataclass(frozen=True)
class Run:
    """A run that was made: after how many seconds of life, at what wall time, whose, of how many observations."""

    moment: float
    wall: datetime
    project: str
    observations: int


@dataclass
class Days:
    """A world in which sleeping is what makes time pass. `due` are the events to come, by the seconds since the start.

    `moment` is the clock that nobody sets: it stands while the machine sleeps. `shift` is how far the wall clock is
    from the truth.
    """

    settings: Config
    due: list[tuple[float, Any]]
    passed: float = 0.0
    slept: float = 0.0
    shift: timedelta = timedelta()
    runs: list[Run] = field(default_factory=list)
    looks: int = 0
    eyes: Eyes = field(default_factory=Eyes)
    nudged: dict[str, float] = field(default_factory=dict)
    until: float = 48 * 3600.0

    def now(self) -> datetime:
        return START + timedelta(seconds=self.passed) + self.shift

    def moment(self) -> float:
        return self.passed - self.slept

    def sleep(self, seconds: float) -> None:
        self.passed += seconds
        while self.due and self.due[0][0] <= self.passed:
            self.due.pop(0)[1](self)

    def asked(self) -> Asked:
        return Asked(end="the two days are over" if self.passed >= self.until else "")

    def look(self) -> Looked:
        self.looks += 1
        found = go_round(self.eyes, self.now, self.settings, "", self.analyse, lambda: False)
        assert found.faults == []
        return Looked(found.was_active, pause(self.settings, found, self.now()), float("inf"))

    def analyse(self, project: Project) -> str:
        outcome = run.observe(project, self.now(), self.settings)
        if outcome.stopped is None:
            self.runs.append(Run(self.passed, self.now(), project.id, outcome.observations))
        return ""

    # --- what happens

    def work(self, project: Project, records: list[dict[str, Any]]) -> None:
        """A turn: what was captured in it; at its end the hook starts a run, if it started none for five minutes."""
        at = self.now().strftime("%Y-%m-%dT%H:%M:%S.000Z")
        lines = [json.dumps({**one, "at": at, "project": project.id}, separators=(",", ":")) for one in records]
        spool([line.encode() + b"\n" for line in lines], project.id)
        if self.passed - self.nudged.get(project.id, float("-inf")) >= 300:
            self.nudged[project.id] = self.passed
            self.analyse(project)


def turn(project: Project, records: list[dict[str, Any]]) -> Any:
    return lambda world: world.work(project, records)


def fill(number: int) -> list[dict[str, Any]]:
    return [
        {"v": 1, "harness": "claude-code", "session": f"o{number // 20}", "event": "tool_start", "tool": "Read",
         "id": f"{number}-{one}", "input": {}} for one in range(9)
    ]  # fmt: skip


def turns(hours: list[float]) -> list[tuple[float, Any]]:
    """A turn every two minutes for half an hour, beginning at these hours; in the other project every three minutes."""
    records = [json.loads(line) for line in captured(3)]
    portions = [records[start : start + 6] for start in range(0, len(records), 6)]
    made: list[tuple[float, Any]] = []
    for hour in hours:
        for number in range(15):
            if portions:
                made.append((hour * 3600 + number * 120, turn(PROJECT, portions.pop(0))))
        made += [(hour * 3600 + number * 180, turn(OTHER, fill(int(hour * 100) + number))) for number in range(10)]
    assert not portions
    return made


def suspend(world: Days) -> None:
    """The lid is closed for eight hours."""
    world.passed += 8 * 3600
    world.slept += 8 * 3600


def set_back(world: Days) -> None:
    world.shift -= timedelta(hours=1)


def set_right(world: Days) -> None:
    world.shift = timedelta()


@pytest.fixture
def days(berlin: None) -> Days:
    """Work on two days, some of it at night; the lid closed for eight hours; a clock that is an hour slow for three."""
    events = turns([1, 3, 6, 9, 17.6, 25, 27.1, 31])
    events += [(18.2 * 3600, suspend), (29 * 3600, set_back), (32 * 3600, set_right)]
    return Days(Config(), sorted(events, key=lambda event: event[0]))


def spooled(project: Project) -> int:
    return sum(path.read_bytes().count(b"\n") for path in Path(paths.spool(project.id)).glob("*.jsonl"))


def proofs() -> set[tuple[str, str, frozenset[tuple[str, str]]]]:
    """Id, action, and which sessions speak for each on which day."""
    store = homes.find(PROJECT)
    assert store is not None
    found = [item.instinct for item in library.read(store).items.values()]
    return {(one.id, one.action, frozenset((entry.date, entry.origin) for entry in one.ledger)) for one in found}


def test_two_days(days: Days, monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    assert loop.live(days) == "the two days are over"
    captured_now = spooled(PROJECT)
    assert captured_now > 500

    # Runs there were, in the windows, and no storm of them.
    assert 20 <= len(days.runs) <= 90
    assert {one.project for one in days.runs} == {PROJECT.id, OTHER.id}
    for one in days.runs:
        assert 8 <= one.wall.astimezone().hour <= 23
        assert one.observations >= Config().observer.minimum
    gaps = [later.moment - earlier.moment for earlier, later in pairwise(days.runs)]
    assert min(gaps) >= Config().observer.cooldown
    for project in (PROJECT, OTHER):
        moments = [one.moment for one in days.runs if one.project == project.id]
        close = [b for a, b in pairwise(moments) if b - a < Config().observer.project_cooldown]
        assert len(close) <= 1, "only the clock that was set back may let one through"
    assert days.looks <= 48 * 3600 / Config().observer.interval + 3 * len(days.runs)

    # What is left is too little for a run; nothing was lost, and it is the same as if all had been read at once.
    analysed = sum(one.observations for one in days.runs if one.project == PROJECT.id)
    rest = run.observe(PROJECT, days.now(), days.settings, skip_gates=True).observations
    assert rest < Config().observer.minimum
    little_by_little = proofs()
    lines = [path.read_bytes() for path in sorted(Path(paths.spool(PROJECT.id)).glob("*.jsonl"))]
    monkeypatch.setenv("GITINSTINCT_HOME", str(home / "another"))
    spool(lines)
    assert run.observe(PROJECT, days.now(), days.settings, skip_gates=True).observations == analysed + rest
    assert proofs() == little_by_little
    assert len(little_by_little) >= 7
