"""What the hook leaves out, by the person's wish and by its own nature.

The settings are a small JSON file that the command line compiles from `config.yaml`. Every event that is left out has a
reason, which is counted.
"""

from __future__ import annotations

import os

from gitinstinct import paths
from gitinstinct.capture import codec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_LONGEST_PAUSE = 300.0  # seconds; a start is no run yet, the gates of which may well ask for more
_PATH_FIELDS = ("file_path", "notebook_path", "path")


class Settings:
    """`enabled`, `auto`, `subagents`, `skip_paths`, `skip_tools`, `pause`; `broken` when the file could not be used."""

    __slots__ = ("auto", "broken", "enabled", "pause", "skip_paths", "skip_tools", "subagents")

    def __init__(self, data: Mapping[str, Any], broken: bool = False) -> None:
        self.enabled = data.get("enabled") is not False
        self.auto = data.get("auto") is not False
        self.subagents = data.get("subagents") is True
        self.skip_paths = _words(data.get("skip_paths"))
        self.skip_tools = _words(data.get("skip_tools"))
        pause = data.get("pause")
        self.pause = float(pause) if isinstance(pause, int) and 0 <= pause < _LONGEST_PAUSE else _LONGEST_PAUSE
        self.broken = broken


def read() -> Settings:
    """The settings of this machine; the defaults where there is no file or a broken one."""
    try:
        with open(paths.hook_settings(), encoding="utf-8", errors="replace") as file:
            data = codec.parse(file.read().strip())[0]
    except FileNotFoundError:
        return Settings({})
    except (OSError, ValueError, RecursionError):
        return Settings({}, broken=True)
    return Settings(data) if isinstance(data, dict) else Settings({}, broken=True)


def _words(value: Any) -> tuple[str, ...]:
    listed = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else ()
    words = [word.strip() for word in listed if isinstance(word, str)]
    return tuple([word for word in words if word])


def off(env: Mapping[str, str]) -> str:
    """Why nothing at all is captured in this environment; "" if it is."""
    if env.get("GITINSTINCT_OFF", "0") not in ("", "0"):
        return "off"
    return "observer" if env.get("GITINSTINCT_OBSERVER", "0") not in ("", "0") else ""


def left_out(settings: Settings, agent: Any, cwd: str, tool: str, arguments: Any) -> str:
    """Why this event is not captured; "" if it is."""
    if not settings.enabled:
        return "disabled"
    if agent and not settings.subagents:
        return "subagent"
    if any([_below(cwd, paths.root(kind)) for kind in ("data", "state")]):
        return "own-folder"
    if settings.skip_tools and any([_named(tool, name) for name in settings.skip_tools]):
        return "tool"
    fields = arguments if isinstance(arguments, dict) else {}
    if settings.skip_paths and _skipped(settings.skip_paths, [cwd, *[fields.get(name) for name in _PATH_FIELDS]]):
        return "path"
    command = fields.get("command")
    return "own-command" if isinstance(command, str) and is_own_command(command) else ""


def is_own_command(command: str) -> bool:
    """Whether a shell command does nothing but call gitinstinct: watching oneself teaches nothing."""
    if "instinct" not in command:
        return False
    for mark in ("&&", "||", "\n"):
        command = command.replace(mark, ";")
    heads = [_head(part) for part in command.split(";") if part.strip()]
    return "gitinstinct" in heads and {"gitinstinct", "cd"}.issuperset(heads)


def _head(part: str) -> str:
    """The program of a simple command; `git instinct` and `python -m gitinstinct` count as what they start."""
    words = part.split()
    while words and "=" in words[0]:
        words.pop(0)
    name = os.path.basename(words[0]) if words else ""
    if name == "git-instinct" or (name == "git" and "instinct" in words[1:2]):
        return "gitinstinct"
    return "gitinstinct" if name.startswith("python") and words[1:3] == ["-m", "gitinstinct"] else name


def _below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder + os.sep)


def _named(tool: str, name: str) -> bool:
    return tool.startswith(name[:-1]) if name.endswith("*") else tool == name


def _skipped(entries: tuple[str, ...], places: list[Any]) -> bool:
    """An entry that is a path names all below it; any other one names folders and files of that name anywhere."""
    for place in places:
        if isinstance(place, str):
            for entry in entries:
                path = os.path.expanduser(entry).rstrip("/\\")
                if _below(place, path) or (os.sep not in path and path in place.replace("\\", "/").split("/")):
                    return True
    return False
