"""Where an instinct is that a command was asked about: in which store, in which commit, with which past.

The project's store comes before the global one, and one that holds the instinct today before one that held it once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from gitinstinct.cli.output import clean
from gitinstinct.cli.target import Place
from gitinstinct.errors import Found
from gitinstinct.git.repo import Repo, resolve
from gitinstinct.instinct import ids
from gitinstinct.store.layout import BRANCH
from gitinstinct.trace import past, revision, single
from gitinstinct.trace.past import Past


@dataclass(frozen=True, slots=True)
class Home:
    """A store that is there."""

    scope: str
    repo: Repo


@dataclass(frozen=True, slots=True)
class Version:
    """One version of an instinct's file; `gone` if `main` no longer holds any, and this is the last."""

    home: Home
    name: str
    commit: str
    gone: bool = False


def unknown(name: str) -> Found:
    """There is no such instinct, and never was."""
    return Found(f"no instinct is called {clean(name)}", "gitinstinct list --all shows the ids")


def homes(places: Sequence[Place]) -> list[Home]:
    """Those of the places that have a store."""
    return [Home(place.scope, place.store.repo) for place in places if place.store is not None]


def past_of(name: str, places: Sequence[Place]) -> tuple[Home, Past]:
    """An instinct's home and its past.

    Raises:
        Found: no store ever held it.
    """
    found = homes(places) if ids.is_id(name) else []
    for home in sorted(found, key=lambda home: not single.is_there(home.repo, name)):
        read = past.read(home.repo, name)
        if read is not None:
            return home, read
    raise unknown(name)


def version(text: str, places: Sequence[Place], now: datetime) -> Version:
    """The version that `ID` or `ID@REV` names; of an instinct that is gone the last one that there was.

    Raises:
        Found: there is no such instinct, no such revision, or no such instinct there.
    """
    name, at, rev = text.partition("@")
    if at:
        return _at(name, rev, places, now)
    for home in homes(places):
        if single.is_there(home.repo, name):
            return Version(home, name, resolve(home.repo, BRANCH) or BRANCH)
    home, read = past_of(name, places)
    last = next((state.commit for state in read.states if state.blob), None)
    if last is None:
        raise unknown(name)
    return Version(home, name, last, gone=True)


def _at(name: str, rev: str, places: Sequence[Place], now: datetime) -> Version:
    failure = None
    for home in homes(places):
        try:
            commit = revision.commit(home.repo, rev, now)
        except Found as error:
            failure = failure or error
            continue
        if single.is_there(home.repo, name, commit):
            return Version(home, name, commit)
        failure = Found(f"there was no {clean(name)} at {clean(rev)}", f"see its commits: gitinstinct log {name}")
    raise failure or unknown(name)
