"""Merging another commit into a store, in this process: every file that both sides changed goes through the one merge.

Git's own text merge calls "3 and 3" clean where 4 is right, looks for renames where a name is an identity, and starts a
process for each file. Here two commits are compared by name, all contents are read by one process, the merge is a
function call, and nothing is visible before the branch moves by compare and swap. So the number of processes does not
grow with the number of files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from gitinstinct.errors import Found
from gitinstinct.git import worktrees
from gitinstinct.git.blobs import Unreadable, blobs
from gitinstinct.git.repo import Change as Difference
from gitinstinct.git.repo import Repo, diff_tree, merge_bases
from gitinstinct.git.trailers import Message
from gitinstinct.instinct import ids
from gitinstinct.store import commit, layout, mergepool
from gitinstinct.store.checkout import blob
from gitinstinct.store.commit import Change, Written
from gitinstinct.store.errors import Waiting
from gitinstinct.store.layout import BRANCH, Refusal
from gitinstinct.store.mergebase import Base
from gitinstinct.store.store import Store
from gitinstinct.store.tree import Tree

Progress = Callable[[int, int], None]
"""Told how many files are merged, and of how many."""


@dataclass(frozen=True, slots=True)
class Merging:
    """What a merge makes of the newest commit.

    Attributes:
        theirs: the commit that is merged.
        bases: the best common ancestors.
        files: what changes against our side: path to content, None for a file that goes.
        merged: ids that both sides changed; `added`, `changed`, `removed`: ids that only they changed.
        conflicts: id to the fields that wait for a person.
        unreadable: what could not be merged, each with its reason.
    """

    theirs: str
    bases: tuple[str, ...]
    files: Mapping[str, bytes | None] = field(default_factory=dict)
    merged: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    conflicts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unreadable: tuple[Refusal, ...] = ()

    @property
    def up_to_date(self) -> bool:
        """Whether our side has all of theirs already."""
        return self.theirs in self.bases


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a merge did.

    Attributes:
        merging: what it decided.
        commit: the new tip of `main`; None where there was nothing to do, or it was a rehearsal.
        forwarded: whether `main` simply went on to their commit.
        edits: the commits that hold what a person had changed by hand.
        held: what a person changed and could not be committed.
        pending: why index and files could not follow yet; empty if they did.
    """

    merging: Merging
    commit: str | None = None
    forwarded: bool = False
    edits: tuple[str, ...] = ()
    held: tuple[Refusal, ...] = ()
    pending: str = ""


def merge(
    store: Store, theirs: str, now: datetime, *, message: Callable[[Merging], Message], forward: bool = True,
    rehearse: bool = False, progress: Progress | None = None,
) -> Outcome:  # fmt: skip
    """Merges a commit into `main`.

    Args:
        store: the store.
        theirs: the commit, whose objects are there. One from elsewhere must have passed `incoming`.
        now: the commit's time.
        message: the merge commit's message.
        forward: whether `main` may go on to their commit where it holds all of ours.
        rehearse: decide only, against what is committed.
        progress: told while files are merged.

    Raises:
        Found: the two have no common beginning.
        Waiting: something that a person has begun is in the way; nothing was written.
        GitError: git could not read or write.
    """
    landed = Merging(theirs, ())

    def plan(newest: Tree) -> Change | None:
        nonlocal landed
        landed = decide(store.repo, newest.commit, theirs, progress)
        return _change(store.repo, landed, newest.commit, message, forward)

    if rehearse:
        return Outcome(decide(store.repo, store.repo.ask("rev-parse", "--verify", BRANCH), theirs, progress))
    refuse_unfinished(store)
    written = commit.write(store, plan, now)
    return _outcome(landed, written)


def _outcome(merging: Merging, written: Written) -> Outcome:
    forwarded = written.commit == merging.theirs
    return Outcome(merging, written.commit, forwarded, written.edits, written.held, written.pending)


def refuse_unfinished(store: Store) -> None:
    """What a person has begun in the work tree would end on another commit than they began it on.

    Raises:
        Waiting: a merge, cherry-pick, revert or rebase is unfinished.
    """
    operation = worktrees.operation(store.repo)
    if operation:
        hint = f"end it first: {store.repo.by_hand(f'{operation} --continue')} (or --abort)"
        raise Waiting(f"a {operation} is unfinished in {store.path}", hint)


def _change(
    repo: Repo, merging: Merging, ours: str, message: Callable[[Merging], Message], forward: bool
) -> Change | None:
    if merging.up_to_date:
        return None
    if forward and (merging.bases == (ours,) or _has_nothing_of_its_own(repo, merging, ours)):
        return Change(merging.files, message(merging), forward=merging.theirs)
    return Change(merging.files, message(merging), merges=merging.theirs)


def message(what: str, found: Merging) -> Message:
    """The message of a merge commit: what was merged, and what became of each instinct."""
    lists = {"added": found.added, "changed": found.changed, "removed": found.removed, "merged": found.merged}
    verbs = {name: verb for verb, names in lists.items() for name in names} | dict.fromkeys(found.conflicts, "conflict")
    counts = ", ".join(f"{len(names)} {verb}" for verb, names in lists.items() if names)
    fields = {name: f": {', '.join(said)}" for name, said in found.conflicts.items()}
    lines = [f"{verb:<9} {name}{fields.get(name, '')}" for name, verb in sorted(verbs.items())[:_NAMED]]
    told = [("Instinct", f"{name} {verb}") for name, verb in sorted(verbs.items())[:_NAMED]]
    return Message(f"merge: {what}" + (f", {counts}" if counts else ""), ["\n".join(lines)], told)


_NAMED = 100


def _has_nothing_of_its_own(repo: Repo, merging: Merging, ours: str) -> bool:
    """Whether our side is the commit with which every store of the project begins. Who joins others with such a store
    goes on where they are, instead of merging two beginnings."""
    if (
        merging.merged
        or len(merging.bases) != 1
        or repo.ask("rev-list", "--count", f"{merging.bases[0]}..{ours}") != "1"
    ):
        return False
    begun = {one.path for one in diff_tree(repo, merging.bases[0], ours)}
    return begun <= set(layout.TOP) and not begun & {one.path for one in diff_tree(repo, ours, merging.theirs)}


# --- deciding


def decide(repo: Repo, ours: str, theirs: str, progress: Progress | None = None) -> Merging:
    """What a merge of two commits makes of ours. Writes nothing.

    Raises:
        Found: the two have no common beginning.
    """
    bases = tuple(merge_bases(repo, ours, theirs))
    if not bases:
        raise Found("the two have no common beginning", "every store begins with the same commit")
    if theirs in bases:
        return Merging(theirs, bases)
    base = Base(repo, bases, ours)
    different = [one for one in diff_tree(repo, ours, theirs) if layout.is_known(one.path) and one.old != one.new]
    taken = [one for one in different if base.is_that_of(one.path, one.old, one.old)]
    both = [one for one in different if not base.is_that_of(one.path, one.old, one.old, one.new)]
    return _decided(Merging(theirs, bases), taken, _Contents(repo, base, taken, both), both, progress)


class _Contents:
    """The three versions of every file that matters, read by one process."""

    def __init__(self, repo: Repo, base: Base, taken: Sequence[Difference], both: Sequence[Difference]) -> None:
        self._bases, split = base.oids(both)
        wanted = [one.new for one in taken] + [oid for one in both for oid in (one.old, one.new)]
        names = [oid for oid in (*wanted, *self._bases.values()) if blob(oid)]
        self._blobs = blobs(repo, names, layout.CAP) if names else {}
        self._virtual = base.virtual(split) if split else {}

    def __call__(self, oid: str) -> bytes | Unreadable | None:
        return self._blobs[oid] if blob(oid) else None

    def base(self, path: str) -> bytes | Unreadable | None:
        """The base's version; where there are several, what they merge to."""
        return self._virtual[path] if path in self._virtual else self(self._bases[path])


def _decided(
    merging: Merging,
    taken: Sequence[Difference],
    contents: _Contents,
    both: Sequence[Difference],
    progress: Progress | None,
) -> Merging:
    files: dict[str, bytes | None] = {}
    conflicts: dict[str, tuple[str, ...]] = {}
    refusals = [refusal for one in taken if (refusal := _take(one.path, contents(one.new), files))]
    versions = [(one.path, contents.base(one.path), contents(one.old), contents(one.new)) for one in both]
    for number, (one, verdict) in enumerate(zip(both, mergepool.merge(versions), strict=True), 1):
        if verdict.reason:
            refusals.append(Refusal(one.path, verdict.reason))
        if verdict.conflicts:
            conflicts[ids.of_path(one.path) or one.path] = verdict.conflicts
        if verdict.data != contents(one.old):
            files[one.path] = verdict.data
        if progress is not None and (number % _STEP == 0 or number == len(both)):
            progress(number, len(both))
    return replace(
        merging,
        files=files,
        merged=_ids(both),
        added=_ids(one for one in taken if not blob(one.old)),
        changed=_ids(one for one in taken if blob(one.old) and blob(one.new)),
        removed=_ids(one for one in taken if not blob(one.new)),
        conflicts=conflicts,
        unreadable=tuple(refusals),
    )


def _take(path: str, theirs: bytes | Unreadable | None, files: dict[str, bytes | None]) -> Refusal | None:
    if isinstance(theirs, Unreadable):
        return Refusal(path, theirs.reason)
    files[path] = theirs
    return None


def _ids(differences: Iterable[Difference]) -> tuple[str, ...]:
    return tuple(name for one in differences if (name := ids.of_path(one.path)))


_STEP = 100
