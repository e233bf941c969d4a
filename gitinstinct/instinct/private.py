"""What names a person or a machine and should not travel: paths in somebody's home, and names that the caller knows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

# A home names a person. Those of build machines, containers and examples name nobody.
_HOME = re.compile(
    r"(?<![\w.~-])(?:/home/|/Users/|[A-Za-z]:[\\/]+Users[\\/]+|/(?=root/))(?P<name>[^\s/\\`'\"<>(){}\[\]$,;:*]+)"
)
_NOBODY = frozenset(
    "app appuser circleci codespace docker ec2-user example git jenkins linuxbrew me myuser name node pi public runner"
    " shared someone ubuntu user username vagrant vscode you yourname your-name".split()
)
_NO_NAME = _NOBODY | frozenset("admin administrator build dev guest home host localhost main root test tests".split())
_SHORTEST = 3


def homes(text: str) -> Iterator[str]:
    """Paths that begin in somebody's home, up to the name."""
    return (found[0] for found in _HOME.finditer(text) if found["name"].lower() not in _NOBODY)


def telling(names: Iterable[str], public: str = "") -> tuple[str, ...]:
    """Those of the names that tell something: not too short, not everybody's, and not in a text that is known anyway.

    Args:
        names: a login, a host, the path of a home.
        public: what everybody who gets the store knows, such as its address.
    """
    known = public.lower()
    wanted = (name.strip().rstrip("/\\") for name in names)
    odd = (name for name in wanted if len(name) >= _SHORTEST and name.lower() not in _NO_NAME)
    return tuple(dict.fromkeys(name for name in odd if name.lower() not in known))


def named(text: str, names: Iterable[str]) -> list[str]:
    """Those of the names that stand in a text as words, whatever their case."""
    lowered = text.lower()
    return [
        name
        for name in names
        if name.lower() in lowered and re.search(rf"(?<![a-z0-9]){re.escape(name.lower())}(?![a-z0-9])", lowered)
    ]
