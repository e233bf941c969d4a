"""The person's settings: `config.yaml`, one map of sections, every key optional.

One loader for every entry point. A key that cannot be used keeps its default and is named with the reason; the file is
never rewritten. The hook reads no YAML: what concerns it is compiled into a small JSON file (`capture_settings`).
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

from gitinstinct import paths


@dataclass(frozen=True, slots=True)
class Capture:
    """What the hook leaves out: subagents unless asked for, folders and tools by name."""

    subagents: bool = False
    skip_paths: tuple[str, ...] = ()
    skip_tools: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Observer:
    """When an observer run may start by itself, if at all (`auto`).

    `minimum` new observations, `project_cooldown` in seconds; `hours` are local time.
    """

    auto: bool = True
    minimum: int = 20
    project_cooldown: int = 300
    hours: str = "08-23"
    idle_minutes: int = 30


@dataclass(frozen=True, slots=True)
class Inject:
    """What a session start gets: the threshold in hundredths, how many, and how many characters; what a prompt gets.

    `remind`: a word before a tool call that an instinct's `check` is against.
    """

    enabled: bool = True
    threshold: int = 70
    most: int = 6
    budget: int = 4000
    prompt_most: int = 2
    prompt_budget: int = 1200
    remind: bool = False


@dataclass(frozen=True, slots=True)
class Team:
    """How long a remote may take, in seconds; names of yours that may be published; a file of allowed signers.

    `host`: what runs at the remote, for a pull request; `auto` goes by the host's name, `none` opens none.
    """

    timeout: int = 120
    public: tuple[str, ...] = ()
    signers: str = ""
    host: str = "auto"


@dataclass(frozen=True, slots=True)
class Trust:
    """Whose words reach an agent: only what was consented to here (`review`), or everything (`all`).

    `models`: what a model's detector writes needs no consent; `hosts`: addresses there are no finding.
    """

    policy: str = "review"
    models: bool = False
    hosts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Promote:
    """What makes an instinct a candidate for all projects, and where a promotion lands.

    In `projects` at least, their `mean` and the `lowest` confidence in hundredths, one of the `domains`. `disclose`:
    the shared global store tells project ids and names instead of a keyed hash. `land`: on `main`, on a `branch` of its
    own, as a pull request (`pr`); `auto` is `main` while the global store is not shared, else `branch`.
    """

    projects: int = 2
    mean: int = 80
    lowest: int = 70
    domains: tuple[str, ...] = ("security", "general-best-practices", "workflow", "git")
    disclose: bool = False
    land: str = "auto"


@dataclass(frozen=True, slots=True)
class Measure:
    """Whether `measure on` counts; false keeps measuring off."""

    enabled: bool = True


REVIEW_ALL = "all"
"""`review`: everything that an observer proposes waits for a person."""


@dataclass(frozen=True, slots=True)
class Config:
    """All settings, and what was wrong with the file.

    `review`: what a person is asked about, the words of `others` and of models, or `all` that an observer proposes.
    """

    enabled: bool = True
    review: str = "others"
    capture: Capture = field(default_factory=Capture)
    observer: Observer = field(default_factory=Observer)
    inject: Inject = field(default_factory=Inject)
    team: Team = field(default_factory=Team)
    trust: Trust = field(default_factory=Trust)
    measure: Measure = field(default_factory=Measure)
    promote: Promote = field(default_factory=Promote)
    problems: tuple[str, ...] = ()


def read() -> Config:
    """The settings of this person: what the environment says, else the file, else the defaults."""
    found = _of_file(Path(paths.config_file()))
    problems = list(found.problems)
    inject = _of_environment(found.inject, os.environ, problems)
    return replace(found, inject=inject, problems=tuple(problems))


def _of_file(path: Path) -> Config:
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return Config()
    except (OSError, UnicodeDecodeError) as error:
        return Config(problems=(f"{path}: cannot be read ({error.__class__.__name__}); the defaults hold",))
    found = load(text)
    return replace(found, problems=tuple(f"{path}: {problem}" for problem in found.problems))


def _of_environment(section: Inject, env: Mapping[str, str], problems: list[str]) -> Inject:
    """The section with the numbers of `GITINSTINCT_INJECT_MOST` and its like; the switch itself is the hook's."""
    changes: dict[str, Any] = {}
    for item in fields(section):
        name = f"GITINSTINCT_INJECT_{item.name.upper()}"
        if env.get(name) and item.name != "enabled":
            given, default = env[name], getattr(section, item.name)
            value = given == "1" if isinstance(default, bool) else int(given) if _NUMBER.fullmatch(given) else given
            changes[item.name] = _taken(default, value, name, problems)
    return replace(section, **changes)


def load(text: str) -> Config:
    """The settings that a file's text gives. Never raises: what is wrong stands in `problems`."""
    import yaml

    try:
        data = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        return Config(problems=(f"is not YAML ({' '.join(str(error).split())[:120]}); the defaults hold",))
    if data is None:
        return Config()
    if not isinstance(data, dict):
        return Config(problems=("is not a map of settings; the defaults hold",))
    problems: list[str] = []
    filled: Config = _filled(Config(), data, "", problems)
    # The one switch turns everything off.
    inject = filled.inject if filled.enabled else replace(filled.inject, enabled=False)
    return replace(filled, inject=inject, problems=tuple(problems))


def _filled(section: Any, data: Mapping[Any, Any], prefix: str, problems: list[str]) -> Any:
    """A copy of a section with what the map says. Keys that cannot be used are added to `problems`."""
    changes: dict[str, Any] = {}
    for key, value in data.items():
        name, default = f"{prefix}{key}", getattr(section, str(key), None)
        if key not in {item.name for item in fields(section)} - {"problems"}:
            problems.append(f"{name} is no setting")
        elif not is_dataclass(default):
            changes[key] = _taken(default, value, name, problems)
        elif isinstance(value, dict):
            changes[key] = _filled(default, value, f"{name}.", problems)
        else:
            problems.append(f"{name} is not a map of settings; the defaults hold")
    return replace(section, **changes)


def _taken(default: Any, value: Any, name: str, problems: list[str]) -> Any:
    """The value as its default's type wants it, or the default."""
    taken = _CONVERT[type(default)](value)
    if taken is not None and taken in _CHOICES.get(name, (taken,)):
        return taken
    kind = " or ".join(_CHOICES[name]) if name in _CHOICES else _KINDS[type(default)]
    problems.append(f"{name} is not {kind}; the default {default!r} holds")
    return default


_CHOICES = {
    "trust.policy": ("review", "all"),
    "review": ("others", REVIEW_ALL),
    "promote.land": ("auto", "main", "branch", "pr"),
    "team.host": ("auto", "github", "gitlab", "gitea", "bitbucket", "none"),
}


_NUMBER = re.compile(r"[0-9]{1,9}")
_KINDS = {bool: "true or false", int: "a whole number of 0 or more", str: "a text", tuple: "a list of texts"}


def _bool(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


def _int(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _str(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _words(value: Any) -> tuple[str, ...] | None:
    listed = [value] if isinstance(value, str) else value
    if not isinstance(listed, list) or not all(isinstance(word, str) for word in listed):
        return None
    return tuple(word for word in (word.strip() for word in listed) if word)


_CONVERT: dict[type, Callable[[Any], Any]] = {bool: _bool, int: _int, str: _str, tuple: _words}


# --- what the hook reads


def capture_settings(config: Config) -> str:
    """The hook's settings as JSON."""
    chosen = config.capture
    return json.dumps(
        {
            "enabled": config.enabled,
            "auto": config.observer.auto,
            "subagents": chosen.subagents,
            "skip_paths": [str(Path(path).expanduser()) for path in chosen.skip_paths],
            "skip_tools": list(chosen.skip_tools),
            "measure": config.measure.enabled,
        }
    )


def compile_for_hook(config: Config) -> None:
    """Writes the hook's settings where it reads them, if they have changed. A failure is the next command's to mend."""
    path, text = Path(paths.hook_settings()), capture_settings(config)
    with contextlib.suppress(OSError):
        known = path.read_text("utf-8") if path.exists() else capture_settings(Config())
        if known != text:
            paths.make_private(str(path.parent))
            temporary = path.with_name(f".{path.name}.{os.getpid()}")
            temporary.write_text(text, "utf-8")
            temporary.replace(path)
