"""An empty repository and its folder, for tests that ask git."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitinstinct.git.repo import Repo
from tests.support.repos import repository


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "repo"


@pytest.fixture
def repo(folder: Path) -> Repo:
    return repository(folder)
