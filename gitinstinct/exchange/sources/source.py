"""A source that was read: its name, and its files.

The name is what `Import-Source:` says and by which the next import finds the last one, also in a teammate's clone. So
it holds nothing of this machine: of a path only the last part, of an address neither user nor query.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from gitinstinct.exchange.draft import File, Refused
from gitinstinct.instinct.ids import short_hash

STDIN = "stdin"
MOST_FILES = 10_000
MOST_BYTES = 64 * 1024 * 1024
_NAME = 160


@dataclass(frozen=True, slots=True)
class Source:
    """What was read.

    Attributes:
        name: as `Import-Source:` says it.
        files: the files that may hold instincts.
        refused: what was found there and not read.
        loose: whether the name alone does not tell it from others (a file's last part): then the ids that it holds
            have a say in which earlier import it continues.
    """

    name: str
    files: tuple[File, ...]
    refused: tuple[Refused, ...] = ()
    loose: bool = False


def file_name(address: str) -> str:
    """The last part of an address's path, as a file's name."""
    return PurePosixPath(unquote(urlsplit(address).path)).name or "page"


def fit(name: str) -> str:
    """A source's name as a trailer keeps it: one line, and not too long."""
    plain = " ".join("".join(sign if sign.isprintable() else " " for sign in name).split())
    return plain if len(plain) <= _NAME else f"{plain[: _NAME - 9]}-{short_hash(plain)}"


def named(kind: str, last: str) -> str:
    """A source's name: what it is, and the last part of its path, fit for one line."""
    return fit(f"{kind}:{last}")
