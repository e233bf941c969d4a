"""The merge driver's command line, as it stands in a store's git config.

Git expands the placeholders and gives the line to a shell; `%P` comes quoted by git itself, so it must stand bare. If
the interpreter is gone, is killed, takes too long or cannot read a side, `git merge-file` puts its markers into the
file and git is told of a conflict: the other side is never dropped in silence. Git takes 255, which `merge-file` gives
for what is no text, for more than a conflict, so it is never passed on.
"""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

from gitinstinct import shipped
from gitinstinct.driver import BOTH, CLEAN, CONFLICT, SWITCHED_OFF
from gitinstinct.driver import SWITCH as SWITCH

NAME = "instinct"
_TEXT_MERGE = "git merge-file -q --marker-size=%L -L ours -L base -L theirs %A %O %B"


def command(python: str | None = None, script: Path | None = None) -> str:
    """The command line for `merge.instinct.driver`.

    Args:
        python: the interpreter; ours unless given.
        script: the driver's script; the one that ships unless given.
    """
    program = " ".join(
        map(_quoted, (python or sys.executable, "-I", "-S", str(script or shipped.hooks() / "merge.py")))
    )
    known = f"{CLEAN}) exit 0;; {CONFLICT}|{BOTH}) exit 1;; {SWITCHED_OFF}) {_TEXT_MERGE} && exit 0; exit 1;;"
    return f"{program} %O %A %B %L %P; case $? in {known} esac; {_TEXT_MERGE}; exit 1"


def is_switched_off() -> bool:
    """Whether this environment tells the driver to leave all to git's text merge."""
    return os.environ.get(SWITCH) == "0"


def _quoted(word: str) -> str:
    """For the shell, and for git, which takes `%` for a placeholder."""
    return shlex.quote(word).replace("%", "%%")
