"""A store that has lived for three weeks."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from gitinstinct.instinct import ids
from tests.support.life import Life, fresh
from tests.support.repos import git


@dataclass(frozen=True)
class Lived(Life):
    """The commits of its past, by what they did."""

    made: str
    confirmed: str
    by_person: str
    merged: str
    removed: str


@pytest.fixture
def life() -> Life:
    """A fresh store, made before anything happens in it."""
    return fresh()


@pytest.fixture
def lived(life: Life) -> Lived:
    """`use-rg` is found, confirmed, edited by hand, confirmed on two branches and merged; `faded` comes and goes."""
    made = life.observe("2026-11-02", "01aaaaaaaa", "use-rg", kind="observed", n=5, text="used 5 times")
    confirmed = life.observe("2026-11-10", "01bbbbbbbb", "use-rg", "faded", text="used again")
    edited = life.data("use-rg").replace(b"working on use-rg", b"searching text")
    by_person = life.by_hand("2026-11-12", {"use-rg": edited}, "Say it better")
    return Lived(
        life.store, made, confirmed, by_person, _merge(life), life.put("2026-11-20", "faded", None, "prune: faded")
    )


def _merge(life: Life) -> str:
    """Both sides confirm; the person keeps both lines."""
    path = life.store.path
    life.observe("2026-11-14", "01cccccccc", "use-rg", text="on main")
    git(path, "checkout", "-q", "-b", "side", "main~1")
    both = life.data("use-rg")
    line = b"- 2026-11-15 confirmed 1: on the side [01kcfqrs00-deadbeef]\n"
    life.by_hand("2026-11-15", {"use-rg": life.data("use-rg", "side") + line}, "observe by hand")
    git(path, "checkout", "-q", "main")
    git(path, "merge", "-q", "side", ok=False)
    (path / ids.path_of("use-rg")).write_bytes(both + line)
    git(path, "add", "-A")
    return life.commit("2026-11-16", "Merge branch 'side'")
