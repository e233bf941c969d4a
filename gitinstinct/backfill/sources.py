"""Where past sessions lie, and which of them belong to this project.

Claude Code and Codex keep one file a session, everything-claude-code keeps one a project. The names of folders tell
nothing reliable: a session belongs to the project of the folder that it began in, as with a live capture. Files of
other projects are looked at as far as that folder, and no further.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gitinstinct import paths
from gitinstinct.backfill import lines, readers
from gitinstinct.backfill.event import map_of, moment, text_of
from gitinstinct.backfill.readers import Kind, Value
from gitinstinct.capture import project as projects

if TYPE_CHECKING:
    from gitinstinct.capture.project import Project

_HEAD = 200  # lines that are looked at to tell what a file is
_ENOUGH = 30
_LIGHT = 256_000  # bytes of a line that is kept whole
_TEXT, _ITEMS, _KEYS = 4_000, 4, 50  # characters of a text, items of a list, keys of a map that are kept of others
_STEM = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|agent-[\w-]+", re.IGNORECASE)
_POINTER = b"version https://git-lfs.github.com/spec/"
_OBSERVERS = re.compile(r"[/\\](?:\.claude[/\\]homunculus|ecc-homunculus|\.claude-mem|\.observer-tmp)(?:[/\\]|$)")
_UNKNOWN = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file that may hold past sessions; `named` tells that the person gave this very file."""

    path: Path
    named: bool = False


@dataclass(frozen=True, slots=True)
class Past:
    """A file that does; `projects` as in `readers.Setting`."""

    path: Path
    size: int
    inode: int
    modified: datetime
    kind: Kind
    begun: datetime
    projects: frozenset[str] | None


@dataclass(slots=True)
class Survey:
    """What was found: files to read, the oldest first, and why others are none."""

    files: list[Past] = field(default_factory=list)
    passed: Counter[str] = field(default_factory=Counter)


# --- candidates


def usual(env: Mapping[str, str], home: Path, foreign_ids: Iterable[str], root: str) -> Iterator[Candidate]:
    """The files in the usual places.

    Whoever writes into a project could plant a past in it, and its `.envrc` could lead there: what lies below the
    project's own folder is read only if the person names it.

    Args:
        env: where agents were told to keep their files.
        home: the person's home.
        foreign_ids: the names under which another observer keeps this project.
        root: the project's folder, "" if it is not known.
    """
    for candidate in _usual(env, home, foreign_ids):
        if not root or _is_below(home, root) or not _is_below(candidate.path, root):
            yield candidate


def _is_below(path: Path, folder: str) -> bool:
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def _usual(env: Mapping[str, str], home: Path, foreign_ids: Iterable[str]) -> Iterator[Candidate]:
    chosen = [Path(env["CLAUDE_CONFIG_DIR"])] if env.get("CLAUDE_CONFIG_DIR") else []
    for folder in (*chosen, home / ".claude", home / ".config" / "claude"):
        sessions = _files(folder / "projects", "*/*.jsonl")
        yield from (Candidate(path) for path in sessions if _STEM.fullmatch(path.stem))
        yield from map(Candidate, _files(folder / "projects", "*/*/subagents/agent-*.jsonl"))
    codex = Path(env.get("CODEX_HOME") or home / ".codex")
    for name in ("sessions", "archived_sessions"):
        yield from map(Candidate, _files(codex / name, "**/rollout-*.jsonl"))
    for keeper in keepers(env, home):
        for name in foreign_ids:
            yield from map(Candidate, _files(keeper / "projects" / name, "**/*.jsonl"))


def keepers(env: Mapping[str, str], home: Path) -> list[Path]:
    """The folders in which everything-claude-code keeps what it observed."""
    shared = Path(env.get("XDG_DATA_HOME") or home / ".local/share")
    own = env.get("CLV2_HOMUNCULUS_DIR")
    return [Path(own)] if own else [home / ".claude" / "homunculus", shared / "ecc-homunculus"]


def given(path: Path) -> Iterator[Candidate]:
    """The files of a path that the person gave: itself, or every file of JSON lines below it."""
    if path.is_dir():
        yield from map(Candidate, _files(path, "**/*.jsonl"))
    else:
        yield Candidate(path, named=True)


def _files(folder: Path, pattern: str) -> Iterator[Path]:
    try:
        yield from sorted(path for path in folder.glob(pattern) if path.is_file())
    except OSError:
        return


def foreign_ids(project: Project) -> frozenset[str]:
    """The ids that everything-claude-code gives to this project: a hash of its remote as written, or of its folder."""
    spelled = [project.root, os.path.realpath(project.root)] if project.root else []
    config = Path(project.root, ".git", "config") if project.root else None
    if config is not None and config.is_file():
        url = projects.origin(config.read_text("utf-8", "surrogateescape"))
        spelled += [url, url.removesuffix(".git")] if url else []
    return frozenset(hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:12] for text in spelled)


# --- survey


def survey(candidates: Iterable[Candidate], project: Project, former: Iterable[str], *, subagents: bool) -> Survey:
    """Looks at the beginning of each file, and tells what it is and whose."""
    found, looked = Survey(), set()
    belongs = cache(lambda cwd: _belongs(cwd, project, frozenset(former)))
    for candidate in candidates:
        real = os.path.realpath(candidate.path)
        if real in looked:
            continue
        looked.add(real)
        try:
            past: Past | str = _look(candidate, project, belongs, subagents)
        except OSError as error:
            past = f"files that cannot be read ({error.strerror})"
        if isinstance(past, str):
            found.passed[past] += 1
        else:
            found.files.append(past)
    # A session is told better by its transcript than by what another observer kept of it, and comes before its copies.
    found.files.sort(key=lambda past: (past.kind.FAMILY == "observations", past.begun, str(past.path)))
    return found


def head(path: Path, stop: Callable[[Value], bool] = lambda value: False) -> list[Value]:
    """The first objects of a file, as many as it takes to know what it is and in which folder it began.

    Args:
        path: the file.
        stop: tells of an object that nothing behind it matters.

    Raises:
        OSError: the file cannot be read.
    """
    values: list[Value] = []
    for line in islice(lines.read(path), _HEAD):
        is_light = line.end - line.offset <= _LIGHT
        values += line.values if is_light else map(_outline, line.values)
        if any(map(stop, line.values)) or (len(values) >= _ENOUGH and any(map(_cwd, values))):
            break
    return values


def _outline(value: Any, depth: int = 4) -> Any:
    """The beginnings of all that an object holds: a head stays in memory while its file is read."""
    if isinstance(value, str):
        return value[:_TEXT]
    if isinstance(value, list):
        return [_outline(one, depth - 1) for one in value[:_ITEMS]] if depth else []
    if isinstance(value, dict):
        return {key: _outline(one, depth - 1) for key, one in islice(value.items(), _KEYS)} if depth else {}
    return value


def _look(candidate: Candidate, project: Project, belongs: Any, subagents: bool) -> Past | str:
    """What a file is, or why it is passed over."""
    path, status = candidate.path, candidate.path.stat()
    if not stat.S_ISREG(status.st_mode):
        return "no plain files"
    with path.open("rb") as file:
        if file.read(len(_POINTER)) == _POINTER:
            return "Git LFS pointers, not the files themselves (git lfs pull)"
    if path.stem.startswith("agent-") and not subagents:
        return "files of subagents"
    values = head(path, lambda value: bool(_cwd(value)) and belongs(_cwd(value)) is False)
    kind = readers.kind_of(values)
    if kind is None:
        return "empty files" if not status.st_size else "files of another kind"
    cwd = next(filter(None, map(_cwd, values)), "")
    if kind.is_observer(values) or _is_observers(path, cwd):
        return "sessions of observers"
    if reason := _stranger(candidate, kind, cwd, belongs):
        return reason
    begun = next(filter(None, (moment(value.get("timestamp", value.get("ts"))) for value in values)), _UNKNOWN)
    modified = datetime.fromtimestamp(status.st_mtime, UTC)
    ids = None if candidate.named else foreign_ids(project) | {project.id}
    return Past(path, status.st_size, status.st_ino, modified, kind, begun, ids)


def _stranger(candidate: Candidate, kind: Kind, cwd: str, belongs: Any) -> str:
    """Why a file is not this project's; "" if it is. Of a file that was named that has to be certain."""
    if kind.FAMILY == "observations" and not cwd:
        return ""
    whose = belongs(cwd) if cwd else None
    if whose is False:
        return "sessions of other projects"
    return "" if whose or candidate.named else "sessions of folders that are not here"


def _belongs(cwd: str, project: Project, former: frozenset[str]) -> bool | None:
    """Whether a folder is the project's; None where there is no telling, because it is not here."""
    found = projects.known_id(cwd)
    if found:
        return found == project.id or found in former
    inside = bool(project.root) and (cwd == project.root or cwd.startswith(project.root + os.sep))
    if inside and (found is None or not projects.known_id(project.root)):
        return True
    return False if found is not None or Path(cwd).is_dir() else None


def _cwd(value: Mapping[str, Any]) -> str:
    return text_of(value.get("cwd")) or text_of(map_of(value.get("payload")).get("cwd"))


def _is_observers(path: Path, cwd: str) -> bool:
    """Whether a session was led in a folder in which programs observe, ours among them."""
    own = any(cwd == folder or cwd.startswith(folder + os.sep) for folder in map(paths.root, ("data", "state")))
    return own or bool(_OBSERVERS.search(cwd)) or "claude-mem-observer-sessions" in path.parent.name
