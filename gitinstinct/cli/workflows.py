"""`share` and the workflow that checks what is proposed: offered where the host runs such, added where it is wanted."""

from __future__ import annotations

from typing import Annotated

import typer

from gitinstinct import clock
from gitinstinct.cli.output import say
from gitinstinct.pullrequest import hosts
from gitinstinct.pullrequest.hosts import Kind
from gitinstinct.store.layout import WORKFLOW
from gitinstinct.store.store import Store
from gitinstinct.team import workflow
from gitinstinct.team.link import Link

WorkflowOption = Annotated[bool, typer.Option("--workflow", help="Add a workflow that checks pull requests.")]


def wanted(store: Store, link: Link, asked: bool, *, may_ask: bool, quiet: bool, fresh: bool = False) -> bool:
    """Whether the workflow is to be added: it was asked for, or a person says so where GitHub will run it.

    Args:
        store: the store.
        link: where it is shared.
        asked: whether `--workflow` was given.
        may_ask: whether a person can be asked.
        quiet: tell nothing.
        fresh: whether the newest state is published as one commit, of which it is a part then.
    """
    if asked and workflow.is_current(store):
        return False
    if not asked and (not may_ask or workflow.is_there(store) or not _runs_it(link)):
        return False
    if not quiet:
        say(("checks   ", "dim"), f"{WORKFLOW}, by which GitHub judges each pull request")
        if not fresh:
            say(("         as one commit more", "dim"))
    return asked or typer.confirm("Add it?", default=False)


def _runs_it(link: Link) -> bool:
    host = hosts.of(link.address)
    return host is not None and host.kind is Kind.GITHUB


def add(store: Store) -> None:
    """Commits it, as the person."""
    workflow.add(store, clock.now())
