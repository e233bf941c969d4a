"""A project, and its two stores."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitinstinct.store.store import Store
from tests.inject import support


@pytest.fixture
def folder(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A code project, which is the working directory."""
    made = support.project(home)
    monkeypatch.chdir(made)
    return made


@pytest.fixture
def store(folder: Path) -> Store:
    """The project's store."""
    return support.a_store()
