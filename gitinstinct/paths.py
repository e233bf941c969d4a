"""Where things lie: the four roots and what is below `state`.

`$GITINSTINCT_HOME` moves all four at once; else each platform's own places (the XDG variables on Linux), with
`gitinstinct` appended. The hook asks here too, so this module imports `os` and nothing else; a test holds it equal to
platformdirs.
"""

from __future__ import annotations

import os
import sys

GLOBAL = "global"

_XDG = {"data": ".local/share", "config": ".config", "state": ".local/state", "cache": ".cache"}
_MAC = {kind: "Library/Application Support" for kind in _XDG} | {"cache": "Library/Caches"}


def root(kind: str) -> str:
    """One of the four roots: `data`, `config`, `state` or `cache`. An absolute path; it need not exist."""
    home = os.environ.get("GITINSTINCT_HOME")
    if home:
        return os.path.join(os.path.abspath(home), kind)
    return os.path.join(_platform_place(kind), "gitinstinct")


def _platform_place(kind: str) -> str:
    home = os.path.expanduser("~")
    if os.name == "nt":
        return os.environ.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")
    if sys.platform == "darwin":
        return os.path.join(home, *_MAC[kind].split("/"))
    chosen = os.environ.get(f"XDG_{kind.upper()}_HOME", "")
    return chosen if os.path.isabs(chosen) else os.path.join(home, *_XDG[kind].split("/"))


def store(project: str) -> str:
    """The store of a project id, or the global one for `GLOBAL`."""
    data = root("data")
    return os.path.join(data, GLOBAL) if project == GLOBAL else os.path.join(data, "projects", project)


# The names below `state` differ from those below `data` (`global`, `projects`) on purpose: some platforms keep both
# roots in one folder, and observations must never lie inside a repository.


def spool(project: str) -> str:
    """The folder with the segments of a project's observations."""
    return os.path.join(root("state"), "spool", project)


def tally(project: str, detector: str = "local") -> str:
    """The file with what a kind of detector remembers of a project: how far it read, sightings below the threshold."""
    name = project if detector == "local" else f"{project}.{detector}"
    return os.path.join(root("state"), "tally", name + ".json")


def spending(month: str) -> str:
    """The book of what models have cost in a month such as `2026-11`."""
    return os.path.join(root("state"), "spending", month + ".jsonl")


def answers(project: str, detector: str) -> str:
    """The folder of answers that a kind of detector was given about a project and that are not committed yet."""
    return os.path.join(root("state"), "answers", f"{project}.{detector}")


def backfill(project: str) -> str:
    """The file in which a back-fill remembers which past sessions of a project it has read."""
    return os.path.join(root("state"), "backfill", project + ".db")


def counts() -> str:
    """The folder of counters: one file a reason, one byte an event (see `capture.spool`)."""
    return os.path.join(root("state"), "counts")


def nudges(name: str) -> str:
    """A file about runs that start by themselves: `<project>` the hook's last start, see `capture.nudge`."""
    return os.path.join(root("state"), "nudges", name)


def daemon(name: str) -> str:
    """A file of the daemon: `log`, `status.json`, `stop`, `wanted`."""
    return os.path.join(root("state"), "daemon", name)


def lock(name: str) -> str:
    """A lock file: `name` is a project id or the name of a job."""
    return os.path.join(root("state"), "locks", name + ".lock")


def measure(name: str) -> str:
    """A file or folder of what is measured: `<project>.jsonl` are the logs of who got what."""
    return os.path.join(root("state"), "measure", name)


def config_file() -> str:
    """The person's settings; need not exist."""
    return os.path.join(root("config"), "config.yaml")


def hook_settings() -> str:
    """What the hook needs of the settings, as JSON; written by `config`, absent where all is as usual."""
    return os.path.join(root("state"), "capture.json")


def aliases() -> str:
    """The ids that projects had before they got a remote, as JSON."""
    return os.path.join(root("state"), "aliases.json")


def trust() -> str:
    """The list of the words that may reach an agent, by content hash; see `trust.book`."""
    return os.path.join(root("state"), "trust", "approved")


def promotion_key() -> str:
    """The key by which this machine calls its projects in what others see; see `promote.origin`."""
    return os.path.join(root("state"), "promote", "key")


def news() -> str:
    """The ids that all projects have since the last session began, one a line; absent when there are none."""
    return os.path.join(root("state"), "promote", "news")


def request(name: str) -> str:
    """The text of the pull request of that instinct's promotion, as it was last written."""
    return os.path.join(root("cache"), "pull-requests", name + ".md")


def make_private(folder: str) -> None:
    """Makes a folder and those above it that are missing, each for this person alone, whatever the umask says.

    Raises:
        OSError: it cannot be made.
    """
    try:
        os.mkdir(folder, 0o700)
    except FileExistsError:
        return
    except FileNotFoundError:
        above = os.path.dirname(folder)
        if above == folder:
            raise
        make_private(above)
        make_private(folder)
        return
    if os.name == "posix":
        os.chmod(folder, 0o700)
