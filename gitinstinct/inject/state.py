"""What the prepared text depends on, as one short text: if it is the same, the prepared text is still right.

Where `main` stands is read by hand in both stores, without a git: loose refs, packed refs, symbolic refs, and the list
of tables of a reftable. Settings, consent and verdicts count by the identity of their files, so that an edit by any
program is seen.
"""

from __future__ import annotations

import os
import time

from gitinstinct import __version__, paths
from gitinstinct.capture import codec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

FORMAT = "2"
PREFIX = "GITINSTINCT_INJECT"
_BRANCH = "refs/heads/main"
_HEX = frozenset("0123456789abcdef")
_DEEPEST = 5  # as git: a symbolic ref that leads to one that leads to one …
_MOST = 1 << 24  # bytes of packed refs


def of(project: str, env: Mapping[str, str]) -> str:
    """The state for sessions of a project; "" while it has no store and there is no global one either."""
    heads = [head(paths.store(name)) for name in stores(project)]
    if not any(heads):
        return ""
    files = [paths.config_file(), paths.trust(), paths.measure("verdicts.json")]
    given = [f"{name}={env[name]}" for name in sorted(env) if name.startswith(PREFIX)]
    return "\n".join([FORMAT, __version__, *heads, *map(_identity, files), *given, day(env)])


def stores(project: str) -> list[str]:
    """The stores that a session gets something from, the nearer one first."""
    return [paths.GLOBAL] if project == paths.GLOBAL else [project, paths.GLOBAL]


def day(env: Mapping[str, str]) -> str:
    """Today in UTC, as ISO text; what `GITINSTINCT_NOW` says when that is set."""
    fixed = env.get("GITINSTINCT_NOW")
    if fixed:
        from gitinstinct import clock

        return clock.parse(fixed).date().isoformat()
    year, month, number = time.gmtime()[:3]
    return f"{year:04d}-{month:02d}-{number:02d}"


def _identity(path: str) -> str:
    """What changes when a file is written, replaced, made or removed."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return "-"
    return f"{found.st_size}.{found.st_mtime_ns}.{found.st_ino}"


# --- where main stands


def head(store: str) -> str:
    """What names the commit of a store's `main`: its id, or a hash of the tables that hold it; "" if there is none."""
    git = os.path.join(store, ".git")
    name = _BRANCH
    for _ in range(_DEEPEST):
        said = _read(os.path.join(git, *name.split("/"))).strip()
        if _is_id(said):
            return said
        if not said.startswith("ref:"):
            return _packed(git, name) or _tables(git)
        name = said[4:].strip()
        if not name.startswith("refs/") or ".." in name:
            return ""
    return ""


def _packed(git: str, name: str) -> str:
    text = "\n" + _read(os.path.join(git, "packed-refs"))
    end = text.find(f" {name}\n")
    found = text[text.rfind("\n", 0, end) + 1 : end] if end > 0 else ""
    return found if _is_id(found) else ""


def _tables(git: str) -> str:
    listed = _read(os.path.join(git, "reftable", "tables.list"))
    return "reftable " + codec.short_hash(listed, 40) if listed else ""


def _is_id(text: str) -> bool:
    return len(text) in (40, 64) and _HEX.issuperset(text)


def _read(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return file.read(_MOST).decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""
