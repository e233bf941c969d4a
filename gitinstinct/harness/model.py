"""What is to know about a harness: its name, its settings files, the events it reports and how our hook is registered.

A harness is data. Claude Code and those built after it (Qoder) share the three-level shape of `settings.py`, so
each of them is one small module that fills in this class.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from gitinstinct.errors import EnvironmentFault
from gitinstinct.harness import ownership


class Scope(StrEnum):
    """Whose settings: the person's, the project's (committed), or the person's for one project."""

    USER = "user"
    PROJECT = "project"
    LOCAL = "local"


@dataclass(frozen=True, slots=True)
class Program:
    """What a hook starts: an interpreter and our shim, both absolute."""

    python: str
    shim: str


@dataclass(frozen=True, slots=True)
class Event:
    """How one event is registered. `waits`: the harness waits for the hook, since it may answer or must be in time."""

    timeout: int  # seconds, above 0
    waits: bool = False


@dataclass(frozen=True, slots=True)
class Harness:
    """One agent program that keeps its hooks in JSON settings of three levels."""

    name: str  # as on our command line
    title: str  # as its makers write it
    folder: str  # below the home and below a project
    events: Mapping[str, Event]
    folder_variable: str = ""  # the environment variable that moves the folder below the home

    def settings_file(self, scope: Scope, project_root: Path | None, env: Mapping[str, str]) -> Path:
        """The settings file of a scope; it need not exist.

        Raises:
            EnvironmentFault: the scope needs a project or a home, and there is none.
        """
        if scope is Scope.USER:
            return self._user_folder(env) / "settings.json"
        if project_root is None:
            raise EnvironmentFault(f"the scope {scope} needs a project", "run this inside a git repository")
        name = "settings.json" if scope is Scope.PROJECT else "settings.local.json"
        return project_root / self.folder / name

    def _user_folder(self, env: Mapping[str, str]) -> Path:
        moved = env.get(self.folder_variable, "") if self.folder_variable else ""
        if moved:
            return Path(moved)
        home = env.get("HOME") or env.get("USERPROFILE")
        if not home:
            raise EnvironmentFault("there is no home directory", "set HOME")
        return Path(home) / self.folder

    def groups(self, scope: Scope, program: Program, waiting: Collection[str] = ()) -> dict[str, dict[str, object]]:
        """Event → the hook group to register there, in the shape of `settings.py`.

        `waiting`: events for which the harness waits besides, since the person wants an answer there.
        """
        if scope is Scope.PROJECT:
            return self.portable_groups()
        start = {"command": program.python, "args": ["-I", "-S", program.shim, self.name]}
        asked = {name: replace(event, waits=event.waits or name in waiting) for name, event in self.events.items()}
        return {name: _group(start, event) for name, event in asked.items()}

    def portable_groups(self) -> dict[str, dict[str, object]]:
        """The groups for files that travel (a committed file, the plugin): no path of this machine.

        Where the program is missing, the session's start says so once; the other hooks stay silent.
        """
        call = f"gitinstinct hook {self.name}"
        return {
            name: _group({"command": call if name == "SessionStart" else call + " || true"}, event)
            for name, event in self.events.items()
        }

    def owns(self, handler: object) -> bool:
        """Whether a hook entry found in a settings file is ours."""
        return ownership.is_ours(handler, self.name)


def _group(start: Mapping[str, object], event: Event) -> dict[str, object]:
    """One group; no matcher, which means all: every tool, every source, every reason."""
    handler: dict[str, object] = {"type": "command", **start}
    if not event.waits:
        handler["async"] = True
    handler["timeout"] = event.timeout
    return {"hooks": [handler]}
