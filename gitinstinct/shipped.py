"""Where the files lie that ship beside the code: `hooks/` and `templates/`.

In a checkout they stand next to the package; in an installed wheel they are inside it. Nothing else may know that.
"""

from __future__ import annotations

from pathlib import Path

from gitinstinct.errors import EnvironmentFault

_PACKAGE = Path(__file__).resolve().parent


def hooks() -> Path:
    """The folder of what agents and git call.

    Raises:
        EnvironmentFault: it was not installed.
    """
    return _shipped("hooks")


def templates() -> Path:
    """The folder of prompts, store files, skeletons and recordings.

    Raises:
        EnvironmentFault: it was not installed.
    """
    return _shipped("templates")


def _shipped(name: str, package: Path = _PACKAGE) -> Path:
    for folder in (package / name, package.parent / name):
        if folder.is_dir():
            return folder
    raise EnvironmentFault(f"the folder {name}/ is missing beside {package}", "install gitinstinct again")
