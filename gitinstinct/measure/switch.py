"""Whether anything is measured here: a file that `measure on` makes and `measure off` takes away.

`config.yaml` is the person's and never written; `measure: enabled: false` there keeps measuring off, whatever the file
says. A file that cannot be used counts as off: then every session gets everything.
"""

from __future__ import annotations

from gitinstinct import paths
from gitinstinct.measure import files

SHARE = 33
"""Per cent of the eligible sessions that go without an instinct on probation."""
LEAST_SHARE, MOST_SHARE = 5, 50
_FILE = "on"


def share() -> float:
    """The share of eligible sessions that go without an instinct on probation; 0.0 while nothing is measured."""
    percent = state().get("share")
    return percent / 100 if isinstance(percent, int) and not _is_forced_off() else 0.0


def state() -> dict[str, object]:
    """What `measure on` wrote down, `share` in per cent and `since` (ISO 8601); empty while it is off."""
    found = files.read_map(paths.measure(_FILE)) or {}
    percent = found.get("share")
    usable = isinstance(percent, int) and LEAST_SHARE <= percent <= MOST_SHARE
    return found if usable else {}


def _is_forced_off() -> bool:
    """Whether the settings forbid it, as they were compiled for the hook."""
    return (files.read_map(paths.hook_settings()) or {}).get("measure") is False


def turn_on(percent: int, since: str) -> None:
    """Begins to measure.

    Raises:
        OSError: it cannot be written down.
    """
    files.write_map(paths.measure(_FILE), {"share": percent, "since": since})


def turn_off() -> bool:
    """Withholds nothing from now on; whether it was on."""
    return files.remove(paths.measure(_FILE))
