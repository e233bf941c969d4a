"""The hooks of a settings file, as text: ours go in and out, a person's bytes stay.

The shape is `{"hooks": {EVENT: [{"matcher"?, "hooks": [HANDLER, …]}, …]}}`. The rules: never guess at a file that
cannot be read, never touch a foreign group, add at the end, take away only what is ours and what thereby became empty.
Nothing here reads a file; the harness says which handlers are its own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass

from gitinstinct.harness import jsontext

Group = Mapping[str, object]
Owned = Callable[[object], bool]

_BOM = "\ufeff"
_EMPTY = "{}\n"
_SPACE = " \t\r\n"


class Uneditable(ValueError):
    """The file is not such that hooks can be added or removed; the message is the reason, without the file's name."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One handler where it stands. `path`: (offset of a container, index in it), from the outermost inwards."""

    event: str
    group: object
    handler: object
    path: tuple[tuple[int, int], ...]


def add(text: str, groups: Mapping[str, Group], owned: Owned) -> str:
    """The text with exactly these groups of ours, one an event.

    What stands rightly stays where it is, so adding twice changes nothing; every other entry of ours is replaced.
    Empty text becomes a canonical new file.

    Raises:
        Uneditable: the text is no settings file that we understand.
    """
    bom, body = _split_bom(text)
    body = body if body.strip(_SPACE) else _EMPTY
    _check(body)
    standing = _standing(body, groups, owned)
    body = _remove(body, owned, spare=standing)
    for event, group in groups.items():
        if event not in standing:
            body = _append(body, event, group)
    return bom + body


def remove(text: str, owned: Owned) -> str:
    """The text without our handlers, and without the groups, events and `hooks` that held nothing else.

    Raises:
        Uneditable: the text is no settings file that we understand.
    """
    bom, body = _split_bom(text)
    if not body.strip(_SPACE):
        return text
    _check(body)
    return bom + _remove(body, owned, spare=())


def same_but_ours(old: str, new: str, owned: Owned) -> bool:
    """Whether two texts hold the same settings once our handlers, and lists that are empty anyway, are left out."""
    return _foreign(old, owned) == _foreign(new, owned)


def read(text: str) -> Mapping[str, object]:
    """The settings as a value; empty text is no settings.

    Raises:
        Uneditable: the text is no settings file that we understand.
    """
    body = _split_bom(text)[1]
    return _check(body) if body.strip(_SPACE) else {}


def entries(text: str) -> Iterator[Entry]:
    """Every handler of a readable file in order. Groups and handlers of another shape are passed over."""
    body = _split_bom(text)[1]
    if body.strip(_SPACE):
        _check(body)
        yield from _entries(body)


def _foreign(text: str, owned: Owned) -> dict[str, object]:
    settings = dict(read(remove(text, owned)))
    hooks = settings.pop("hooks", {})
    filled = {event: groups for event, groups in hooks.items() if groups} if isinstance(hooks, dict) else {}
    return settings | ({"hooks": filled} if filled else {})


def _split_bom(text: str) -> tuple[str, str]:
    return (_BOM, text[1:]) if text.startswith(_BOM) else ("", text)


def _check(text: str) -> Mapping[str, object]:
    try:
        settings = jsontext.load(text)
    except jsontext.NotJson as error:
        raise Uneditable(f"it is not strict JSON ({error})") from error
    if not isinstance(settings, dict):
        raise Uneditable("its top level is not an object")
    hooks = _member(text, jsontext.top(text), "hooks")
    if hooks is not None:
        _check_hooks(text, hooks.value)
    return settings


def _check_hooks(text: str, at: int) -> None:
    if text[at] != "{":
        raise Uneditable('"hooks" is not an object')
    seen: set[str | None] = set()
    for event in jsontext.children(text, at):
        if text[event.value] != "[":
            raise Uneditable(f'"hooks" has an event that is not a list: {event.key!r}')
        if event.key in seen:
            raise Uneditable(f'"hooks" has an event twice: {event.key!r}')
        seen.add(event.key)


def _member(text: str, at: int, key: str) -> jsontext.Child | None:
    found = [child for child in jsontext.children(text, at) if child.key == key]
    if len(found) > 1:  # readers disagree on which one counts
        raise Uneditable(f"an object has the key {key!r} twice")
    return found[0] if found else None


def _entries(text: str) -> Iterator[Entry]:
    root = jsontext.top(text)
    for at, child in enumerate(jsontext.children(text, root)):
        if child.key != "hooks":
            continue
        for number, event in enumerate(jsontext.children(text, child.value)):
            yield from _entries_of(text, event, ((root, at), (child.value, number)))


def _entries_of(text: str, event: jsontext.Child, path: tuple[tuple[int, int], ...]) -> Iterator[Entry]:
    for number, group in enumerate(jsontext.children(text, event.value)):
        handlers = _member(text, group.value, "hooks") if text[group.value] == "{" else None
        if handlers is None or text[handlers.value] != "[":
            continue
        value = jsontext.value_at(text, group.value)
        for index, handler in enumerate(jsontext.children(text, handlers.value)):
            where = (*path, (event.value, number), (handlers.value, index))
            yield Entry(event.key or "", value, jsontext.value_at(text, handler.value), where)


def _standing(text: str, groups: Mapping[str, Group], owned: Owned) -> set[str]:
    ours = [entry for entry in _entries(text) if owned(entry.handler)]
    return {
        event
        for event, group in groups.items()
        if [_canonical(entry.group) for entry in ours if entry.event == event] == [_canonical(group)]
    }


def _canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True)  # tells true from 1, which == does not


def _remove(text: str, owned: Owned, spare: Collection[str]) -> str:
    ours = [entry.path for entry in _entries(text) if entry.event not in spare and owned(entry.handler)]
    for path in reversed(ours):  # from the end, so that the other offsets stay right
        text = _without(text, path)
    return text


def _without(text: str, path: tuple[tuple[int, int], ...]) -> str:
    """Drops the outermost thing on the path that holds nothing but the innermost."""
    depth = len(path) - 1
    while depth and len(jsontext.children(text, path[depth][0])) == 1:
        depth -= 1
    return jsontext.drop(text, *path[depth])


def _append(text: str, event: str, group: Group) -> str:
    root = jsontext.top(text)
    hooks = _member(text, root, "hooks")
    if hooks is None:
        return jsontext.append(text, root, {event: [group]}, "hooks")
    groups = _member(text, hooks.value, event)
    if groups is None:
        return jsontext.append(text, hooks.value, [group], event)
    return jsontext.append(text, groups.value, group)
