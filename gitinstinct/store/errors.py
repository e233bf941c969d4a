"""What keeps a store from being used or written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from gitinstinct.errors import EnvironmentFault


class Missing(EnvironmentFault):
    """There is no store at this place."""


class Waiting(EnvironmentFault):
    """Something that a person has begun must be ended first. Nothing was written and nothing is consumed."""


@contextmanager
def disk(doing: str) -> Iterator[None]:
    """Turns what the disk refuses (no room, no right, no such folder) into a fault that a person can read."""
    try:
        yield
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        message = f"{doing}: {error.strerror or error}{where}"
        raise EnvironmentFault(message, "look at the room and the rights there") from error
