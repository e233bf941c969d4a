"""What a git may take of the machine when it works on what comes from outside.

The system enforces it, for git and all that it starts: an endless pack ends at a file's size, a small one that unfolds
to gigabytes at the memory. Only Linux can set the limits of another process; elsewhere wall time is what bounds it.
"""

from __future__ import annotations

import contextlib
import sys

FILE = 256 * 1024 * 1024  # bytes of one file, so of one pack
MEMORY = 1024 * 1024 * 1024  # bytes


def guard(pid: int) -> None:
    """Sets the limits of a process that has just been started; nothing can have come yet, it must connect first."""
    if sys.platform == "linux":
        import resource

        for limit, most in ((resource.RLIMIT_FSIZE, FILE), (resource.RLIMIT_DATA, MEMORY)):
            with contextlib.suppress(OSError, ValueError):  # it has ended already, or has a tighter limit
                resource.prlimit(pid, limit, (most, most))
