"""Finding what others began to share, and joining it.

The new store begins like every other, with the common genesis; so joining is a pull and nothing else.
"""

from __future__ import annotations

from datetime import datetime

from gitinstinct.capture.project import Project
from gitinstinct.git import remote
from gitinstinct.git.url import parse
from gitinstinct.store.store import Store
from gitinstinct.team import exchange, sharing
from gitinstinct.team import link as links
from gitinstinct.team.exchange import Pulled, Talk
from gitinstinct.team.link import SHARED, Link

SECONDS = 8.0  # `init` is not held up by a remote that does not answer


def look(project: Project) -> Link | None:
    """The branch `instincts` at the code project's origin; None if there is no origin, or no such branch.

    Raises:
        UsageError: the origin is none that git may be given.
        Unreachable: it does not answer.
    """
    text = sharing.own_origin(project) if project.remote else None
    if not text:
        return None
    where = parse(text)
    return Link(where, SHARED) if SHARED in remote.heads(where, seconds=SECONDS) else None


def join(store: Store, link: Link, now: datetime, talk: Talk) -> Pulled:
    """Sets the store's remote and pulls. Where what is there may not be merged, nothing has changed.

    Raises:
        Found: what is there may not be merged.
        Unreachable: the remote does not answer.
    """
    with exchange.fetched(store, link, talk.seconds):
        links.establish(store, link)
    return exchange.pull(store, link, now, talk)
