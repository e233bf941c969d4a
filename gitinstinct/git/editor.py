"""The person's editor, chosen as git chooses it. Who starts it is the command line."""

from __future__ import annotations

import os
from pathlib import Path

from gitinstinct.git import run

DEFAULT = "vi"


def chosen(folder: Path) -> str | None:
    """What `$GIT_EDITOR`, `core.editor`, `$VISUAL` or `$EDITOR` says, in this order; None if none of them does.

    It is a piece of shell, as git takes it: a program, perhaps with arguments. `git var GIT_EDITOR` cannot be asked,
    because our own git runs with that variable set.
    """
    return os.environ.get("GIT_EDITOR") or _configured(folder) or os.environ.get("VISUAL") or os.environ.get("EDITOR")


def _configured(folder: Path) -> str | None:
    result = run.run(
        ["-C", str(folder), "config", "--get", "core.editor"], cwd=folder, personal=True, expect=range(256)
    )
    return result.out.decode("utf-8", "surrogateescape").strip("\n") or None if result.code == 0 else None
