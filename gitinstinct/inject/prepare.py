"""Prepares what the hook gives: reads both stores at the commits where they stand, judges, and leaves it in the cache.

Runs as a process of its own, started by the hook that found nothing prepared. What a session's start needs is written
first, since somebody waits for it; the index of words comes after.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from gitinstinct import clock, config, paths
from gitinstinct.errors import FatalError
from gitinstinct.git.blobs import blobs
from gitinstinct.git.repo import Repo, is_object_id, resolve
from gitinstinct.inject import block, index, lexicon, ready, render, rules, select, state
from gitinstinct.inject.index import Source
from gitinstinct.inject.select import PROJECT, Known, Rules
from gitinstinct.instinct.shelf import Item
from gitinstinct.measure import texts

BRANCH = "refs/heads/main"
SPARE = 40
"""How many more than fit are kept: some may have lost their ground, or are in the session already."""


def main() -> None:
    """The process: one argument, the project's id."""
    prepare(sys.argv[1], os.environ)


def prepare(project: str, env: Mapping[str, str]) -> None:
    """Prepares everything for sessions of a project.

    Raises:
        OSError: the cache cannot be written.
        UsageError: `GITINSTINCT_NOW` is no time.
    """
    # Told before anything is read: what moves meanwhile is another state, and is prepared again.
    at = state.of(project, env)
    if not at:
        return
    decided = rules.read(config.read(), project)
    day = clock.now().date().isoformat()
    sources = _sources(project)
    found = [known for one in sources for known in _known(one, day)]
    fit, left = select.ranked(found, decided)
    start = _start(fit, sources, decided) | {"state": at, "waiting": select.waiting(left)}
    ready.write(project, ready.START, json.dumps(start).encode())
    _words(project, at, fit, sources, decided)


def _sources(project: str) -> list[Source]:
    """The stores that can be used; any other gives nothing, and `status` and `doctor` say why."""
    found = []
    for name in state.stores(project):
        path = Path(paths.store(name))
        head = state.head(str(path))
        repo = Repo(path / ".git", path)
        try:
            commit = head if is_object_id(head) else resolve(repo, BRANCH)
            if commit and _is_store(repo, commit):
                found.append(index.source(name, paths.GLOBAL if name == paths.GLOBAL else PROJECT, repo, commit))
        except FatalError:
            continue
    return found


def _is_store(repo: Repo, commit: str) -> bool:
    """Whether we know the format of a store. What we wrote ourselves is told by its first line, in half the time."""
    about = f"{commit}:store.yaml"
    content = blobs(repo, [about], index.CAP)[about]
    if isinstance(content, bytes) and not content.startswith(b"format: 1\n"):
        from gitinstinct.store import layout

        layout.read_about(content, str(repo.work_tree))
    return isinstance(content, bytes)


def _known(source: Source, day: str) -> Iterator[Known]:
    for name, worth in index.worth(source).items():
        confidence = worth.confidence(day)
        yield Known(source.scope, name, worth, confidence, worth.status(confidence))


def _start(fit: list[Known], sources: list[Source], decided: Rules) -> dict[str, Any]:
    """What a session's start may get: the surest, some more than fit."""
    settings = decided.settings
    surest = [one for one in fit if not one.facts.pathed][: settings.most + SPARE]
    items = _read(surest, sources)
    made = [_entry(one, items[one.scope, one.id], decided) for one in surest if (one.scope, one.id) in items]
    return {"most": settings.most, "budget": min(settings.budget, block.ROOM), "items": made}


def _read(found: list[Known], sources: list[Source]) -> dict[tuple[str, str], Item]:
    read = {}
    for source in sources:
        items = index.read(source, [one.id for one in found if one.scope == source.scope])
        read.update({(source.scope, name): item for name, item in items.items()})
    return read


def _entry(one: Known, item: Item, decided: Rules) -> dict[str, Any]:
    settled = decided.settled.get((one.id, texts.of(item.instinct)), ())
    return render.entry(one.scope, item.instinct, one.confidence, one.facts.text, settled)


def _words(project: str, at: str, fit: list[Known], sources: list[Source], decided: Rules) -> None:
    """The index of words over everything that a prompt may get, and what tool calls are held against."""
    items = _read(fit, sources)
    read = [(items[one.scope, one.id].instinct, one) for one in fit if (one.scope, one.id) in items]
    made = [(instinct, _entry(one, items[one.scope, one.id], decided)) for instinct, one in read]
    settings = decided.settings
    header = {"state": at, "most": settings.prompt_most, "budget": min(settings.prompt_budget, block.ROOM)}
    ready.write(project, ready.WORDS, lexicon.index(header, made))
    checks = [entry | {"check": said} for instinct, entry in made if (said := instinct.extra.get("check"))]
    if settings.remind and checks:
        ready.write(project, ready.CHECKS, json.dumps({"state": at, "items": checks}).encode())
    else:
        ready.remove(project, ready.CHECKS)
