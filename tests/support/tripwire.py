"""Fails a test that would touch the person's real home.

Two nets: an audit hook refuses writes of this process below the real home at once, with a stack that names the
culprit; a snapshot of the places that we or git could write to catches the processes that tests start.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

_WATCHED = (
    ".claude", ".claude.json", ".qoder", ".gitconfig", ".config/git", ".config/gitinstinct",
    ".local/share/gitinstinct", ".local/state/gitinstinct", ".cache/gitinstinct", "gitinstinct",
)  # fmt: skip
_WRITING = {"os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.truncate", "os.link", "os.symlink", "os.chmod"}
_WRITE_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def snapshot(home: Path) -> dict[str, tuple[int, int]]:
    """Path → (modification time in ns, size) of all that lies at the watched places."""
    found: dict[str, tuple[int, int]] = {}
    for name in _WATCHED:
        top = home / name
        for path in [top, *(top.rglob("*") if top.is_dir() else ())]:
            if path.exists():
                status = path.stat()
                found[str(path)] = (status.st_mtime_ns, status.st_size)
    return found


def arm(home: Path) -> None:
    """From now on, a write of this process below `home` raises AssertionError.

    The interpreter's own tree and this checkout may lie there and are left alone (byte code, caches of test tools).
    """
    own = [Path(sys.prefix), Path(sys.base_prefix), Path(__file__).resolve().parents[2]]
    forbidden, allowed = str(home) + os.sep, tuple(str(place) + os.sep for place in own)

    def watch(event: str, args: tuple[object, ...]) -> None:
        if event == "open":
            path, _, flags = args
            writes = isinstance(flags, int) and bool(flags & _WRITE_FLAGS)
        else:
            path, writes = (args[0] if args else None), event in _WRITING
        if writes and isinstance(path, str | os.PathLike):
            text = os.path.abspath(os.fspath(path))  # noqa: PTH100 - must not resolve links, and takes bytes
            if isinstance(text, str) and text.startswith(forbidden) and not text.startswith(allowed):
                raise AssertionError(f"{event} below the real home: {text}")

    sys.addaudithook(watch)
