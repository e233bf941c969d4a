"""What became global since a session last began, kept until the next one says it; see `inject.answer`.

A few ids in a small file. It is no record of anything: if it is lost, a line is not said.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from pathlib import Path

from gitinstinct import paths


def add(names: Sequence[str]) -> None:
    """Notes ids for the next session start. A disk that does not take it costs that line and nothing else."""
    if not names:
        return
    file = Path(paths.news())
    with contextlib.suppress(OSError):
        paths.make_private(str(file.parent))
        descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
        with os.fdopen(descriptor, "wb") as opened:
            opened.write("".join(name + "\n" for name in names).encode())


def drop(name: str) -> None:
    """Takes back what no session has said yet."""
    file = Path(paths.news())
    with contextlib.suppress(OSError):
        left = [line for line in file.read_text("utf-8").splitlines() if line != name]
        file.unlink()
        add(left)
