"""Work goes on while runs in the background are killed at any moment: in the end nothing is lost or doubled."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gitinstinct import paths
from gitinstinct.capture.project import Project
from gitinstinct.config import Config
from gitinstinct.observer import locks, run, starts
from gitinstinct.store import homes, library
from tests.support.stores import assert_sound
from tests.support.work import PROJECT, captured, spool

NOW = datetime(2026, 11, 29, 10, tzinfo=UTC)


def proofs() -> set[tuple[str, str, frozenset[tuple[str, str]]]]:
    """Id, action, and which sessions speak for each on which day."""
    store = homes.find(PROJECT)
    found = [item.instinct for item in library.read(store).items.values()] if store is not None else []
    return {(one.id, one.action, frozenset((entry.date, entry.origin) for entry in one.ledger)) for one in found}


def start(number: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-I", "-m", "gitinstinct", "observe", "--started", f"{number:x}-1"]
    return subprocess.Popen([*command, "--project", PROJECT.id])


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_killed_at_random(seed: int, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITINSTINCT_AUTO", "1")
    settings = Path(paths.config_file())
    settings.parent.mkdir(parents=True)
    settings.write_text("observer: {minimum: 1, cooldown: 0, project_cooldown: 0, idle_minutes: 1000000}")
    lines, dice, killed = captured(3), random.Random(seed), 0
    for begin in range(0, len(lines), 40):
        spool(lines[begin : begin + 40])
        running = [start(begin), start(begin + 1)]
        time.sleep(dice.uniform(0.2, 1.0))
        for one in running:
            if dice.random() < 0.7 and one.poll() is None:
                one.kill()
                killed += 1
        assert {one.wait(timeout=60) for one in running} <= {0, -9}
    assert killed, "or nothing was tried"
    assert not locks.is_held(locks.MACHINE, even_unnoted=True)
    assert not locks.is_held(locks.of_project(PROJECT.id), even_unnoted=True)

    assert start(7).wait(timeout=60) == 0
    assert starts.asked_for() == []
    assert run.observe(PROJECT, NOW, Config(), skip_gates=True).observations == 0, "all was read"
    store = homes.find(PROJECT)
    assert store is not None
    assert_sound(store)
    little_by_little = proofs()
    monkeypatch.setenv("GITINSTINCT_HOME", str(home / "another"))
    spool(lines)
    run.observe(Project(PROJECT.id, "my-api"), NOW, Config(), skip_gates=True)
    assert proofs() == little_by_little
    assert len(little_by_little) >= 7
