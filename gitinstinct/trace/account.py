"""Why an instinct is as sure as it is: one account, from the first sighting to today.

The ledger gives the steps; the versions of the file tell which commit brought each of them in.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gitinstinct.git.repo import Repo
from gitinstinct.instinct import edit, markdown
from gitinstinct.instinct.confidence import Fold, steps
from gitinstinct.instinct.fields import DERIVED
from gitinstinct.instinct.ledger import Entry, live
from gitinstinct.instinct.model import Instinct
from gitinstinct.store import history
from gitinstinct.store.history import Logged
from gitinstinct.trace.past import Past, State

_KEY = re.compile(rb"\[([a-z0-9-]{6,40})\][ \t]*\r?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the ledger.

    Attributes:
        entry: the line.
        live: whether it counts; a retracted one, or one of an origin that counts already, does not.
        decay: hundredths lost since the step before, because nothing was seen.
        before: the confidence just before it, decay included; None if it does not move the confidence.
        after: the confidence after it; None likewise.
        commit: the commit that first held the line.
    """

    entry: Entry
    live: bool
    decay: int
    before: int | None
    after: int | None
    commit: Logged


@dataclass(frozen=True, slots=True)
class Account:
    """All that can be told of one instinct.

    Attributes:
        instinct: its newest readable text.
        since: the ISO day from which it counts while it has no ledger; empty if it has one.
        today: what it is worth on the day asked for.
        steps: how it came to that, in the order of the fold.
        first: the commit that brought the file.
        forged: derived field → what the file says and what its evidence gives, where these differ.
        fault: why the present file cannot be read; then `instinct` is an older state.
        removed: the commit that removed the file, if it is gone.
        gone: whether it is gone from `main`.
    """

    instinct: Instinct
    since: str
    today: Fold
    steps: tuple[Step, ...]
    first: Logged
    shown: Logged
    forged: Mapping[str, tuple[str, str]]
    fault: str
    removed: Logged | None
    gone: bool


def of(repo: Repo, past: Past, day: str) -> Account | None:
    """The account of an instinct as of an ISO day; None if no state of its file can be read."""
    state = past.last
    if state is None or state.instinct is None:
        return None
    instinct, since_when = state.instinct, brought(past)
    wanted = {past.commits[-1], state.commit, *since_when.values()} | ({past.removed.commit} if past.removed else set())
    told = history.told(repo, wanted)
    since = "" if instinct.adopted else told[state.commit].date.date().isoformat()
    return Account(
        instinct=instinct,
        since=since,
        today=instinct.fold(day, since),
        steps=tuple(_steps(instinct, {key: told[commit] for key, commit in since_when.items()}, told[state.commit])),
        first=told[past.commits[-1]],
        shown=told[state.commit],
        forged=_forged(state),
        fault=past.present.fault if past.present else "",
        removed=told[past.removed.commit] if past.removed else None,
        gone=past.present is None,
    )


def brought(past: Past) -> dict[str, str]:
    """Key → the oldest commit whose version holds it. Read from the bytes, so that unreadable versions count too."""
    found: dict[str, str] = {}
    for state in reversed(past.states):
        if isinstance(state.content, bytes):
            for key in _KEY.findall(state.content):
                found.setdefault(key.decode(), state.commit)
    return found


def _steps(instinct: Instinct, brought: Mapping[str, Logged], otherwise: Logged) -> Sequence[Step]:
    moved = {id(step.entry): step for step in steps(instinct.ledger, instinct.source)}
    alive = {id(entry) for entry in live(instinct.ledger)}  # by identity: a line that stands twice counts once
    made = []
    for entry in sorted(instinct.ledger, key=lambda entry: entry.order):
        step, commit = moved.get(id(entry)), brought.get(entry.key, otherwise)
        decay, before, after = (step.decay, step.before, step.after) if step else (0, None, None)
        made.append(Step(entry, id(entry) in alive, decay, before, after, commit))
    return made


def _forged(state: State) -> dict[str, tuple[str, str]]:
    """What the file says otherwise than its own ledger; nothing for a file without one."""
    assert isinstance(state.content, bytes)
    written, given = (markdown.parse(data).written for data in (state.content, edit.rederived(state.content)))
    return {name: (said(written, name), said(given, name)) for name in DERIVED if written.get(name) != given.get(name)}


def said(written: Mapping[str, int | str], name: str) -> str:
    """A derived field as people read it; empty where it is missing."""
    found = written.get(name, "")
    return f"{found / 100:.2f}" if name == "confidence" and isinstance(found, int) else str(found)
