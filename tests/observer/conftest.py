"""What several tests of the observer need."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest


@pytest.fixture
def berlin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A zone with summer time; nothing on the disk is needed for it."""
    monkeypatch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()
