"""Answers that were paid for, kept until they are committed.

An answer is written down before it is used. If the process is killed between the two, the next run finds it by the
events that it is about, cuts its portion there, and pays nothing. Nothing else is kept longer than a run.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gitinstinct import paths
from gitinstinct.instinct import ids
from gitinstinct.observer.detector import Spent, kind


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer: who gave it, about which new observations (ids), what it could cite, its text, and what it cost.

    `events` are the ids of the labels e1, e2 … in the prompt; `known` the signatures of k1, k2 …
    """

    detector: str
    ids: tuple[str, ...]
    events: tuple[str, ...]
    known: tuple[str, ...]
    text: str
    spent: Spent


def has_any(project: str, kind: str) -> bool:
    """Whether an answer waits to be used."""
    folder = _folder(project, kind)
    return folder.is_dir() and any(folder.glob("*.json"))


def waiting(project: str, detector: str) -> dict[str, Kept]:
    """First id of its portion → the answer. One that cannot be read is as good as none."""
    found = {}
    for path in sorted(_folder(project, kind(detector)).glob("*.json")):
        with contextlib.suppress(OSError, ValueError, TypeError, KeyError, IndexError, RecursionError):
            kept = _kept(json.loads(path.read_text("utf-8")))
            if kept.detector == detector and path.stem == _key(kept):
                found[kept.ids[0]] = kept
    return found


def _kept(data: dict[str, Any]) -> Kept:
    lists = {name: tuple(map(str, data[name])) for name in ("ids", "events", "known")}
    return Kept(str(data["detector"]), text=str(data["text"]), spent=Spent.read(data["spent"]), **lists)


def keep(project: str, kept: Kept) -> None:
    """Writes an answer down.

    Raises:
        OSError: the disk does not take it.
    """
    folder = _folder(project, kind(kept.detector))
    paths.make_private(str(folder))
    draft = folder / f".{secrets.token_hex(8)}"
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            json.dump(asdict(kept), file)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(folder / f"{_key(kept)}.json")
    finally:
        draft.unlink(missing_ok=True)


def forget(project: str, detector: str) -> None:
    """All answers of a detector about a project are committed."""
    shutil.rmtree(_folder(project, kind(detector)), ignore_errors=True)


def _key(kept: Kept) -> str:
    return ids.short_hash(kept.detector, *kept.ids, digits=32)


def _folder(project: str, kind: str) -> Path:
    return Path(paths.answers(project, kind))
