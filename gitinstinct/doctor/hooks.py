"""Our hooks in the settings of agents: whether they are there, whole, once, and start something that exists."""

from __future__ import annotations

import itertools
import json
import os
import re
import shlex
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from gitinstinct.doctor.diagnosis import Diagnosis, error, ok, warning
from gitinstinct.errors import EnvironmentFault
from gitinstinct.harness import HARNESSES, caveats, installer, settings
from gitinstinct.harness.model import Harness, Program, Scope

_PLUGIN = "gitinstinct@"
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")


@dataclass(frozen=True, slots=True)
class Registered:
    """Our entries in one settings file; none where the file has only the plugin, or nothing of ours."""

    harness: Harness
    scope: Scope
    file: Path
    content: Mapping[str, object]
    entries: tuple[settings.Entry, ...]

    @property
    def has_plugin(self) -> bool:
        """Whether our plugin is switched on here; it brings its own hooks."""
        plugins = self.content.get("enabledPlugins")
        return isinstance(plugins, dict) and any(key.startswith(_PLUGIN) and on for key, on in plugins.items())

    @property
    def handlers(self) -> list[Mapping[str, object]]:
        """What is started, each once."""
        found = [entry.handler for entry in self.entries if isinstance(entry.handler, dict)]
        if self.has_plugin:
            found.append({"command": f"gitinstinct hook {self.harness.name}"})
        return list({_start(one): one for one in found}.values())

    @property
    def startable(self) -> list[Mapping[str, object]]:
        """What is started and is there."""
        return [handler for handler in self.handlers if not program_fault(handler)]

    @property
    def to_be_tried(self) -> list[Mapping[str, object]]:
        """What may be started for a test: all that is there, of what a person's own settings say.

        A project's settings come with the project, so of these only what this installation would write.
        """
        there = self.startable
        if self.scope is Scope.USER:
            return there
        usual = [self.harness.groups(scope, installer.this_program()) for scope in Scope]
        ours = {_start(one) for groups in usual for group in groups.values() for one in _handlers(group)}
        return [handler for handler in there if _start(handler) in ours]


def _handlers(group: Mapping[str, object]) -> list[Mapping[str, object]]:
    found = group.get("hooks")
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _start(handler: Mapping[str, object]) -> str:
    return json.dumps([handler.get("command"), handler.get("args")])


def find(root: Path | None, env: Mapping[str, str]) -> tuple[list[Registered], list[Diagnosis]]:
    """Every settings file that exists, and what is wrong with those that cannot be read.

    Args:
        root: the project's folder, for its own settings; None outside of one.
        env: the environment, which may move the person's settings.
    """
    found: dict[Path, Registered] = {}
    faults = []
    for harness, scope, file in _files(root, env):
        if not file.is_file() or Path(os.path.realpath(file)) in found:
            continue
        try:
            text = file.read_text("utf-8")
            ours = tuple(entry for entry in settings.entries(text) if harness.owns(entry.handler))
            found[Path(os.path.realpath(file))] = Registered(harness, scope, file, settings.read(text), ours)
        except (OSError, UnicodeDecodeError, settings.Uneditable) as fault:
            faults.append(warning("hooks", f"{file} cannot be read: {fault}", "mend it: an agent may ignore all of it"))
    return list(found.values()), faults


def _files(root: Path | None, env: Mapping[str, str]) -> Iterator[tuple[Harness, Scope, Path]]:
    for harness in HARNESSES.values():
        for scope in Scope:
            try:
                yield harness, scope, harness.settings_file(scope, root, env)
            except EnvironmentFault:  # no project, or no home
                continue


def look(found: list[Registered]) -> Iterator[Diagnosis]:
    """What to think of the hooks in these files."""
    ours = [one for one in found if one.entries or one.has_plugin]
    if not ours:
        yield warning("hooks", "no agent has our hooks here: nothing is captured", "put them in: gitinstinct init")
        return
    for one in found:
        yield from (warning("hooks", f"{one.file}: {text}", "change that in the file") for text in _caveats(one))
    for one in ours:
        yield from _of_file(one)
    yield from _several(ours)


def _caveats(one: Registered) -> list[str]:
    return caveats.of_settings(one.content, one.harness)


def _of_file(one: Registered) -> Iterator[Diagnosis]:
    again = f"put them in again: gitinstinct install {one.harness.name}"
    faults = [fault for handler in one.handlers if (fault := program_fault(handler))]
    yield from (error("hooks", f"{one.file}: {fault}", again) for fault in faults)
    yield from (warning("hooks", text, again) for handler in one.handlers for text in _fleeting(handler))
    events = Counter(entry.event for entry in one.entries)
    missing = [event for event in one.harness.events if event not in events] if one.entries else []
    doubled = [event for event, number in events.items() if number > 1]
    if missing:
        yield warning("hooks", f"{one.file}: no hook for {', '.join(missing)}", again)
    if doubled:
        yield warning("hooks", f"{one.file}: two hooks for {', '.join(doubled)}", again)
    if not (faults or missing or doubled):
        what = f"{len(events)} events" if one.entries else "the plugin"
        yield ok("hooks", f"{one.harness.title}: {what}, {one.file}")


def _several(ours: list[Registered]) -> Iterator[Diagnosis]:
    for name, number in Counter(one.harness.name for one in ours).items():
        if number > 1:
            files = " and ".join(str(one.file) for one in ours if one.harness.name == name)
            text = f"{files} both have hooks: each event comes twice and is counted once"
            yield warning("hooks", text, f"keep one: gitinstinct uninstall {name} --scope …")


def program_fault(handler: Mapping[str, object]) -> str:
    """What of the program or the shim that a hook starts is not there; empty if all is."""
    words = _words(handler)
    if not words:
        return "a hook starts nothing"
    if shutil.which(words[0]) is None:
        return f"the program {words[0]} is not there"
    shim = next((word for word in words[1:] if word.endswith("hook.py")), None)
    return f"{shim} is not there" if shim and not Path(shim).is_file() else ""


def _fleeting(handler: Mapping[str, object]) -> list[str]:
    words = _words(handler)
    return caveats.of_program(Program(words[0], "")) if words and Path(words[0]).is_absolute() else []


def _words(handler: Mapping[str, object]) -> list[str]:
    command, args = handler.get("command"), handler.get("args")
    if not isinstance(command, str):
        return []
    if isinstance(args, list):
        return [command, *map(str, args)]
    try:
        words = shlex.split(command, posix=os.name == "posix")
    except ValueError:  # an open quote
        words = command.split()
    return list(itertools.dropwhile(lambda word: word in ("exec", "env") or _ASSIGNMENT.match(word), words))
