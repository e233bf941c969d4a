"""Promotions that come and go with a store's branch, told beside a pull, a push or a sync.

They are a thing of their own: whatever happens to them, the pull or push that they came with stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gitinstinct import clock
from gitinstinct.cli.output import note, say
from gitinstinct.errors import FatalError
from gitinstinct.git.repo import refs as read_refs
from gitinstinct.promote import branches, landing, outlook
from gitinstinct.promote.landing import Settled
from gitinstinct.store.store import Store
from gitinstinct.team import promoted, promotions
from gitinstinct.team.exchange import Talk
from gitinstinct.team.link import Link
from gitinstinct.team.promoted import Went
from gitinstinct.team.promotions import Came

_LISTED = 10


@dataclass(frozen=True, slots=True)
class Brought:
    """What came, which of it waits here now, which was taken away unmerged, and what has landed."""

    came: Came = field(default_factory=Came)
    waits: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    settled: Settled = field(default_factory=Settled)


def bring(store: Store, link: Link, talk: Talk, *, rehearse: bool, quiet: bool) -> tuple[Came, dict[str, Any]]:
    """Fetches what waits at the remote, and brings the projects here up to date with what has landed.

    Returns:
        What came, and the same for a script; nothing for a store that promotions do not lead into.
    """
    if not promotions.concerns(store):
        return Came(), {}
    found = Brought()
    try:
        found = _bring(store, link, talk, rehearse=rehearse)
    except FatalError as error:
        note(f"note: promotions were not looked at: {error.message}")
    if not quiet:
        for line, style in _lines(store, found):
            say((line, style))
    return found.came, {"promotions": _json(found)}


def _bring(store: Store, link: Link, talk: Talk, *, rehearse: bool) -> Brought:
    came = promotions.bring(store, link, talk.seconds, rehearse=rehearse)
    looks = outlook.read(store.repo, [*came.new.values(), *came.gone.values()])
    waits, gone = (
        tuple(name for name, oid in some.items() if not looks[oid].has_landed) for some in (came.new, came.gone)
    )
    return Brought(came, waits, gone, Settled() if rehearse else landing.settle(clock.now()))


def _lines(store: Store, found: Brought) -> Iterator[tuple[str, str]]:
    """What is told, each line with its style."""
    yield from ((f"promoted now: {name}", "green") for name in found.settled.promoted)
    yield from _some([(f"  waits     {branches.called(name)}", "") for name in found.waits], "that wait")
    if found.waits:
        yield "Look at it: gitinstinct review", "bold"
    ours = read_refs(store.repo, branches.HERE) if found.gone else {}
    for name in found.gone:
        stays = "; yours stays" if branches.branch(name) in ours else ""
        yield f"! {branches.called(name)} was taken away there without being merged{stays}", "yellow"
    refused = [(f"! {name} is left out: {reason}", "yellow") for name, reason in found.came.refused.items()]
    yield from _some(refused, "left out")
    if found.came.ignored:
        yield f"! {found.came.ignored} of the branches there have a name that is no id", "yellow"
    if found.came.later:
        yield f"! {found.came.later} more come with the next look", "yellow"
    yield from ((f"! {one.path}: {one.reason}", "yellow") for one in found.settled.problems)


def _some(lines: Sequence[tuple[str, str]], what: str) -> Iterator[tuple[str, str]]:
    yield from lines[:_LISTED]
    if len(lines) > _LISTED:
        yield f"  and {len(lines) - _LISTED} more {what}", "dim"


def _json(found: Brought) -> dict[str, Any]:
    return {
        "waiting": list(found.waits),
        "gone": list(found.gone),
        "promoted": list(found.settled.promoted),
        "closed": list(found.settled.closed),
        "refused": [{"name": name, "reason": reason} for name, reason in found.came.refused.items()],
        "ignored": found.came.ignored,
        "later": found.came.later,
        "problems": [{"path": one.path, "reason": one.reason} for one in found.settled.problems],
    }


def send(
    store: Store, link: Link, talk: Talk, tip: str, *, quiet: bool, listed: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Sends the commits that promotions were taken from, as far as the others have what is in them."""
    if not promotions.concerns(store):
        return {}
    went = Went()
    try:
        went = promoted.send(store, link, talk, tip, listed)
    except FatalError as error:
        note(f"note: the commits that promotions were taken from were not pushed: {error.message}")
    for name, reason in went.left.items() if not quiet else ():
        say((f"! {name} was not pushed: {reason}", "yellow"))
    return {"origins": {"sent": list(went.sent), "left": dict(went.left)}}
