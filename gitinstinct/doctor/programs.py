"""The programs that we stand on: git, Python, the libraries whose age matters."""

from __future__ import annotations

import platform
import re
import sys
import tempfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from gitinstinct.doctor.diagnosis import Diagnosis, error, ok, warning
from gitinstinct.git.run import GitError, run

_OLDEST = (2, 38)  # `merge-tree --write-tree`
# The fixes of 10 November 2026 (CVE-2026-111760 and others), by series. Distributions patch older numbers as well.
_PATCHED = {(2, 50): 2, (2, 51): 3, (2, 56): 1}
_FLOORS = {"GitPython": (3, 2, 1), "deepdiff": (8, 6, 2), "PyYAML": (6, 0, 2)}  # below, they have known holes


def look() -> Iterator[Diagnosis]:
    """Git, Python and the libraries."""
    try:
        said = run(["version"], cwd=Path(tempfile.gettempdir())).out.decode("utf-8", "replace").strip()
        yield git(said)
    except GitError as fault:
        yield error("git", fault.message, fault.hint)
    yield ok("python", f"Python {platform.python_version()}, {sys.executable}")
    yield from _libraries()


def git(said: str) -> Diagnosis:
    """What to think of a git, by what `git version` says."""
    found = re.search(r"(\d+)\.(\d+)(?:\.(\d+))?", said)
    if found is None:
        return warning("git", f"it calls itself {said[:80]!r}", "is that git? install git 2.38 or newer")
    major, minor, patch = (int(part or 0) for part in found.groups())
    if (major, minor) < _OLDEST:
        return error("git", f"git {found[0]} is too old", "install git 2.38 or newer")
    if (major, minor) <= max(_PATCHED) and patch < _PATCHED.get((major, minor), sys.maxsize):
        text = f"git {found[0]} is older than the security fixes of November 2026 (2.50.2, 2.51.3, 2.56.1)"
        return warning("git", text, "update git; a distribution may have mended its own, see its changelog")
    return ok("git", f"git {found[0]}")


def _libraries() -> Iterator[Diagnosis]:
    import yaml

    old = [f"{name} {metadata.version(name)}" for name, floor in _FLOORS.items() if _version(name) < floor]
    if old:
        yield warning("libraries", f"{', '.join(old)}: older than fixes of known holes", "install gitinstinct again")
    if not yaml.__with_libyaml__:
        yield warning("libraries", "PyYAML was built without libyaml: reading is slow", "pip install --force pyyaml")
    if not old and yaml.__with_libyaml__:
        yield ok("libraries", "as new as they must be, PyYAML with libyaml")


def _version(name: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", metadata.version(name))[:3])
