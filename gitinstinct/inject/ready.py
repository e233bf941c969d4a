"""Where what is prepared lies: one file a kind and project in the cache, each with the state that it was made from.

All of it can be deleted at any time. A file that is torn, foreign or of another state is as good as none.
"""

from __future__ import annotations

import os

from gitinstinct import paths
from gitinstinct.capture import codec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

START, WORDS, CHECKS = ".json", ".words", ".checks"
"""What a session's start gets; what a prompt may get, by word; what a tool call is held against."""

_MOST = 64 * 1024 * 1024
_OTHERS_WRITE = 0o022


def path(project: str, kind: str) -> str:
    """The file of a kind for a project."""
    return os.path.join(paths.root("cache"), "inject", project + kind)


def read(project: str, kind: str, state: str) -> dict[str, Any] | None:
    """What is prepared for this state; None if nothing is."""
    try:
        with open(path(project, kind), "rb") as file:
            found = checked(file.fileno(), file.read(_MOST), state)
    except (OSError, ValueError, RecursionError):
        return None
    return found


def checked(descriptor: int, data: bytes, state: str) -> dict[str, Any] | None:
    """The object at the beginning of a file, if it is of this state and nobody else could have written it."""
    if os.name == "posix":
        status = os.fstat(descriptor)
        if status.st_uid != os.geteuid() or status.st_mode & _OTHERS_WRITE:
            return None
    found, _ = codec.parse(data.decode("utf-8", "surrogateescape"))
    return found if isinstance(found, dict) and found.get("state") == state else None


def write(project: str, kind: str, data: bytes) -> None:
    """Puts a file in its place as a whole, for this person alone.

    Raises:
        OSError: it cannot be written.
    """
    target = path(project, kind)
    paths.make_private(os.path.dirname(target))
    draft = f"{target}.{os.getpid()}"
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0), 0o600)
    with open(descriptor, "wb") as file:
        file.write(data)
    os.replace(draft, target)


def remove(project: str, kind: str) -> None:
    """Takes a file away, if it is there."""
    try:
        os.unlink(path(project, kind))
    except OSError:
        return
