"""Promotions at a remote: the branches on which they wait for a review, and the commits that they were taken from.

Each is fetched to a ref of our own and judged alone before its tracking ref shows it, so one that is bad takes nothing
else with it. What a remote may send is bounded, and a name that is no id is none of ours. What the commits are for is
told in `promoted`.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from gitinstinct.errors import EnvironmentFault, FatalError
from gitinstinct.git import refs, remote
from gitinstinct.git.repo import Repo, merge_bases
from gitinstinct.git.repo import refs as read_refs
from gitinstinct.instinct import ids
from gitinstinct.promote import branches
from gitinstinct.store import incoming
from gitinstinct.store.errors import Waiting
from gitinstinct.store.store import Store, identity
from gitinstinct.team import promoted
from gitinstinct.team.exchange import INCOMING
from gitinstinct.team.link import Link

MOST = 200  # branches, or commits, that one look takes; the rest comes with the next
_CONVERSATIONS = 16  # at most, to find the one that cannot be fetched


@dataclass(frozen=True, slots=True)
class Came:
    """What a look at a remote's promotions brought.

    Attributes:
        listed: every ref there, to its commit.
        new: id to commit of the branches that are new there, or have moved on.
        gone: id to the commit of the branches that were there and are no longer.
        refused: the name of what is left out, to the reason.
        ignored: how many branches have a name that is no id.
        later: how many were left for the next look.
        promoted: how many commits came that promotions were taken from.
    """

    listed: Mapping[str, str] = field(default_factory=dict)
    new: Mapping[str, str] = field(default_factory=dict)
    gone: Mapping[str, str] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)
    ignored: int = 0
    later: int = 0
    promoted: int = 0


def concerns(store: Store) -> bool:
    """Whether promotions come and go with this store: they lead into the global one, and nowhere else."""
    return store.about.scope == "global"


def known(repo: Repo, link: Link) -> dict[str, str]:
    """Id to commit of the branches there, as of the last look."""
    return _by_id({name: ref.oid for name, ref in read_refs(repo, link.promotions_seen).items()}, link.promotions_seen)


def _by_id(found: Mapping[str, str], folder: str) -> dict[str, str]:
    below = {name.removeprefix(folder): oid for name, oid in found.items() if name.startswith(folder)}
    return {name: oid for name, oid in below.items() if ids.is_id(name)}


# --- what comes


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A ref there that is not as it is here."""

    there: str
    here: str
    old: str | None
    name: str

    @property
    def shown(self) -> str:
        return self.there.removeprefix("refs/heads/").removeprefix("refs/gitinstinct/")


def bring(store: Store, link: Link, seconds: float, *, rehearse: bool = False) -> Came:
    """Fetches the promotions that wait at the remote, and what they were taken from; merges nothing.

    Args:
        store: the global store.
        link: where it is shared.
        seconds: wall time of one conversation.
        rehearse: look, and move no ref.

    Raises:
        Unreachable: the remote cannot be asked.
    """
    listed = remote.listed(link.address, store.repo, () if link.is_alone else ("--heads",), seconds=seconds)
    there, seen = _by_id(listed, link.promotions), known(store.repo, link)
    moved, given = _moved(link, there, seen), _given(store.repo, listed)
    came, refused = _fetched(store, link, [*moved[:MOST], *given[:MOST]], seconds)
    gone = {name: oid for name, oid in seen.items() if name not in there}
    if not rehearse:
        steps = [refs.Move(one.here, one.old, oid) for one, oid in came.items()]
        steps += [refs.Move(link.promotions_seen + name, oid, None) for name, oid in gone.items()]
        _move(store, steps)
        _follow(store, known(store.repo, link))
    return Came(
        listed=listed,
        new={one.name: oid for one, oid in came.items() if one in moved},
        gone=gone,
        refused=refused,
        ignored=sum(name.startswith(link.promotions) for name in listed) - len(there),
        later=len(moved[MOST:]) + len(given[MOST:]),
        promoted=sum(one in given for one in came),
    )


def _moved(link: Link, there: Mapping[str, str], seen: Mapping[str, str]) -> list[_Wanted]:
    """The branches there that are not where they were."""
    return [
        _Wanted(link.promotions + name, link.promotions_seen + name, seen.get(name), name)
        for name, oid in sorted(there.items())
        if seen.get(name) != oid
    ]


def _given(repo: Repo, listed: Mapping[str, str]) -> list[_Wanted]:
    """The promotion commits there that may go on from ours."""
    return [_Wanted(promoted.ref(one), promoted.ref(one), old, one.id) for one, old in promoted.newer(repo, listed)]


def _follow(store: Store, there: Mapping[str, str]) -> None:
    """Lets our own branches go on to what others have added to them. One on which a person stands stays."""
    own = read_refs(store.repo, branches.HERE) if there else {}
    for name, oid in there.items():
        mine = own.get(branches.branch(name))
        if mine is None or mine.oid == oid or merge_bases(store.repo, mine.oid, oid) != [mine.oid]:
            continue
        with suppress(Waiting):
            branches.refuse_checked_out(store, name)
            step = refs.Move(branches.branch(name), mine.oid, oid)
            refs.move(store.repo, [step], identity(store), "gitinstinct: went on with the team's")


def _move(store: Store, steps: Sequence[refs.Move]) -> None:
    if steps and not refs.move(store.repo, steps, identity(store), "gitinstinct: promotions"):
        raise EnvironmentFault("another git moved the same refs meanwhile", "nothing is lost: try again")


def _fetched(
    store: Store, link: Link, wanted: Sequence[_Wanted], seconds: float
) -> tuple[dict[_Wanted, str], dict[str, str]]:
    """Those that are fit to be shown, and why the others are not. What came is held no longer."""
    folder = f"{INCOMING}{secrets.token_hex(4)}/"
    places = {one: f"{folder}{number}" for number, one in enumerate(wanted)}
    refused = _fetch(store.repo, link, places, seconds)
    arrived = {name: ref.oid for name, ref in read_refs(store.repo, folder).items()}
    came: dict[_Wanted, str] = {}
    try:
        for one, place in places.items():
            reason = _fault(store, one, arrived[place]) if place in arrived else ""
            if reason:
                refused[one.shown] = reason
            elif place in arrived:
                came[one] = arrived[place]
    finally:
        _move(store, [refs.Move(name, oid, None) for name, oid in arrived.items()])
    return came, refused


def _fetch(repo: Repo, link: Link, places: Mapping[_Wanted, str], seconds: float) -> dict[str, str]:
    """Fetches all at once; where that fails, in halves, until what cannot be fetched stands alone. Name to reason."""
    refused: dict[str, str] = {}
    waiting, talked = [list(places)] if places else [], 0
    while waiting:
        some, talked = waiting.pop(), talked + 1
        try:
            remote.fetch(repo, link.address, {one.there: places[one] for one in some}, seconds=seconds)
        except EnvironmentFault as error:
            if len(some) > 1 and talked < _CONVERSATIONS:
                waiting += [some[: len(some) // 2], some[len(some) // 2 :]]
            else:
                refused |= dict.fromkeys((one.shown for one in some), error.message)
    return refused


def _fault(store: Store, wanted: _Wanted, oid: str) -> str:
    """Why a commit is left out; empty if it is not."""
    try:
        if wanted.here == wanted.there:
            promoted.check(store.repo, wanted.name, wanted.old, oid)
        else:
            incoming.check(store, oid)
    except FatalError as error:
        return error.message
    return ""
