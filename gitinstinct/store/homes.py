"""The store that a project, or the person, has: made on first need.

A project that gets a remote gets another id. Its store then moves to the new id, and the old one stays known as an
alias, so that observations which were captured under it still find their store.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from gitinstinct import paths
from gitinstinct.git import identity
from gitinstinct.git.identity import Actor
from gitinstinct.store import driver, move, store
from gitinstinct.store.errors import Missing
from gitinstinct.store.layout import About
from gitinstinct.store.store import Store

if TYPE_CHECKING:
    from gitinstinct.capture.project import Project


def every() -> Iterator[Path]:
    """Where the stores of this machine lie: the global one first, then the projects'."""
    for place in (Path(paths.store(paths.GLOBAL)), *sorted(Path(paths.store("x")).parent.glob("[!.]*"))):
        if (place / ".git").exists():
            yield place


def find(project: Project) -> Store | None:
    """The project's store, or None if there is none yet."""
    try:
        return store.open(Path(paths.store(project.id)))
    except Missing:
        return None


def make(project: Project, now: datetime) -> Store:
    """The project's store, made if there is none. A store under the project's former id moves here first."""
    settle(project, now)
    return store.create(
        Path(paths.store(project.id)), _about(project), now, identity=_person(project), driver=driver.command()
    )


def make_global(now: datetime, project: Project | None = None) -> Store:
    """The person's own store, made if there is none; the person's name is read where they work."""
    place = Path(paths.store(paths.GLOBAL))
    return store.create(
        place, About(paths.GLOBAL, "", paths.GLOBAL), now, identity=_person(project), driver=driver.command()
    )


def settle(project: Project, now: datetime) -> bool:
    """Moves the store of a project that has got a remote meanwhile. Returns whether it did."""
    if not project.former or project.former == project.id:
        return False
    _remember_alias(project.former, project.id)
    old, new = Path(paths.store(project.former)), Path(paths.store(project.id))
    if not (old / ".git").exists() or (new / ".git").exists():
        return False
    move.move(old, new, _about(project), now)
    return True


def aliases(project_id: str) -> list[str]:
    """The ids that the project had before."""
    return sorted(old for old, new in _aliases().items() if new == project_id)


def current(project_id: str) -> str:
    """The id that the project has today."""
    return _aliases().get(project_id, project_id)


def _about(project: Project) -> About:
    if project.id == paths.GLOBAL:
        return About(paths.GLOBAL, "", paths.GLOBAL)
    return About("project", project.id, project.name)


def _person(project: Project | None) -> Actor | None:
    folder = Path(project.root) if project and project.root else Path(os.path.expanduser("~"))  # noqa: PTH111
    return identity.read(folder) if folder.is_dir() else None


def _aliases() -> dict[str, str]:
    with contextlib.suppress(OSError, ValueError):
        found = json.loads(Path(paths.aliases()).read_bytes())
        if isinstance(found, dict):
            return {str(old): str(new) for old, new in found.items()}
    return {}


def _remember_alias(old: str, new: str) -> None:
    known = _aliases()
    if known.get(old) == new:
        return
    file = Path(paths.aliases())
    paths.make_private(str(file.parent))
    draft = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    draft.write_text(json.dumps(known | {old: new}, indent=1), "utf-8")
    draft.replace(file)
