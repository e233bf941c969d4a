"""The one way to change a store: look, decide, write objects, swap refs, let index and files follow.

The decision is a function of the newest tree, so that it can be taken again when a foreign git was quicker. The branch
is always `main`, whatever is checked out. Objects come first and nothing points at them; then one transaction moves the
branch, the private record and the checkout marker, each from the value that was read. What a kill leaves is either the
old state or the new one with a marker.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from gitinstinct.git import objects, refs, worktrees
from gitinstinct.git.blobs import blob_id
from gitinstinct.git.identity import Actor
from gitinstinct.git.locks import locked_by, way_out
from gitinstinct.git.objects import Commit
from gitinstinct.git.repo import Repo
from gitinstinct.git.run import GitError
from gitinstinct.git.trailers import Message
from gitinstinct.store import checkout, consent, edits, layout, runs, tree, vetting
from gitinstinct.store.checkout import MARKER, RUNS, View
from gitinstinct.store.edits import Survey, Vet
from gitinstinct.store.errors import Waiting
from gitinstinct.store.layout import BRANCH, Refusal
from gitinstinct.store.runs import Record
from gitinstinct.store.store import Store, identity, locked, protect, way_back
from gitinstinct.store.tree import Tree
from gitinstinct.trust import giving

_ATTEMPTS = 12
_PAUSE = 0.02  # seconds; doubles with every lost race


@dataclass(frozen=True, slots=True)
class Change:
    """What a plan wants.

    Attributes:
        files: path to new content, or None to remove it. What is so already is no change.
        message: the commit's message.
        author: who made the change; the person if None.
        record: what goes to the private record. With no file to change, only the record moves.
        merges: a commit that becomes the second parent, whether a file changes or not.
        forward: a commit that builds on the newest and becomes the branch as it is; no commit is made.
    """

    files: Mapping[str, bytes | None]
    message: Message
    author: Actor | None = None
    record: Record | None = None
    merges: str | None = None
    forward: str | None = None

    @property
    def moves_branch(self) -> bool:
        """Whether the branch moves although no file may change."""
        return bool(self.merges or self.forward)


Plan = Callable[[Tree], Change | None]
"""Decides on the newest tree; None if there is nothing to do. It may be called several times."""


@dataclass(frozen=True, slots=True)
class Written:
    """What a write did.

    Attributes:
        commit: the new commit of `main`, or None if no file changed.
        edits: the commits that hold what a person had changed by hand.
        held: what a person changed and could not be committed.
        pending: why index and files could not follow yet; empty if they did.
    """

    commit: str | None = None
    edits: tuple[str, ...] = ()
    held: tuple[Refusal, ...] = ()
    pending: str = ""


@dataclass(frozen=True, slots=True)
class _Desk:
    """A store as this attempt found it."""

    repo: Repo
    view: View
    tip: str
    person: Actor
    survey: Survey = field(default_factory=Survey)
    pending: str = ""


def write(store: Store, plan: Plan, now: datetime, *, vet: Vet = vetting.reason) -> Written:
    """Lands a change on `main`, a person's own edits first.

    Args:
        store: the store.
        plan: decides what to change.
        now: the commit's time; a parent that is younger is not overtaken.
        vet: judges a person's edits.

    Raises:
        Waiting: something that a person has begun is in the way; nothing of the plan was written.
        GitError: git could not write.
        EnvironmentFault: the branch is missing, or another process kept the lock.
        ValueError: the plan names a path that no store may hold, or a file that is too large.
    """
    with locked(store.name):
        protect(store.repo)
        person = identity(store)
        committed: list[str] = []
        for attempt in range(_ATTEMPTS):
            desk = _settled(store, person, vet)
            if desk.survey.edits and not committed:
                committed += _commit_edits(desk, now)
                continue
            desk = replace(desk, survey=desk.survey.postponed("edited again while it was being committed"))
            written = _land(desk, plan, now)
            if written is not None:
                return replace(written, edits=tuple(committed), held=desk.survey.held)
            time.sleep(random.uniform(0, _PAUSE * 2 ** min(attempt, 5)))  # so that two writers fall out of step
    raise Waiting(f"main of {store.path} moved {_ATTEMPTS} times meanwhile", "another git is busy there; try again")


def _settled(store: Store, person: Actor, vet: Vet) -> _Desk:
    """Looks, and finishes what an earlier command could not."""
    _refuse_rebase(store)
    view = checkout.look(store.repo)
    if view.main is None:
        raise Waiting(f"the branch main of {store.path} is missing or damaged", way_back(store.repo))
    tip = view.main.oid
    desk = view.desk
    if desk is None:
        return _Desk(store.repo, view, tip, person)
    pending = _finished(desk, view.marker, tip, person) if view.marker is not None else ""
    if not pending:
        view = replace(view, marker=None)
    survey = edits.survey(desk, view.marker or tip, tip, vet)
    checkout.straighten(desk, survey.crlf)
    return _Desk(desk, view, tip, person, survey.postponed(pending) if pending else survey, pending)


def _refuse_rebase(store: Store) -> None:
    """A rebase ends by putting its result in main's place: what was written meanwhile would be lost."""
    busy = worktrees.being_rewritten(store.repo, BRANCH)
    if busy is not None:
        hint = f"end it: {busy.by_hand('rebase --continue')} (or --abort)"
        raise Waiting(f"main is being rewritten in {busy.work_tree}", hint)


def _finished(desk: Repo, marker: str, tip: str, person: Actor, *, files_too: bool = True) -> str:
    """Lets index and files follow; returns why they could not, where the index is locked or damaged.

    Raises:
        Waiting: a file cannot follow. The others have, so a further commit could not tell theirs from a person's edit.
    """
    try:
        left = checkout.finish(desk, marker, tip, person, files_too=files_too)
    except GitError as error:
        lock = locked_by(desk, error.stderr)
        return f"{lock} is in the way; {way_out(lock)}" if lock else error.stderr
    if left:
        path, reason = left[0].path, left[0].reason
        raise Waiting(f"{path} cannot follow main: {reason}", f"commit or undo your change: {desk.by_hand('status')}")
    return ""


def _commit_edits(desk: _Desk, now: datetime) -> list[str]:
    """Commits a person's edits as theirs. An empty answer means that the branch moved: look again."""
    before = tree.read(desk.repo, desk.tip)
    message = edits.message(desk.survey.edits, before.files)
    change, own_words = Change(desk.survey.edits, message), consent.own_words(before, desk.survey.edits)
    landed = _swap(desk, change, desk.survey.edits, now)
    if landed is None:
        return []
    giving.landed(own_words, "edit", now)
    _finished(desk.repo, desk.tip, landed, desk.person, files_too=False)
    return [landed]


def _land(desk: _Desk, plan: Plan, now: datetime) -> Written | None:
    """One attempt. None if the branch moved meanwhile."""
    newest = tree.read(desk.repo, desk.tip)
    change = plan(newest)
    if change is None:
        return Written(pending=desk.pending)
    files = _effective(change, newest)
    if not files and change.record is None and not change.moves_branch:
        return Written(pending=desk.pending)
    if _overtaken(desk, newest, files):
        return None
    landed = _swap(desk, change, files, now)
    if landed is None:
        return None
    if landed == desk.tip:
        return Written(pending=desk.pending)
    if desk.view.desk is None:
        return Written(landed)
    try:
        pending = _finished(desk.repo, desk.view.marker or desk.tip, landed, desk.person)
    except Waiting as waiting:  # the change is in; the next write waits
        pending = waiting.message
    return Written(landed, pending=pending)


def _effective(change: Change, newest: Tree) -> dict[str, bytes | None]:
    """Those files that really change."""
    files = {}
    for path, content in change.files.items():
        if not layout.is_known(path) or (content is not None and len(content) > layout.CAP):
            raise ValueError(f"{path!r} is no file that a store may hold, or too large")
        before = newest.files.get(path)
        if before != (None if content is None else blob_id(content, newest.commit)):
            files[path] = content
    return files


def _overtaken(desk: _Desk, newest: Tree, files: Mapping[str, bytes | None]) -> bool:
    """Whether the files show already what a foreign git has committed since the look.

    Raises:
        Waiting: a person's own change is in the way.
    """
    try:
        _refuse_hindered(desk, newest, files)
    except Waiting:
        main = checkout.look(desk.repo).main
        if main is None or main.oid == desk.tip:
            raise
        return True
    return False


def _refuse_hindered(desk: _Desk, newest: Tree, files: Mapping[str, bytes | None]) -> None:
    """In the work tree where main is checked out, a person's own change of a path comes first."""
    if desk.view.desk is None:
        return
    touched = [path for path in files if not edits.is_untouched(desk.repo, desk.survey, path, newest.files.get(path))]
    before = newest.read_all(touched)[0]
    for path in touched:
        reason = edits.hindrance(desk.repo, desk.survey, path, before.get(path), files[path])
        if reason:
            hint = f"finish what you have begun, or take it back: {desk.repo.by_hand('status')}"
            raise Waiting(f"{path} waits for you: {reason}", hint)


def _swap(desk: _Desk, change: Change, files: Mapping[str, bytes | None], now: datetime) -> str | None:
    """Writes the commits and moves the refs. The branch's new commit (or the old one), or None if a ref had moved."""
    view, person = desk.view, desk.person
    assert view.main is not None
    moment = max(int(now.timestamp()), view.main.time)
    commits, names = [], []
    if change.merges or (files and not change.forward):
        author, parents = change.author or person, [desk.tip, *filter(None, [change.merges])]
        commits.append(Commit(change.message.render(), author, person, moment, parents, files))
        names.append(BRANCH)
    if change.record is not None:
        commits.append(runs.commit(change.record, view.runs, person, now))
        names.append(RUNS)
    try:
        written = dict(zip(names, objects.write(desk.repo, commits), strict=True)) | _forwarded(change)
        landed = refs.move(desk.repo, _moves(view, desk.tip, written), person, f"gitinstinct: {change.message.subject}")
    except GitError as error:
        lock = locked_by(desk.repo, error.stderr)
        if lock is None:
            raise
        raise Waiting(f"{lock} is in the way", way_out(lock)) from error
    return written.get(BRANCH, desk.tip) if landed else None


def _forwarded(change: Change) -> dict[str, str]:
    return {BRANCH: change.forward} if change.forward else {}


def _moves(view: View, tip: str, written: Mapping[str, str]) -> list[refs.Move]:
    """The marker before the branch, the record last: a power cut between them loses nothing that was learned."""
    moves = []
    if BRANCH in written:
        if view.desk is not None and view.marker is None:
            moves.append(refs.Move(MARKER, None, tip))
        moves.append(refs.Move(BRANCH, tip, written[BRANCH]))
    if RUNS in written:
        moves.append(refs.Move(RUNS, view.runs.oid if view.runs else None, written[RUNS]))
    return moves
