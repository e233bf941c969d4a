"""The four roots: writable, private, outside of any repository, and the only ones."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from gitinstinct import paths
from gitinstinct.doctor.diagnosis import Diagnosis, error, ok, warning

_KINDS = ("data", "config", "state", "cache")
_ROOM = 50_000_000  # bytes; below, the next weeks of observations may find none
_FOLDER, _FILE = 0o700, 0o600
_SHOWN = 3


def look() -> Iterator[Diagnosis]:
    """Everything about the roots."""
    yield from (_root(kind) for kind in _KINDS)
    yield from _modes()
    yield from _inside_repositories()
    yield from _elsewhere()


def _root(kind: str) -> Diagnosis:
    root = Path(paths.root(kind))
    there = next(folder for folder in (root, *root.parents) if folder.exists())
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        return error(kind, f"{there} cannot be written", "give yourself the right to, or set GITINSTINCT_HOME")
    free = shutil.disk_usage(there).free
    if free < _ROOM:
        return warning(kind, f"{there} has room for {free // 1_000_000} MB only", "make room: a full disk loses events")
    return ok(kind, str(root) if there == root else f"{root} will be made")


# --- privacy


def _modes() -> Iterator[Diagnosis]:
    if os.name != "posix":
        return
    open_ones = [path for path in _private() if stat.S_IMODE(path.lstat().st_mode) & 0o077]
    if not open_ones:
        yield ok("modes", "what is private can be read by you alone")
        return
    names = ", ".join(map(str, open_ones[:_SHOWN])) + (" …" if len(open_ones) > _SHOWN else "")
    text = f"others may read {len(open_ones)} of what is private: {names}"
    yield warning("modes", text, "gitinstinct doctor --fix closes them", lambda: _close(open_ones))


def _private() -> Iterator[Path]:
    """What must be private: the folders of `state`, the observations and tallies in them, the stores' folders."""
    state, data = Path(paths.root("state")), Path(paths.root("data"))
    found = [*state.glob("*/"), *state.glob("spool/*/"), *data.glob("global/"), *data.glob("projects/*/")]
    found += [*state.glob("spool/*/*.json*"), *state.glob("tally/*.json")]
    return (path for path in found if not path.is_symlink())


def _close(found: Iterable[Path]) -> None:
    for path in found:
        path.chmod(_FOLDER if path.is_dir() else _FILE)


# --- where they lie


def _inside_repositories() -> Iterator[Diagnosis]:
    for kind, what in (("state", "observations"), ("data", "stores")):
        root = Path(paths.root(kind))
        above = Path(os.path.realpath(root)).parents
        repository = next((folder for folder in above if (folder / ".git").exists()), None)
        if repository is not None:
            text = f"{root} lies inside the repository {repository}: a commit there could take in your {what}"
            yield warning(kind, text, "move it (GITINSTINCT_HOME), or have that repository ignore it")


def _elsewhere() -> Iterator[Diagnosis]:
    """Stores in another root: a variable was set or taken away, and what was learned seems to be gone."""
    used = Path(paths.root("data"))
    for other in dict.fromkeys(_usual()):
        if other != used and (any(other.glob("global/.git")) or any(other.glob("projects/*/.git"))):
            text = f"there are stores in {other} as well, which are not used now"
            yield warning(
                "data", text, f"move them to {used}, or set the variables as they were (GITINSTINCT_HOME, XDG)"
            )


def _usual() -> Iterator[Path]:
    home = Path(os.path.expanduser("~"))  # noqa: PTH111
    for variable, rest in (
        ("GITINSTINCT_HOME", "data"),
        ("XDG_DATA_HOME", "gitinstinct"),
        ("LOCALAPPDATA", "gitinstinct"),
    ):
        if os.environ.get(variable):
            yield Path(os.environ[variable]) / rest
    yield home / ".local" / "share" / "gitinstinct"
    yield home / "Library" / "Application Support" / "gitinstinct"
