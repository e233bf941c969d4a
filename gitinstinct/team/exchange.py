"""Pull, push, sync: what comes is judged before it is merged, what goes is looked at before it is sent.

What is fetched goes to a ref of our own first. Only when the store may take it does the tracking ref show it, so that
plain `git merge` is never offered what we refuse. A remote whose history was rewritten is merged all the same, because
evidence counts once however it comes; what was here before stays on a backup ref, and it is told.
"""

from __future__ import annotations

import random
import secrets
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from gitinstinct.errors import Found
from gitinstinct.git import refs, remote
from gitinstinct.git.remote import Answer, Pushed
from gitinstinct.git.repo import merge_bases
from gitinstinct.git.repo import refs as read_refs
from gitinstinct.git.unreachable import NoBranch, Unreachable, where
from gitinstinct.store import commit, incoming, merging, outgoing
from gitinstinct.store.commit import Written
from gitinstinct.store.merging import Outcome, Progress
from gitinstinct.store.outgoing import Outgoing
from gitinstinct.store.store import Store, identity
from gitinstinct.team import link as links
from gitinstinct.team.link import Link

ATTEMPTS = 5
_PAUSE = 0.2  # seconds at most before the second attempt; doubles
INCOMING = "refs/gitinstinct/incoming/"
_BACKUP = "refs/gitinstinct/backup/"


@dataclass(frozen=True, slots=True)
class Talk:
    """How the remote is talked to: the most seconds of one conversation, the names that must not go out."""

    seconds: float = remote.SECONDS
    names: tuple[str, ...] = ()
    progress: Progress | None = None


# --- pull


@dataclass(frozen=True, slots=True)
class Pulled:
    """What a pull brought.

    Attributes:
        theirs: the commit of the remote's branch.
        outcome: how it was merged.
        rewritten: the commit that the branch had before, if that is no longer in its history.
        backup: the ref that keeps what was here before such a pull.
        wired: whether the store was a plain clone without our merge driver.
    """

    theirs: str
    outcome: Outcome
    rewritten: str = ""
    backup: str = ""
    wired: bool = False


def pull(store: Store, link: Link, now: datetime, talk: Talk, *, rehearse: bool = False) -> Pulled:
    """Fetches the shared branch, judges it, and merges it into `main`.

    Raises:
        Unreachable: the remote cannot be reached, or sends what cannot be used.
        Found: the branch is not there, or holds what a store may not hold. Nothing has changed.
        Waiting: something that a person has begun is in the way.
    """
    what = f"{link.name} of the team"  # not the address, which may be a path of this machine
    wired = False if rehearse else links.wire(store)
    before = links.known_tip(store.repo, link)
    with fetched(store, link, talk.seconds) as theirs:
        rewritten = before if before and merge_bases(store.repo, before, theirs) != [before] else ""
        backup = "" if rehearse or not rewritten else back_up(store, now)
        if not rehearse:
            follow(store, link, theirs, "gitinstinct: pulled")
        outcome = merging.merge(
            store,
            theirs,
            now,
            message=lambda found: merging.message(what, found),
            rehearse=rehearse,
            progress=talk.progress,
        )
    return Pulled(theirs, outcome, rewritten, backup, wired)


@contextmanager
def fetched(store: Store, link: Link, seconds: float) -> Iterator[str]:
    """The commit of the shared branch, fetched and fit to be merged, for as long as something here holds it.

    Raises:
        Found: the branch is not there, or what it has may not be merged.
    """
    here = INCOMING + secrets.token_hex(4)
    try:
        remote.fetch(store.repo, link.address, {link.branch: here}, seconds=seconds)
    except NoBranch as error:
        raise _no_branch(store, link) from error
    found = read_refs(store.repo, here).get(here)
    if found is None:
        hint = "git fetch --unshallow there makes it whole"
        raise Unreachable(f"{where(link.address)} is a shallow clone: its history begins in the middle", hint)
    try:
        incoming.check(store, found.oid)
        yield found.oid
    finally:
        refs.move(store.repo, [refs.Move(here, found.oid, None)], identity(store), "gitinstinct: judged")


class NothingThere(Found):
    """The remote has no shared branch; `gone` if it had one."""

    def __init__(self, link: Link, gone: bool) -> None:
        self.gone = gone
        state = "the branch {} is gone at {}; what you have stays" if gone else "there is no branch {} at {} yet"
        hint = f"gitinstinct push publishes it{' again' if gone else ''}"
        super().__init__(state.format(link.name, where(link.address)), hint)


def _no_branch(store: Store, link: Link) -> NothingThere:
    """What was there goes to a ref of ours: nothing of it counts as published any more, and that it was is kept."""
    old = links.known_tip(store.repo, link)
    gone = read_refs(store.repo, link.gone).get(link.gone)
    if old is not None:
        moves = [refs.Move(link.tracking, old, None), refs.Move(link.gone, gone.oid if gone else None, old)]
        refs.move(store.repo, moves, identity(store), "gitinstinct: gone")
    return NothingThere(link, gone=old is not None or gone is not None)


def follow(store: Store, link: Link, to: str, reason: str) -> None:
    """Lets the tracking ref show where the branch there is. A plain git that moved it meanwhile knows better."""
    known = read_refs(store.repo, link.tracking, link.gone)
    old, gone = known.get(link.tracking), known.get(link.gone)
    moves = [refs.Move(link.gone, gone.oid, None)] if gone else []
    if old is None or old.oid != to:
        moves.append(refs.Move(link.tracking, old.oid if old else None, to))
    if moves:
        refs.move(store.repo, moves, identity(store), reason)


def back_up(store: Store, now: datetime) -> str:
    """Keeps `main` as it is on a ref of its own; the ref's name."""
    name, tip = f"{_BACKUP}{now:%Y%m%dT%H%M%SZ}", links.tip(store)
    taken = read_refs(store.repo, name).get(name)
    if taken is not None and taken.oid == tip:
        return name
    if taken is not None:
        name += f"-{secrets.token_hex(2)}"
    refs.move(store.repo, [refs.Move(name, None, tip)], identity(store), "gitinstinct: backup")
    return name


# --- push


@dataclass(frozen=True, slots=True)
class Sent:
    """What a push did: what went, and the remote's answer; None if there was nothing to send or it was a rehearsal."""

    outgoing: Outgoing
    pushed: Pushed | None = None


def push(store: Store, link: Link, talk: Talk, *, known: Sequence[str] = (), rehearse: bool = False) -> Sent:
    """Sends `main` as the shared branch, after a look at everything that is new in it.

    Args:
        store: the store.
        link: where to.
        talk: how.
        known: commits that the remote has, besides the one that is known from the last look.
        rehearse: look only.

    Raises:
        Found: it holds what no other store would take, or what must not be published. Nothing was sent.
        Unreachable: the remote cannot be reached, or does not let us in.
    """
    tip, seen = links.tip(store), links.known_tip(store.repo, link) or ""
    refuse_own(store, tip, "nothing was pushed")
    found = outgoing.look(store.repo, tip, [*known, *filter(None, [seen])], talk.names)
    outgoing.refuse(found)
    if rehearse:
        return Sent(found)
    if seen and merge_bases(store.repo, seen, tip) != [seen]:
        return Sent(found, Pushed(Answer.BEHIND, "not merged yet"))
    # Only on top of what was looked at: were the branch gone or set back, more would go than the scan has seen.
    pushed = remote.push(store.repo, link.address, tip, link.branch, expected=seen, seconds=talk.seconds)
    if pushed.answer is Answer.ACCEPTED:
        follow(store, link, tip, "gitinstinct: pushed")
    return Sent(found, pushed)


def refuse_own(store: Store, tip: str, what: str) -> None:
    """Refuses what no other store would take, before anybody gets it.

    Raises:
        Found: there is something of that kind in our own tree.
    """
    hint = f"take it out: {store.repo.by_hand('rm PATH')}, and commit"
    incoming.refuse(incoming.refusals(store.repo, tip), f"{what}, because no other store would take", hint)


def declined(link: Link, sent: Sent) -> None:
    """Explains an answer that is no yes.

    Raises:
        Found: it was none.
    """
    pushed = sent.pushed
    if pushed is None or pushed.answer is Answer.ACCEPTED:
        return
    if pushed.answer is Answer.BEHIND:
        message = f"{where(link.address)} has what you have not ({pushed.reason}); nothing was pushed"
        raise Found(message, "gitinstinct sync pulls, merges and pushes")
    said = f"; it says: {pushed.said}" if pushed.said else ""
    raise Found(
        f"{where(link.address)} declined the push ({pushed.reason}){said}", "ask who keeps it; nothing was lost here"
    )


def settle(store: Store, now: datetime) -> Written:
    """Commits what the person changed by hand, as every command does before it writes."""
    return commit.write(store, lambda _: None, now)


# --- sync


@dataclass(frozen=True, slots=True)
class Synced:
    """The pulls that were needed, and the push that ended them.

    `sent` is None where the branch there was rewritten: somebody took out what we would publish again.
    """

    pulls: tuple[Pulled, ...]
    sent: Sent | None


class Overtaken(Found):
    """Others were quicker, again and again."""

    def __init__(self, link: Link) -> None:
        place = where(link.address)
        super().__init__(
            f"others pushed to {place} {ATTEMPTS} times meanwhile; what you have is safe and not pushed yet",
            "gitinstinct sync tries again",
        )


def sync(store: Store, link: Link, now: datetime, talk: Talk, *, rehearse: bool = False) -> Synced:
    """Pulls and pushes, again while somebody else is quicker, at most `ATTEMPTS` times.

    Where the branch there was rewritten, nothing is pushed: `push` does it, for those who have looked.

    Raises:
        Overtaken: others were quicker each time; what is here is merged and safe.
        FatalError: as `pull` and `push`.
    """
    pulls: list[Pulled] = []
    for attempt in range(ATTEMPTS):
        try:
            pulls.append(pull(store, link, now, talk, rehearse=rehearse))
        except NothingThere as nothing:  # the first push makes it; one that was deleted is not brought back unasked
            if nothing.gone:
                raise
        if pulls and pulls[-1].rewritten:
            return Synced(tuple(pulls), None)
        sent = push(store, link, talk, known=[pulled.theirs for pulled in pulls], rehearse=rehearse)
        if sent.pushed is None or sent.pushed.answer is not Answer.BEHIND:
            declined(link, sent)
            return Synced(tuple(pulls), sent)
        time.sleep(random.uniform(0, _PAUSE * 2**attempt))
    raise Overtaken(link)
