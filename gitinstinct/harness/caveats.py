"""What in a settings file would keep our hooks from running, or make them run twice.

Pure: settings in, sentences for the person out. Source: code.claude.com/docs/en/hooks and /settings; that one broken
entry of `PreToolUse` or `PermissionRequest` disables every hook of its file was found by trial with 2.1.270.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gitinstinct.harness import ownership
from gitinstinct.harness.model import Harness, Program

_GUARDING = ("PreToolUse", "PermissionRequest")
_NEEDS = {"command": "command", "http": "url", "prompt": "prompt", "agent": "prompt", "mcp_tool": "tool"}
# Environments that their tool may delete at any time; a hook registered with such a path breaks later.
_FLEETING = ("/uv/archive-v", "/uv/environments-v", "/uv/builds-v", "/pipx/.cache/", "/.cache/pipx/")


def of_settings(settings: Mapping[str, object], harness: Harness) -> list[str]:
    """One sentence for each reason why our hooks in this file would not run, or not once."""
    return [
        *_switched_off(settings, harness),
        *_plugin_too(settings),
        *_disabling(settings, harness),
        *_inside_another_command(settings, harness),
    ]


def of_program(program: Program) -> list[str]:
    """One sentence if the hook would be started from a place that does not last."""
    if any(part in program.python.replace("\\", "/") for part in _FLEETING):
        return [f"{program.python} is a temporary environment: install gitinstinct for good, then install the hooks"]
    return []


def _switched_off(settings: Mapping[str, object], harness: Harness) -> Iterator[str]:
    if settings.get("disableAllHooks") is True:
        yield f'"disableAllHooks" is on: {harness.title} runs no hook at all'
    if settings.get("allowManagedHooksOnly") is True:
        yield f'"allowManagedHooksOnly" is on: {harness.title} runs only the hooks of its administrator'


def _plugin_too(settings: Mapping[str, object]) -> Iterator[str]:
    plugins = settings.get("enabledPlugins")
    for name, enabled in plugins.items() if isinstance(plugins, dict) else ():
        if name.startswith("gitinstinct@") and enabled:
            yield f"the plugin {name} is enabled as well: each event comes twice and is counted once"


def _disabling(settings: Mapping[str, object], harness: Harness) -> Iterator[str]:
    for event in _GUARDING:
        groups = _hooks(settings).get(event)
        for number, group in enumerate(groups if isinstance(groups, list) else (), 1):
            if fault := _fault(group):
                yield f"entry {number} of {event} is broken ({fault}): {harness.title} ignores all hooks of the file"


def _fault(group: object) -> str:
    if not isinstance(group, dict):
        return "not an object"
    if not isinstance(group.get("matcher", ""), str):
        return '"matcher" is not text'
    handlers = group.get("hooks")
    if not isinstance(handlers, list):
        return '"hooks" is not a list'
    return next((fault for handler in handlers if (fault := _handler_fault(handler))), "")


def _handler_fault(handler: object) -> str:
    if not isinstance(handler, dict):
        return "a hook is not an object"
    kind, timeout = handler.get("type"), handler.get("timeout", 1)
    if not isinstance(kind, str) or kind not in _NEEDS:
        return f'"type" is {kind!r}'
    if not isinstance(handler.get(_NEEDS[kind]), str):
        return f'"{_NEEDS[kind]}" is not text'
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or timeout <= 0:
        return '"timeout" is not above 0'
    return ""


def _inside_another_command(settings: Mapping[str, object], harness: Harness) -> Iterator[str]:
    for event, groups in _hooks(settings).items():
        for handler in _handlers(groups):
            if ownership.mentions(handler) and not harness.owns(handler):
                yield f"an entry of {event} calls gitinstinct inside another command; it was left as it is"


def _hooks(settings: Mapping[str, object]) -> Mapping[str, object]:
    hooks = settings.get("hooks")
    return hooks if isinstance(hooks, dict) else {}


def _handlers(groups: object) -> Iterator[object]:
    for group in groups if isinstance(groups, list) else ():
        handlers = group.get("hooks") if isinstance(group, dict) else None
        yield from handlers if isinstance(handlers, list) else ()
