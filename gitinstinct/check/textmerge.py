"""What a line-wise merge did to an instinct, measured against what the one merge makes of the same sides. Pure.

Plain git without our driver, or a host's merge button, joins lines: evidence is lost when a conflict is resolved by
taking a side, markers are committed, two similar files are taken for one that was renamed. Only that is judged here:
which words a person chose in a merge is theirs to choose.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from gitinstinct.check.rules import Severity
from gitinstinct.instinct import edit, merge, sheet
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.sheet import Sheet


class Wound(NamedTuple):
    """What is still wrong with a file, and its bytes once that is mended."""

    why: str
    severity: Severity
    healed: bytes


class Sides(NamedTuple):
    """One file of one merge commit.

    Attributes:
        held: what the commit holds; None where it has no such file.
        right: what the one merge makes of the commit's parents.
        strangers: keys of evidence whose own file is gone in that commit, each with that instinct's id.
    """

    held: bytes | None
    right: bytes
    strangers: Mapping[str, str] = {}


def wound(sides: Sides, now: bytes | None, name: str) -> Wound | None:
    """What a merge commit did to a file that is still so.

    Args:
        sides: the file in that commit.
        now: the file as it is today; None if there is none.
        name: the instinct's id.
    """
    if now is None and sides.held is not None:  # deleted since: nobody misses it
        return None
    healed = _healed(sides, now, name)
    if healed is None or healed == now:
        return None
    told = _told(sides, _read(now, name), _read(healed, name))
    return Wound(*told, healed) if told else None


def _told(sides: Sides, now: Sheet | None, healed: Sheet | None) -> tuple[str, Severity] | None:
    """What is wrong, the worst first; None if it is nothing that evidence suffers from."""
    had, has = _keys(now), _keys(healed)
    if sides.held is None:
        return f"is gone, and what was learned of it went to another file: {_lines(has - had)}", Severity.ERROR
    if now is None:
        return "cannot be read, because two versions were joined line by line", Severity.ERROR
    if strange := sorted({sides.strangers[key] for key in had - has if key in sides.strangers}):
        return f"has evidence of {', '.join(strange)}, of which git took it for the new name", Severity.ERROR
    if has - had:
        return f"has lost {_lines(has - had)} of evidence", Severity.ERROR
    twice = len(now.entries) - len(had)
    return (f"has {_lines(range(twice))} of evidence twice", Severity.WARNING) if twice else None


def _lines(keys: frozenset[str] | range) -> str:
    return f"{len(keys)} line{'s' if len(keys) != 1 else ''}"


def _healed(sides: Sides, now: bytes | None, name: str) -> bytes | None:
    """The file as it is today with what the merge should have made; None where a machine cannot tell."""
    right, held = _read(sides.right, name), _read(sides.held, name)
    if right is None:
        return None
    if now is None or (held is None and now == sides.held):
        return sides.right
    if held is None:
        return _completed(now, sides.right, name)
    wanted = sides.right if _keys(held) & sides.strangers.keys() else _completed(sides.held or b"", sides.right, name)
    return None if wanted is None else _merged(sides.held, now, wanted, name)


def _completed(data: bytes, right: bytes, name: str) -> bytes | None:
    """The words of one, the evidence of both."""
    return _merged(edit.with_ledger(right, []), data, right, name)


def _merged(base: bytes | None, ours: bytes, theirs: bytes, name: str) -> bytes | None:
    outcome = merge.merge(base, ours, theirs, name)
    return None if isinstance(outcome, merge.Invalid) else outcome.data


def _read(data: bytes | None, name: str) -> Sheet | None:
    try:
        return None if data is None else sheet.read(data, name)
    except Invalid:
        return None


def keys(data: bytes | None, name: str) -> frozenset[str]:
    """The keys of a file's evidence; none where it cannot be read."""
    return _keys(_read(data, name))


def _keys(found: Sheet | None) -> frozenset[str]:
    return frozenset(entry.key for entry in found.entries) if found else frozenset()
