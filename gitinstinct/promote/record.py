"""The promotion commit of a project's store: what the global store picks, and what others can hold the pick against.

Its tree is exactly one file, the instinct in its global form. Its parent is the newest promotion of this instinct that
the global store has already, else genesis; so what the pick brings is what is new since then, and a promotion that was
recorded and never landed is superseded, not built on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from gitinstinct.git import objects, picking, refs
from gitinstinct.git.blobs import blob_id, blobs
from gitinstinct.git.objects import Commit
from gitinstinct.git.repo import Repo, ls_tree
from gitinstinct.git.repo import refs as read_refs
from gitinstinct.git.trailers import Message
from gitinstinct.instinct import ids
from gitinstinct.instinct.ledger import COUNTING, live
from gitinstinct.instinct.model import Instinct
from gitinstinct.promote import note, origin
from gitinstinct.promote.form import Form
from gitinstinct.promote.sources import Source
from gitinstinct.store import layout
from gitinstinct.store.errors import Waiting
from gitinstinct.store.store import Store, identity


@dataclass(frozen=True, slots=True)
class Recorded:
    """A promotion commit on its ref.

    Attributes:
        source: the instinct as the project has it.
        ref: the ref's full name, the same in both stores.
        commit: the promotion commit.
        before: where the ref stood; None if it was not there.
    """

    source: Source
    ref: str
    commit: str
    before: str | None


def record(
    source: Source, form: Form, there: Instinct | None, everybody: Store, tag: str, now: datetime
) -> Recorded | None:
    """Makes the promotion commit of a project, or finds the one that an earlier try has left.

    Args:
        source: the instinct as the project has it.
        form: the same as it is globally.
        there: what the global store has; None if it has none.
        everybody: the global store.
        tag: what the project is called there.
        now: the commit's time.

    Returns:
        None if the global store has all of the evidence.

    Raises:
        Waiting: another process moved the ref meanwhile.
        GitError: git could not write.
    """
    if there is not None and note.holds(there.ledger, form.instinct.ledger):
        return None
    name, repo = form.instinct.id, source.store.repo
    ref = origin.ref(tag, name)
    before = _before(source.store, everybody, ref)
    genesis = objects.write_genesis(repo)
    chain = _chain(repo, before, genesis) if before else []
    parent = _landed(repo, chain, form.instinct, there) or genesis
    if chain[:1] == [before] and _is_so(repo, str(before), name, form.data, parent):
        return Recorded(source, ref, str(before), before)
    commit = _write(source, form, tag, parent, now)
    if not refs.move(repo, [refs.Move(ref, before, commit)], identity(source.store), f"gitinstinct: promote {name}"):
        raise Waiting(f"{ref} of {source.store.path} moved meanwhile", "another gitinstinct promotes; try again")
    return Recorded(source, ref, commit, before)


def take_back(made: Sequence[Recorded], everybody: Store) -> None:
    """Puts the refs of both stores back to where they were, where nothing came of them."""
    for one in made:
        for held in (one.source.store, everybody):
            now = read_refs(held.repo, one.ref).get(one.ref)
            if now is not None and now.oid == one.commit != one.before:
                step = refs.Move(one.ref, one.commit, one.before)
                refs.move(held.repo, [step], identity(held), "gitinstinct: promotion taken back")


# --- what was promoted before


def _before(held: Store, everybody: Store, ref: str) -> str | None:
    """Where the ref stands. A clone of the project that has none goes on from what another one has given."""
    found = read_refs(held.repo, ref).get(ref)
    if found is None and ref in read_refs(everybody.repo, ref):
        picking.fetch(held.repo, everybody.repo, [ref])
        found = read_refs(held.repo, ref).get(ref)
    return found.oid if found else None


def _chain(repo: Repo, tip: str, genesis: str) -> list[str]:
    """The earlier promotions, newest first. A ref that leads to anything else than such a chain counts for nothing."""
    flags = ("rev-list", "--parents", f"--max-count={origin.LONGEST}", "--end-of-options")
    chain: list[str] = []
    for line in repo.ask(*flags, tip, expect=(0, 128)).splitlines():
        commit, *parents = line.split(" ")
        if commit == genesis:
            return chain
        if len(parents) != 1:
            return []
        chain.append(commit)
    return []


def _landed(repo: Repo, chain: Sequence[str], mine: Instinct, there: Instinct | None) -> str | None:
    """The newest promotion of which the global store has everything, and the project still has: what only the older
    one of two promotions holds, a pick of the newer one would take away."""
    name = mine.id
    if there is None or not chain:
        return None
    path = ids.path_of(name)
    files = blobs(repo, [f"{commit}:{path}" for commit in chain], layout.CAP)
    for commit in chain:
        data = files[f"{commit}:{path}"]
        instinct = note.readable(data, name) if isinstance(data, bytes) else None
        if instinct is None or not all(note.holds(side.ledger, instinct.ledger) for side in (there, mine)):
            continue
        if _is_one_file(repo, commit, path):
            return commit
    return None


def _is_one_file(repo: Repo, commit: str, path: str) -> bool:
    """What else a commit held, a pick of the next one would take away."""
    return [(one.mode, one.path) for one in ls_tree(repo, commit, recursive=True)] == [("100644", path)]


def _is_so(repo: Repo, commit: str, name: str, data: bytes, parent: str) -> bool:
    """Whether a commit is the one that would be made now."""
    path = ids.path_of(name)
    if repo.ask("rev-parse", "--verify", "--end-of-options", f"{commit}^") != parent:
        return False
    entries = ls_tree(repo, commit, path)
    return [one.oid for one in entries] == [blob_id(data, commit)] and _is_one_file(repo, commit, path)


# --- the commit


def _write(source: Source, form: Form, tag: str, parent: str, now: datetime) -> str:
    person = identity(source.store)
    moment = max(int(now.timestamp()), objects.GENESIS_TIME)
    files = {ids.path_of(form.instinct.id): form.data}
    made = Commit(_message(source, form, tag).render(), person, person, moment, [parent], files, empty=True)
    [commit] = objects.write(source.store.repo, [made])
    return commit


def _message(source: Source, form: Form, tag: str) -> Message:
    """For people what it stands on, for programs where it is from. The project is named by its tag alone."""
    name, worth = form.instinct.id, f"{int(form.instinct.written['confidence']) / 100:.2f}"
    entries = [entry for entry in live(form.instinct.ledger) if entry.kind in COUNTING]
    sightings = sum(entry.sightings for entry in entries)
    lines = f"{len(entries)} line{'' if len(entries) == 1 else 's'} of evidence"
    body = f"confidence {worth} in project {tag}: {lines}" + (f", {sightings} sightings" if sightings else "")
    trailers = [("Instinct", f"{name} promoted {worth}"), (origin.PROMOTED_FROM, f"{tag} {source.commit}")]
    if source.id != name:
        trailers.append((note.KNOWN_AS, source.id))
    return Message(f"promote: {name}", [body], trailers)
