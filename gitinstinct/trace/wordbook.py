"""What every instinct of a store says: trigger and action, kept in the cache by blob id.

To find the neighbours of one instinct all the others must be known, and reading thousands of files takes seconds. A
blob never changes, so what was read of it once stays true; only new blobs are read. The cache may be deleted at any
time.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from gitinstinct import paths
from gitinstinct.git.blobs import Unreadable, blobs
from gitinstinct.git.repo import Repo, ls_tree
from gitinstinct.instinct import ids, markdown
from gitinstinct.instinct.errors import Invalid
from gitinstinct.store import layout
from gitinstinct.store.layout import BRANCH
from gitinstinct.store.store import Store

_FORMAT = 1

Words = tuple[str, str] | None
"""Trigger and action; None where the blob is no readable instinct, or one that says nothing any more."""


@dataclass(frozen=True, slots=True)
class Said:
    """One instinct's words."""

    id: str
    trigger: str
    action: str


def read(store: Store) -> list[Said]:
    """What each readable instinct of `main` says, by id.

    Raises:
        GitError: `main` cannot be read.
    """
    entries = ls_tree(store.repo, BRANCH, ids.FOLDER)
    here = {name: entry.oid for entry in entries if entry.kind == "blob" and (name := ids.of_path(entry.path))}
    file = Path(paths.root("cache")) / "words" / f"{store.name}.json"
    known = _load(file)
    new = set(here.values()) - set(known)
    if new:
        known = {blob: known[blob] for blob in here.values() if blob in known} | dict(_read(store.repo, new))
        _keep(file, known)
    return [Said(name, *words) for name, blob in sorted(here.items()) if (words := known[blob])]


def _read(repo: Repo, wanted: Iterable[str]) -> Iterator[tuple[str, Words]]:
    for blob, content in blobs(repo, sorted(wanted), layout.CAP).items():
        yield blob, None if isinstance(content, Unreadable) else _words(content)


def _words(content: bytes) -> Words:
    try:
        instinct = markdown.parse(content)
    except Invalid:
        return None
    return None if instinct.forgotten else (instinct.trigger, instinct.action)


def _load(file: Path) -> dict[str, Words]:
    """The cache; empty if there is none, or one that this program did not write."""
    try:
        found = json.loads(file.read_bytes())
        if found["format"] != _FORMAT:
            return {}
        return {str(blob): (str(words[0]), str(words[1])) if words else None for blob, words in found["said"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError):
        return {}


def _keep(file: Path, known: dict[str, Words]) -> None:
    """Best effort: without a cache it only takes longer."""
    draft = file.with_name(f".{file.name}.{os.getpid()}-{secrets.token_hex(4)}")
    try:
        paths.make_private(str(file.parent))
        draft.write_text(json.dumps({"format": _FORMAT, "said": known}), "utf-8")
        draft.replace(file)
    except OSError:
        with contextlib.suppress(OSError):
            draft.unlink()
