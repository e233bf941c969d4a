"""Starts and ends become steps, and only what a person typed is a prompt."""

from __future__ import annotations

from typing import Any

import pytest

from gitinstinct.observer.events import Observation, Outcome
from gitinstinct.observer.sessions import Pairing, Step, is_person


def pair(*records: dict[str, Any]) -> list[Step]:
    pairing, steps = Pairing(), []
    for place, record in enumerate(records):
        step = pairing.feed(Observation.from_record(record, f"1:{place}"))
        steps += [step] if step else []
    return steps


def start(command: str, **fields: Any) -> dict[str, Any]:
    return {"event": "tool_start", "tool": "Bash", "input": {"command": command}, **fields}


def done(**fields: Any) -> dict[str, Any]:
    return {"event": "tool_complete", "tool": "Bash", "output": {"stdout": ""}, **fields}


def test_calls_are_paired_by_id_whatever_the_order_of_their_ends() -> None:
    steps = pair(start("make a", id="1"), start("make b", id="2"), done(id="2"), done(id="1"))
    assert [(step.command, step.observations) for step in steps] == [
        ("make b", ("1:1", "1:2")),
        ("make a", ("1:0", "1:3")),
    ]
    assert [step.number for step in steps] == [1, 2]


def test_without_ids_by_tool_and_input_and_else_by_order() -> None:
    a, b = {"command": "make a"}, {"command": "make b"}
    steps = pair(start("make a"), start("make b"), done(input=b), done())
    assert [(step.command, step.observations) for step in steps] == [
        ("make b", ("1:1", "1:2")),
        ("make a", ("1:0", "1:3")),
    ]
    alone = pair(done(input=a))
    assert (alone[0].command, alone[0].observations) == ("make a", ("1:0",))


@pytest.mark.parametrize(
    "ending", [{"event": "denied", "id": "1"}, {"event": "tool_failed", "id": "1", "interrupted": True}]
)
def test_denied_and_interrupted_calls_did_not_fail(ending: dict[str, Any]) -> None:
    (step,) = pair(start("rm -r build", id="1"), ending)
    assert (step.command, step.outcome, step.error) == ("rm -r build", Outcome.INTERRUPTED, "")


def test_what_never_ended_is_given_up_when_the_person_speaks() -> None:
    pairing = Pairing()
    pairing.feed(Observation.from_record(start("npm install", id="1"), "1:0"))
    assert [step.command for step in pairing.abandon()] == ["npm install"]
    assert pairing.abandon() == []


def test_calls_under_way_are_bounded() -> None:
    pairing = Pairing()
    for place in range(1_000):
        pairing.feed(Observation.from_record(start("make", id=str(place)), f"1:{place}"))
    assert len(pairing.abandon()) == 64


@pytest.mark.parametrize(
    ("text", "source", "typed"),
    [
        ("use pnpm instead of npm", "", True),
        ("use pnpm instead of npm", "user", True),
        ("use pnpm instead of npm", "system", False),
        ("check the build", "loop_wakeup", False),
        ("<task-notification>done</task-notification>", "", False),
        ("<command-name>/clear</command-name>", "", False),
        ("/review the change", "", False),
        ("/usr/bin/env is missing", "", True),
        ("a < b is wrong", "", True),
        ("Warmup", "", False),
        ("Warmup phase is too long", "", True),
        ("[Request interrupted by user]", "", False),
        ("This session is being continued from a previous one", "", False),
    ],
)
def test_who_speaks(text: str, source: str, typed: bool) -> None:
    assert is_person(Observation(id="1:0", event="prompt", prompt=text, source=source)) is typed
