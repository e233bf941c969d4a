"""Which session goes without which instinct: a hash decides, so that the same question always has the same answer.

The seed belongs to this machine and is never shown, so nobody can write a text that is never, or always, withheld.
"""

from __future__ import annotations

import os

from gitinstinct import paths
from gitinstinct.capture import codec
from gitinstinct.measure import files

SEED_BYTES = 32
_FILE = "seed"
_ALL = 2**256


def withheld(seed: bytes, session: str, instinct: str, text: str, share: float) -> bool:
    """Whether a session goes without an instinct.

    Args:
        seed: this machine's.
        session: the session's id.
        instinct: the instinct's id.
        text: the hash of its text; other words are another draw.
        share: how many of all sessions, 0 to 1.
    """
    joined = b"\0".join([seed, *(field.encode("utf-8", "surrogatepass") for field in (session, instinct, text))])
    number = int.from_bytes(codec.sha256(joined).digest(), "big")
    return number / _ALL < share


def place() -> str:
    """Where this machine's seed lies."""
    return paths.measure(_FILE)


def seed() -> bytes | None:
    """This machine's seed, made when it is first asked for; None if it cannot be read or made. Never raises OSError."""
    path = place()
    try:
        return _read(path)
    except FileNotFoundError:
        pass
    except OSError:
        return None
    try:
        _make(path)
        return _read(path)
    except OSError:
        return None


def _read(path: str) -> bytes | None:
    found = files.read(path)
    return found if len(found) == SEED_BYTES else None


def _make(path: str) -> None:
    """Two processes may come here at once: whoever links its draft first has made the seed of both."""
    draft = f"{path}.{os.getpid()}"
    files.replace(draft, os.urandom(SEED_BYTES))
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        files.remove(draft)
