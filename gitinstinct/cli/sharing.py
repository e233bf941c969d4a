"""Sharing a store with others: `share`, `pull`, `push`, `sync`, `remote`."""

from __future__ import annotations

import getpass
import platform
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from gitinstinct import clock, config, paths
from gitinstinct.cli import brought, output, shared, target, taught, workflows
from gitinstinct.cli.output import counted, say
from gitinstinct.cli.target import GlobalOption, JsonOption, Place, ProjectOption
from gitinstinct.cli.taught import DryRunOption
from gitinstinct.cli.workflows import WorkflowOption
from gitinstinct.errors import ExitCode, Found, UsageError
from gitinstinct.git.remote import Answer
from gitinstinct.instinct import private
from gitinstinct.store import homes, outgoing
from gitinstinct.store.merging import Progress
from gitinstinct.store.store import Store
from gitinstinct.team import exchange, standing
from gitinstinct.team import link as links
from gitinstinct.team import sharing as beginning
from gitinstinct.team.exchange import Sent, Talk
from gitinstinct.team.link import Link

YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]


def _store(project: str | None, only_global: bool, *, rehearse: bool) -> tuple[Place, Store]:
    found = taught.place(project, only_global, clock.now(), rehearse=rehearse)
    return found, taught.store_of(found, "there is nothing to share")


def talk(public: str = "") -> Talk:
    """How remotes are talked to, by the settings; and what names this machine's person has, less those in `public`."""
    home = str(Path.home())
    names = (_login(), platform.node(), platform.node().partition(".")[0], home)
    chosen = config.read().team
    return Talk(max(1.0, chosen.timeout), private.telling(names, " ".join((public, *chosen.public))))


def _login() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # no such user in a container
        return ""


def talk_to(link: Link, progress: Progress | None = None) -> Talk:
    """The same for one remote, whose address everybody knows who gets the store."""
    return replace(talk("" if link.address.is_local else link.address.url), progress=progress)


# --- share


UrlArgument = Annotated[
    str | None, typer.Argument(metavar="URL", help="Where; the code project's own origin if left out.")
]
FreshOption = Annotated[bool, typer.Option("--fresh", help="Publish the newest state without its history.")]


def share(
    url: UrlArgument = None,
    fresh: FreshOption = False,
    workflow: WorkflowOption = False,
    yes: YesOption = False,
    dry_run: DryRunOption = False,
    project: ProjectOption = None,
    only_global: GlobalOption = False,
    as_json: JsonOption = False,
) -> int:
    """Share a store with others, and push it for the first time.

    By default it goes to the code project's own origin, as the branch `instincts`, so a team needs no new repository.
    It says first what would be published, and to whom. What holds a secret, a home path or a name of yours stays here.

    Example:

      gitinstinct share --dry-run
    """
    if not (yes or dry_run or output.is_terminal()):
        raise UsageError("share asks before it publishes, and there is no terminal", "add --yes, or --dry-run to look")
    if only_global and project is None and not dry_run:  # to join others is reason enough to have one
        homes.make_global(clock.now(), target.project(None))
    found, store = _store(project, only_global, rehearse=dry_run)
    if not dry_run:
        shared.edits(exchange.settle(store, clock.now()), quiet=as_json)
    plan, how = _planned(found, store, url, fresh=fresh)
    if not as_json:
        shared.plan(plan)
    may_ask = not (yes or dry_run or as_json)
    checks = workflows.wanted(store, plan.link, workflow, may_ask=may_ask, quiet=as_json, fresh=fresh)
    if dry_run or plan.outgoing.findings:
        return _not_now(plan, int(checks and not fresh), as_json)
    if not (yes or typer.confirm("Publish this?", default=False)):
        say("Nothing was changed.")
        return ExitCode.DONE
    if checks:
        workflows.add(store)
        plan, how = _planned(found, store, url, fresh=fresh)
    return _published(store, plan, how, as_json=as_json)


def _published(store: Store, plan: beginning.Plan, how: Talk, *, as_json: bool) -> int:
    with output.progress("merging", quiet=as_json) as progress:
        synced, backup = beginning.begin(store, plan, clock.now(), replace(how, progress=progress))
    along = _along(store, plan.link, synced.sent, None, quiet=as_json)
    if as_json:
        output.as_json(shared.plan_json(plan) | {"backup": backup or None} | shared.synced_json(synced) | along)
    else:
        shared.begun(plan, synced, backup, everybody=store.about.scope == paths.GLOBAL)
    return shared.code(synced.pulls)


def _planned(found: Place, store: Store, url: str | None, *, fresh: bool) -> tuple[beginning.Plan, Talk]:
    code = found.project if found.scope == "project" else None
    link = links.read(store) if url is None else None
    if link is None:
        link = beginning.choose(store, code, beginning.address(code, url), talk())
    how = talk_to(link)
    return beginning.plan(store, link, clock.now(), how, fresh=fresh), how


def _not_now(plan: beginning.Plan, more: int, as_json: bool) -> int:
    if as_json:
        output.as_json(shared.plan_json(plan, more=more))
    if plan.outgoing.findings:
        if as_json:
            return ExitCode.FOUND
        what = counted(len(plan.outgoing.findings), "thing")
        raise Found(f"nothing was published: {what} must not be", outgoing.WAY_OUT)
    if not as_json:
        say(("nothing was published: this is what it would do", "dim"))
    return ExitCode.DONE


# --- pull, push, sync


def pull(
    dry_run: DryRunOption = False,
    project: ProjectOption = None,
    only_global: GlobalOption = False,
    as_json: JsonOption = False,
) -> int:
    """Fetch what others learned and merge it.

    It is judged first; what a store may not hold is refused as a whole, by name. A conflict is kept in the file, which
    is held back until `resolve` settles it.

    Example:

      gitinstinct pull
    """
    _, store = _store(project, only_global, rehearse=dry_run)
    link = links.required(store)
    with output.progress("merging", quiet=as_json) as progress:
        pulled = exchange.pull(store, link, clock.now(), talk_to(link, progress), rehearse=dry_run)
    if not as_json:
        shared.pulled(pulled, rehearsed=dry_run)
    _, told = brought.bring(store, link, talk_to(link), rehearse=dry_run, quiet=as_json)
    if as_json:
        output.as_json(shared.pulled_json(pulled) | told)
    return shared.code([pulled])


def push(
    dry_run: DryRunOption = False,
    project: ProjectOption = None,
    only_global: GlobalOption = False,
    as_json: JsonOption = False,
) -> int:
    """Send what was learned here to the others.

    Everything new is looked at first, as `share` does. Nothing is ever forced: if others were quicker, `sync` merges
    and pushes.

    Example:

      gitinstinct push
    """
    _, store = _store(project, only_global, rehearse=dry_run)
    link = links.required(store)
    if not dry_run:
        shared.edits(exchange.settle(store, clock.now()), quiet=as_json)
    sent = exchange.push(store, link, talk_to(link), rehearse=dry_run)
    if not as_json:
        exchange.declined(link, sent)
        shared.sent(link, sent, rehearsed=dry_run)
    told = _along(store, link, sent, None, quiet=as_json)
    if as_json:
        output.as_json(shared.sent_json(sent) | told)
    return _answered(link, sent)


def _along(
    store: Store, link: Link, sent: Sent | None, listed: Mapping[str, str] | None, *, quiet: bool
) -> dict[str, Any]:
    """What goes along with `main`, once the remote has taken that."""
    if sent is None or sent.pushed is None or sent.pushed.answer is not Answer.ACCEPTED:
        return {}
    return brought.send(store, link, talk_to(link), links.tip(store), quiet=quiet, listed=listed)


def _answered(link: Link, sent: Sent) -> int:
    accepted = sent.pushed is None or sent.pushed.answer is Answer.ACCEPTED
    return ExitCode.DONE if accepted else ExitCode.FOUND


def sync(
    dry_run: DryRunOption = False,
    project: ProjectOption = None,
    only_global: GlobalOption = False,
    as_json: JsonOption = False,
) -> int:
    """Pull and push, again if others were quicker.

    Example:

      gitinstinct sync
    """
    _, store = _store(project, only_global, rehearse=dry_run)
    link = links.required(store)
    if not dry_run:
        shared.edits(exchange.settle(store, clock.now()), quiet=as_json)
    with output.progress("merging", quiet=as_json) as progress:
        synced = exchange.sync(store, link, clock.now(), talk_to(link, progress), rehearse=dry_run)
    if not as_json:
        shared.synced(link, synced, rehearsed=dry_run)
    came, told = brought.bring(store, link, talk_to(link), rehearse=dry_run, quiet=as_json)
    told |= _along(store, link, synced.sent, came.listed or None, quiet=as_json)
    if as_json:
        output.as_json(shared.synced_json(synced) | told)
    return shared.code(synced.pulls)


# --- remote


def remote(
    fetch: Annotated[bool, typer.Option("--fetch", help="Ask the remote first; merges nothing.")] = False,
    project: ProjectOption = None,
    only_global: GlobalOption = False,
    as_json: JsonOption = False,
) -> int:
    """Show where a store is shared.

    And how it stands to that, as of the last look there.

    Example:

      gitinstinct remote --fetch
    """
    _, store = _store(project, only_global, rehearse=True)
    link, told = links.read(store), dict[str, Any]()
    if fetch and link is not None:
        with exchange.fetched(store, link, talk_to(link).seconds) as theirs:
            exchange.follow(store, link, theirs, "gitinstinct: looked")
        told = brought.bring(store, link, talk_to(link), rehearse=False, quiet=as_json)[1]
    found = standing.of(store)
    if as_json:
        output.as_json({"remote": shared.standing_json(found) if found else None} | told)
    elif found is None:
        say("This store is not shared.  ", ("gitinstinct share", "bold"), " begins it.")
    else:
        shared.standing(found)
    return ExitCode.DONE


VERBS = (share, pull, push, sync, remote)
