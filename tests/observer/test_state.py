"""What the observer remembers between two runs: written whole, read with care."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gitinstinct import paths
from gitinstinct.observer import state
from gitinstinct.observer.pattern import CORRECTION, Pattern, Sighting
from gitinstinct.observer.state import State

PROJECT = "a1b2c3d4e5f6"
NOON = datetime(2026, 10, 1, 12, tzinfo=UTC)


def remembered() -> State:
    made = State(cursor={"000001": 512}, foreign={"s1": "0123456789ab"}, last={"at": NOON.isoformat()})
    for number in range(3):
        words = f"tool{number}\0npm"
        pattern = Pattern(words, CORRECTION, "when installing", f"Use `tool{number}`.", "t", "n", "workflow")
        made.tally.add(Sighting(pattern=pattern, session="s1", at=NOON, observations=("o1",)))
    return made


def test_what_is_saved_is_loaded() -> None:
    saved = remembered()
    state.save(PROJECT, saved)
    loaded = state.load(PROJECT)
    assert (loaded.cursor, loaded.foreign, loaded.last) == (saved.cursor, saved.foreign, saved.last)
    assert loaded.tally.records() == saved.tally.records()
    assert len(loaded.tally.records()) == 3


@pytest.mark.parametrize(
    "harm",
    [
        lambda text: "",
        lambda text: text[: len(text) // 2],
        lambda text: "".join(text.splitlines(keepends=True)[:-1]),  # a whole line is gone: still JSON
        lambda text: text + "{}\n",
        lambda text: text.replace('"version":2', '"version":1'),
        lambda text: text.replace("npm", "npm\u00e9"),
        lambda text: "null\n" + text,
    ],
)
def test_a_damaged_file_is_named_and_read_as_empty(harm: Callable[[str], str]) -> None:
    state.save(PROJECT, remembered())
    place = Path(paths.tally(PROJECT))
    place.write_text(harm(place.read_text(encoding="ascii")), encoding="utf-8")
    loaded = state.load(PROJECT)
    assert str(place) in loaded.problem
    assert (loaded.cursor, loaded.tally.records()) == ({}, [])
