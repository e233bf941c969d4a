"""The log of who would get what: one line for each session and instinct, written before the text goes out.

What would be injected is eligible, whichever arm it falls into, and both arms are logged alike; otherwise the two would
not be comparable. What cannot be logged is not withheld either.
"""

from __future__ import annotations

from gitinstinct import paths
from gitinstinct.measure import assignment, files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

VERSION = 1
SUFFIX = ".jsonl"
INJECTED, WITHHELD = "injected", "withheld"


class Session:
    """The session that asks: its id and project, when, in which harness, with which model if that is known."""

    __slots__ = ("at", "harness", "id", "model", "project")

    def __init__(self, project: str, id: str, at: str, harness: str, model: str | None = None) -> None:
        self.project = project
        self.id = id
        self.at = at
        self.harness = harness
        self.model = model


class Eligible:
    """An instinct that the session would get.

    `text` is the hash of its words (`texts.of`), `scope` is `project` or `global`, `probation` says whether it may be
    withheld (`verdicts.on_probation` and `persons.may_withhold`).
    """

    __slots__ = ("id", "probation", "scope", "text")

    def __init__(self, id: str, text: str, scope: str, probation: bool) -> None:
        self.id = id
        self.text = text
        self.scope = scope
        self.probation = probation


def eligible(session: Session, items: Iterable[Eligible], share: float) -> frozenset[str]:
    """Writes down who would get what, and tells the ids that this session goes without. Never raises OSError.

    A session that asks again (resumed, compacted) gets the same answer. Without an id, a seed or a disk, and while
    nothing is measured, nothing is withheld.

    Args:
        session: who asks.
        items: all that it would get.
        share: of `switch.share()`.
    """
    seed = _seed(session, share)
    if seed is None:
        return frozenset()
    lines, without = [], set()
    for item in items:
        out = _is_out(seed, session, item, share)
        lines.append(_line(session, item, share, out))
        if out:
            without.add(item.id)
    if not lines or not files.append(paths.measure(session.project + SUFFIX), lines):
        return frozenset()
    return frozenset(without)


def goes_without(session: Session, item: Eligible, share: float) -> bool:
    """Whether a session goes without an instinct. Writes nothing: for what is said besides, such as a reminder."""
    seed = _seed(session, share)
    return seed is not None and _is_out(seed, session, item, share)


def _seed(session: Session, share: float) -> bytes | None:
    return assignment.seed() if share > 0 and session.id else None


def _is_out(seed: bytes, session: Session, item: Eligible, share: float) -> bool:
    return item.probation and assignment.withheld(seed, session.id, item.id, item.text, share)


def _line(session: Session, item: Eligible, share: float, out: bool) -> dict[str, Any]:
    return {
        "v": VERSION, "at": session.at, "session": session.id, "instinct": item.id, "text": item.text,
        "scope": item.scope, "model": session.model, "harness": session.harness,
        "arm": WITHHELD if out else INJECTED, "probation": item.probation, "share": share,
    }  # fmt: skip
