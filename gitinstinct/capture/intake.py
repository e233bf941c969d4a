"""From stdin to an object, so that nothing can hold the agent and nothing unreadable is kept.

Harnesses have been seen to send no byte, no newline or no end of file. A thread reads, the caller waits for it only so
long; a second thread ends the process when a disk hangs. Both work without signals, so on every platform.
"""

from __future__ import annotations

import _thread
import os
import time

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


def one(descriptor: int = 0, seconds: float = 2.0) -> Iterator[Payload]:
    """What arrives on a descriptor until its end, or until the time is over. A closed one gives nothing."""
    chunks: list[bytes] = []
    counts = [0, 0]
    done = _thread.allocate_lock()
    done.acquire()
    _thread.start_new_thread(_drain, (descriptor, chunks, counts, done))
    done.acquire(True, seconds)
    yield Payload(b"".join(chunks[:]), counts[1])


def lines(descriptor: int = 0) -> Iterator[Payload]:
    """One payload a line, for replays: no time limit, blank lines left out."""
    with open(descriptor, "rb", closefd=False) as stream:
        for line in stream:
            if line.strip():
                yield Payload(line[:KEPT], max(0, len(line) - KEPT))


def watchdog(seconds: float) -> None:
    """End this process, successfully, when it is still there after so many seconds."""
    _thread.start_new_thread(_leave, (seconds,))


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


def _drain(descriptor: int, chunks: list[bytes], counts: list[int], done: _thread.LockType) -> None:
    """`counts`: bytes kept, bytes dropped. The whole of stdin is read, or the agent's write would fail."""
    try:
        while chunk := os.read(descriptor, _CHUNK):
            kept = chunk[: KEPT - counts[0]]
            counts[0] += len(kept)
            counts[1] += len(chunk) - len(kept)
            if kept:
                chunks.append(kept)
    except OSError:
        return  # A closed descriptor has nothing to read.
    finally:
        done.release()


def _leave(seconds: float) -> None:
    time.sleep(seconds)
    os._exit(0)
