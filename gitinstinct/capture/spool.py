"""Where observations wait: numbered segments of JSON lines, and counters of what was left out or lost.

A line goes in by a single write to a file opened for appending, so that hooks that run at once do not tear each other's
lines, without a lock that a killed process could keep. A segment is never renamed or rewritten. After a torn write the
next line begins with a newline of its own. Nothing here raises for a disk that is full, missing or read-only.
"""

from __future__ import annotations

import os

from gitinstinct import paths
from gitinstinct.capture import codec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitinstinct.capture.project import Project

SEGMENT_BYTES = 10_000_000
SUFFIX = ".jsonl"
ABOUT = "about.json"
DISK = "lost.disk"

_APPEND = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


def append(project: str, line: str) -> bool:
    """Add one line to a project's spool. False, and counted, if the disk did not take all of it."""
    folder = paths.spool(project)
    data = line.encode("ascii") + b"\n"
    try:
        descriptor = _open_segment(folder)
        try:
            if _last_byte(descriptor) not in b"\n":
                data = b"\n" + data
            whole = os.write(descriptor, data) == len(data)
        finally:
            os.close(descriptor)
    except (OSError, ValueError):
        whole = False
    if not whole:
        count(DISK)
    return whole


def introduce(project: Project) -> None:
    """Write down once which project a spool belongs to. What cannot be written now is tried again at the next event."""
    path = os.path.join(paths.spool(project.id), ABOUT)
    if os.path.exists(path):
        return
    about = {"id": project.id, "name": project.name, "root": project.root, "remote": project.remote}
    draft = f"{path}.{os.getpid()}"
    try:
        descriptor = _open(draft)[0]
        try:
            os.write(descriptor, (codec.encode(about) + "\n").encode("ascii"))
        finally:
            os.close(descriptor)
        os.replace(draft, path)
    except OSError:
        pass


def count(reason: str) -> None:
    """Count one event: one byte in the file of that reason (`skipped.<why>`, `lost.<why>`); its time is the last event.

    Where not even a byte can be stored, the time of a file that is there already is moved, which needs no room.
    """
    folder = paths.counts()
    path = os.path.join(folder, reason)
    try:
        _prepare(folder)
        descriptor = _open(path)[0]
        try:
            os.write(descriptor, b".")
        finally:
            os.close(descriptor)
    except OSError:
        if not _touch(path):
            _touch(os.path.join(folder, DISK))


def _touch(path: str) -> bool:
    try:
        os.utime(path)
    except OSError:
        return False
    return True


def _open_segment(folder: str) -> int:
    """The segment that takes the next line, open for appending."""
    _prepare(folder)
    names = [name for name in os.listdir(folder) if name.endswith(SUFFIX) and name[:6].isdigit()]
    number = int(max(names)[:6]) if names else 1
    while True:
        descriptor, size = _open(os.path.join(folder, f"{number:06d}{SUFFIX}"))
        if size < SEGMENT_BYTES:
            return descriptor
        os.close(descriptor)
        number += 1


def _open(path: str) -> tuple[int, int]:
    """A file open for appending, made if it is missing, for this person alone whatever the umask says; and its size."""
    descriptor = os.open(path, _APPEND, 0o600)
    status = os.fstat(descriptor)
    if status.st_mode & 0o777 != 0o600 and os.name == "posix":
        os.fchmod(descriptor, 0o600)
    return descriptor, status.st_size


def _last_byte(descriptor: int) -> bytes:
    """The last byte of a file, b"" of an empty one. Writes go to the end whatever the position is."""
    if os.lseek(descriptor, 0, os.SEEK_END) == 0:
        return b""
    os.lseek(descriptor, -1, os.SEEK_END)
    return os.read(descriptor, 1)


def _prepare(folder: str) -> None:
    """See that a folder below `state` is there and private, and that there is a file to mark a full disk with."""
    try:
        mode = os.stat(folder).st_mode
    except FileNotFoundError:
        paths.make_private(folder)
        mark = os.path.join(paths.counts(), DISK)
        if not os.path.exists(mark):
            paths.make_private(paths.counts())
            os.close(_open(mark)[0])
            os.utime(mark, (0, 0))
        return
    if mode & 0o077 and os.name == "posix":
        os.chmod(folder, 0o700)
