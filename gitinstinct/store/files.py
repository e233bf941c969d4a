"""Files of the work tree: read without following anything, replaced as a whole.

A person may have an editor open, and a foreign tree may have put a link, a pipe or a device where a file should be.
So nothing is read through a link, and nothing is written in place: a new file takes the name over. After a merge there
may be ten thousand of them, so this is written with `os` and not with `pathlib`, which takes longer than the disk.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from pathlib import Path

from gitinstinct.store.layout import CAP

_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
_BINARY = getattr(os, "O_BINARY", 0)
_READ = os.O_RDONLY | _NO_FOLLOW | getattr(os, "O_NONBLOCK", 0) | _BINARY
_MAKE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY


class NotPlain(Exception):
    """What lies at the path is no file of ours; the text says what it is, without a full stop."""


def read(top: Path, path: str) -> bytes | None:
    """The bytes of a work tree's file; None if there is none.

    Raises:
        NotPlain: it is no plain file, too large, or may not be read.
    """
    handle = _opened(_placed(top, path))
    if handle is None:
        return None
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise NotPlain("not a plain file")
    with os.fdopen(handle, "rb") as file:
        data = file.read(CAP + 1)
    if len(data) > CAP:
        raise NotPlain(f"more than {CAP:,} bytes")
    return data


def _opened(file: str) -> int | None:
    if not _NO_FOLLOW and os.path.islink(file):
        raise NotPlain("a symbolic link")
    try:
        return os.open(file, _READ)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise NotPlain("a symbolic link" if error.errno == errno.ELOOP else error.strerror or str(error)) from error


def replace(top: Path, path: str, data: bytes | None) -> None:
    """Puts a file in place by a temporary name and a rename; with None the file goes, and folders that it leaves empty.

    The temporary name is always the same, so that what a kill leaves is taken up by the next try.

    Raises:
        NotPlain: a folder on the way is a link.
        OSError: the file cannot be written.
    """
    file = _placed(top, path)
    folder, name = os.path.split(file)
    if data is None:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(file)
        _drop_empty(top, folder)
        return
    draft = os.path.join(folder, f".{name}.draft")
    try:
        _write(draft, data)
        os.replace(draft, file)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(draft)
        raise


def _write(draft: str, data: bytes) -> None:
    try:
        handle = os.open(draft, _MAKE, 0o666)
    except FileNotFoundError:
        os.makedirs(os.path.dirname(draft), exist_ok=True)
        handle = os.open(draft, _MAKE, 0o666)
    except FileExistsError:  # a kill left it
        os.unlink(draft)
        handle = os.open(draft, _MAKE, 0o666)
    with os.fdopen(handle, "wb") as file:
        file.write(data)


def _placed(top: Path, path: str) -> str:
    """The file's full name, if no folder on the way to it is a link."""
    found = str(top)
    for name in path.split("/")[:-1]:
        found = os.path.join(found, name)
        if os.path.islink(found):
            raise NotPlain(f"{os.path.relpath(found, top)} is a symbolic link")
    return os.path.join(top, path)


def _drop_empty(top: Path, folder: str) -> None:
    while folder != str(top):
        try:
            os.rmdir(folder)
        except OSError:  # not empty, or gone already
            return
        folder = os.path.dirname(folder)
