"""From stdin to an object, so that nothing can hold the agent and nothing unreadable is kept.

Harnesses have been seen to send no byte, no newline or no end of file. So what has arrived can be taken by another
thread while the reading one still waits; whoever claims it first handles it. This works without signals, everywhere.
"""

from __future__ import annotations

import _thread
import os

from gitinstinct.capture import codec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

KEPT = 16_000_000
_CHUNK = 1 << 16


class Payload:
    """The bytes of one payload, and how many more there were than are kept."""

    __slots__ = ("dropped", "raw")

    def __init__(self, raw: bytes, dropped: int = 0) -> None:
        self.raw = raw
        self.dropped = dropped


class Reading:
    """The payload on a descriptor while it arrives."""

    __slots__ = ("_chunks", "_claimed", "_descriptor", "_dropped", "_room")

    def __init__(self, descriptor: int = 0) -> None:
        self._descriptor = descriptor
        self._claimed = _thread.allocate_lock()
        self._chunks: list[bytes] = []
        self._room, self._dropped = KEPT, 0

    def drain(self) -> None:
        """Read to the end, also what is not kept, or the agent would fail to write. A closed one is at its end."""
        try:
            while chunk := os.read(self._descriptor, _CHUNK):
                kept = chunk[: self._room]
                self._room -= len(kept)
                self._dropped += len(chunk) - len(kept)
                if kept:
                    self._chunks.append(kept)
        except OSError:
            return

    def claim(self) -> bool:
        """Whether the caller is the first to want the payload."""
        return self._claimed.acquire(False)

    def payload(self) -> Payload:
        """What has arrived so far."""
        return Payload(b"".join(self._chunks), self._dropped)


def one(descriptor: int = 0) -> Iterator[Payload]:
    """What arrives on a descriptor until its end."""
    reading = Reading(descriptor)
    reading.drain()
    yield reading.payload()


def lines(descriptor: int = 0) -> Iterator[Payload]:
    """One payload a line, for replays: no time limit, blank lines left out."""
    with open(descriptor, "rb", closefd=False) as stream:
        for line in stream:
            if line.strip():
                yield Payload(line[:KEPT], max(0, len(line) - KEPT))


def parsed(incoming: Payload) -> tuple[dict[str, Any] | None, str]:
    """(the object of a payload or None, what is wrong with the payload or "").

    Of several values the first counts. Of an object that is too large or nested too deeply, the members before that.
    """
    raw = incoming.raw.removeprefix(b"\xef\xbb\xbf")
    if not raw.strip():
        return None, "empty"
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")) or b"{\0" in raw[:4] or b"\0{" in raw[:4]:
        return None, "encoding"
    text = raw.decode("utf-8", "replace").strip()
    try:
        value, end = codec.parse(text)
    except ValueError:
        return (_members(text), "") if incoming.dropped and text[0] == "{" else (None, "json")
    except RecursionError:
        return _members(text), "nesting"
    if not isinstance(value, dict):
        return None, "object"
    return value, "trailing" if "{" in text[end:] else ""


def _members(text: str) -> dict[str, Any]:
    """The members of an object up to the first that cannot be read."""
    found: dict[str, Any] = {}
    at = 1
    try:
        while True:
            key, at = codec.parse(text, _blanks(text, at))
            value, at = codec.parse(text, _behind(text, at, ":"))
            found[key] = value
            at = _behind(text, at, ",")
    except (ValueError, RecursionError, TypeError):
        return found


def _blanks(text: str, at: int) -> int:
    while text[at : at + 1].isspace():
        at += 1
    return at


def _behind(text: str, at: int, mark: str) -> int:
    at = _blanks(text, at)
    if text[at : at + 1] != mark:
        raise ValueError(mark)
    return _blanks(text, at + 1)
