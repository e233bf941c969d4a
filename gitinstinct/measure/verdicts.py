"""What the measuring decided: which instincts are held back, and which still have something to be found out.

One small file that the hook reads. Whatever is wrong with it, nothing is held back then, and it is made again from the
outcomes when somebody next looks.
"""

from __future__ import annotations

from gitinstinct import paths
from gitinstinct.measure import files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

VERSION = 1
QUARANTINED, INERT = "quarantined", "inert"
HELD = frozenset({QUARANTINED, INERT})
_FILE = "verdicts.json"
Key = tuple[str, str]
"""An instinct's id and the hash of its text."""


def held_back(project: str = "") -> dict[Key, str]:
    """What is not to be injected: (id, text) → `quarantined` or `inert`. Never raises.

    Args:
        project: its instincts and the global ones; all that were ever measured if left out.
    """
    return {
        (str(one["instinct"]), str(one["text"])): str(one["held"])
        for one in load()
        if str(one.get("held")) in HELD and (not project or one["owner"] in (project, paths.GLOBAL))
    }


def decided(project: str = "") -> frozenset[tuple[str, str, str]]:
    """(id, text, model) of all that nothing is left to find out about: these are withheld from nobody. Never raises.

    The model is "" where a session did not tell it.
    """
    return frozenset(
        (str(one["instinct"]), str(one["text"]), str(one["model"]))
        for one in load()
        if not project or one["owner"] in (project, paths.GLOBAL)
    )


def on_probation(found: frozenset[tuple[str, str, str]], instinct: str, text: str, model: str | None) -> bool:
    """Whether there is something left to find out about an instinct with this model; `found` is of `decided`."""
    return (instinct, text, model or "") not in found


def load() -> list[dict[str, Any]]:
    """Everything that was decided: each `owner instinct text model verdict held at`; empty if there is none."""
    return _records("decided") or []


def released() -> dict[tuple[str, str], str]:
    """(owner, instinct) → when a person released it; what was before that no longer counts."""
    found = _records("released") or []
    return {(str(one["owner"]), str(one["instinct"])): str(one.get("at", "")) for one in found}


def is_damaged() -> bool:
    """Whether there is a file that cannot be used."""
    return _records("decided") is None


def _records(name: str) -> list[dict[str, Any]] | None:
    found = files.read_map(paths.measure(_FILE))
    if found is None or (found and found.get("version") != VERSION):
        return None
    listed = found.get(name, [])
    if not isinstance(listed, list):
        return None
    return [
        one for one in listed if isinstance(one, dict) and all(isinstance(one.get(key), str) for key in _KEYS[name])
    ]


_KEYS = {"decided": ("owner", "instinct", "text", "model", "verdict"), "released": ("owner", "instinct", "at")}


def save(decided: list[dict[str, Any]], released: Mapping[tuple[str, str], str]) -> None:
    """Writes the file anew.

    Raises:
        OSError: the disk does not take it; what was there stays.
    """
    gone = [{"owner": owner, "instinct": name, "at": at} for (owner, name), at in sorted(released.items())]
    files.write_map(paths.measure(_FILE), {"version": VERSION, "decided": decided, "released": gone})
