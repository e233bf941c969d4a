"""Promotions as they wait: branches of a global store, made by plain git, honest ones and others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from gitinstinct import paths
from gitinstinct.git import run as running
from gitinstinct.store.layout import About
from gitinstinct.store.store import Store
from tests.support import files
from tests.support.repos import commit_all, git
from tests.support.stores import new_store

EVERYBODY = About("global", "", "global")
TAG = "0123456789ab"
GENESIS = "c1be5b3c76d2198213cc424d4f37b1b6c4f3d43a"
MAIN_OF_PROJECT = "f" * 40


def everybody(place: Path | None = None) -> Store:
    """A global store."""
    return new_store(place or Path(paths.store("global")), about=EVERYBODY)


def made(name: str, action: str = "Use `rg`.", trigger: str = "when searching text", **more: object) -> bytes:
    """An instinct as a global store holds it."""
    return files.made(name, trigger, action, **{"scope": "global", **more})


@contextmanager
def processes(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Sequence[str]]]:
    """What git was started for meanwhile."""
    started: list[Sequence[str]] = []
    real = running.run

    def run(argv: Sequence[str], **more: Any) -> running.Result:
        started.append(argv)
        return real(argv, **more)

    with monkeypatch.context() as patch:
        patch.setattr(running, "run", run)
        yield started


def branch(
    store: Store, name: str, content: Mapping[str, str | bytes], *, message: str = "", base: str = "main"
) -> str:
    """A commit of these files on `promote/<name>`, on top of it if it is there; HEAD is `main` again afterwards."""
    known = git(store.path, "for-each-ref", f"refs/heads/promote/{name}")
    git(store.path, "switch", "-q", *([f"promote/{name}"] if known else ["-c", f"promote/{name}", base]))
    made = commit_all(store.path, content, message or f"promote: {name}")
    git(store.path, "switch", "-q", "main")
    return made


def promoted(store: Store, name: str, data: bytes, *, tag: str = TAG, parent: str = GENESIS) -> str:
    """A project's promotion commit on its ref: exactly that file."""
    blob = git(store.path, "hash-object", "-w", "--stdin", stdin=data)
    inner = git(store.path, "mktree", stdin=f"100644 blob {blob}\t{name}.md\n".encode())
    tree = git(store.path, "mktree", stdin=f"040000 tree {inner}\tinstincts\n".encode())
    said = f"promote: {name}\n\n  0.50\n\nInstinct: {name} promoted 0.50\nPromoted-From: {tag} {MAIN_OF_PROJECT}\n"
    commit = git(store.path, "commit-tree", tree, "-p", parent, stdin=said.encode())
    git(store.path, "update-ref", f"refs/gitinstinct/promoted/{tag}/{name}", commit)
    return commit


def picked(store: Store, name: str, data: bytes, *, tag: str = TAG) -> str:
    """The same, picked by plain git onto a branch that waits."""
    commit = promoted(store, name, data, tag=tag)
    known = git(store.path, "for-each-ref", f"refs/heads/promote/{name}")
    git(store.path, "switch", "-q", *([f"promote/{name}"] if known else ["-c", f"promote/{name}", "main"]))
    git(store.path, "-c", "core.hooksPath=", "cherry-pick", "-x", commit)
    git(store.path, "switch", "-q", "main")
    return git(store.path, "rev-parse", f"promote/{name}")
