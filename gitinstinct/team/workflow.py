"""The workflow that checks what is proposed to a shared store, kept in the store at its one fixed path.

It is a file like the others: shared, merged, reviewed. Only the host that has the store runs it; nothing here does.
"""

from __future__ import annotations

from datetime import datetime

from gitinstinct.git.trailers import Message
from gitinstinct.store import commit, layout, library
from gitinstinct.store.commit import Change, Written
from gitinstinct.store.layout import WORKFLOW
from gitinstinct.store.store import Store
from gitinstinct.store.tree import Tree


def is_there(store: Store) -> bool:
    """Whether the store has a workflow, whatever it is."""
    return WORKFLOW in library.newest(store).files


def is_current(store: Store) -> bool:
    """Whether it has the one that this version writes."""
    return library.newest(store).read(WORKFLOW) == layout.workflow()


def add(store: Store, now: datetime) -> Written:
    """Commits the workflow as this version writes it, in place of another one.

    Raises:
        Waiting: something that a person has begun is in the way; nothing was written.
        GitError: git could not write.
    """

    def plan(newest: Tree) -> Change | None:
        wanted = layout.workflow()
        if newest.read(WORKFLOW) == wanted:
            return None
        return Change({WORKFLOW: wanted}, Message("share: the workflow that checks what is proposed", [WORKFLOW]))

    return commit.write(store, plan, now)
