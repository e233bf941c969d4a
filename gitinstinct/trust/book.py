"""The list itself: one line a decision, only ever appended to, read by the hook with the standard library alone.

    HASH ID BY TIME [WHY]             these words may reach an agent
    rejected HASH ID BY TIME [WHY]    they may not, and nobody is asked again
    revoked HASH ID BY TIME [WHY]     nothing is decided any more

The last line of a hash counts. A line with another beginning counts for nothing and is counted. A list that cannot be
read, or that others could have put there, vouches for nothing at all: then everything waits.
"""

from __future__ import annotations

import os
import stat
from operator import itemgetter

from gitinstinct import paths

REJECTED, REVOKED = "rejected", "revoked"

_HASH = itemgetter(slice(64))
_LINE = r"[0-9a-f]{64}(?![0-9a-f]).*|(?:rejected|revoked) [0-9a-f]{64} .*"
_NO = r"(?m)^(rejected|revoked) ([0-9a-f]{64}) .*\n?"
_READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
_APPEND = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_BINARY = getattr(os, "O_BINARY", 0)
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


class Unusable(OSError):
    """The list vouches for nothing: it cannot be read, or it is not this person's own file."""


class Book:
    """What is decided: hashes that may reach an agent, and such as may not. `problem` is why nothing was read."""

    __slots__ = ("approved", "problem", "rejected")

    def __init__(
        self, approved: frozenset[str] = frozenset(), rejected: frozenset[str] = frozenset(), problem: str = ""
    ) -> None:
        self.approved, self.rejected, self.problem = approved, rejected, problem


def approved() -> frozenset[str]:
    """The content hashes that may reach an agent; none if the list cannot be used. Never raises."""
    return read().approved


def read() -> Book:
    """The whole list. Never raises."""
    try:
        text = _text()
    except OSError as error:
        return Book(problem=str(error))
    if REJECTED not in text and REVOKED not in text:  # nearly always, and some time is saved
        return Book(frozenset(map(_HASH, text.removesuffix("\n").split("\n")))) if text else Book()
    return _weighed(text)


def _weighed(text: str) -> Book:
    """A list in which not every line says yes. What is no hash is none that anybody asks for."""
    import re

    yes: set[str] = set()
    no: set[str] = set()
    done = 0
    for line in [*re.finditer(_NO, text), None]:
        said = set(map(_HASH, text[done : line.start() if line else len(text)].split("\n")))
        yes |= said
        no -= said
        if line:
            done = line.end()
            yes.discard(line[2])
            (no.add if line[1] == REJECTED else no.discard)(line[2])
    return Book(frozenset(yes - {""}), frozenset(no))


def rejected_as(name: str) -> set[str]:
    """The hashes that were rejected under a name and still are; none if the list cannot be used. Never raises."""
    try:
        lines = every_line()
    except OSError:
        return set()
    words = (line.split(" ", 3) for line in lines)
    return {found[1] for found in words if found[0] == REJECTED and found[2:3] == [name]} & read().rejected


def corrupt() -> int:
    """How many lines say nothing that can be understood; 0 if the list cannot be read at all."""
    try:
        return sum(not is_understood(line) for line in every_line())
    except OSError:
        return 0


def every_line() -> list[str]:
    """Every line that is not empty.

    Raises:
        Unusable: the list cannot be read, or is none that this person alone can have written.
    """
    return [line for line in _text().split("\n") if line]


def is_understood(line: str) -> bool:
    """Whether a line counts."""
    import re

    return re.fullmatch(_LINE, line) is not None


def _text() -> str:
    """The list's text; empty if there is none yet.

    Raises:
        Unusable: it cannot be read, or is none that this person alone can have written.
    """
    path = paths.trust()
    try:
        folder = os.path.dirname(path)
        found = os.lstat(folder)
        _refuse_foreign(found, folder, is_right=stat.S_ISDIR(found.st_mode))
        descriptor = os.open(path, _READ | _BINARY)
    except FileNotFoundError:
        return ""
    except Unusable:
        raise
    except OSError as error:
        raise Unusable(f"{path} cannot be read: {_reason(path, error)}") from error
    try:
        found = os.fstat(descriptor)
        _refuse_foreign(found, path, is_right=stat.S_ISREG(found.st_mode))
        with open(descriptor, "rb", closefd=False) as file:
            return file.read().decode("utf-8", "replace")
    finally:
        os.close(descriptor)


def _reason(path: str, error: OSError) -> str:
    return "it is a link" if os.path.islink(path) else error.strerror or str(error)


def _refuse_foreign(found: os.stat_result, path: str, *, is_right: bool) -> None:
    if not is_right:
        raise Unusable(f"{path} is a link or no plain file")
    if os.name == "posix" and (found.st_uid != os.geteuid() or found.st_mode & _OTHERS_WRITE):
        raise Unusable(f"{path} can be written by others")


def append(lines: list[str]) -> None:
    """Adds lines by one write, so that two processes lose none of each other's.

    Raises:
        Unusable: the list that is there vouches for nothing.
        OSError: it cannot be written.
    """
    if not lines:
        return
    _text()
    path = paths.trust()
    paths.make_private(os.path.dirname(path))
    data = "".join(line + "\n" for line in lines).encode("utf-8", "replace")
    descriptor = os.open(path, _APPEND | _BINARY, 0o600)
    try:
        if not _ends_a_line(descriptor):
            data = b"\n" + data
        if os.write(descriptor, data) != len(data):
            raise OSError(f"{path} did not take all of it: is the disk full?")
    finally:
        os.close(descriptor)


def _ends_a_line(descriptor: int) -> bool:
    """Whether what is there ends with its line; after a torn write a line of our own begins."""
    size = os.lseek(descriptor, 0, os.SEEK_END)
    if size == 0:
        return True
    os.lseek(descriptor, size - 1, os.SEEK_SET)
    return os.read(descriptor, 1) == b"\n"
