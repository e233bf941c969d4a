"""What others see of the daemon, and how they speak to it: small files, each written at once or not at all.

There is one for each person, by a held lock. It is asked to end by a file that names it, so no number of a process is
ever used for that, and a request that was left lying ends no later one. It also ends when its note is gone.
"""

from __future__ import annotations

import contextlib
import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from gitinstinct import paths
from gitinstinct.observer import locks, whole
from gitinstinct.observer.locks import Owner

_STATUS, _STOP, _WANTED = "status.json", "stop", "wanted"


@dataclass(frozen=True, slots=True)
class Told:
    """What the daemon says of itself. Times are ISO 8601, "" where there was none.

    Attributes:
        token: which daemon says it.
        since: when it began.
        looked: its last look, and `due`: when the next one is.
        projects: how many it looked at.
        error: what last went wrong, and `erred`: when.
        ended: when it ended, and `why`.
    """

    token: str = ""
    since: str = ""
    looked: str = ""
    due: str = ""
    projects: int = 0
    error: str = ""
    erred: str = ""
    ended: str = ""
    why: str = ""


def running() -> Owner | None:
    """The daemon that runs; None if there is none."""
    return locks.owner(locks.DAEMON) if locks.is_held(locks.DAEMON) else None


def told() -> Told:
    """What the daemon that runs, or the last one, said of itself."""
    with contextlib.suppress(OSError, ValueError, TypeError):
        found = dict(json.loads(Path(paths.daemon(_STATUS)).read_text("utf-8")))
        known = {key: value for key, value in found.items() if key in Told.__slots__}
        if all(isinstance(value, int if key == "projects" else str) for key, value in known.items()):
            return replace(Told(), **known)
    return Told()


def tell(said: Told) -> None:
    """Writes down what the daemon says of itself. Without room for it nothing else is lost."""
    with contextlib.suppress(OSError):
        whole.write(paths.daemon(_STATUS), json.dumps(asdict(said)))


# --- whether one is wanted


def want(is_wanted: bool) -> None:
    """Remembers that somebody wants a daemon, so that the next run brings back one that ended by itself.

    Raises:
        OSError: it cannot be remembered.
    """
    if is_wanted:
        whole.write(paths.daemon(_WANTED), "")
    else:
        Path(paths.daemon(_WANTED)).unlink(missing_ok=True)


def is_wanted() -> bool:
    """Whether somebody wants a daemon."""
    return Path(paths.daemon(_WANTED)).exists()


# --- asking it to end


def ask_to_stop(token: str) -> None:
    """Asks the daemon of that token to end.

    Raises:
        OSError: the request cannot be written.
    """
    whole.write(paths.daemon(_STOP), token)


def is_asked_to_stop(token: str) -> bool:
    """Whether the daemon of that token was asked to end."""
    try:
        return Path(paths.daemon(_STOP)).read_text("utf-8") == token
    except (OSError, UnicodeDecodeError):
        return False


def forget_request() -> None:
    """Takes away a request that was left lying."""
    with contextlib.suppress(OSError):
        Path(paths.daemon(_STOP)).unlink(missing_ok=True)
