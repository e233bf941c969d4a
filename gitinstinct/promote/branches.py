"""Promotions that wait: each on a branch of its own in the global store, here, at the remote, or both.

Nothing is written down about them. Whether one still waits, its content tells: it has landed once `main` holds its
commit, or once a merge of it would change nothing any more, which is how a squashed or rebased one is recognised.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gitinstinct.git import refs, worktrees
from gitinstinct.git.repo import Ref, Repo, head_branch
from gitinstinct.git.repo import refs as read_refs
from gitinstinct.instinct import ids
from gitinstinct.promote import outlook
from gitinstinct.promote.outlook import Outlook
from gitinstinct.store import errors as store_errors
from gitinstinct.store.store import Store, identity

_FOLDER = "promote/"
BESIDE_OTHERS = f"instinct-{_FOLDER}"
"""The folder of their branches where the remote is no store alone, but holds other branches as well."""
HERE = f"refs/heads/{_FOLDER}"
THERE = f"refs/remotes/origin/{_FOLDER}"
BESIDE = f"refs/remotes/origin/{BESIDE_OTHERS}"


@dataclass(frozen=True, slots=True)
class Waiting:
    """A promotion that `main` does not have.

    Attributes:
        id: the instinct, which the branch is named after.
        here: the commit of our own branch; None if only the remote has one.
        there: the commit of the remote's branch as it was last seen; None if it is not there.
    """

    id: str
    here: str | None
    there: str | None

    @property
    def commit(self) -> str:
        """What would be merged: our own branch, which may be ahead, else the remote's."""
        return self.here or self.there or ""


def branch(name: str) -> str:
    """The full name of the branch on which the promotion of this instinct waits here."""
    return HERE + name


def called(name: str) -> str:
    """What people call the promotion of this instinct, as its branch: `promote/ID`."""
    return _FOLDER + name


def bare(said: str) -> str:
    """The instinct's id, of what a person calls it or its promotion."""
    return said.removeprefix(_FOLDER)


def waiting(repo: Repo) -> list[Waiting]:
    """The promotions that `main` does not have yet, by id.

    Raises:
        GitError: a branch cannot be read.
    """
    return [one for one, _ in looked_at(repo)]


def looked_at(repo: Repo) -> list[tuple[Waiting, Outlook]]:
    """The same, each with what a merge of it would bring; however many there are, by a fixed number of processes."""
    known = list(_known(repo))
    looks = outlook.read(repo, (one.commit for one in known))
    return [(one, looks[one.commit]) for one in known if not looks[one.commit].has_landed]


def landed(repo: Repo) -> list[Waiting]:
    """Those of our own branches whose promotion `main` has: merged, squashed or rebased, here or elsewhere."""
    own = [one for one in _known(repo) if one.here]
    looks = outlook.read(repo, (one.here for one in own if one.here))
    return [one for one in own if one.here and looks[one.here].has_landed]


def has_landed(repo: Repo, commit: str) -> bool:
    """Whether `main` holds all that a commit brings."""
    return outlook.read(repo, [commit])[commit].has_landed


def close(store: Store, name: str) -> None:
    """Takes our own branch away. What was picked stays on its `refs/gitinstinct/promoted/` ref.

    Raises:
        Waiting: a person has checked it out; nothing was changed.
    """
    full = branch(name)
    refuse_checked_out(store, name)
    found = read_refs(store.repo, full).get(full)
    if found is not None:
        refs.move(store.repo, [refs.Move(full, found.oid, None)], identity(store), "gitinstinct: promotion closed")


def refuse_checked_out(store: Store, name: str) -> None:
    """A branch on which a person stands is theirs: files would stay behind it, or HEAD lead nowhere.

    Raises:
        Waiting: it is checked out.
    """
    full = branch(name)
    for tree in (store.repo, *worktrees.linked(store.repo)):
        if head_branch(tree) == full:
            short = full.removeprefix("refs/heads/")
            raise store_errors.Waiting(f"{short} is checked out in {tree.work_tree}", tree.by_hand("switch main"))


def _known(repo: Repo) -> Iterator[Waiting]:
    found = read_refs(repo, HERE, THERE, BESIDE)
    here = _by_id(found, HERE)
    there = _by_id(found, BESIDE) | _by_id(found, THERE)
    for name in sorted(here.keys() | there.keys()):
        yield Waiting(name, here.get(name), there.get(name))


def _by_id(found: dict[str, Ref], folder: str) -> dict[str, str]:
    """A branch whose name is no id is not ours, nor is one that is no commit and has no time therefore."""
    names = ((ref.removeprefix(folder), ref) for ref in found if ref.startswith(folder) and found[ref].time)
    return {name: found[ref].oid for name, ref in names if ids.of_path(ids.path_of(name)) == name}
