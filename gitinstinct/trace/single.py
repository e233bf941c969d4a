"""One instinct of one commit, without reading the others."""

from __future__ import annotations

from gitinstinct.git.blobs import Unreadable, blobs
from gitinstinct.git.repo import Repo, ls_tree
from gitinstinct.instinct import ids, markdown
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.shelf import Item, Problem
from gitinstinct.store import history, layout
from gitinstinct.store.layout import BRANCH


def is_there(repo: Repo, name: str, revision: str = BRANCH) -> bool:
    """Whether a commit holds a file for that id, readable or not."""
    return ids.is_id(name) and bool(ls_tree(repo, revision, ids.path_of(name)))


def read(repo: Repo, name: str, revision: str = BRANCH) -> Item | Problem | None:
    """The instinct as a commit holds it; why it cannot be used; None if there is no such file.

    Raises:
        GitError: the commit cannot be read.
    """
    path = ids.path_of(name)
    entries = ls_tree(repo, revision, path) if ids.is_id(name) else []
    if not entries:
        return None
    content = blobs(repo, [entries[0].oid], layout.CAP)[entries[0].oid]
    for refusal in layout.refusals(entries):
        return Problem(path, refusal.reason)
    if isinstance(content, Unreadable):
        return Problem(path, content.reason)
    try:
        instinct = markdown.parse(content, name)
    except Invalid as error:
        return Problem(path, str(error))
    return Item(path, content, instinct, "" if instinct.adopted else _committed(repo, name, revision))


def _committed(repo: Repo, name: str, revision: str) -> str:
    """The ISO day from which a file without a ledger counts: that of the newest commit that touched it."""
    return history.log(repo, [name], revision=revision, limit=1)[0].date.date().isoformat()
