"""Every test runs in its own home, with its own git settings, on a fixed clock, and may not touch the real home."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import tripwire

NOW = "2026-11-29T10:00:00Z"

_KEPT = ("PATH", "TMPDIR", "SYSTEMROOT", "COVERAGE_PROCESS_START")


@pytest.fixture(scope="session", autouse=True)
def _real_home_untouched() -> Iterator[None]:
    """The tripwire: no write below the real home, in this process or in any that it starts."""
    home = Path.home()
    before = tripwire.snapshot(home)
    tripwire.arm(home)
    yield
    assert tripwire.snapshot(home) == before, "a test changed something in the real home"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A hermetic environment: own HOME, no git settings, fixed clock, no network proxies, no leaked variables."""
    for name in list(os.environ):
        if name not in _KEPT and not name.startswith("PYTEST_"):
            monkeypatch.delenv(name)
    place = tmp_path / "home"
    place.mkdir()
    for name, value in {
        "HOME": str(place),
        "GITINSTINCT_HOME": str(place / "gitinstinct"),
        "GITINSTINCT_NOW": NOW,
        "GITINSTINCT_AUTO": "0",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_SSH_COMMAND": "false",  # no test reaches a host by accident
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "PYTHONDONTWRITEBYTECODE": "1" if sys.flags.dont_write_bytecode else "",
    }.items():
        if value:
            monkeypatch.setenv(name, value)
    return place
