"""What a prompt brings, once a session; and the word before a tool call."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gitinstinct import paths
from gitinstinct.inject import terms
from gitinstinct.instinct import globs
from gitinstinct.store.store import Store
from tests.inject.support import got, made, put, send, told
from tests.support import relevance

UV = made("uv-not-pip", 80, "Use `uv add` instead of `pip`.", trigger="when installing a Python package")
TS = made("ts-strict", 80, "Avoid any.", trigger="for TypeScript sources", paths=["src/**/*.ts"])
ASKED = "please install the httpx package"


def prompt(folder: Path, text: str, **fields: object) -> str:
    return send(folder, "UserPromptSubmit", prompt=text, **fields)  # type: ignore[arg-type]


def test_a_prompt_brings_what_it_asks_for_and_once(folder: Path, store: Store) -> None:
    put(store, UV, made("other", 90))
    answer = prompt(folder, ASKED)
    assert json.loads(answer)["hookSpecificOutput"]["hookEventName"] == "UserPromptSubmit"
    assert told(answer).startswith("<gitinstinct-notes>\nWhat earlier sessions showed about this (gitinstinct).")
    assert got(answer) == ["uv-not-pip"]
    assert prompt(folder, ASKED) == ""
    assert got(prompt(folder, ASKED, session_id="s-2")) == ["uv-not-pip"]


def test_what_the_session_began_with_does_not_come_again_until_the_context_is_cut(folder: Path, store: Store) -> None:
    put(store, UV)
    send(folder)
    assert prompt(folder, ASKED) == ""
    put(store, made("uv-not-pip", 60, "Use `uv add` instead of `pip`.", trigger="when installing a Python package"))
    send(folder, source="compact")  # it is no longer sure enough, and what was said before is gone
    assert prompt(folder, ASKED) == ""
    put(store, UV)
    assert got(prompt(folder, ASKED)) == ["uv-not-pip"]


@pytest.mark.parametrize(
    "text", ["", "   ", "yes", "go on", "What is the weather like in Lisbon?", "🙂", "\x00", "a" * 99_999]
)
def test_most_prompts_bring_nothing(folder: Path, store: Store, text: str) -> None:
    put(store, UV, TS)
    assert prompt(folder, text) == ""


@pytest.mark.parametrize("source", ["system", "loop_wakeup", "schedule_wakeup", "poll_event"])
def test_what_no_person_wrote_brings_nothing(folder: Path, store: Store, source: str) -> None:
    put(store, UV)
    assert prompt(folder, ASKED, source=source) == ""
    assert prompt(folder, f"<task-notification>{ASKED}</task-notification>") == ""


def test_paths_bring_it_only_when_a_file_of_them_is_named(folder: Path, store: Store) -> None:
    (folder / "src").mkdir()
    put(store, TS)
    assert prompt(folder, "rewrite the TypeScript sources") == ""
    assert prompt(folder, "look at docs/main.ts") == ""
    assert got(prompt(folder, "look at src/app/main.ts:12, please")) == ["ts-strict"]
    (folder / "src").rmdir()  # its place is gone: stale
    assert prompt(folder, "look at src/app/main.ts", session_id="s-2") == ""


def test_number_and_budget(folder: Path, store: Store) -> None:
    named = [
        made(f"c{number}", 80 + number, f"Do {number}.", trigger="when installing a package") for number in range(4)
    ]
    put(store, *named, made("long", 89, "Do it. " * 140, trigger="when installing a package"))
    assert len(got(prompt(folder, ASKED))) == 2
    Path(paths.config_file()).parent.mkdir(parents=True)
    Path(paths.config_file()).write_text("inject: {prompt_most: 9, prompt_budget: 150}\n")
    assert len(got(prompt(folder, ASKED, session_id="s-2"))) == 2


def test_what_may_not_reach_a_session_does_not_reach_a_prompt(folder: Path, store: Store) -> None:
    put(store, UV, trusted=False)
    assert prompt(folder, ASKED) == ""


# --- quality


def test_the_matching_is_good_on_the_labelled_set() -> None:
    data = relevance.load()
    assert len(data["prompts"]) >= 60
    found = relevance.measure(data["prompts"], relevance.index(data))
    assert (found.precision >= 0.8, found.recall >= 0.9, found.mrr >= 0.85, found.silent >= 0.9) == (True,) * 4
    unseen = relevance.measure(data["prompts"][data["tuned"] :], relevance.index(data))
    assert (unseen.precision >= 0.75, unseen.recall >= 0.85) == (True, True)


@pytest.mark.parametrize(
    "group",
    [
        "commit commits committing committed", "install installing installed installs", "test tests testing tested",
        "write writing writes", "package packages", "merge merging merged merges", "modify modifies modified modifying",
        "dependency dependencies deps", "search searching searches grep", "migration migrations migrate migrating",
        "config configuration configure settings", "pass passes passed passing",
    ],
)  # fmt: skip
def test_forms_of_a_word_are_one_term(group: str) -> None:
    assert len({tuple(terms.of(word)) for word in group.split()}) == 1


@pytest.mark.parametrize(("one", "other"), [("test", "text"), ("class", "classic"), ("status", "state"), ("uv", "us")])
def test_other_words_are_other_terms(one: str, other: str) -> None:
    assert terms.of(one) != terms.of(other)


def test_words_of_other_scripts_and_of_code() -> None:
    assert terms.of("Die Prüfungen laufen") == ["die", "prüfungen", "laufen"]
    assert terms.of("テストを書く") == ["テストを書く"]
    assert {"package.json", "packag", "json"} <= set(terms.of("see `package.json`"))
    assert terms.paths("open ./src/a.ts, b.py:12 and https://x.org/c.py or 3.11 etc.") == ["src/a.ts", "b.py"]


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("*.py", "src/a.py", True), ("*.py", "a.pyc", False), ("src/**/*.ts", "src/a.ts", True),
        ("src/**/*.ts", "src/x/y/a.ts", True), ("src/**/*.ts", "/home/me/p/src/x/a.ts", True),
        ("src/*.ts", "src/x/a.ts", False), ("**/*.{ts,tsx}", "web/a.tsx", True), ("**/*.{ts,tsx}", "web/a.js", False),
        ("docs/**", "docs/a/b.md", True), ("Makefile", "lib/Makefile", True), ("a?c.txt", "abc.txt", True),
        ("**", "anything", True), ("{a,b", "{a,b", True), ("*" * 50 + "b", "a" * 200, False),
    ],
)  # fmt: skip
def test_globs(pattern: str, path: str, expected: bool) -> None:
    assert globs.matches(pattern, path) is expected


def test_hostile_globs_do_not_take_long() -> None:
    assert not globs.matches("{a,b}" * 40, "c/" * 100)
    assert not globs.matches("**/" * 60 + "x", "a/" * 200 + "y")


def test_where_globs_begin() -> None:
    assert globs.roots(["src/**/*.ts", "docs/a.md"]) == ["src", "docs/a.md"]
    assert globs.roots(["src/**", "*.py"]) == []
    assert globs.roots(["**/*.py"]) == []


# --- before a tool call

CHECKED = made(
    "uv-not-pip", 80, "Use `uv add` instead of `pip`.", check={"on": "shell", "bad": r"\bpip install\b"},
    trigger="when installing a Python package",
)  # fmt: skip


def call(folder: Path, command: str, **fields: object) -> str:
    return send(folder, "PreToolUse", tool_name="Bash", tool_input={"command": command}, **fields)  # type: ignore[arg-type]


def test_a_reminder_is_off_until_asked_for(folder: Path, store: Store) -> None:
    put(store, CHECKED)
    assert call(folder, "pip install httpx") == ""


def test_a_call_against_a_check_brings_one_reminder(folder: Path, store: Store) -> None:
    Path(paths.config_file()).parent.mkdir(parents=True)
    Path(paths.config_file()).write_text("inject: {remind: true}\n")
    put(store, CHECKED, made("other", 90, check={"on": "edit", "paths": "*.py", "then": "pytest"}))
    send(folder)  # what the session began with does not count as a reminder
    assert call(folder, "uv add httpx") == ""
    answer = call(folder, "pip install httpx")
    assert json.loads(answer)["hookSpecificOutput"]["hookEventName"] == "PreToolUse"
    assert got(answer) == ["uv-not-pip"]
    assert call(folder, "pip install rich") == ""
