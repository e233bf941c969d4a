"""What `init` does when others share a store for the project already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitinstinct import clock, paths
from gitinstinct.cli import output
from gitinstinct.cli.output import say
from gitinstinct.cli.target import place
from gitinstinct.errors import FatalError

if TYPE_CHECKING:
    from gitinstinct.capture.project import Project
    from gitinstinct.team.link import Link


def announced(found: Project) -> Link | None:
    """The store that others share at the project's origin, told; None if there is none, or this one is shared already.

    Without an origin nothing is asked. A remote that does not answer costs a note and no more.
    """
    if found.id == paths.GLOBAL or not found.remote:
        return None
    from gitinstinct.git.unreachable import where
    from gitinstinct.team import joining, link

    try:
        store = place(found).store
        if store is not None and link.read(store) is not None:
            return None
        team = joining.look(found)
    except FatalError as error:
        output.note(f"note: whether others share a store for this project is not known: {error.message}")
        return None
    if team is not None:
        say(("team     ", "dim"), where(team.address), f"  branch {team.name}", "  will be joined")
    return team


def join(found: Project, team: Link) -> None:
    """Joins. A store that may not be merged leaves ours as it is, and `init` goes on."""
    from gitinstinct.cli import shared, sharing
    from gitinstinct.team import joining

    store = place(found).store
    if store is None:
        return
    try:
        with output.progress("merging", quiet=False) as progress:
            pulled = joining.join(store, team, clock.now(), sharing.talk_to(team, progress))
    except FatalError as error:
        output.note(f"note: not joined: {error.message}")
        output.note(f"      {error.hint}")
        return
    shared.pulled(pulled, rehearsed=False)
