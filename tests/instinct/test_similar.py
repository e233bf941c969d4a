"""What says the same, and what says the contrary."""

from __future__ import annotations

import pytest

from gitinstinct.instinct.similar import contrary, same

WHEN = "when installing packages"


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Use `pnpm` instead of `npm`.", "Use `pnpm` instead of `npm`"),
        ("Use `pnpm` instead of `npm`.", "Always use `pnpm` instead of `npm`, please."),
        ("Use `pnpm` instead of `npm`.", "Use `pnpm`, not `npm`."),
        ("Use `pnpm` instead of `npm`.", "Prefer `pnpm` over `npm`."),
        ("Run `ruff format`, then `pytest`.", "Run `ruff format` and then run `pytest`."),
        ("Search with Grep, read it, then edit.", "Search with grep, read it and then edit."),
    ],
)
def test_same(one: str, two: str) -> None:
    assert same(WHEN, one, WHEN, two)
    assert same(WHEN, two, WHEN, one)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Run `npm test`.", "Run `npm lint`."),
        ("Use `pnpm` instead of `npm`.", "Use `npm` instead of `pnpm`."),
        ("Use `pnpm` instead of `npm`.", "Use `pnpm`, not `npm`, and drop the lock file."),
        ("Use `pnpm` instead of `npm`.", "Use `pnpm`, not `yarn`."),
        ("Use `C++` instead of `C#`.", "Use `C#` instead of `C++`."),
        ("Run the tests before a commit.", "Never run the tests before a commit."),
        ("Run the tests before a commit.", "Write the changelog before a release."),
    ],
)
def test_not_the_same(one: str, two: str) -> None:
    assert not same(WHEN, one, WHEN, two)


def test_a_choice_is_the_same_wherever_it_is_only_called_one() -> None:
    one, two = "Use `uv` instead of `pip`.", "Use `uv`, not `pip`."
    assert same("when choosing between `pip` and `uv`", one, "when setting up a project", two)
    assert not same("when a script for CI is written", one, "when setting up a project", two)


def test_another_trigger_is_another_instinct() -> None:
    action = "Run `pip install -r requirements.txt`, then run the command again."
    assert not same(
        "when `pytest` fails with ModuleNotFoundError", action, "when `flask run` fails with ImportError", action
    )


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Use `pnpm` instead of `npm`.", "Use `npm` instead of `pnpm`."),
        ("Use pnpm rather than npm", "Prefer npm over pnpm."),
        ("Use `C++` instead of `C#`.", "Use `C#` instead of `C++`."),
        ("Run the tests before a commit.", "Do not run the tests before a commit."),
        ("Push with `--force`.", "Never push with `--force`."),
        ("Use `rg`.", "Do not use `rg`."),
    ],
)
def test_contrary(one: str, two: str) -> None:
    assert contrary(one, two)
    assert contrary(two, one)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Use `pnpm` instead of `npm`.", "Use `pnpm` instead of `yarn`."),
        ("Use `pnpm` instead of `npm`.", "Use `pnpm` instead of `npm`."),
        ("Never push with `--force`.", "Never push with `--force`."),
        ("Run `npm test`.", "Never run `npm lint`."),
    ],
)
def test_not_contrary(one: str, two: str) -> None:
    assert not contrary(one, two)
