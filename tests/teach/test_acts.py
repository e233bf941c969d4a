"""Which runs and commands still stand, told from trailers alone."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from gitinstinct.store.history import Logged
from gitinstinct.teach import acts
from gitinstinct.teach.acts import Acts


def logged(commit: str, subject: str, *parents: str, run: str = "", undoes: str = "") -> Logged:
    trailers = [("Run", run)] if run else []
    trailers += [("Undoes", name) for name in undoes.split()]
    date = datetime(2026, 11, 29, tzinfo=UTC)
    return Logged(
        commit, parents, "Ann", "ann@example.org", date, subject, "", tuple(trailers), "Ann", "ann@example.org"
    )


def line(*told: str) -> list[Logged]:
    """A straight history, oldest first: `id subject` or `id undo: x > names of what it undoes`. Runs are `r<id>`."""
    made: list[Logged] = []
    for text in told:
        commit, _, rest = text.partition(" ")
        subject, _, undoes = rest.partition(" > ")
        run = f"r{commit}" if subject.startswith("observe") else ""
        made.append(logged(commit, subject, *(one.commit for one in made[-1:]), run=run, undoes=undoes))
    return made[::-1]


HISTORY = ("0 genesis", "1 init: x", "2 observe: 1", "3 confirm: a", "4 Fix a typo", "5 observe: 2")


def standing(*told: str) -> list[str]:
    return [entry.commit for entry in Acts(line(*told)).standing()]


@pytest.mark.parametrize(
    ("undos", "left"),
    [
        ((), "5 3 2"),
        (("6 undo: x > r5",), "3 2"),
        (("6 undo: x > r5", "7 undo: y > 3"), "2"),
        (("6 undo: x > r5", "7 undo: y > 6"), "5 3 2"),
        (("6 undo: x > r5", "7 undo: y > 6", "8 undo: z > 7"), "3 2"),
        (("6 undo: x > r2 3",), "5"),
        (("6 undo: x > 6",), "5 3 2"),
        (("6 undo: x > nothing",), "5 3 2"),
    ],
)
def test_what_still_stands(undos: tuple[str, ...], left: str) -> None:
    assert standing(*HISTORY, *undos) == left.split()


def test_a_run_that_was_brought_back_is_carried_by_who_did_it() -> None:
    known = Acts(line(*HISTORY, "6 undo: x > r5", "7 undo: y > 6", "8 undo: z > r5 7", "9 undo: w > 8"))
    [run] = known.named("r5")
    assert [entry.commit for entry in known.carriers(run)] == ["9", "7", "5"]
    [undo] = known.named("6")
    assert [entry.commit for entry in known.carriers(undo)] == ["8", "6"]
    assert not known.is_undone(run)


def test_what_a_merge_brought_belongs_to_the_merge() -> None:
    mine = logged("2", "observe: 1", "1", run="r2")
    theirs = logged("3", "observe: 9", "1", run="r3")
    merge = logged("4", "merge: theirs", "2", "3")
    known = Acts([merge, theirs, mine, logged("1", "init: x")])
    assert [entry.commit for entry in known.standing()] == ["4", "2"]
    assert known.named("r3") == [theirs]


def test_a_picked_run_is_one_thing_with_its_copy() -> None:
    known = Acts(
        [logged("3", "observe: 1", "2", run="r"), logged("2", "observe: 1", "1", run="r"), logged("1", "init: x")]
    )
    assert [entry.commit for entry in known.named("r")] == ["3", "2"]
    assert acts.undoes(known.named("r")) == [("Undoes", "r")]


def test_trailers_that_go_in_circles_do_not_hang() -> None:
    first, second = logged("1", "undo: x", run="a", undoes="b"), logged("2", "undo: y", "1", run="b", undoes="a")
    known = Acts([second, first])
    assert {entry.commit for entry in known.carriers(first)} == {"1"}
    assert list(Acts([]).standing()) == []
