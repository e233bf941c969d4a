"""An export: a selection as a commit on a branch of its own, `export/<name>`, and from there into a bundle or a remote.

The commit holds the instincts with their ledgers and nothing else of the store. Its parent is the export before it, so
that whoever takes it again gets what changed.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from gitinstinct.errors import Found
from gitinstinct.exchange.selection import Selection
from gitinstinct.git import bundle, objects, refs
from gitinstinct.git.blobs import blob_id
from gitinstinct.git.objects import Commit
from gitinstinct.git.repo import head_branch
from gitinstinct.git.repo import refs as read_refs
from gitinstinct.git.trailers import Message
from gitinstinct.instinct import ids
from gitinstinct.store import tree
from gitinstinct.store.errors import Waiting, disk
from gitinstinct.store.store import Store, identity

_BRANCHES = "refs/heads/export/"


@dataclass(frozen=True, slots=True)
class Exported:
    """A branch with an export: its full name, its newest commit, and whether that was made now."""

    branch: str
    commit: str
    is_new: bool


def branch_of(name: str) -> str:
    """The branch of an export's name."""
    return _BRANCHES + name


def commit(store: Store, name: str, selection: Selection, now: datetime) -> Exported:
    """Commits a selection; what is so already is no new commit.

    Raises:
        Waiting: the branch is checked out, or was moved meanwhile.
    """
    branch = branch_of(name)
    if head_branch(store.repo) == branch:
        raise Waiting(f"{branch.removeprefix('refs/heads/')} is checked out", store.repo.by_hand("checkout main"))
    last = read_refs(store.repo, branch).get(branch)
    files = {ids.path_of(one.id): one.data for one in selection.items}
    if last and _is_same(store, last.oid, files):
        return Exported(branch, last.oid, is_new=False)
    parent = last.oid if last else objects.write_genesis(store.repo)
    person, moment = identity(store), max(int(now.timestamp()), last.time if last else objects.GENESIS_TIME)
    message = Message(f"export: {_counted(len(files))} as {name}").render()
    [made] = objects.write(store.repo, [Commit(message, person, person, moment, [parent], dict(files), empty=True)])
    move = refs.Move(branch, last.oid if last else None, made)
    if not refs.move(store.repo, [move], person, f"gitinstinct: export {name}"):
        raise Waiting(f"{branch} was moved meanwhile", "try again")
    return Exported(branch, made, is_new=True)


def _is_same(store: Store, last: str, files: dict[str, bytes]) -> bool:
    return dict(tree.read(store.repo, last).files) == {path: blob_id(data, last) for path, data in files.items()}


def _counted(number: int) -> str:
    return "1 instinct" if number == 1 else f"{number} instincts"


def bundled(store: Store, exported: Exported, file: Path) -> None:
    """Writes the export's branch as a bundle; a file that is there is replaced if it is a bundle.

    Raises:
        Found: something else lies there.
        EnvironmentFault: it cannot be written.
    """
    with disk(f"{file} could not be written"):
        target = file.expanduser().absolute()
        if target.exists() and not (target.is_file() and bundle.is_bundle(target.read_bytes()[:64])):
            raise Found(f"{file} is there and is no bundle", "give another name")
        draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
        try:
            bundle.create(store.repo, exported.branch, draft)
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)


def pushed(store: Store, exported: Exported, address: str) -> None:
    """Pushes the export's branch, never by force.

    Raises:
        UsageError: git may not be given this address.
        Found: the remote has another export of that name, or does not take it.
        EnvironmentFault: it cannot be reached.
    """
    from gitinstinct.git import remote, url

    answer = remote.push(store.repo, url.parse(address), exported.commit, exported.branch)
    short = exported.branch.removeprefix("refs/heads/")
    if answer.answer is remote.Answer.BEHIND:
        hint = "export it by another name: --name NAME"
        raise Found(f"the remote has another {short} already ({answer.reason})", hint)
    if answer.answer is not remote.Answer.ACCEPTED:
        raise Found(f"the remote does not take {short} ({answer.reason}) {answer.said}".rstrip(), "ask who keeps it")
