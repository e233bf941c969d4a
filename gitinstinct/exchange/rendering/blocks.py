"""Many instincts in one file, as ECC and its kin read them: a banner, then each file below the other."""

from __future__ import annotations

from collections.abc import Sequence

from gitinstinct.exchange import readers
from gitinstinct.exchange.draft import File
from gitinstinct.exchange.readers.blocks import PLACES
from gitinstinct.exchange.selection import Outgoing

BANNER = "# Instincts export\n# Written by gitinstinct; import it with: gitinstinct import FILE\n"


def render(items: Sequence[Outgoing]) -> bytes:
    """The file. Where a body could be taken for another instinct, the banner says where each one begins."""
    parts = [_ended(one.data) for one in items]
    banner = f"{BANNER}# Instincts: {len(parts)}\n"
    made = _joined(banner, parts)
    found = readers.read(File("export.md", made))
    if [draft.data for draft in found.drafts] == parts and not found.refused:
        return made
    return _joined(banner + _places(banner.count("\n") + 1, parts), parts)


def _joined(banner: str, parts: Sequence[bytes]) -> bytes:
    return b"\n".join([banner.encode(), *parts])


def _places(lines: int, parts: Sequence[bytes]) -> str:
    """The banner's line that says where the blocks begin, itself counted among the `lines` above."""
    places = []
    at = lines + 1  # the blank line
    for part in parts:
        places.append(at + 1)
        at += part.count(b"\n") + 1
    return f"{PLACES}{' '.join(map(str, places))}\n"


def _ended(data: bytes) -> bytes:
    """A file without blank lines at its end, which would not be told from the one that parts it from the next."""
    lines = data.decode().split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    return ("\n".join(lines) + "\n").encode()
