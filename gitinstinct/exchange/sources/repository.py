"""A repository as a source: a store's address, or any other that git can reach. Only the newest commit is fetched."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from gitinstinct.capture import project
from gitinstinct.errors import FatalError, Found, UsageError
from gitinstinct.exchange.sources import trees
from gitinstinct.exchange.sources.source import Source, named
from gitinstinct.git.repo import Repo

if TYPE_CHECKING:
    from gitinstinct.git.url import Address


def is_address(text: str) -> bool:
    """Whether git could reach it."""
    from gitinstinct.git import url

    try:
        url.parse(text.partition("#")[0])
    except UsageError:
        return "://" in text or "::" in text  # meant as one: the parser says what is wrong
    return True


def gather(text: str, instead: Found | None = None) -> Source:
    """Reads a branch of a repository, `ADDRESS#BRANCH`.

    Args:
        text: the address.
        instead: what to say if it is none, where the address was asked for a file first.

    Raises:
        UsageError: git may not be given this address.
        Found: nothing in it may be read.
        EnvironmentFault: it cannot be reached.
    """
    address, _, branch = text.partition("#")
    try:
        return _fetched(address, branch)
    except FatalError as error:
        if instead is None:
            raise
        raise instead from error


def _fetched(text: str, wanted: str) -> Source:
    from gitinstinct.git import remote, url

    address = url.parse(text)
    where = _name(text, wanted, is_local=address.is_local)
    branch = trees.chosen(remote.heads(address), where, wanted)
    with tempfile.TemporaryDirectory(prefix="gitinstinct-") as folder:
        repo = trees.scratch(Path(folder) / "scratch")
        _fetch(repo, address, branch)
        files, refused = trees.files(repo, branch)
    return Source(where, files, refused)


def _fetch(repo: Repo, address: Address, branch: str) -> None:
    """The newest commit alone, where the other side can do that: a folder and a plain web server cannot."""
    from gitinstinct.git import remote
    from gitinstinct.git.unreachable import Unreachable

    try:
        remote.fetch(repo, address, {branch: branch}, depth=0 if address.is_local else 1)
    except Unreachable as error:
        if "shallow" not in error.message:
            raise
        remote.fetch(repo, address, {branch: branch})


def _name(text: str, wanted: str, *, is_local: bool) -> str:
    normal, last = project.normalise(text)
    name = named("repo", last) if is_local else normal
    return f"{name}#{wanted}" if wanted else name
