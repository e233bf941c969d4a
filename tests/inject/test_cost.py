"""About how much sessions are told."""

from __future__ import annotations

from gitinstinct.inject import cost, log
from gitinstinct.inject.cost import Injected
from gitinstinct.instinct import markdown
from gitinstinct.instinct.shelf import Item, Shelf
from tests.support import files

PROJECT = "e5c363015306"


def told(session: str, at: str, *names: str, event: str = "startup") -> None:
    items = [[name, "project", "0" * 64] for name in names]
    log.append(PROJECT, {"at": at, "session": session, "event": event, "items": items, "by": 1})


def test_each_event_costs_its_frame_and_the_words_of_today() -> None:
    told("a", "2026-11-20T10:00:00.000Z", "x", "y")
    told("a", "2026-11-20T10:05:00.000Z", "x", event="prompt")
    told("b", "2026-11-21T10:00:00.000Z", "x")
    told("c", "2026-11-21T11:00:00.000Z")
    frame = cost.of(PROJECT, {("project", "x"): 0, ("project", "y"): 0}).characters // 3
    assert frame > 100
    found = cost.of(PROJECT, {("project", "x"): 100, ("project", "y"): 50})
    assert found == Injected(PROJECT, 2, 3, 3 * frame + 350)
    assert found.tokens == found.characters // 4


def test_what_is_gone_counts_with_the_mean_of_the_others() -> None:
    told("a", "2026-11-20T10:00:00.000Z", "gone")
    empty = cost.of(PROJECT, {("project", "x"): 0}).characters
    assert cost.of(PROJECT, {("project", "x"): 100, ("global", "y"): 200}).characters == empty + 150
    assert cost.of(PROJECT, {}).characters > empty


def test_only_what_came_since() -> None:
    told("a", "2026-11-20T10:00:00.000Z", "x")
    told("b", "2026-11-21T10:00:00.000Z", "x")
    assert cost.of(PROJECT, {}, "2026-11-21").sessions == 1
    assert cost.of(PROJECT, {}, "2026-12").events == 0


def test_the_length_is_that_of_the_line_that_a_session_reads() -> None:
    data = files.made(action="Use `rg`.")
    instinct = markdown.parse(data)
    shelf = Shelf({instinct.id: Item("", data, instinct, "")})
    [(key, length)] = cost.lengths([("project", shelf)]).items()
    assert key == ("project", instinct.id)
    assert length > len(instinct.trigger) + len(instinct.action) + len(instinct.id)
