"""What a kind of detector remembers of a project when a run begins.

Memory and store must agree on how far was read: a store that was made anew, or went back, holds nothing of what was
learned from there on. The local detector then reads all again, which costs nothing. What a model was paid for is read
again only where its answers are still there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from gitinstinct.observer import state
from gitinstinct.observer.detector import LOCAL
from gitinstinct.observer.state import Cursor, State
from gitinstinct.observer.tally import Record, Tally
from gitinstinct.store import homes, runs
from gitinstinct.store.store import Store

if TYPE_CHECKING:
    from gitinstinct.capture.project import Project


def recall(project: Project, kind: str) -> State:
    """The memory, or as much of it as is to be believed."""
    memory, store = state.load(project.id, kind), homes.find(project)
    if kind == LOCAL:
        if store is not None and _cursor(runs.latest(store.repo, kind)) != memory.cursor:
            memory.forget_reading()
        return memory
    return memory if memory.cursor else _paid_for(project, memory, store)


def _paid_for(project: Project, memory: State, store: Store | None) -> State:
    """Where a model goes on that remembers nothing here: behind what was read under a former id of the project, or
    behind what the store says. An answer that waits is about what follows, so then nothing is passed over.
    """
    for old in homes.aliases(project.id):
        former = state.load(old, memory.detector)
        if former.cursor:
            return _moved(former, old)
    record = runs.latest(store.repo, memory.detector) if store is not None else None
    if record is not None and record.get("project") == project.id and not _has_answers(project.id, memory.detector):
        memory.cursor = _cursor(record)
    return memory


def _cursor(record: runs.Record | None) -> Cursor:
    found = record.get("cursor") if record is not None else None
    return {str(name): int(end) for name, end in found.items()} if isinstance(found, Mapping) else {}  # type: ignore[arg-type]


def _has_answers(project: str, kind: str) -> bool:
    from gitinstinct.observer.model import answers

    return answers.has_any(project, kind)


def _moved(former: State, old: str) -> State:
    """What was remembered under a former id, as the new one's: its segments and its sessions are named as former.

    Places in the spool are not comparable across ids, so no record keeps the place of its last sighting.
    """
    records = [Record(one.pattern, one.sessions, one.variants, one.qualified) for one in former.tally.records()]
    sessions = {session for one in records for session in one.sessions} | former.open.keys()
    return replace(
        former,
        cursor={_named(old, segment): end for segment, end in former.cursor.items()},
        open={name: (_named(old, segment), at, spoke) for name, (segment, at, spoke) in former.open.items()},
        tally=Tally(records),
        foreign=dict.fromkeys(sessions, old) | former.foreign,
    )


def _named(old: str, segment: str) -> str:
    return segment if "/" in segment else f"{old}/{segment}"
