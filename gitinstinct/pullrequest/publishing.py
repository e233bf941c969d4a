"""Publishing a promotion that waits: a look at all that would go, the push of its branch, and the request.

The push is what counts. Whether a request can be opened depends on a host, on a program and on a sign-in, so whatever
happens there is told and fails nothing: the branch is there, and the page on which it is opened is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from gitinstinct.errors import Found
from gitinstinct.git import refs, remote
from gitinstinct.git.remote import Answer, Pushed
from gitinstinct.git.repo import merge_bases
from gitinstinct.git.repo import refs as read_refs
from gitinstinct.git.unreachable import where
from gitinstinct.promote import branches
from gitinstinct.pullrequest import body, facts, programs
from gitinstinct.pullrequest.facts import Facts
from gitinstinct.pullrequest.hosts import Host
from gitinstinct.pullrequest.programs import Failed, Opened, Request
from gitinstinct.store import incoming, merging, outgoing
from gitinstinct.store.outgoing import Outgoing
from gitinstinct.store.store import Store, identity
from gitinstinct.team import exchange, promotions
from gitinstinct.team.exchange import Talk
from gitinstinct.team.link import Link
from gitinstinct.team.promotions import Came

_UPDATE = "gitinstinct review --update {} brings the two together"


@dataclass(frozen=True, slots=True)
class There:
    """How the remote stands: the commit of its main branch, and the promotions that wait there."""

    link: Link
    main: str
    came: Came
    seen: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Plan:
    """What publishing a promotion would do.

    Attributes:
        id: the instinct.
        commit: the tip of its branch here.
        branch: the full name of the branch there.
        there: the commit of that; None if there is none yet.
        outgoing: what would be published.
        facts: what the request tells.
        is_left_over: whether the branch there is one that was merged and not taken away; ours must take it in first.
    """

    id: str
    commit: str
    branch: str
    there: str | None
    outgoing: Outgoing
    facts: Facts
    is_left_over: bool = False

    @property
    def head(self) -> str:
        """The branch for people."""
        return self.branch.removeprefix("refs/heads/")

    @property
    def title(self) -> str:
        """The request's title: of our own words, an id has no sign that does anything."""
        return f"Promote {self.id} to all projects"


@contextmanager
def looked(store: Store, link: Link, talk: Talk, *, rehearse: bool) -> Iterator[There]:
    """Asks the remote how it stands. What was fetched stays here as long as this lasts.

    Raises:
        Found: the main branch is not there, or holds what a store may not hold.
        Unreachable: it does not answer.
    """
    with exchange.fetched(store, link, talk.seconds) as main:
        if not rehearse:
            exchange.follow(store, link, main, "gitinstinct: looked")
        came = promotions.bring(store, link, talk.seconds, rehearse=rehearse)
        seen = promotions.known(store.repo, link)
        seen = {name: oid for name, oid in {**seen, **came.new}.items() if name not in came.gone}
        yield There(link, main, came, seen)


def waiting(store: Store) -> list[str]:
    """The promotions that have a branch here, by id.

    Raises:
        GitError: a branch cannot be read.
    """
    return [one.id for one in branches.waiting(store.repo) if one.here]


def plan(store: Store, name: str, there: There, now: datetime, talk: Talk) -> Plan:
    """What publishing a promotion would do. Changes nothing.

    Raises:
        Found: no such promotion waits here, it cannot be read, holds what no other store would take, or the branch
            there has what ours has not.
    """
    full = branches.branch(name)
    found = read_refs(store.repo, full).get(full)
    if found is None:
        hint = f"gitinstinct promote {name} makes one" if name not in there.seen else "gitinstinct review shows it"
        raise Found(f"no promotion of {name} waits here", hint)
    commit, known = found.oid, there.seen.get(name)
    is_ahead = known is None or merge_bases(store.repo, known, commit) == [known]
    if known and not is_ahead and not _has_landed(store, known, there.main):
        raise Found(f"the branch of {name} at {where(there.link.address)} has what yours has not", _UPDATE.format(name))
    hint = f"take it out of its branch: {store.repo.by_hand(f'switch {branches.called(name)}')}"
    incoming.refuse(incoming.refusals(store.repo, commit), "nothing was pushed, as no other store would take", hint)
    return Plan(
        id=name,
        commit=commit,
        branch=there.link.promotions + name,
        there=known,
        outgoing=outgoing.look(store.repo, commit, [there.main, *filter(None, [known])], talk.names),
        facts=facts.gather(store, name, commit, there.main, now),
        is_left_over=not is_ahead,
    )


def _has_landed(store: Store, commit: str, main: str) -> bool:
    """Whether the main branch there holds all that a commit brings."""
    found = merging.decide(store.repo, main, commit)
    return not found.files and not found.unreadable


def push(store: Store, plan: Plan, link: Link, talk: Talk) -> Pushed:
    """Pushes the branch, which is made or goes forward; never by force.

    Raises:
        Found: something in it must not be published, or the remote declined; nothing has changed there.
        Unreachable: the remote cannot be reached, or does not let us in.
    """
    outgoing.refuse(plan.outgoing)
    pushed = remote.push(
        store.repo, link.address, plan.commit, plan.branch, expected=plan.there or "", seconds=talk.seconds
    )
    if pushed.answer is Answer.BEHIND:
        message = f"somebody else moved {plan.head} at {where(link.address)} ({pushed.reason}); nothing was pushed"
        raise Found(message, _UPDATE.format(plan.id))
    if pushed.answer is Answer.DECLINED:
        said = f"; it says: {pushed.said}" if pushed.said else ""
        message = f"{where(link.address)} declined the branch {plan.head} ({pushed.reason}){said}"
        raise Found(message, "ask who keeps it; nothing was lost here")
    _follow(store, link, plan)
    return pushed


def _follow(store: Store, link: Link, plan: Plan) -> None:
    name = link.promotions_seen + plan.id
    known = read_refs(store.repo, name).get(name)
    old = known.oid if known else None
    if old != plan.commit:
        refs.move(store.repo, [refs.Move(name, old, plan.commit)], identity(store), "gitinstinct: pushed")


# --- the request


@dataclass(frozen=True, slots=True)
class Asked:
    """What became of the request.

    Attributes:
        opened: the request, if a program opened it or found it open.
        page: where a person opens it by hand; empty where there is no host.
        reason: why no program opened it, without a full stop; empty if one did, or there is no host.
    """

    opened: Opened | None = None
    page: str = ""
    reason: str = ""


def text(plan: Plan, link: Link) -> str:
    """The text of the request, in markdown."""
    return body.render(plan.facts, link.name, plan.head)


def ask(plan: Plan, link: Link, host: Host | None, text: str, *, seconds: float = programs.SECONDS) -> Asked:
    """Opens the request for a branch that was pushed. Whatever goes wrong is told and raises nothing."""
    if host is None:
        return Asked()
    page = host.page(link.name, plan.head)
    try:
        opened = programs.open_request(host, Request(link.name, plan.head, plan.title, text), seconds=seconds)
    except Failed as failed:
        return Asked(None, page, str(failed))
    return Asked(opened, page)
