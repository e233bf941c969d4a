"""Builders and data that tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

DATA = Path(__file__).parents[1] / "data"

_REAL = Path(os.environ.get("GITINSTINCT_SAMPLES") or Path(__file__).parents[3] / "shared" / "samples" / "real")


def real_samples(folder: str) -> list[Path]:
    """Files of people who use tools of this kind; they are others' and not part of this repository."""
    return sorted((_REAL / folder).glob("*"))


needs_real_samples = pytest.mark.skipif(not _REAL.is_dir(), reason="others' files, which do not ship with the project")
