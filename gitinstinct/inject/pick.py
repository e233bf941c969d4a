"""What of the prepared instincts one session gets: whole ones, in their order, as many as number and characters allow.

What is prepared holds more than fits, because some of it may have lost its ground in the project by now, and a resumed
session has some of it already.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    Entry = dict[str, Any]
    """`id scope text line anchors roots paths` and what measuring needs: see `render.entry`."""

STALE = "stale"
_PATH_LIKE = ("/", "\\", ".")


def pick(
    entries: Iterable[Entry], most: int, budget: int, known: Mapping[str, str], root: str, search: str
) -> tuple[list[Entry], list[tuple[Entry, str]]]:
    """(what is chosen, what is not, each with the reason).

    Args:
        entries: the surest first.
        most: of them at a time.
        budget: characters of them at a time.
        known: id → hash of the words that this session has had.
        root: the project's folder; "" if there is none.
        search: the folders of programs, as in `PATH`.
    """
    chosen: list[Entry] = []
    left: list[tuple[Entry, str]] = []
    room = budget
    for entry in entries:
        size = len(entry["line"]) + 1
        reason = ""
        if known.get(entry["id"]) == entry["text"]:
            reason = "this session has it already"
        elif lost := gone(entry, root, search):
            reason = f"{STALE}: {lost} is gone"
        elif len(chosen) >= most:
            reason = f"beyond the first {most}"
        elif size > room:
            reason = f"does not fit into {budget} characters"
        if reason:
            left.append((entry, reason))
        else:
            room -= size
            chosen.append(entry)
    return chosen, left


def gone(entry: Mapping[str, Any], root: str, search: str) -> str:
    """What an instinct stands on and is no longer there: an anchor, or the folders that all of its paths lie in."""
    for anchor in entry["anchors"]:
        if not _is_there(anchor, root, search):
            return str(anchor)
    places = entry["roots"]
    if places and root and not any([_exists(root, place) for place in places]):
        return str(places[0])
    return ""


def _is_there(anchor: str, root: str, search: str) -> bool:
    """A file or folder below the project, or a program."""
    if root and _exists(root, anchor):
        return True
    if anchor.startswith(_PATH_LIKE) or "/" in anchor or "\\" in anchor:
        return False
    names = [anchor, anchor + ".exe"] if os.name == "nt" else [anchor]
    return any([_exists(folder, name) for folder in search.split(os.pathsep) if folder for name in names])


def _exists(folder: str, name: str) -> bool:
    """Whether something of that name lies in or below a folder. What would lead out of it is not looked at."""
    parts = name.replace("\\", "/").split("/")
    if not name or "\0" in name or ".." in parts or not parts[0] or ":" in parts[0]:
        return False
    return os.path.exists(os.path.join(folder, *parts))
