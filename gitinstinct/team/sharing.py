"""Beginning to share a store: where, on which branch, and what that would publish.

A team needs no new repository: by default a project's store goes to the project's own origin, as the branch
`instincts` beside the code's. A repository that is only a store, or empty, holds it as `main`.

`--fresh` publishes the newest state and not the way there. `main` is then set on one commit that has the same files and
the common beginning as its parent; the old history stays here on a backup ref. To *merge* that commit into the old
`main` would be friendlier to the local log, but each later push would publish the old history as the merge's other
parent. The evidence stays whole either way: it lies in the files. And because the beginning is common, what others have
published already still merges with it, each origin counting once.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from gitinstinct.capture import redact
from gitinstinct.capture.project import Project, normalise
from gitinstinct.errors import EnvironmentFault, UsageError
from gitinstinct.git import objects, refs, remote
from gitinstinct.git.blobs import Unreadable, blobs
from gitinstinct.git.repo import Repo
from gitinstinct.git.run import run
from gitinstinct.git.trailers import Message
from gitinstinct.git.url import Address, parse
from gitinstinct.promote import branches
from gitinstinct.store import incoming, layout, outgoing, tree
from gitinstinct.store import store as stores
from gitinstinct.store.errors import Waiting
from gitinstinct.store.layout import BRANCH
from gitinstinct.store.outgoing import Outgoing
from gitinstinct.store.store import Store
from gitinstinct.team import exchange
from gitinstinct.team import link as links
from gitinstinct.team.exchange import Synced, Talk
from gitinstinct.team.link import SHARED, Link

_OURS = (branches.HERE, f"refs/heads/{branches.BESIDE_OTHERS}", "refs/heads/export/")  # beside a store's `main`
_PROBE_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Plan:
    """What sharing would do.

    Attributes:
        link: where and on which branch.
        theirs: the commit that is there already, if the branch exists.
        outgoing: what would be published.
        is_open: whether everybody may read the remote; None if that cannot be told.
        fresh: the commit that would take main's place, for `--fresh`.
    """

    link: Link
    theirs: str | None
    outgoing: Outgoing
    is_open: bool | None
    fresh: str | None


# --- where


def address(project: Project | None, typed: str | None) -> Address:
    """The address that was typed, else the code project's own origin.

    Raises:
        UsageError: neither is there, or it is none that git may be given, or it holds a secret.
    """
    text = typed if typed is not None else own_origin(project)
    if not text:
        what = "the project has no origin" if project else "the global store has no project whose origin it could use"
        raise UsageError(f"{what}, so the address must be named", "gitinstinct share URL")
    found = parse(text)
    if redact.findings(text):
        hint = "keep secrets in a credential helper (git help credentials), and give the address alone"
        raise UsageError("the address holds what looks like a secret", hint)
    return found


def own_origin(project: Project | None) -> str | None:
    """The address of the code project's origin; a relative path is resolved."""
    root = Path(project.root) if project and project.root else None
    found = remote.origin(root) if root and root.is_dir() else None
    if root and found and found.startswith(("./", "../")):
        return str((root / found).resolve())
    return found


def choose(store: Store, project: Project | None, where: Address, talk: Talk) -> Link:
    """The branch on a remote: `instincts` beside other branches, `main` where nothing but a store is.

    Raises:
        Unreachable: the remote cannot be asked.
    """
    before = _before(store)
    if before is not None and before.address == where:
        return before
    if project is not None and project.remote and normalise(where.url)[0] == project.remote:
        return Link(where, SHARED)
    heads = remote.heads(where, store.repo, seconds=talk.seconds)
    if not heads:
        return Link(where, BRANCH)
    foreign = [name for name in heads if name != BRANCH and not name.startswith(_OURS)]
    if foreign or BRANCH not in heads:
        return Link(where, SHARED)
    return Link(where, BRANCH if _is_store(where, talk) else SHARED)


def _before(store: Store) -> Link | None:
    """Where it is shared already. A config that cannot be used is what a new address is to mend."""
    try:
        return links.read(store)
    except EnvironmentFault:
        return None


def _is_store(where: Address, talk: Talk) -> bool:
    """Whether the newest commit of `main` there is a store's: that one commit alone is fetched, into a scratch."""
    with tempfile.TemporaryDirectory(prefix="gitinstinct-") as folder:
        place = Path(folder) / "probe.git"
        run(["init", "--quiet", "--bare", "--template=", "--", str(place)], cwd=Path(folder))
        scratch = Repo(place)
        remote.fetch(scratch, where, {BRANCH: "refs/probe"}, depth=1, seconds=talk.seconds)
        name = f"refs/probe:{layout.ABOUT}"
        return not isinstance(blobs(scratch, [name], layout.CAP)[name], Unreadable)


# --- what


def plan(store: Store, link: Link, now: datetime, talk: Talk, *, fresh: bool) -> Plan:
    """What sharing there would publish. Fetches what is there already, and changes nothing.

    Raises:
        Found: what is there may not be merged, or what is here no other store would take.
        Unreachable: the remote cannot be reached.
    """
    tip = links.tip(store)
    exchange.refuse_own(store, tip, "nothing was shared")
    lonely = _alone(store, tip, now) if fresh else None
    try:
        with exchange.fetched(store, link, talk.seconds) as theirs:
            found = outgoing.look(store.repo, lonely or tip, [theirs], talk.names)
            there: str | None = theirs
    except exchange.NothingThere:
        found, there = outgoing.look(store.repo, lonely or tip, [], talk.names), None
    is_open = remote.is_open(link.address, seconds=min(talk.seconds, _PROBE_SECONDS))
    return Plan(link, there, found, is_open, lonely)


def _alone(store: Store, tip: str, now: datetime) -> str:
    """A commit with the files of `main` and nothing before it but the common beginning. No ref holds it yet."""
    found = tree.read(store.repo, tip)
    contents, faults = found.read_all(found.files)
    incoming.refuse(faults, "the newest state cannot be read")
    genesis = objects.write_genesis(store.repo)
    person = stores.identity(store)
    message = Message("share: the newest state, without the way there").render()
    moment = max(int(now.timestamp()), objects.GENESIS_TIME)
    wanted = objects.Commit(message, person, person, moment, [genesis], contents)
    return objects.write(store.repo, [wanted])[0]


# --- doing it


def begin(store: Store, plan: Plan, now: datetime, talk: Talk) -> tuple[Synced, str]:
    """Sets the remote, merges what is there, and pushes.

    Returns:
        What came and went, and the backup ref of the old history if `main` was set anew.

    Raises:
        Found: something must not be published, or the remote declined. The store may be linked already.
        Waiting: a person is in the middle of something.
    """
    outgoing.refuse(plan.outgoing)
    links.wire(store)
    backup = _start_anew(store, plan.fresh, now) if plan.fresh else ""
    links.establish(store, plan.link)
    if plan.theirs is None:  # that it was there once does not count: it was agreed to that it is made
        links.forget(store, plan.link.gone)
    return exchange.sync(store, plan.link, now, talk), backup


def _start_anew(store: Store, fresh: str, now: datetime) -> str:
    """Sets `main` on a commit with the same files, so that nothing has to follow. Returns the backup ref."""
    with stores.locked(store.name):
        tip = links.tip(store)
        before, after = store.repo.ask("rev-parse", f"{tip}^{{tree}}", f"{fresh}^{{tree}}").split()
        backup = exchange.back_up(store, now)
        step, person = refs.Move(BRANCH, tip, fresh), stores.identity(store)
        if before != after or not refs.move(store.repo, [step], person, "gitinstinct: share --fresh"):
            raise Waiting("main moved meanwhile", "try again")
    return backup
