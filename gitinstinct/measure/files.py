"""Small private files for the hook: lines that are only added, and files that are there whole or not at all.

As in the spool, a line goes in by one write to a file opened for appending, so that processes that write at once do not
tear each other's lines, and behind a torn write the next line begins anew.
"""

from __future__ import annotations

import errno
import os

from gitinstinct import paths
from gitinstinct.capture import codec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

_APPEND = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
_MOST = 4_000_000  # bytes of a file that is read as a whole


def append(path: str, records: Iterable[Mapping[str, Any]]) -> bool:
    """Adds records, one a line, all of them by one write. False if the disk did not take them. Never raises OSError."""
    data = "".join([codec.encode(record) + "\n" for record in records]).encode("ascii")
    try:
        paths.make_private(os.path.dirname(path))
        descriptor = os.open(path, _APPEND, 0o600)
        try:
            if os.lseek(descriptor, 0, os.SEEK_END) and not _ends_whole(descriptor):
                data = b"\n" + data
            return os.write(descriptor, data) == len(data)
        finally:
            os.close(descriptor)
    except OSError:
        return False


def _ends_whole(descriptor: int) -> bool:
    os.lseek(descriptor, -1, os.SEEK_END)
    return os.read(descriptor, 1) == b"\n"


def read(path: str) -> bytes:
    """The bytes of a file.

    Raises:
        OSError: it cannot be read.
    """
    with open(path, "rb") as file:
        return file.read(_MOST)


def read_map(path: str) -> dict[str, Any] | None:
    """The JSON object that a file holds; empty where there is no file, None where it cannot be used."""
    try:
        found = codec.parse(read(path).decode("utf-8").strip())[0]
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def write_map(path: str, data: Mapping[str, Any]) -> None:
    """Writes a JSON object at once or not at all.

    Raises:
        OSError: the disk does not take it; what was there stays.
    """
    replace(path, (codec.encode(data) + "\n").encode("ascii"))


def replace(path: str, data: bytes) -> None:
    """Writes a file at once or not at all.

    Raises:
        OSError: the disk does not take it; what was there stays.
    """
    paths.make_private(os.path.dirname(path))
    draft = f"{path}.{os.getpid()}"
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), 0o600)
        try:
            whole = os.write(descriptor, data) == len(data)
        finally:
            os.close(descriptor)
        if not whole:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path)
        os.replace(draft, path)
    except OSError:
        remove(draft)
        raise


def remove(path: str) -> bool:
    """Takes a file away; whether it was there."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        return False
    return True
