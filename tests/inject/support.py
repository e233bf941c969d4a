"""Sessions for tests: a project with a store, instincts in it, and the hook called as a harness calls it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gitinstinct import hook as whole
from gitinstinct import paths
from gitinstinct.capture import hook, intake
from gitinstinct.git.trailers import Message
from gitinstinct.inject import prepare
from gitinstinct.instinct import ids, ledger, markdown
from gitinstinct.store import commit
from gitinstinct.store import store as stores
from gitinstinct.store.layout import About
from gitinstinct.store.store import Store
from gitinstinct.trust import giving
from tests.support.repos import git
from tests.support.stores import NOW, new_store

PROJECT = "e5c363015306"
DAY = NOW.date().isoformat()


def project(home: Path) -> Path:
    """A code project, whose id is `PROJECT`."""
    folder = home / "work" / "my-api"
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main", "--template=")
    git(folder, "remote", "add", "origin", "git@github.com:Acme/My-API.git")
    return folder


def a_store() -> Store:
    """The project's store."""
    return new_store(about=About("project", PROJECT, "my-api"))


def everybodys() -> Store:
    """The global store."""
    return stores.create(Path(paths.store(paths.GLOBAL)), About("global", "", "global"), NOW)


def made(name: str, confidence: int = 80, action: str = "Do it.", day: str = DAY, **more: object) -> bytes:
    """An instinct of that confidence on that day."""
    entry = ledger.Entry(day, "set", confidence, "by hand", "01m7v41f00-c5d89181")
    fields: dict[str, object] = {"id": name, "trigger": f"when {name.replace('-', ' ')}", "domain": "workflow"}
    fields |= {"source": "manual", "scope": "project"}
    return markdown.compose(fields | more, name.replace("-", " ").title(), action, [entry])


def put(store: Store, *files: bytes | None, trusted: bool = True, **named: bytes | None) -> None:
    """Commits instincts; files by id where they are not readable or to be removed."""
    by_id = {markdown.parse(data).id: data for data in files if data is not None}
    by_id |= {name.replace("_", "-"): data for name, data in named.items()}  # type: ignore[misc]
    change = commit.Change({ids.path_of(name): data for name, data in by_id.items()}, Message("set: by a test"))
    commit.write(store, lambda _: change, NOW)
    if trusted:
        consent(*files)


def consent(*files: bytes | None) -> None:
    """A person lets these words reach an agent."""
    giving.approve([markdown.parse(data) for data in files if data is not None], "a test", NOW)


def send(
    folder: Path,
    event: str = "SessionStart",
    harness: str = "claude-code",
    env: Mapping[str, str] | None = None,
    ready: bool = True,
    **fields: Any,
) -> str:
    """What the hook prints for a payload; what it needs is prepared before, as its own process would do."""
    os.environ |= env or {}  # which are the test's own
    given = dict(os.environ)
    if ready:
        prepare.prepare(PROJECT, given)
    payload = {"session_id": "s-1", "cwd": str(folder), "hook_event_name": event, **fields}
    if event == "SessionStart":
        payload.setdefault("source", "startup")
    return hook.run([harness], [intake.Payload(json.dumps(payload).encode())], given, whole.answer)


def told(answer: str) -> str:
    """The text that an agent gets."""
    found = json.loads(answer) if answer else {}
    return str(found.get("hookSpecificOutput", {}).get("additionalContext", ""))


def got(answer: str) -> list[str]:
    """The ids that a session got, in order."""
    lines = [line for line in told(answer).split("\n") if line.startswith(("- ", "  ")) and line.endswith("]")]
    return [line.rpartition("[")[2].partition(",")[0] for line in lines]
