"""Publishing promotions that wait: `promote --pr` and `review --push` end here, and so does `review --update`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import typer

from gitinstinct import clock, config, paths
from gitinstinct.cli import brought, output, published
from gitinstinct.cli.sharing import talk_to
from gitinstinct.errors import ExitCode, FatalError, Found, UsageError
from gitinstinct.promote import branches
from gitinstinct.pullrequest import hosts, publishing, updating
from gitinstinct.pullrequest.hosts import Host
from gitinstinct.pullrequest.publishing import Plan, There
from gitinstinct.pullrequest.updating import Updated
from gitinstinct.store.errors import disk
from gitinstinct.store.store import Store
from gitinstinct.team import link as links
from gitinstinct.team.exchange import Talk


@dataclass(frozen=True, slots=True)
class Wishes:
    """How it is asked for: without a question, as a rehearsal, for a script; and where the request's text goes."""

    yes: bool = False
    dry_run: bool = False
    as_json: bool = False
    body: Path | None = None


def publish(store: Store, names: Sequence[str], wishes: Wishes) -> int:
    """Pushes the branches of promotions that wait here, and opens a pull request for each where there is a host.

    Args:
        store: the global store.
        names: ids; all that wait here if none is named.
        wishes: how.

    Raises:
        UsageError: nobody is there to be asked.
        Found: nothing waits, something must not be published, or the remote declined. Of several, one that cannot go
            is told and the rest go on.
        Unreachable: the remote cannot be reached.
    """
    _refuse_unasked(wishes)
    link = links.required(store)
    named = _named(store, names)
    if wishes.body is not None and len(named) > 1:
        raise UsageError("one file cannot hold the text of several requests", "name one promotion")
    talk = talk_to(link)
    with publishing.looked(store, link, talk, rehearse=wishes.dry_run) as there:
        plans = _plans(store, named, there, talk)
        code = _publish(store, plans, there, talk, wishes) if plans else ExitCode.FOUND
    return code if len(plans) == len(named) else max(code, ExitCode.FOUND)


def _plans(store: Store, names: Sequence[str], there: There, talk: Talk) -> list[Plan]:
    """What each comes to. Of several, one that cannot go is told, and stops no other."""
    plans = []
    for name in names:
        try:
            plans.append(publishing.plan(store, name, there, clock.now(), talk))
        except FatalError as error:
            if len(names) == 1:
                raise
            output.complain(f"{name}: {error.message}", error.hint)
    return plans


def _publish(store: Store, plans: Sequence[Plan], there: There, talk: Talk, wishes: Wishes) -> int:
    link = there.link
    if not wishes.as_json:
        for plan in plans:
            published.plan(link, plan)
    found = sum(len(plan.outgoing.findings) for plan in plans)
    if wishes.dry_run or found:
        if wishes.as_json:
            output.as_json({"published": [published.plan_json(plan) for plan in plans]})
            return ExitCode.FOUND if found else ExitCode.DONE
        if found:
            raise Found(f"nothing was published: {output.counted(found, 'thing')} must not be", published.WAY_OUT)
        output.say(("nothing was published: this is what it would do", "dim"))
        return ExitCode.DONE
    if not (wishes.yes or typer.confirm("Publish this?", default=False)):
        output.say("Nothing was published.")
        return ExitCode.DONE
    host = hosts.of(link.address, config.read().team.host)
    told = [_done(store, plan, there, talk, host, wishes) for plan in plans]
    if wishes.as_json:
        output.as_json({"published": told})
    return ExitCode.DONE


def _done(store: Store, plan: Plan, there: There, talk: Talk, host: Host | None, wishes: Wishes) -> dict[str, object]:
    """Publishes one; what a script is told of it."""
    link = there.link
    if plan.is_left_over:
        updating.update(store, plan.id, there, clock.now())
        plan = publishing.plan(store, plan.id, there, clock.now(), talk)
    pushed = publishing.push(store, plan, link, talk)
    brought.send(store, link, talk, plan.commit, quiet=wishes.as_json)
    text = publishing.text(plan, link)
    file = _written(wishes.body or Path(paths.request(plan.id)), text, private=wishes.body is None)
    asked = publishing.ask(plan, link, host, text)
    if not wishes.as_json:
        published.done(link, plan, pushed, asked, file)
    return published.done_json(plan, pushed, asked, file)


def _written(file: Path, text: str, *, private: bool) -> Path:
    with disk(f"the text of the request could not be written to {file}"):
        if private:
            paths.make_private(str(file.parent))
        draft = file.with_name(f".{file.name}.draft")
        draft.unlink(missing_ok=True)
        draft.write_text(text, "utf-8", "replace")
        draft.replace(file)
    return file


def _named(store: Store, names: Sequence[str]) -> list[str]:
    """The ids that are meant; a promotion may be called by its branch's name."""
    found = [branches.bare(name) for name in names] or publishing.waiting(store)
    if not found:
        raise Found("no promotion waits here", "gitinstinct promote makes one; gitinstinct review shows what waits")
    return list(dict.fromkeys(found))


def _refuse_unasked(wishes: Wishes) -> None:
    if not (wishes.yes or wishes.dry_run or output.is_terminal()):
        raise UsageError("it asks before it publishes, and there is no terminal", "add --yes, or --dry-run to look")


# --- bringing up to date


def update(store: Store, names: Sequence[str], wishes: Wishes) -> int:
    """Merges what the remote has into promotions that wait, and pushes them: any merge of them is right then.

    Args:
        store: the global store.
        names: ids; all that wait here if none is named.
        wishes: how.

    Raises:
        UsageError: nobody is there to be asked.
        Found: nothing waits, or something must not be published. Of several, one that fails is told and the rest go on.
        Unreachable: the remote cannot be reached.
    """
    _refuse_unasked(wishes)
    link = links.required(store)
    named, talk = _named(store, names), talk_to(link)
    told: list[dict[str, object]] = []
    code = ExitCode.DONE
    with publishing.looked(store, link, talk, rehearse=wishes.dry_run) as there:
        for name in named:
            try:
                done = updating.update(store, name, there, clock.now(), rehearse=wishes.dry_run)
                sent = _sent(store, done, there, talk, wishes)
            except FatalError as error:
                if len(named) == 1:
                    raise
                output.complain(f"{name}: {error.message}", error.hint)
                code = ExitCode.FOUND
                continue
            if done.conflicts:
                code = ExitCode.FOUND
            told.append(published.updated_json(done, pushed=sent))
            if not wishes.as_json:
                published.updated(link, done, there.main, pushed=sent, rehearsed=wishes.dry_run)
    if wishes.as_json:
        output.as_json({"updated": told})
    return code


def _sent(store: Store, done: Updated, there: There, talk: Talk, wishes: Wishes) -> bool:
    """Pushes a branch that is not as the remote has it; whether it did."""
    if wishes.dry_run or done.commit in (there.main, there.seen.get(done.id)):
        return False
    plan = publishing.plan(store, done.id, there, clock.now(), talk)
    if not wishes.yes:
        published.plan(there.link, plan)
        if not typer.confirm("Push this?", default=False):
            return False
    publishing.push(store, plan, there.link, talk)
    brought.send(store, there.link, talk, plan.commit, quiet=wishes.as_json)
    return True
