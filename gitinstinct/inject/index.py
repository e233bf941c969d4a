"""What every instinct of a commit is worth, quickly: kept with its blob's id, so that only what changed is read again.

The index lies in the cache and can be deleted at any time. It holds no word of any instinct. Somebody waits for what is
made here, so the tree is listed and its blobs are read without a value for each of its other files.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from gitinstinct import __version__
from gitinstinct.git.blobs import blobs
from gitinstinct.git.repo import Repo
from gitinstinct.inject import facts, ready, state
from gitinstinct.inject.facts import Facts
from gitinstinct.instinct import ids, shelf
from gitinstinct.instinct.ids import path_of
from gitinstinct.instinct.shelf import Item

KIND = ".facts"
CAP = 65_536  # bytes of one file, as everywhere
_FORM = f"{state.FORMAT} {__version__}"
_PLAIN = b"100644 blob "


class Source(NamedTuple):
    """The instincts of a store at a commit: `files` is id → blob. `name` is the project's id, or `global`."""

    name: str
    scope: str
    repo: Repo
    commit: str
    files: Mapping[str, str]


def source(name: str, scope: str, repo: Repo, commit: str) -> Source:
    """The instincts of a commit, plain files only; what else lies there is none.

    Raises:
        GitError: there is no such commit.
    """
    listed = repo.run("ls-tree", "-z", "--full-tree", "--end-of-options", commit, ids.FOLDER).out
    files = {}
    for line in listed.split(b"\0"):
        if line.startswith(_PLAIN):
            oid, _, path = line[len(_PLAIN) :].decode("utf-8", "surrogateescape").partition("\t")
            if found := ids.of_path(path):
                files[found] = oid
    return Source(name, scope, repo, commit, files)


def worth(source: Source) -> dict[str, Facts]:
    """Id → what it is worth, of every readable instinct."""
    before = _kept(source.name)
    kept = {one: row for one, row in before.items() if source.files.get(one) == row[0]}
    new = read(source, [one for one in source.files if one not in kept])
    made = {one: facts.of(item.instinct, item.as_written) for one, item in new.items()}
    for one, oid in source.files.items():
        # Without a ledger an instinct counts from its commit's day, which a blob does not know: made anew each time.
        if one not in kept and (one not in new or new[one].instinct.adopted):
            kept[one] = (oid, made.get(one))
    if kept != before:
        _keep(source.name, kept)
    return {one: known for one, (_, known) in kept.items() if known is not None} | made


def read(source: Source, names: Iterable[str]) -> dict[str, Item]:
    """Some instincts in full, by id; what cannot be read is missing."""
    wanted = {name: source.files[name] for name in names}
    contents = blobs(source.repo, list(wanted.values()), CAP) if wanted else {}
    files = {name: data for name, oid in wanted.items() if isinstance(data := contents[oid], bytes)}
    return shelf.read(files, lambda name: _committed(source, name)).items


def _committed(source: Source, name: str) -> str:
    """The day from which an instinct without a ledger counts."""
    from gitinstinct.store import library
    from gitinstinct.store.tree import Tree

    alone = Tree(source.commit, {path_of(name): source.files[name]}, (), source.repo)
    return library.of_tree(alone).items[name].as_written


_Kept = tuple[str, Facts | None]  # the blob; None where it cannot be read under this name


def _kept(name: str) -> dict[str, _Kept]:
    """Id → what was kept of it; empty if there is no index of our making."""
    try:
        found = json.loads(Path(ready.path(name, KIND)).read_bytes())
        listed = found["rows"] if found["form"] == _FORM else {}
        return {one: (oid, Facts(*row) if row else None) for one, (oid, row) in listed.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def _keep(name: str, listed: dict[str, _Kept]) -> None:
    with contextlib.suppress(OSError):
        ready.write(name, KIND, json.dumps({"form": _FORM, "rows": listed}, separators=(",", ":")).encode())
