"""Reading the settings: the environment, else the file, else the defaults; what is wrong is named and never fatal."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

from gitinstinct import paths
from gitinstinct.config.sections import Config, Inject
from gitinstinct.config.values import NUMBER, taken


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
            value = given == "1" if isinstance(default, bool) else int(given) if NUMBER.fullmatch(given) else given
            changes[item.name] = taken(default, value, name, problems)
    return replace(section, **changes)


def forbids(settings: Config, env: Mapping[str, str]) -> str:
    """Why no run may start by itself, by the settings or the environment; "" if one may."""
    if env.get("GITINSTINCT_AUTO", "") == "0":
        return "GITINSTINCT_AUTO=0"
    return "" if settings.observer.auto else "observer.auto is false in config.yaml"


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
            changes[key] = taken(default, value, name, problems)
        elif isinstance(value, dict):
            changes[key] = _filled(default, value, f"{name}.", problems)
        else:
            problems.append(f"{name} is not a map of settings; the defaults hold")
    return replace(section, **changes)
