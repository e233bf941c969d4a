"""Files and folders of this machine. No link below a folder is followed, and only plain files are read."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from gitinstinct.errors import Found
from gitinstinct.exchange import readers
from gitinstinct.exchange.draft import File, Refused
from gitinstinct.exchange.sources import archive, bundle, repository
from gitinstinct.exchange.sources.source import MOST_BYTES, MOST_FILES, Source, named

_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_DEPTH = 16
_LOOKED_AT = 100_000  # entries of folders
_LEFT_OUT = frozenset({".git", "node_modules", "__pycache__", ".venv", "venv"})


def exists(text: str) -> bool:
    """Whether something lies there."""
    try:
        return os.path.lexists(os.path.expanduser(text))  # noqa: PTH111 - `Path` raises where this answers
    except ValueError:
        return False


def gather(text: str) -> Source:
    """Reads a file, an archive, a bundle, a bare repository or a folder.

    Raises:
        Found: it cannot be read.
    """
    typed = Path(text).expanduser()
    path = Path(os.path.realpath(typed))
    last = Path(os.path.normpath(typed.absolute())).name  # what a link is called, not what it leads to
    if path.is_dir():
        return repository.gather(str(path)) if _is_bare(path) else _folder(path, last)
    try:
        data = read(path, MOST_BYTES)
    except OSError as error:
        hint = "name a file, a folder or an address"
        raise Found(f"{text} cannot be read: {error.strerror or error}", hint) from error
    if bundle.is_bundle(data):
        return bundle.gather(last, data)
    return of_bytes(named("file", last), last, data, loose=True)


def of_bytes(name: str, file: str, data: bytes, *, loose: bool = False) -> Source:
    """The source that some bytes are: an archive, else one file."""
    if archive.is_archive(data):
        files, refused = archive.read(data)
        return Source(name, files, refused, loose=loose)
    return Source(name, (File(file or name, data),), loose=loose)


def read(path: Path, most: int) -> bytes:
    """A plain file's bytes.

    Raises:
        OSError: there is none, it is something else, or larger than allowed.
    """
    handle = os.open(path, _FLAGS)
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError("it is no plain file")
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(f"it has more than {most:,} bytes")
    return data


def _is_bare(path: Path) -> bool:
    return (path / "HEAD").is_file() and (path / "objects").is_dir() and (path / "refs").is_dir()


def _folder(top: Path, last: str) -> Source:
    files: list[File] = []
    refused: list[Refused] = []
    room = MOST_BYTES
    for path, fault in _walk(top):
        name = path.relative_to(top).as_posix()
        if fault:
            refused.append(Refused(name, "", fault))
            continue
        try:
            files.append(File(name, read(path, min(room, readers.LENGTH))))
        except OSError as error:
            refused.append(Refused(name, "", error.strerror or str(error)))
            continue
        room -= len(files[-1].data)
        if len(files) > MOST_FILES:
            raise Found(f"{top} holds more than {MOST_FILES:,} files to read", "import its folders one by one")
    return Source(named("dir", last), tuple(files), tuple(refused), loose=True)


def _walk(top: Path) -> Iterator[tuple[Path, str]]:
    """The files below a folder that may hold instincts, in order; with a reason, where one is not to be read."""
    waiting, looked = [(top, 0)], 0
    while waiting:
        folder, depth = waiting.pop()
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            yield folder, error.strerror or str(error)
            continue
        looked += len(entries)
        if looked > _LOOKED_AT:
            raise Found(f"{top} holds more than {_LOOKED_AT:,} files", "name the folder that holds the instincts")
        for entry in entries:
            path = Path(entry.path)
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in _LEFT_OUT and depth < _DEPTH:
                    waiting.append((path, depth + 1))
            elif path.suffix.lower() in readers.SUFFIXES:
                yield path, "a symbolic link" if entry.is_symlink() else ""
