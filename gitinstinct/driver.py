"""The merge driver: one process of git's for each instinct that both sides changed.

It loads the pure merge and nothing else, so that it starts in a few times what the interpreter takes. All is read
first and the result is written last, as a whole. `store.driver` makes the command line that calls it.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence

from gitinstinct.instinct import ids
from gitinstinct.instinct import merge as merging
from gitinstinct.instinct.sheet import LENGTH

CLEAN, CONFLICT, UNMERGED, SWITCHED_OFF, BOTH = 0, 10, 3, 11, 12
"""Exit codes. None of them is one that an interpreter or a shell gives when it fails."""

SECONDS = 10
SWITCH = "GITINSTINCT_MERGE"


def main(arguments: Sequence[str]) -> int:
    """Merges what git gives: base, ours (which takes the result), theirs, marker size, path in the tree."""
    base, ours, theirs, size, path = arguments
    if os.environ.get(SWITCH) == "0":
        return SWITCHED_OFF
    _limit_time()
    if max(os.stat(file).st_size for file in (base, ours, theirs)) > LENGTH:
        return _kept_both(f"a side is larger than {LENGTH:,} bytes", ours, theirs, int(size), path)
    outcome = _merge(_read(base) or None, _read(ours), _read(theirs), ids.of_path(path))
    if isinstance(outcome, merging.Invalid):
        if b"\0" in _read(ours) + _read(theirs):
            return _kept_both(outcome.reason, ours, theirs, int(size), path)
        sys.stderr.write(f"gitinstinct: {path}: {outcome.reason}\n")
        return UNMERGED
    _write(ours, outcome.data or b"")
    if isinstance(outcome, merging.Conflicted):
        sys.stderr.write(f"gitinstinct: {path}: conflict in {', '.join(outcome.fields)}\n")
        return CONFLICT
    return CLEAN


def _limit_time() -> None:
    """The signal's own effect is enough: it ends the process with a code that is none of ours."""
    if hasattr(signal, "alarm"):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(SECONDS)


def _kept_both(why: str, ours: str, theirs: str, size: int, path: str) -> int:
    """For what `git merge-file` would refuse and leave as ours: both sides between the marks that git knows."""
    from shutil import copyfileobj

    sys.stderr.write(f"gitinstinct: {path}: {why}; both sides stand in the file, one behind the other\n")
    draft = f"{ours}.draft"
    with open(draft, "wb") as out:
        for mark, file in ((b"<" * size + b" ours\n", ours), (b"=" * size + b"\n", theirs)):
            out.write(mark)
            with open(file, "rb") as side:
                copyfileobj(side, out)
            out.write(b"\n")
        out.write(b">" * size + b" theirs\n")
    os.replace(draft, ours)
    return BOTH


def _merge(base: bytes | None, ours: bytes, theirs: bytes, stem: str | None) -> merging.Outcome:
    try:
        return merging.merge(base, ours, theirs, stem)
    except ModuleNotFoundError:  # PyYAML, for frontmatter that is not plain lines; `-S` has left its folder out
        import site

        site.main()
        return merging.merge(base, ours, theirs, stem)


def _read(file: str) -> bytes:
    with open(file, "rb") as opened:
        return opened.read()


def _write(file: str, data: bytes) -> None:
    draft = f"{file}.draft"
    with open(draft, "wb") as opened:
        opened.write(data)
    os.replace(draft, file)
