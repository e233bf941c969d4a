"""The record of what reached which session, read for people: when did this last influence anything?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from gitinstinct import paths
from gitinstinct.inject import log, state


class Use(NamedTuple):
    """One time that an instinct reached a session; `text` is the hash of the words that it had then."""

    at: str
    harness: str
    session: str
    event: str
    id: str
    scope: str
    text: str
    withheld: bool = False


class Used(NamedTuple):
    """How often an instinct reached a session, as far back as the record goes: the last time, and in how many."""

    last: Use
    sessions: int


def uses(projects: Iterable[str], session: str = "") -> Iterator[Use]:
    """Everything that reached sessions of these projects, the oldest first within each; or one session alone."""
    for project in projects:
        for record in log.records(project):
            if not session or record.get("session") == session:
                yield from _uses(record)


def _uses(record: dict[str, object]) -> Iterator[Use]:
    at, harness, session, event = (str(record.get(name, "")) for name in ("at", "harness", "session", "event"))
    for kind, withheld in (("items", False), ("withheld", True)):
        listed = record.get(kind, [])
        for one in listed if isinstance(listed, list) else ():
            if isinstance(one, list) and len(one) == 3:
                name, scope, text = map(str, one)
                yield Use(at, harness, session, event, name, scope, text, withheld)


def newest(project: str) -> Use | None:
    """The last time that anything reached a session of a project."""
    given = (one for one in uses([project]) if not one.withheld)
    return max(enumerate(given), key=lambda pair: (pair[1].at, pair[0]), default=(0, None))[1]


def used(project: str, scopes: Iterable[str] = ("project", paths.GLOBAL)) -> dict[tuple[str, str], Used]:
    """(scope, id) → how it was used. Of a global one the sessions of all projects count.

    Args:
        project: the id of the project, or `global`.
        scopes: those that are asked for.
    """
    found: dict[tuple[str, str], tuple[Use, set[str]]] = {}
    everywhere = paths.GLOBAL in scopes
    for place in _projects() if everywhere else state.stores(project):
        for one in uses([place]):
            if not one.withheld and (one.scope == paths.GLOBAL or place == project):
                last, sessions = found.get((one.scope, one.id), (one, set()))
                sessions.add(one.session or one.at)
                found[one.scope, one.id] = (one if one.at >= last.at else last, sessions)
    return {key: Used(last, len(sessions)) for key, (last, sessions) in found.items()}


def _projects() -> list[str]:
    """The projects that have a record."""
    from pathlib import Path

    folder = Path(log.files(paths.GLOBAL)[0]).parent
    return sorted(path.stem for path in folder.glob("*.jsonl")) if folder.is_dir() else []
