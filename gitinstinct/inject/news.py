"""What became global since a session last began: said once on this machine, to whichever session comes first.

`promote` leaves the ids in a small file. Taking it is a rename, so of two sessions that begin together one has it.
"""

from __future__ import annotations

import os

from gitinstinct import paths

_MOST = 4_096  # bytes
_SIGNS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")
_LONGEST = 64


def take() -> list[str]:
    """The ids, each once; none where nothing is new. Never raises OSError."""
    path = paths.news()
    mine = f"{path}.{os.getpid()}"
    try:
        os.rename(path, mine)
    except OSError:
        return []
    try:
        with open(mine, "rb") as file:
            lines = file.read(_MOST).decode("ascii", "replace").splitlines()
        os.unlink(mine)
    except OSError:
        return []
    return list(dict.fromkeys([line for line in lines if 0 < len(line) <= _LONGEST and _SIGNS.issuperset(line)]))
