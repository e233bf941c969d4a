"""What a file was when a tool was about to touch it, and when it had: a short hash of its content, nothing of it.

Two of them tell later that an edit was taken back by hand. Taken only while effects are measured, and only of plain
files of moderate size; a pipe or a device in a file's place is not waited for.
"""

from __future__ import annotations

import os
import stat

from gitinstinct.capture import codec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ABSENT = "absent"
_MOST = 1 << 20  # bytes
_DIGITS = 16
_KEYS = ("file_path", "filePath", "notebook_path", "path", "target_file")
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def of(arguments: Any, folder: str) -> str:
    """The hash of the file that a tool names, `ABSENT` if it is not there; "" if there is nothing to tell."""
    if not isinstance(arguments, dict):
        return ""
    named = next((arguments[key] for key in _KEYS if isinstance(arguments.get(key), str) and arguments[key]), "")
    return _hash(os.path.join(folder, named)) if named else ""


def _hash(path: str) -> str:
    try:
        handle = os.open(path, _FLAGS)
    except FileNotFoundError:
        return ABSENT
    except (OSError, ValueError):
        return ""
    try:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode) or found.st_size > _MOST:
            return ""
        with os.fdopen(handle, "rb", closefd=False) as file:
            return codec.hash_bytes(file.read(_MOST), _DIGITS)
    finally:
        os.close(handle)
