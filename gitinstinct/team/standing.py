"""How a store stands to its remote, as far as git knows without asking it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from gitinstinct.git.repo import Repo, moment, text
from gitinstinct.store.layout import BRANCH
from gitinstinct.store.store import Store
from gitinstinct.team import link as links
from gitinstinct.team.link import Link

_LOOKED_BACK = "200"
_PUSHES = ("gitinstinct: pushed", "update by push")


@dataclass(frozen=True, slots=True)
class Standing:
    """How a store stands.

    Attributes:
        link: where it is shared.
        theirs: the commit that the branch there had; None if it was never seen.
        ahead: commits that only `main` has.
        behind: commits that only the branch there has.
        came: when something last came from there.
        went: when something last went there.
    """

    link: Link
    theirs: str | None
    ahead: int
    behind: int
    came: datetime | None
    went: datetime | None


def of(store: Store) -> Standing | None:
    """How the store stands; None if it is not shared.

    Raises:
        EnvironmentFault: its config names an address that git may not be given.
    """
    link = links.read(store)
    if link is None:
        return None
    theirs = links.known_tip(store.repo, link)
    ahead, behind = _counted(store.repo, link.tracking if theirs else None)
    told = _told(store.repo, link.tracking) if theirs else []
    went = next((when for when, what in told if what.startswith(_PUSHES)), None)
    came = next((when for when, what in told if not what.startswith(_PUSHES)), None)
    return Standing(link, theirs, ahead, behind, came, went)


def _counted(repo: Repo, tracking: str | None) -> tuple[int, int]:
    if tracking is None:
        return int(repo.ask("rev-list", "--count", "--end-of-options", BRANCH, "--")), 0
    range_ = f"{BRANCH}...{tracking}"
    ahead, behind = repo.ask("rev-list", "--left-right", "--count", "--end-of-options", range_, "--").split()
    return int(ahead), int(behind)


def _told(repo: Repo, ref: str) -> Sequence[tuple[datetime, str]]:
    """The ref's own log, newest first; plain git writes it, too."""
    flags = ("-z", "--walk-reflogs", "--date=unix", "--format=%gd%x00%gs", f"--max-count={_LOOKED_BACK}")
    fields = text(repo.run("log", *flags, "--end-of-options", ref, "--").out).split("\0")
    return [
        (moment(name.rpartition("{")[2].rstrip("}")), what)
        for name, what in zip(fields[::2], fields[1::2], strict=False)
    ]
