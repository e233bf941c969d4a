"""Two people with a global store each, and a remote that is a store alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.mates import BOB, Mate, bare
from tests.support.shared import everybodys


@pytest.fixture
def hub(tmp_path: Path) -> Path:
    """The remote."""
    return bare(tmp_path / "hub.git")


@pytest.fixture
def ann(tmp_path: Path, hub: Path) -> Mate:
    """Who began to share."""
    made = everybodys(tmp_path / "ann", hub)
    made.sync()
    return made


@pytest.fixture
def bob(tmp_path: Path, hub: Path, ann: Mate) -> Mate:
    """Who joined."""
    made = everybodys(tmp_path / "bob", hub, BOB)
    made.sync()
    return made
