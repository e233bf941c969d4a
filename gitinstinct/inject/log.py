"""The record of what reached which session: one JSON line a time, ids and hashes, no content.

It answers three questions: what a session has had already, when an instinct last influenced anything, and, the day
after, where a bad one was.
"""

from __future__ import annotations

import os

from gitinstinct import paths
from gitinstinct.capture import codec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

LIMIT, KEPT = 1_000_000, 4
"""Bytes of one file, and how many files there are."""

FRESH = ("startup", "clear", "fork", "compact")
"""Events after which nothing that was said before is in the session's context."""

PROMPT, CALL = "prompt", "call"
"""The other events: besides what a session is told at its start, at a prompt, and before a tool call."""

_TWICE = 2.0  # seconds: a hook that is registered twice is started twice at once
_APPEND = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)


def files(project: str) -> list[str]:
    """The files of a project's record, the newest first; they need not be there."""
    path = os.path.join(paths.root("state"), "inject", project + ".jsonl")
    return [path, *[f"{path}.{number}" for number in range(1, KEPT)]]


def append(project: str, record: dict[str, Any]) -> None:
    """Adds one line by one write.

    Raises:
        OSError: it cannot be written.
    """
    path = files(project)[0]
    data = codec.encode(record).encode("ascii") + b"\n"
    try:
        descriptor = os.open(path, _APPEND, 0o600)
    except FileNotFoundError:
        paths.make_private(os.path.dirname(path))
        descriptor = os.open(path, _APPEND, 0o600)
    try:
        size = os.lseek(descriptor, 0, os.SEEK_END)
        if size:
            os.lseek(descriptor, size - 1, os.SEEK_SET)
            if os.read(descriptor, 1) != b"\n":  # behind a torn line one of our own begins
                data = b"\n" + data
        if os.write(descriptor, data) != len(data):
            raise OSError(f"{path} did not take all of it")
    finally:
        os.close(descriptor)
    if size + len(data) >= LIMIT:
        _rotate(project)


def _rotate(project: str) -> None:
    """The full file steps back, and so do those before it; the oldest goes."""
    found = files(project)
    for older, newer in zip(found[:0:-1], found[-2::-1], strict=True):
        if os.path.exists(newer):
            os.replace(newer, older)


def given(project: str, session: str, event: str = "") -> dict[str, str]:
    """Id → hash of the words that are in a session's context, as far as it is known; or what one event brought."""
    known: dict[str, str] = {}
    if not session:
        return known
    mark = f'"session":{codec.encode(session)}'.encode("ascii")
    for path in reversed(files(project)):
        for record in _marked(path, mark):
            if record.get("event") in FRESH:
                known.clear()
            if not event or record.get("event") == event:
                known |= {name: text for name, _, text in record.get("items", ())}
    return known


def first(project: str, record: dict[str, Any]) -> object:
    """Who wrote the first line of the event that a line tells of: the same kind in its session within two seconds."""
    mark = f'"session":{codec.encode(record["session"])}'.encode("ascii")
    for other in _marked(files(project)[0], mark):
        if other.get("event") == record["event"] and _is_near(str(other.get("at", "")), record["at"]):
            return other.get("by")
    return record["by"]


def _is_near(one: str, other: str) -> bool:
    """Whether two times are of one minute and within two seconds."""
    try:
        return one[:17] == other[:17] and abs(float(one[17:23]) - float(other[17:23])) <= _TWICE
    except ValueError:
        return False


def records(project: str) -> Iterator[dict[str, Any]]:
    """All lines of a project that can be read, the oldest first."""
    for path in reversed(files(project)):
        yield from _marked(path, b"")


def _marked(path: str, mark: bytes) -> Iterator[dict[str, Any]]:
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError:
        return
    for line in data.split(b"\n") if mark in data else ():
        if mark in line:
            try:
                found, _ = codec.parse(line.decode("ascii", "replace"))
            except (ValueError, RecursionError):
                continue
            if isinstance(found, dict) and _is_sound(found):
                yield found


def _is_sound(record: dict[str, Any]) -> bool:
    items = record.get("items", [])
    return isinstance(items, list) and all([isinstance(item, list) and len(item) == 3 for item in items])
