"""Has the text prepared by another process, and waits for it a little.

Preparing needs git and third-party packages; nothing of that gets into the hook. The process is alone with its work: it
finishes what the hook did not wait for. At most one is started for a state, and one that failed is not tried again for
a minute, so that a broken store costs no session its time.
"""

from __future__ import annotations

import os
import sys
import time

from gitinstinct import paths
from gitinstinct.capture import codec, detached

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

SECONDS = {"session_start": 2.0, "prompt": 1.0}
"""How long at most. A session that begins without its notes goes on without them, so it waits longer; mostly both take
a fraction of that."""
_STEP = 0.004
_AGAIN = 60.0
# Where it is installed the package is found without this; in a checkout that is called by its path it is not.
_CODE = "import sys; sys.path.append(sys.argv.pop()); from gitinstinct.inject import prepare; prepare.main()"
_FOLDER = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def awaited(kind: str, project: str, state: str, read: Callable[[], Any], env: Mapping[str, str]) -> Any:
    """What `read` gives as soon as it gives something; None when that took too long for an event of this kind."""
    end = time.monotonic() + SECONDS[kind]
    is_mine = _is_due(project, state)
    started = _start(project, env) if is_mine else None
    while time.monotonic() < end:
        time.sleep(_STEP)
        over = started.ended() is not None if started else is_mine
        found = read()
        if found is not None or over:
            return found
    return None


def ahead(project: str, env: Mapping[str, str]) -> None:
    """Has it prepared in the background after something was learned, so that the next session need not wait.

    Not where nothing may run in the background. Never raises OSError.
    """
    from gitinstinct.inject import state

    try:
        at = state.of(project, env)
        if at and env.get("GITINSTINCT_AUTO", "") != "0" and _is_due(project, at):
            _start(project, env)
    except OSError:
        pass  # then the next session's hook does it


def _is_due(project: str, state: str) -> bool:
    """Whether nobody has begun for this state within the last minute; if so, that is noted."""
    mark, wanted = os.path.join(paths.root("state"), "inject", project + ".begun"), codec.short_hash(state, 40)
    try:
        with open(mark, "rb") as file:
            begun, said = os.fstat(file.fileno()).st_mtime, file.read(100).decode("ascii", "replace")
        if said == wanted and 0 <= time.time() - begun < _AGAIN:
            return False
    except FileNotFoundError:
        paths.make_private(os.path.dirname(mark))
    descriptor = os.open(mark, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.write(descriptor, wanted.encode("ascii"))
    os.close(descriptor)
    return True


def _start(project: str, env: Mapping[str, str]) -> detached.Started | None:
    """Starts the process; None if that cannot be done."""
    try:
        return detached.start([sys.executable, "-I", "-c", _CODE, project, _FOLDER], env)
    except OSError:
        return None
