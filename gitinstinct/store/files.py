"""Files of the work tree: read without following anything, replaced as a whole.

A person may have an editor open, and a foreign tree may have put a link, a pipe or a device where a file should be.
So nothing is read through a link, and nothing is written in place: a new file takes the name over.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from gitinstinct.store.layout import CAP

_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class NotPlain(Exception):
    """What lies at the path is no file of ours; the text says what it is, without a full stop."""


def read(top: Path, path: str) -> bytes | None:
    """The bytes of a work tree's file; None if there is none.

    Raises:
        NotPlain: it is no plain file, too large, or may not be read.
    """
    _check_folders(top, path)
    try:
        if stat.S_ISLNK(os.lstat(top / path).st_mode):
            raise NotPlain("a symbolic link")
        handle = os.open(top / path, _FLAGS)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise NotPlain(error.strerror or str(error)) from error
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise NotPlain("not a plain file")
    with os.fdopen(handle, "rb") as file:
        data = file.read(CAP + 1)
    if len(data) > CAP:
        raise NotPlain(f"more than {CAP:,} bytes")
    return data


def replace(top: Path, path: str, data: bytes | None) -> None:
    """Puts a file in place by a temporary name and a rename; with None the file goes, and folders that it leaves empty.

    The temporary name is always the same, so that what a kill leaves is taken up by the next try.

    Raises:
        NotPlain: a folder on the way is a link.
        OSError: the file cannot be written.
    """
    _check_folders(top, path)
    file = top / path
    if data is None:
        file.unlink(missing_ok=True)
        _drop_empty(top, file.parent)
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_name(f".{file.name}.draft")
    draft.unlink(missing_ok=True)
    try:
        draft.write_bytes(data)
        draft.replace(file)
    except OSError:
        draft.unlink(missing_ok=True)
        raise


def _check_folders(top: Path, path: str) -> None:
    for folder in (top / path).relative_to(top).parents:
        if (top / folder).is_symlink() and folder != Path():
            raise NotPlain(f"{folder} is a symbolic link")


def _drop_empty(top: Path, folder: Path) -> None:
    while folder != top:
        try:
            folder.rmdir()
        except OSError:  # not empty, or gone already
            return
        folder = folder.parent
