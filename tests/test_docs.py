"""README is the front door: what it says is true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gitinstinct.cli import verbs
from gitinstinct.instinct import markdown

README = (Path(__file__).parents[1] / "README.md").read_text("utf-8")
COMMANDS = verbs.load()


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("verb", sorted(COMMANDS))
def test_every_verb_is_documented_with_an_example(verb: str) -> None:
    assert f"`{verb}" in README or f"gitinstinct {verb}" in README
    help_text = COMMANDS[verb].__doc__ or ""
    assert "Example:" in help_text
    assert f"gitinstinct {verb}" in help_text


def test_every_command_that_the_readme_shows_exists() -> None:
    lines = [line for block in blocks("sh") + blocks("console") for line in block.splitlines()]
    shown = {
        found[1] for line in lines if (found := re.search(r"(?:^\$ |bin/)(?:git )?(?:git)?instinct ([a-z-]+)", line))
    }
    assert shown >= {"init", "observe", "show", "demo"}
    assert shown <= set(COMMANDS)


def test_examples_are_worth_what_they_say() -> None:
    """Every instinct file in README folds to the confidence that is written in it."""
    examples = [block for block in blocks("markdown") if block.startswith("---\n")]
    assert examples
    for block in examples:
        instinct = markdown.parse(block.encode())
        found = instinct.fold(instinct.newest or "", "")
        assert instinct.written["confidence"] == found.confidence
        assert instinct.written["confirmations"] == found.confirmations
        assert instinct.written["status"] == found.status


def test_the_two_commands_set_up_from_nothing() -> None:
    for mark in ("<!-- demo -->", "<!-- tests -->"):
        _, _, rest = README.partition(mark + "\n")
        command = re.search(r"```sh\n(.*?)```", rest, re.DOTALL)
        assert command
        assert command[1].startswith("python3 -m venv .venv && .venv/bin/pip install")
        assert command[1].count("\n") == 1, "one line to copy"


def test_exit_codes_are_told() -> None:
    for code in ("0", "1", "2", "3", "130"):
        assert f"| {code} |" in README


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", README):
        assert (Path(__file__).parents[1] / target).exists()
