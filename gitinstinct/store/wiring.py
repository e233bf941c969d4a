"""Whether plain git calls our merge driver in a store, and whether what it calls is still there.

A fresh clone has the attribute and no driver, so git merges instincts as text and says nothing. An interpreter that is
gone (a virtual environment that was removed) leaves git's markers instead of a merge. Both are looked for before
anything is written, so the usual answer costs a look at one file and no process.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from gitinstinct.git.repo import Repo, config
from gitinstinct.store import driver

_KEY = "merge.instinct.driver"
_LINE = re.compile(rb'^\s*driver = "(.*)"$', re.MULTILINE)
_SHAPE = ["-I", "-S"]  # what stands between interpreter and script


def fault(repo: Repo) -> str:
    """Why plain git would not merge instincts there by our rules, without a full stop; empty if it would."""
    if _is_as_we_write_it(repo):
        return ""
    command = config(repo, _KEY)
    if not command:
        return "no merge driver is set: plain git merges its instincts line by line"
    program = _program(command)
    if program is None:
        return f"another program than gitinstinct is set as its merge driver: {command[:80]}"
    gone = next((file for file in program if not Path(file).exists()), None)
    return f"its merge driver is gone: {gone}" if gone else ""


def _is_as_we_write_it(repo: Repo) -> bool:
    """Whether the config has our command in the one line that git makes of it."""
    try:
        data = (repo.git_dir / "config").read_bytes()
    except OSError:
        return False
    escaped = driver.command().replace("\\", "\\\\").replace('"', '\\"').encode("utf-8", "surrogateescape")
    return _LINE.findall(data) == [escaped] and b"[include" not in data.lower()


def _program(command: str) -> tuple[str, str] | None:
    """Interpreter and script of a command of ours, of whatever installation; None if it is none."""
    try:
        words = shlex.split(command.partition(" %O ")[0].replace("%%", "%"))
    except ValueError:
        return None
    return (words[0], words[3]) if len(words) == 4 and words[1:3] == _SHAPE else None
