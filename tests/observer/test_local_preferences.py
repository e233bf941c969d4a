"""Preferences: eight uses with different arguments in three sessions, not refused, not doubtful."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.support.sessions import Script


def used(commands: Sequence[str], sessions: int = 3, others: Sequence[str] = (), uses: int = 9) -> Script:
    """Uses spread over sessions, each command in turn; `others` once in each session."""
    script = Script()
    for number in range(sessions):
        script.session(f"s{number}").run(*others)
        for place in range(number, uses, sessions):
            script.run(commands[place % len(commands)].format(place))
        script.ends()
    return script


@pytest.mark.parametrize(
    ("commands", "trigger", "action"),
    [
        (["rg -n w{0} src", "rg -l w{0}"], "when searching in file contents", "Use `rg` for this."),
        (["fd -e go w{0}"], "when finding files by name", "Use `fd` for this."),
        (
            ["uv run pytest -k w{0}", "uv run python w{0}.py"],
            "when running Python programs or tools",
            "Use `uv run` for this.",
        ),
        (["just build", "just fmt"], "when running a project task such as build or test", "Use `just` for this."),
        (
            ["gh pr view {0}", "gh run view {0}"],
            "when working with pull requests, issues or CI runs",
            "Use `gh` for this.",
        ),
        (["podman logs w{0}"], "when handling containers", "Use `podman` for this."),
        (["devbox run frob w{0}"], "when running the project's own tools", "Use `devbox run` for this."),
    ],
)
def test_words(commands: list[str], trigger: str, action: str) -> None:
    found = [(item.trigger, item.action) for item in used(commands).learned() if item.family == "preference"]
    assert found == [(trigger, action)]


@pytest.mark.parametrize(
    "script",
    [
        used(["rg w{0}"], uses=7),
        used(["rg w{0}"], sessions=2),
        used(["rg same"]),
        used(["rg w{0}"], others=["grep a b", "grep c d", "grep e f"]),
        used(["grep w{0} x", "find . -name w{0}"]),
        used(["cd w{0}", "ls w{0}", "cat w{0}", "echo w{0}", "git status w{0}"], uses=40),
        used(["docker logs w{0}", "curl w{0}", "npx w{0}", "pip show w{0}"], uses=40),
    ],
)
def test_what_is_none(script: Script) -> None:
    assert script.lessons() == []


def test_failed_uses_do_not_count() -> None:
    script = Script()
    for number in range(3):
        script.session(f"s{number}")
        for place in range(4):
            script.run(f"rg w{number}{place}", error="regex parse error")
        script.ends()
    assert script.lessons() == []


def test_uses_that_the_person_refuses_do_not_count() -> None:
    script = Script()
    for number in range(4):
        script.session(f"s{number}").run(*(f"yarn add w{number}{place}" for place in range(3)))
        script.says("no, use bun instead of yarn").run(f"yarn add x{number}").ends()
    assert [action for _, action in script.lessons()] == ["Use `bun` instead of `yarn`."]


def test_uses_stand_after_a_while_without_a_word_from_the_person() -> None:
    script = Script().run("rg needle").run(*(f"frob{place} x" for place in range(20)))
    assert [item.pattern.signature for item in script.sightings() if item.pattern.family == "preference"] == [
        "preference\0rg"
    ]
