"""What models have cost and may still cost, over all projects of this machine.

A call is written down before it is made, with the most that it can cost, and again afterwards with what it did cost. So
two processes cannot both spend what is left, and a call that was killed counts as spent. A ceiling is never skipped by
anything but a person's settings. The book is one file a month, one line a fact, private.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from gitinstinct import paths
from gitinstinct.config import Observer
from gitinstinct.observer import locks
from gitinstinct.observer.detector import DetectorFault, Spent
from gitinstinct.observer.model import prices

LOCK = "spending"
_PATIENCE = 10.0  # seconds; the lock is only ever held for a few lines
_VERSION = 1


@dataclass(frozen=True, slots=True)
class Call:
    """One call: its time (aware), its day where the person is, for which project, by which detector and model.

    `is_open` tells that it was never settled: what it cost is what it could have cost at most.
    """

    id: str
    at: datetime
    day: str
    project: str
    detector: str
    model: str
    spent: Spent
    is_open: bool = True


class Ceiling(DetectorFault):
    """A day's ceiling is reached; nothing was asked."""

    def __init__(self, message: str) -> None:
        super().__init__(message, "it is for a day; observer.daily_dollars and observer.daily_tokens set it",
                         backs_off=False)  # fmt: skip


def reserve(call: Call, limits: Observer) -> None:
    """Writes a call down before it is made.

    Raises:
        Ceiling: with it the day would cost more than it may.
        DetectorFault: the book cannot be written, or another process kept it.
    """
    with _book(call.at):
        refuse_beyond(call, limits)
        _append(_file(call.day), _line(call))


def settle(call: Call, spent: Spent) -> None:
    """Writes down what a call did cost.

    Raises:
        DetectorFault: the book cannot be written; the call counts with what was reserved for it.
    """
    with _book(call.at):
        _append(_file(call.day), {"v": _VERSION, "id": call.id, "spent": asdict(spent)})


def refuse_beyond(call: Call, limits: Observer) -> None:
    """Holds a call, with what it can cost at most, against what is left of its day.

    Raises:
        Ceiling: it would cost more than is left.
    """
    used = today(call.day)
    dollars, more = used.dollars or 0.0, weighed(call).dollars or 0.0
    if dollars + more > limits.daily_dollars + 1e-9:
        raise Ceiling(f"the day's ceiling of ${ceiling(limits)} stops it: ${dollars:.4f} spent, "
                      f"up to ${more:.4f} more needed")  # fmt: skip
    if used.tokens + call.spent.tokens > limits.daily_tokens:
        raise Ceiling(f"the day's ceiling of {limits.daily_tokens:,} tokens stops it: {used.tokens:,} used, "
                      f"up to {call.spent.tokens:,} more needed")  # fmt: skip


def ceiling(limits: Observer) -> str:
    """A day's dollars with as many digits as they need, two at least."""
    return (
        f"{limits.daily_dollars:.2f}"
        if round(limits.daily_dollars, 2) == limits.daily_dollars
        else (f"{limits.daily_dollars:.4f}")
    )


def today(day: str) -> Spent:
    """What a day has cost so far; calls without a known price as if they were the dearest."""
    return sum((weighed(call) for call in calls(day[:7]) if call.day == day), Spent())


def weighed(call: Call) -> Spent:
    """What a call counts for against a ceiling."""
    return call.spent if call.spent.dollars is not None else prices.priced(call.spent, prices.DEAREST)


def new(at: datetime, project: str, detector: str, model: str, most: Spent) -> Call:
    """A call that is about to be made, with the most that it can cost."""
    day = at.astimezone().date().isoformat()
    return Call(secrets.token_hex(8), at, day, project, detector, model, most)


def calls(month: str = "") -> list[Call]:
    """All calls of a month (`2026-11`), or all there are, the oldest first. What cannot be read is passed over."""
    found: dict[str, Call] = {}
    for path in [_file(month)] if month else sorted(_file("0000-00").parent.glob("*.jsonl")):
        for line in _lines(path):
            _take(found, line)
    return list(found.values())


def _take(found: dict[str, Call], line: bytes) -> None:
    """One line: a call that was begun, or what one has cost."""
    try:
        data = json.loads(line)
        if "spent" in data:
            found[data["id"]] = replace(found[data["id"]], spent=Spent.read(data["spent"]), is_open=False)
        else:
            at = datetime.fromisoformat(data["at"])
            name, day, project, detector, model = (str(data[key]) for key in _TEXTS)
            found[name] = Call(name, at, day, project, detector, model, Spent.read(data["reserved"]))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return


_TEXTS = ("id", "day", "project", "detector", "model")


def _line(call: Call) -> dict[str, Any]:
    return {
        "v": _VERSION, "id": call.id, "at": call.at.isoformat(), "day": call.day, "project": call.project,
        "detector": call.detector, "model": call.model, "reserved": asdict(call.spent),
    }  # fmt: skip


def _file(day: str) -> Path:
    return Path(paths.spending(day[:7]))


def _lines(path: Path) -> Iterator[bytes]:
    try:
        yield from path.read_bytes().split(b"\n")
    except OSError:
        return


@contextmanager
def _book(now: datetime) -> Iterator[None]:
    """The book, open for this process alone."""
    try:
        with locks.held(LOCK, "spending", now, _PATIENCE) as owner:
            if owner is None:
                raise DetectorFault("another process keeps the book of spending", backs_off=False)
            yield
    except OSError as error:
        raise _unwritable(error) from error


def _append(path: Path, line: dict[str, Any]) -> None:
    """One line, on the disk before anything else happens. Behind a torn line it begins with an end of line."""
    data = json.dumps(line, separators=(",", ":")).encode("ascii") + b"\n"
    try:
        paths.make_private(str(path.parent))
        with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600), "r+b", buffering=0) as file:
            if file.seek(0, os.SEEK_END):
                file.seek(-1, os.SEEK_END)
                data = data if file.read(1) == b"\n" else b"\n" + data
            if file.write(data) != len(data):
                raise OSError("the disk did not take all of it")
            os.fsync(file.fileno())
    except OSError as error:
        raise _unwritable(error) from error


def _unwritable(error: OSError) -> DetectorFault:
    why = error.strerror or str(error)
    return DetectorFault(f"the book of spending cannot be written ({why}), so no model is asked", backs_off=False)
