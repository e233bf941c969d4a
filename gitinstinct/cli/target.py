"""Which project and which stores a command speaks of: `--project DIR|ID`, `--global`, else the working directory."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from gitinstinct import paths
from gitinstinct.capture import project as projects
from gitinstinct.capture import reader
from gitinstinct.capture.project import Project
from gitinstinct.errors import Found, UsageError
from gitinstinct.store import store as stores
from gitinstinct.store.errors import Missing
from gitinstinct.store.store import Store

ProjectOption = Annotated[
    str | None, typer.Option("--project", metavar="DIR|ID", help="Another project, by its folder or its id.")
]
GlobalOption = Annotated[bool, typer.Option("--global", help="The global store instead of a project's.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]

_ID = re.compile(r"[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class Place:
    """One store that a command looks at; `store` is None while there is none."""

    scope: str
    project: Project
    store: Store | None

    @property
    def id(self) -> str:
        """The project's id, or `global`."""
        return self.project.id


def project(chosen: str | None) -> Project:
    """The project that is meant.

    Raises:
        UsageError: `chosen` is neither a folder nor an id.
    """
    if chosen is None:
        return projects.identify(_working_directory(), os.environ)
    folder = Path(chosen).expanduser()
    if folder.is_dir():
        return projects.identify(str(folder.resolve()), {"CLAUDE_PROJECT_DIR": str(folder.resolve())})
    if _ID.fullmatch(chosen):
        return _known(chosen)
    raise UsageError(
        f"{chosen} is neither a folder nor a project's id", "ids have twelve hex digits, see: status --json"
    )


def _working_directory() -> str:
    try:
        return str(Path.cwd())
    except OSError as error:
        raise UsageError("the working directory is gone", "change to one that exists") from error


def _known(project_id: str) -> Project:
    """A project by its id: what the hook or the store remembers of it, if only that something was captured there."""
    about = reader.about(project_id)
    name = about.get("name", "")
    if not name:
        try:
            name = stores.open(Path(paths.store(project_id))).about.name
        except Missing as error:
            if not reader.segments(project_id):
                raise Found(f"no project {project_id} is known here", "see: status --json") from error
    return Project(project_id, name, about.get("root", ""), about.get("remote", ""))


def place(found: Project) -> Place:
    """A project with its store, if it has one."""
    scope = paths.GLOBAL if found.id == paths.GLOBAL else "project"
    try:
        return Place(scope, found, stores.open(Path(paths.store(found.id))))
    except Missing:
        return Place(scope, found, None)


def places(chosen: str | None, only_global: bool) -> list[Place]:
    """The stores that a command reads: the project's and the global one, or the one that was asked for.

    Raises:
        UsageError: both options at once.
    """
    if chosen is not None and only_global:
        raise UsageError("--project and --global exclude each other", "give one of them")
    everybody = place(Project(paths.GLOBAL, paths.GLOBAL))
    if only_global:
        return [everybody]
    found = project(chosen)
    return [everybody] if found.id == paths.GLOBAL else [place(found), everybody]


def where(chosen: str | None, only_global: bool) -> Place:
    """The one place that a command works in."""
    return places(chosen, only_global)[0]
