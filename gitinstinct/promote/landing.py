"""A promotion lands: a branch that waited is merged into `main`; and what follows once `main` has it.

It may have landed anywhere, by a merge, a squash or a rebase. So what follows is not tied to the landing: `settle`
looks what `main` holds and brings the projects up to date with that, however often it is called.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from gitinstinct import paths
from gitinstinct.errors import EnvironmentFault, Found
from gitinstinct.git.trailers import Message
from gitinstinct.instinct import ids
from gitinstinct.promote import branches, note, outlook
from gitinstinct.promote.branches import Waiting
from gitinstinct.promote.outlook import Outlook
from gitinstinct.store import incoming, library, merging, outgoing, store
from gitinstinct.store.errors import Missing
from gitinstinct.store.layout import BRANCH, Refusal
from gitinstinct.store.merging import Merging
from gitinstinct.store.store import Store


@dataclass(frozen=True, slots=True)
class Landed:
    """A promotion that `main` has now.

    Attributes:
        id: the instinct.
        commit: the new tip of `main`; None if it had all of it already.
        pending: why index and files could not follow yet; empty if they did.
        conflicts: fields of which both texts stand in the file, as its branch was brought up to date; it is held back.
    """

    id: str
    commit: str | None
    pending: str = ""
    conflicts: tuple[str, ...] = ()


def land(store: Store, waiting: Waiting, now: datetime) -> Landed:
    """Merges the branch of a promotion into `main` and closes our own branch. `settle` comes after it.

    Args:
        store: the global store.
        waiting: the promotion.
        now: the commit's time.

    Raises:
        Found: the branch holds other files too, or what no push would take, or cannot be merged without a conflict;
            nothing was written.
        Waiting: something that a person has begun is in the way; nothing was written.
        GitError: git could not read or write.
    """
    branches.refuse_checked_out(store, waiting.id)
    if waiting.here is None:
        incoming.check(store, waiting.commit)
    _refuse_other_files(waiting.id, outlook.read(store.repo, [waiting.commit])[waiting.commit])
    _refuse_private(store, waiting)

    def message(found: Merging) -> Message:
        _refuse(waiting.id, found)
        return _message(store, waiting.id, found)

    outcome = merging.merge(store, waiting.commit, now, message=message)
    branches.close(store, waiting.id)
    data = library.newest(store).read(ids.path_of(waiting.id))
    return Landed(waiting.id, outcome.commit, outcome.pending, note.unsettled(data, waiting.id))


def _refuse_other_files(name: str, look: Outlook) -> None:
    """One promotion, one instinct. A merge takes known files alone, but `main` may go on to the branch's own commit."""
    own = ids.path_of(name)
    other = [one.path for one in look.brought if one.path != own and one.is_news]
    if other:
        message = f"the promotion of {name} changes other files too: {incoming.shown(other[0])}"
        raise Found(message, "take them out of its branch; a promotion is one instinct")
    if any(one.path == own and one.is_news and not one.is_file for one in look.brought):
        message = f"the promotion of {name} leaves no plain file of it"
        raise Found(message, f"gitinstinct demote {name} takes one back that is global")


def _refuse_private(store: Store, waiting: Waiting) -> None:
    """A secret that only an older version or a message holds comes along as well, and `main` could not be pushed."""
    findings = outgoing.look(store.repo, waiting.commit, [BRANCH], ()).findings
    if findings:
        message = f"the promotion of {waiting.id} cannot land: {findings[0].where}: {findings[0].what}"
        raise Found(message, f"gitinstinct review --reject {branches.called(waiting.id)} turns it down")


def _refuse(name: str, found: Merging) -> None:
    """What two sides say differently is a person's to decide before it lands."""
    if found.unreadable:
        raise Found(f"the promotion of {name} cannot be merged: {found.unreadable[0].reason}", "nothing was changed")
    if found.conflicts:
        fields = ", ".join(found.conflicts.get(name, ()))
        hint = f"bring the two together first: gitinstinct review --update {name}"
        raise Found(f"the promotion of {name} and the global store differ in {fields}", hint)


def _message(store: Store, name: str, found: Merging) -> Message:
    """Where main goes on to the branch's own commits, theirs stand; else a merge that names the same."""
    read = library.read(store, found.theirs).items.get(name)
    worth = f" {int(read.instinct.written['confidence']) / 100:.2f}" if read else ""
    trailers = [("Instinct", f"{name} promoted{worth}")]
    return Message(f"promote: {name}", [f"merge of {found.theirs[:10]}"], trailers)


# --- what follows


@dataclass(frozen=True, slots=True)
class Settled:
    """What was brought up to date.

    Attributes:
        promoted: ids that the global store has now, and whose projects did not know it yet.
        closed: ids whose branch was taken away, since `main` has all of it.
        problems: stores that could not be used, each with the reason.
    """

    promoted: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    problems: tuple[Refusal, ...] = ()


def settle(now: datetime) -> Settled:
    """Tells every project on this machine which of its promotions have landed, and closes their branches.

    Each is written once into the ledger of its project, however often this is called. A store that cannot be used is
    named, and the rest goes on.

    Raises:
        EnvironmentFault: the global store is there and cannot be used.
    """
    try:
        everybody = store.open(Path(paths.store(paths.GLOBAL)))
    except Missing:
        return Settled()
    noted, problems = note.write(everybody, now)
    closed = []
    for waiting in branches.landed(everybody.repo):
        try:
            branches.close(everybody, waiting.id)
            closed.append(waiting.id)
        except EnvironmentFault as fault:
            problems.append(Refusal(branches.branch(waiting.id), fault.message))
    return Settled(tuple(noted), tuple(closed), tuple(problems))
