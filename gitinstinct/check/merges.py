"""The merge commits of a store, made again: what the one merge makes of their parents, and what they hold instead.

Nobody can tell by a commit which program merged it, so each one is judged by its result. That is a few processes for
each; one that was found sound is remembered by its id, in the cache, and never looked at again.
"""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from gitinstinct import paths
from gitinstinct.check import textmerge
from gitinstinct.check.rules import Finding, Found, told
from gitinstinct.check.textmerge import Sides, Wound
from gitinstinct.errors import Found as NothingShared
from gitinstinct.git.blobs import blob_id, blobs
from gitinstinct.git.repo import Repo, diff_tree
from gitinstinct.instinct import ids
from gitinstinct.store import layout, merging
from gitinstinct.store.checkout import blob
from gitinstinct.store.tree import Tree

MOST = 200
_VERSION = "1"  # of the judgement; another one forgets what was found sound


@dataclass(frozen=True, slots=True)
class Merge:
    """A merge commit of two parents."""

    commit: str
    ours: str
    theirs: str


@dataclass(frozen=True, slots=True)
class Wounded:
    """A file that a merge commit left wrong, and that still is."""

    path: str
    commit: str
    wound: Wound

    @property
    def finding(self) -> Finding:
        """The same for `check` to tell."""
        why = f"since the merge {self.commit[:10]} it {self.wound.why}"
        return told(Found("text-merge", None, why, severity=self.wound.severity), self.path)


def look(newest: Tree, store: str, edits: Mapping[str, bytes | None] | None = None) -> list[Wounded]:
    """What the newest merges of a store left wrong, the oldest first.

    Args:
        newest: the tree of `main`.
        store: the store's name, under which is remembered what was found sound.
        edits: files as they will be before anything is healed, by path.

    Raises:
        GitError: the history cannot be read.
    """
    listed = _listed(newest.repo, newest.commit)
    known = _remembered(store) & {one.commit for one in listed}
    hurt = _hurt(newest.repo, [one for one in listed if one.commit not in known])
    sound = {one.commit for one in listed if one not in hurt}
    if sound != known:
        _remember(store, sound)
    now = dict(edits or {})
    return [wounded for one, files in hurt.items() for wounded in _wounded(one, files, newest, now)]


def look_since(newest: Tree, before: str) -> tuple[list[Wounded], bool]:
    """The same for the merges that a commit does not have; and whether there are more than are looked at.

    Nothing is remembered: the commits may be anybody's.
    """
    listed = _listed(newest.repo, newest.commit, f"^{before}")
    now: dict[str, bytes | None] = {}
    hurt = _hurt(newest.repo, listed)
    wounds = [wounded for one, files in hurt.items() for wounded in _wounded(one, files, newest, now)]
    return wounds, len(listed) == MOST


def _hurt(repo: Repo, some: Iterable[Merge]) -> dict[Merge, dict[str, Sides]]:
    sides = {one: _sides(repo, one) for one in some}
    return {one: files for one, files in sides.items() if any(_is_wrong(path, each) for path, each in files.items())}


def _is_wrong(path: str, sides: Sides) -> bool:
    return textmerge.wound(sides, sides.held, _name(path)) is not None


def _wounded(one: Merge, sides: Mapping[str, Sides], newest: Tree, now: dict[str, bytes | None]) -> Iterator[Wounded]:
    """What of it is still so today. `now` holds the files as they will be once all before is healed."""
    for path, each in sides.items():
        if path not in now:
            now[path] = newest.read(path)
        wound = textmerge.wound(each, now[path], _name(path))
        if wound is not None:
            now[path] = wound.healed
            yield Wounded(path, one.commit, wound)


def _listed(repo: Repo, tip: str, *without: str) -> list[Merge]:
    """The newest merges of two, in the order in which they were made."""
    flags = ("--merges", "--parents", "--topo-order", f"--max-count={MOST}")
    lines = [line.split(" ") for line in repo.ask("rev-list", *flags, "--end-of-options", tip, *without).splitlines()]
    return [Merge(*line) for line in reversed(lines) if len(line) == 3]


def _name(path: str) -> str:
    return ids.of_path(path) or ""


# --- one merge


def _sides(repo: Repo, one: Merge) -> dict[str, Sides]:
    """Each instinct in which a merge commit is not what the one merge makes of its parents."""
    try:
        right = merging.decide(repo, one.ours, one.theirs)
    except NothingShared:
        return {}
    made = {change.path: change.new for change in diff_tree(repo, one.ours, one.commit)}
    wanted = {path: blob_id(data, one.commit) if data is not None else None for path, data in right.files.items()}
    other = [
        path
        for path in sorted(made.keys() | wanted.keys())
        if ids.of_path(path) and (path not in made or path not in wanted or blob(made[path]) != wanted[path])
    ]
    return _read(repo, one, right.files, other)


def _read(repo: Repo, one: Merge, right: Mapping[str, bytes | None], other: Iterable[str]) -> dict[str, Sides]:
    listed = list(other)
    if not listed:
        return {}
    read = blobs(repo, [f"{commit}:{path}" for commit in (one.ours, one.commit) for path in listed], layout.CAP)
    bytes_ = {name: data if isinstance(data, bytes) else None for name, data in read.items()}
    held = {path: bytes_[f"{one.commit}:{path}"] for path in listed}
    wanted = {path: right[path] if path in right else bytes_[f"{one.ours}:{path}"] for path in listed}
    gone = [path for path in listed if held[path] is None and wanted[path] is not None]
    strangers = {key: _name(path) for path in gone for key in textmerge.keys(wanted[path], _name(path))}
    sides = {path: _of(path, held[path], data, strangers) for path in listed if (data := wanted[path]) is not None}
    adopted = {name for each in sides.values() for name in each.strangers.values()}
    return {path: each for path, each in sides.items() if each.held is not None or _name(path) in adopted}


def _of(path: str, held: bytes | None, right: bytes, strangers: Mapping[str, str]) -> Sides:
    """A file, with those of the lost lines that it holds and should not."""
    extra = textmerge.keys(held, _name(path)) - textmerge.keys(right, _name(path))
    return Sides(held, right, {key: name for key, name in strangers.items() if key in extra})


# --- remembering


def _file(store: str) -> Path:
    return Path(paths.root("cache")) / "merges" / store


def _remembered(store: str) -> set[str]:
    try:
        version, *commits = _file(store).read_text("ascii").splitlines() or [""]
    except (OSError, ValueError):
        return set()
    return set(commits) if version == _VERSION else set()


def _remember(store: str, commits: Iterable[str]) -> None:
    """Best effort: without it the same is found again, only later."""
    file = _file(store)
    draft = file.with_name(f".{store}.{secrets.token_hex(4)}")
    with contextlib.suppress(OSError):
        paths.make_private(str(file.parent))
        draft.write_text("\n".join([_VERSION, *sorted(commits)]) + "\n", "ascii")
        draft.replace(file)
