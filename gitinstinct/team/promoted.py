"""The commits that promotions were taken from: they prove that a project really had what it gave.

They lie on `refs/gitinstinct/promoted/<project>/<id>`, and go where nothing but a store is, once the others have all
that is in them. One only ever moves forward: who holds the project can add to what it gave, and nobody can put
something else in its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from gitinstinct.errors import Found
from gitinstinct.git import remote
from gitinstinct.git.blobs import Unreadable, blobs
from gitinstinct.git.remote import Answer, Step
from gitinstinct.git.repo import Repo, ls_tree, merge_bases, resolve
from gitinstinct.git.unreachable import where
from gitinstinct.instinct import ids, ledger, markdown
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.ledger import Entry
from gitinstinct.promote import origin
from gitinstinct.promote.origin import Promoted
from gitinstinct.store import incoming, layout, outgoing
from gitinstinct.store.layout import BRANCH
from gitinstinct.store.store import Store
from gitinstinct.team.exchange import Talk
from gitinstinct.team.link import Link

_OURS = "refs/gitinstinct/"
_MOST = 200  # in one push; the rest goes with the next
_NAMED = 3


def ref(one: Promoted) -> str:
    """Where it lies, here and there."""
    return origin.ref(one.tag, one.id)


# --- what comes


def newer(repo: Repo, listed: Mapping[str, str]) -> Iterator[tuple[Promoted, str | None]]:
    """The promoted refs there that may go on from ours, each with where ours is. Where ours is ahead, none is needed.

    Args:
        repo: the global store's repository.
        listed: the refs there.
    """
    here = {ref(one): one.commit for one in origin.promoted(repo)}
    for full, oid in sorted(listed.items()):
        one, old = origin.parse(full, oid), here.get(full)
        if one and old != oid and not (old and _is_behind(repo, oid, old)):
            yield one, old


def _is_behind(repo: Repo, one: str, other: str) -> bool:
    """Whether a commit, which may not be here, is part of another one's history."""
    return resolve(repo, one) is not None and merge_bases(repo, one, other) == [one]


def check(repo: Repo, name: str, old: str | None, oid: str) -> None:
    """Refuses a commit that no promotion can be taken from.

    Args:
        repo: the global store's repository, which has the objects.
        name: the id of the instinct.
        old: the commit that was there before, which it must go on from.
        oid: the commit.

    Raises:
        Found: it is not one readable instinct and nothing beside it, on the common beginning; or it goes on from
            something else.
    """
    path = ids.path_of(name)
    if not merge_bases(repo, BRANCH, oid):
        raise Found("it has no common beginning with this store")
    if old and merge_bases(repo, old, oid) != [old]:
        raise Found("it does not go on from what was seen before")
    reason = incoming.oversized(repo, oid, BRANCH)
    if reason:
        raise Found(reason)
    incoming.refuse(incoming.refusals(repo, oid), "it is not taken")
    if [entry.path for entry in ls_tree(repo, oid, recursive=True)] != [path]:
        raise Found(f"it holds other files than {path}")
    data = blobs(repo, [f"{oid}:{path}"], layout.CAP)[f"{oid}:{path}"]
    try:
        markdown.check(data if isinstance(data, bytes) else b"", name)
    except Invalid as error:
        raise Found(str(error)) from error


# --- what goes


@dataclass(frozen=True, slots=True)
class Went:
    """The promoted refs that went along with a push, and why others did not."""

    sent: tuple[str, ...] = ()
    left: Mapping[str, str] = field(default_factory=dict)


def send(store: Store, link: Link, talk: Talk, tip: str, listed: Mapping[str, str] | None = None) -> Went:
    """Sends the commits that promotions were taken from, as far as the others have what is in them.

    Args:
        store: the global store.
        link: where it is shared.
        talk: how.
        tip: the commit that the others have: `main`, or a branch that was pushed.
        listed: the refs there, if they were asked for already.

    Raises:
        Unreachable: the remote cannot be reached.
    """
    ours = origin.promoted(store.repo) if link.is_alone else []
    if not ours:
        return Went()
    there = remote.listed(link.address, store.repo, seconds=talk.seconds) if listed is None else listed
    new = [one for one in ours if not _is_known(store.repo, one.commit, there.get(ref(one)))]
    left: dict[str, str] = {}
    steps = []
    for one in list(_published(store.repo, tip, new))[:_MOST]:
        full = ref(one)
        reason = _objection(store.repo, one.commit, there.get(full), tip, talk.names)
        if reason:
            left[full.removeprefix(_OURS)] = reason
        else:
            steps.append(Step(one.commit, full, there.get(full, "")))
    answers = remote.push_all(store.repo, link.address, steps, seconds=talk.seconds) if steps else {}
    taken = {name for name, one in answers.items() if one.answer is Answer.ACCEPTED}
    for name in answers.keys() - taken:
        left[name.removeprefix(_OURS)] = f"{where(link.address)} did not take it ({answers[name].reason})"
    return Went(tuple(sorted(taken)), left)


def _is_known(repo: Repo, oid: str, there: str | None) -> bool:
    """Whether the one there is ours, or goes on from ours."""
    return there == oid or (there is not None and resolve(repo, there) is not None and _is_behind(repo, oid, there))


def _objection(repo: Repo, oid: str, old: str | None, tip: str, names: Sequence[str]) -> str:
    """Why a promoted ref does not go; empty if it may."""
    if old is not None and not _is_behind(repo, old, oid):
        return "another promotion of the same project is there"
    findings = outgoing.look(repo, oid, [tip], names).findings
    return "; ".join(f"{one.where}: {one.what}" for one in findings[:_NAMED])


def _published(repo: Repo, tip: str, given: Sequence[Promoted]) -> Iterator[Promoted]:
    """Those of which every piece of evidence is in the tip: nothing goes that was not agreed to."""
    names = {one: (f"{one.commit}:{ids.path_of(one.id)}", f"{tip}:{ids.path_of(one.id)}") for one in given}
    wanted = [name for pair in names.values() for name in pair]
    contents = blobs(repo, wanted, layout.CAP) if wanted else {}
    for one, (theirs, ours) in names.items():
        mine = _ledger(contents[theirs])
        if mine and ledger.origins(mine) <= ledger.origins(_ledger(contents[ours])):
            yield one


def _ledger(data: bytes | Unreadable) -> Sequence[Entry]:
    try:
        return markdown.parse(data).ledger if isinstance(data, bytes) else ()
    except Invalid:
        return ()
