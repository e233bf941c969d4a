"""Starting and stopping the daemon, and waiting until that has happened.

It works for all projects, so it gets nothing of the environment that it is started in but where things are. Whatever a
project sets for the agents and shells in it, such as the key or the proxy of a model, would else hold for the others.
"""

from __future__ import annotations

import os
import time

from gitinstinct.capture import detached
from gitinstinct.errors import EnvironmentFault
from gitinstinct.observer import locks
from gitinstinct.observer.daemon import place
from gitinstinct.observer.locks import Owner

_STARTING = 20.0  # seconds
_STOPPING = 40.0  # seconds; an analysis may have to end first
_POLL = 0.05
_KEPT = frozenset(
    "HOME USER LOGNAME PATH SHELL LANG LANGUAGE TZ TMPDIR TEMP TMP"
    " SYSTEMROOT COMSPEC PATHEXT USERPROFILE APPDATA LOCALAPPDATA PROGRAMDATA".split()
)
_KEPT_ALL = ("LC_", "XDG_", "GITINSTINCT_")


def command() -> list[str]:
    """What is started."""
    return detached.ourselves("daemon", "run")


def begin() -> detached.Started:
    """Starts a daemon and does not wait for it.

    Raises:
        OSError: no process can be started.
    """
    kept = {name: value for name, value in os.environ.items() if name in _KEPT or name.startswith(_KEPT_ALL)}
    return detached.start(command(), kept)


def is_due() -> bool:
    """Whether somebody wants a daemon that has ended by itself."""
    return place.is_wanted() and place.running() is None


def start() -> tuple[Owner, bool]:
    """Sees that a daemon runs; whose it is, and whether it was started now. It is ready when this returns.

    Raises:
        EnvironmentFault: it did not come to life; the message says why, as far as it said so itself.
    """
    place.want(True)
    left = locks.owner(locks.DAEMON)  # if none runs, that of one which was killed; it lies there until the next writes
    found = place.running()
    if found is not None:
        return found, False
    before = place.told()
    started = begin()
    end = time.monotonic() + _STARTING
    while time.monotonic() < end:
        found = place.running()
        if found is not None and found != left and place.told().token == found.token:
            return found, found.pid == started.number
        if started.ended() is not None and found is None:
            break
        time.sleep(_POLL)
    said = place.told()
    why = (
        said.why if said != before and said.why else "it ended at once" if started.ended() is not None else "no answer"
    )
    raise EnvironmentFault(f"the daemon did not start: {why}", "gitinstinct daemon run shows what happens")


def stop() -> Owner | None:
    """Asks the daemon to end and waits until it has; which one that was, None if none ran.

    Raises:
        EnvironmentFault: it goes on.
    """
    place.want(False)
    found = place.running()
    if found is None:
        return None
    try:
        place.ask_to_stop(found.token)
    except OSError:  # no room for a request
        locks.forget(locks.DAEMON)
    end = time.monotonic() + _STOPPING
    while time.monotonic() < end:
        now = place.running()
        is_over = not locks.is_held(locks.DAEMON, even_unnoted=True) if now is None else now.token != found.token
        if is_over:
            place.forget_request()
            return found
        time.sleep(_POLL)
    raise EnvironmentFault(
        f"the daemon, process {found.pid}, did not end", "look into its log: gitinstinct daemon status"
    )
