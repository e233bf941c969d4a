"""Processes that a test started, directly or through others."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

needs_proc = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks into /proc")


def of(home: Path) -> list[str]:
    """The command lines of all processes that have this home, but for this one."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            is_ours = f"HOME={home}\0".encode() in (folder / "environ").read_bytes()
            line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue
        if is_ours and line and int(folder.name) != os.getpid():
            found.append(line)
    return found


def until(is_so: Callable[[], bool], what: str, seconds: float = 60) -> None:
    """Waits until something is so."""
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, f"not within {seconds:.0f} s: {what}"
        time.sleep(0.02)
