"""Workflows: sequences that recur with other steps between, told once and as a whole."""

from __future__ import annotations

import pytest

from tests.support.sessions import Script

PY = ("when `*.py` files have been edited", "Run `ruff format`, then `pytest`.")


def repeated(*commands: str, edited: str = "", times: int = 3, sessions: bool = True) -> Script:
    """The same steps again and again, each time in a session of its own or all in one."""
    script = Script()
    for place in range(times):
        if sessions:
            script.session(f"s{place}")
        script.edit(*filter(None, [edited and edited.format(place)])).run(*(text.format(place) for text in commands))
        if sessions:
            script.ends()
    return script if sessions else script.ends()


@pytest.mark.parametrize("sessions", [True, False])
def test_three_times_in_one_session_or_over_several(sessions: bool) -> None:
    script = repeated("ruff format .", "pytest -q tests/test_{0}.py", edited="src/a{0}.py", sessions=sessions)
    assert script.lessons() == [PY]


@pytest.mark.parametrize(
    "noise",
    [
        ["ls", "git status", "cat a", "rg x src", "curl localhost"],
        ["frob{0} --x"],
        ["frob{0} --x", "ls", "glim{0} y"],
    ],
)
def test_gaps_do_not_hide_it(noise: list[str]) -> None:
    script = repeated(noise[0], "ruff format .", *noise[1:], "pytest", edited="src/a.py")
    assert script.lessons() == [PY]


@pytest.mark.parametrize(
    ("commands", "edited", "trigger", "action"),
    [
        (
            ["make migrate", "make seed"],
            "db/{0}.sql",
            "when `*.sql` files have been edited",
            "Run `make migrate`, then `make seed`.",
        ),
        (
            ["docker compose up --build"],
            "Dockerfile",
            "when `Dockerfile` has been edited",
            "Run `docker compose up --build`.",
        ),
        (
            ["git fetch", "git rebase origin/main", "git push --force-with-lease"],
            "",
            "when about to run `git push --force-with-lease`",
            "Run `git fetch` and then `git rebase` first.",
        ),
        (["npm run gen && npm run build"], "", "when `npm run gen` has been run", "Run `npm run build`."),
        (
            ["buf generate", "go vet ./...", "helm lint c", "kubectl apply -f x"],
            "",
            "when about to run `kubectl apply`",
            "Run `buf generate`, `go vet` and then `helm lint` first.",
        ),
    ],
)
def test_words(commands: list[str], edited: str, trigger: str, action: str) -> None:
    assert repeated(*commands, edited=edited).lessons() == [(trigger, action)]


@pytest.mark.parametrize(
    ("commands", "edited"),
    [
        (["git add -A", "git commit -m x", "git push"], ""),
        (["git commit -m x"], "a.py"),
        (["pytest", "pytest", "pytest"], ""),
        (["ls", "cat x", "grep y z"], "a.py"),
        (["make docs"], "README.md"),
        (["frob merge 1", "frob merge --rebase 1"], ""),
        (["git commit -m x", "make lint"], ""),
        ([], "a.py"),
    ],
)
def test_what_is_no_workflow(commands: list[str], edited: str) -> None:
    assert repeated(*commands, edited=edited, times=6).lessons() == []


def test_reading_and_searching_alone_is_none_either() -> None:
    script = Script()
    for _ in range(6):
        script.tool("Grep", {"pattern": "x"}).tool("Read", {"file_path": "a.py"}).edit("a.py")
    assert script.ends().learned() == []


def test_a_step_that_mostly_leads_elsewhere_begins_none() -> None:
    script = Script()
    for place in range(12):
        script.run(
            "make build", "make check" if place % 4 == 0 else f"frob{place} x", f"glim{place} y", f"glum{place} z"
        )
    assert [action for _, action in script.ends().lessons() if "check" in action] == []


def test_failed_calls_are_no_steps() -> None:
    script = Script()
    for place in range(4):
        script.session(f"s{place}").run("make one").run("make two", error="no").ends()
    assert script.lessons() == []


def test_what_follows_belongs_to_the_nearest_edit() -> None:
    script = Script()
    for place in range(4):
        script.session(f"s{place}").edit("a.css", "a.rs").run("cargo fmt").ends()
    assert script.lessons() == [("when `*.rs` files have been edited", "Run `cargo fmt`.")]


def test_a_part_waits_while_the_whole_may_still_come() -> None:
    script = Script()
    for steps in (
        ["ruff format .", "pytest"],
        ["ruff format ."],
        ["ruff format .", "pytest"],
        ["ruff format .", "pytest"],
    ):
        script.session(f"s{len(script.events)}").edit("a.py").run(*steps).ends()
    assert script.lessons() == [PY]


def test_what_shares_its_steps_with_a_known_one_is_not_told_again() -> None:
    script = repeated("ruff format .", "pytest", edited="a.py")
    for place in range(3):
        script.session(f"t{place}").edit("a.py").run("ruff format .", "pytest", "make docs").ends()
    for place in range(3):
        script.session(f"u{place}").edit("a.pyi").run("ruff format .", "pytest").ends()
    kinds = [("when `*.pyi` files have been edited", PY[1])]
    assert script.lessons() == [PY, *kinds]


def test_chance_company_of_a_common_step_is_no_workflow() -> None:
    script = Script()
    for place in range(5):
        script.session(f"r{place}").run("make migrate", "make seed").ends()
    for place in range(3):
        script.session(f"s{place}").run("frob polish", f"glim{place} x", "make migrate").ends()
    assert not [trigger for trigger, action in script.lessons() if "make migrate" in action]


def test_what_the_person_asked_for_is_no_step() -> None:
    script = Script()
    for place in range(4):
        script.session(f"s{place}").run("npm install x").says("use pnpm instead of npm").run(
            "pnpm install x", "make all"
        )
        script.ends()
    assert [pattern.family for pattern in script.learned()] == ["correction"]


@pytest.mark.parametrize(
    ("commands", "edited", "name", "title"),
    [
        (
            ["terraform fmt", "terraform validate"],
            "a.tf",
            "terraform fmt validate after *.tf edits",
            "terraform fmt and terraform validate after editing *.tf",
        ),
        (
            ["git fetch", "git rebase origin/main", "git push --force-with-lease"],
            "",
            "git fetch rebase before git push",
            "git fetch and git rebase before git push --force-with-lease",
        ),
        (["npm run gen", "npx tsc -b"], "", "tsc after npm run gen", "npx tsc after npm run gen"),
        (
            ["frobnicate polish", "glimmerate thoroughly", "oscillate forever"],
            "a.rs",
            "oscillate forever after *.rs edits",
            "frobnicate polish, glimmerate thoroughly and oscillate forever after editing *.rs",
        ),
    ],
)
def test_names_and_titles(commands: list[str], edited: str, name: str, title: str) -> None:
    assert [(item.name, item.title) for item in repeated(*commands, edited=edited).learned()] == [(name, title)]


def test_a_foreign_tool_may_follow_an_edit() -> None:
    script = Script()
    for place in range(3):
        script.session(f"s{place}").edit("a.tsx").run("npm run build").tool("mcp__browser__take_screenshot", {}).ends()
    assert script.lessons() == [
        ("when `*.tsx` files have been edited", "Run `npm run build`, then `mcp__browser__take_screenshot`.")
    ]


def test_a_turn_that_ends_tells_what_was_seen_so_far_once() -> None:
    script = Script().edit("a.py").run("ruff format .").put("stop").run("pytest").put("stop").put("stop")
    signatures = [item.pattern.signature for item in script.sightings()]
    assert sorted(signatures) == sorted(set(signatures))
    assert "workflow\0edit *.py\0ruff format\0pytest" in signatures
