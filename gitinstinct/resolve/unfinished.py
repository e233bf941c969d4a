"""A merge that a person has begun with plain git and not ended: the index has the stages, and they are merged anew.

That is what our driver would have done; it may be missing in a clone, or have failed. The result goes into the work
tree and the index, as `git add` would put it there. Nothing is committed: the merge is the person's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from gitinstinct.git import stages, worktrees
from gitinstinct.git.blobs import Unreadable, blobs
from gitinstinct.git.repo import Repo
from gitinstinct.git.stages import BASE, OURS, THEIRS, Stages
from gitinstinct.instinct import ids
from gitinstinct.resolve import cases, choosing, dispute, lineage, settling
from gitinstinct.resolve.archive import Archive
from gitinstinct.resolve.cases import Case
from gitinstinct.resolve.dispute import Sides, Version
from gitinstinct.resolve.lineage import Lineage
from gitinstinct.resolve.settling import Decision
from gitinstinct.store import filemerge, files, layout
from gitinstinct.store.store import Store, locked, protect

_PLAIN = "100644"
_OTHERS = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD")
_NOTHING = Lineage({}, {})


@dataclass(frozen=True, slots=True)
class Added:
    """A file that went into work tree and index.

    Attributes:
        path: the file.
        settled: what was chosen in it, in a few words each.
        open: the fields that are still in conflict.
        kept: the object that holds what a person may have had there; empty if git can make it again.
    """

    path: str
    settled: tuple[str, ...]
    open: tuple[str, ...]
    kept: str


def find(store: Store, day: str) -> list[Case]:
    """All unmerged paths, each with what it merges to; `present` is what lies in the work tree.

    Raises:
        GitError: the index is damaged.
    """
    found = stages.unmerged(store.repo)
    contents = blobs(store.repo, [oid for one in found for oid in one.blobs.values()], layout.CAP) if found else {}
    archive = Archive(store.repo)
    return [_case(store, archive, one, contents, day) for one in found]


def finish(store: Store) -> str:
    """The command with which the person ends what they began; empty if nothing but the index is unfinished."""
    begun = worktrees.operation(store.repo)
    return store.repo.by_hand(f"{begun} --continue") if begun else ""


def _case(store: Store, archive: Archive, found: Stages, contents: Mapping[str, bytes | Unreadable], day: str) -> Case:
    name = ids.of_path(found.path) or found.path
    present, fault = _lying(store, found.path)
    fault = fault or _unfit(found)
    if fault:
        return Case(name, present, present, left=fault)
    base, ours, theirs = (contents[found.blobs[one]] if one in found.blobs else None for one in (BASE, OURS, THEIRS))
    verdict = filemerge.merge(found.path, base, ours, theirs)
    if verdict.reason:
        return Case(name, present, present, left=verdict.reason)
    if not (cases.is_marked(present) or present in (None, ours, theirs, verdict.data)):
        return Case(
            name, present, present, left=f"it was changed by hand: take that with {_by_hand(store, found.path)}"
        )
    if not verdict.conflicts or verdict.data is None:
        return Case(name, present, verdict.data)
    versions = [side if isinstance(side, bytes) else None for side in (base, ours, theirs)]
    known, sides = _sides(store.repo, name, *versions)
    return Case(name, present, verdict.data, tuple(dispute.of_sides(archive, known, name, verdict.data, sides, day)))


def _by_hand(store: Store, path: str) -> str:
    return store.repo.by_hand(f"add {path}")


def _lying(store: Store, path: str) -> tuple[bytes | None, str]:
    try:
        return files.read(store.path, path), ""
    except files.NotPlain as error:
        return None, str(error)


def _unfit(found: Stages) -> str:
    if not layout.is_known(found.path):
        return "no file of a store; only plain git can settle it"
    odd = next((mode for mode in found.modes.values() if mode != _PLAIN), None)
    return f"mode {odd}: not a plain file" if odd else ""


def _sides(
    repo: Repo, name: str, base: bytes | None, ours: bytes | None, theirs: bytes | None
) -> tuple[Lineage, Sides]:
    """The sides, each with its commit where it is that of HEAD or of what is being merged."""
    here = lineage.read(repo, name, "HEAD")
    there = next((lineage.read(repo, name, ref) for ref in _OTHERS if (repo.git_dir / ref).exists()), _NOTHING)
    known = Lineage({**here.parents, **there.parents}, {**here.contents, **there.contents})
    return known, Sides(base, _version(here, ours), _version(there, theirs))


def _version(known: Lineage, data: bytes | None) -> Version:
    tip = known.tip
    return Version(data, tip if tip is not None and known.contents[tip] == data else None)


def add(store: Store, decisions: Iterable[Decision], *, rehearse: bool = False) -> list[Added]:
    """Puts what the cases come to into work tree and index.

    Args:
        store: the store.
        decisions: cases of `find`, each with what was chosen.
        rehearse: decide only, and write nothing.

    Raises:
        Found: a text cannot stand where it shall; nothing was written.
        GitError: the index could not be written.
    """
    todo = [(one, settling.applied(one.case.data, one.choices)) for one in decisions]
    if rehearse or not todo:
        return [_added(one, data, "") for one, data in todo]
    with locked(store.name):
        protect(store.repo)
        kept = [_replace(store, one.case, data) for one, data in todo]
        stages.add(store.repo, (one.case.path for one, _ in todo))
    return [_added(one, data, old) for (one, data), old in zip(todo, kept, strict=True)]


def _replace(store: Store, case: Case, data: bytes | None) -> str:
    """Writes one file; of one with markers, in which a person may have begun to write, the old text is kept."""
    present = files.read(store.path, case.path)
    old = stages.keep(store.repo, present) if present is not None and cases.is_marked(present) else ""
    if present != data:
        files.replace(store.path, case.path, data)
    return old


def _added(decision: Decision, data: bytes | None, kept: str) -> Added:
    chosen = {choice.dispute.field for choice in decision.choices}
    still = (one.field for one in decision.case.disputes if data is not None and one.field not in chosen)
    return Added(decision.case.path, tuple(choosing.taken(decision.choices)), tuple(still), kept)
