"""`promote` and `demote`: what people and scripts see."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gitinstinct import paths
from gitinstinct.cli.app import run
from gitinstinct.instinct import markdown
from gitinstinct.promote import origin
from gitinstinct.store import homes
from gitinstinct.store.layout import About
from tests.cli.conftest import PROJECT_ID
from tests.cli.test_reviewing_promotions import Terminal
from tests.support import projects
from tests.support.mates import bare
from tests.support.program import Program, process
from tests.support.projects import ACTION, API, CLI, NAME, TRIGGER, WEB, made, more, put
from tests.support.repos import git, snapshot
from tests.support.stores import NOW, assert_sound, subjects

OWN = About("project", PROJECT_ID, "my-api")


@pytest.fixture
def three(project: Path) -> None:
    """The project at hand and another have one instinct in common; a third and the other one that is not ready."""
    projects.project(OWN, made(OWN))
    projects.project(WEB, made(WEB), made(WEB, "name-tests", action="Name tests as sentences.", domain="testing"))
    projects.project(CLI, made(CLI, "name-tests", action="Name tests as sentences.", domain="testing"))


def everything() -> dict[str, str]:
    return snapshot(Path(paths.root("data")))


# --- looking


def test_candidates_are_listed_with_what_they_miss(program: Program, three: None) -> None:
    before = everything()
    done = program("promote", "--dry-run")
    assert (
        done.out
        == f"""\
1 instinct can be promoted, of 2 that several projects have

{NAME}  ████████░░ 0.85
  {TRIGGER}: {ACTION}
  my-api 0.85, web 0.85
  workflow; 2 lines of evidence by 1 person

name-tests  ████████░░ 0.85  not proposed
  {TRIGGER}: Name tests as sentences.
  web 0.85, cli 0.85
  testing; 2 lines of evidence by 1 person
  ! domain testing, which is mostly a project's own
"""
    )
    assert (done.code, everything()) == (0, before)


def test_json_lists_and_writes_nothing_unless_yes_is_said(program: Program, three: None) -> None:
    before = everything()
    found = program("promote", "--json").json
    first, second = found["candidates"]
    assert (found["version"], first["id"], first["qualifies"], first["state"]) == (1, NAME, True, "new")
    assert [one["name"] for one in first["projects"]] == ["my-api", "web"]
    assert (first["mean"], first["lowest"], first["evidence"], first["people"]) == (0.85, 0.85, 2, 1)
    assert second["missed"] == ["domain testing, which is mostly a project's own"]
    one = program("promote", NAME, "--json").json
    assert (one["place"], one["names"], one["left_out"], one["differs"]) == ("main", [], [], [])
    assert everything() == before


def test_without_a_terminal_it_needs_yes(program: Program, three: None) -> None:
    before = everything()
    for words in (("promote",), ("promote", NAME)):
        done = program(*words)
        assert (done.code, done.err.splitlines()[0]) == (
            2, "error: promote asks first, and there is no terminal",
        )  # fmt: skip
    assert everything() == before


def test_nothing_in_common_is_no_fault(program: Program, project: Path) -> None:
    assert program("promote", "--dry-run").out == "No instinct is known in two projects.\n"
    assert program("promote", "--yes").out == "Nothing is to be promoted.\n"
    assert not Path(paths.store(paths.GLOBAL)).exists()


@pytest.mark.parametrize("name", ["grep-firts", "../x", "-x"])
def test_an_unknown_id_is_said(program: Program, three: None, name: str) -> None:
    done = program("promote", "--yes", "--", name)
    assert (done.code, done.err.splitlines()[0]) == (1, f"error: no instinct is called {name}")
    if name == "grep-firts":
        assert "did you mean grep-first" in done.err


def test_words_of_a_project_that_are_not_taken_fit_the_screen(
    program: Program, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    projects.project(OWN, made(OWN))
    projects.project(WEB, made(WEB, action="Find the place first, with `rg`, before you touch anything. " * 3))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys, "stdout", screen := Terminal("utf-8"))
    run(("promote", NAME, "--dry-run"))
    lines = re.sub(r"\x1b\[[0-9;]*m", "", screen.getvalue()).splitlines()
    at = lines.index("  ! not taken from web: its action")
    assert [line for line in lines if len(line) > 80] == []
    assert lines[at + 1].startswith("    web: Find the place first, with `rg`, before")
    assert any(line.startswith(f"    all projects: {ACTION}"[:60]) for line in lines[at:])


# --- doing


def test_all_that_qualify_are_promoted(program: Program, three: None) -> None:
    done = program("promote", "--yes")
    tip = git(projects.everybody().path, "rev-parse", "--short=10", "main")
    shown = done.out.splitlines()
    assert shown[0] == "1 other in several projects: gitinstinct promote --dry-run says what is missing"
    assert shown[-5] == f"{NAME}  is global now"
    assert [line.partition(": picked ")[0] for line in shown[-4:-2]] == ["  from my-api", "  from web"]
    assert shown[-2:] == ["  0.85 in all projects", f"commit {tip}"]
    assert program("promote", "--yes").out.splitlines()[0] == "Nothing is to be promoted."
    assert program("list", "--global", "--json").json["instincts"][0]["held"] is None


def test_one_by_its_id_whatever_it_misses_and_that_is_said(program: Program, three: None) -> None:
    done = program("promote", "name-tests", "--yes")
    missed = "! does not meet: domain testing, which is mostly a project's own; promoted because you named it"
    assert (done.code, missed in done.out, "not proposed" in done.out) == (0, True, False)
    assert projects.there("name-tests").written["confirmations"] == 24
    found = program("promote", "name-tests", "--yes", "--json").json
    assert (found["commit"], found["picked"]) == (None, [])


def test_what_is_left_out_and_what_names_the_project_is_said(program: Program, three: None) -> None:
    put(
        projects.project(OWN),
        made(OWN, "ask", action="Ask Acme before you touch My-API.", paths=["src/**/*.py", "*.md"]),
    )
    done = program("promote", "ask", "--dry-run")
    assert [line for line in done.out.splitlines() if "!" in line] == [
        "  ! does not meet: in 1 of the 2 projects that it takes; promoted because you named it",
        "  ! left out, because only this project has it: paths: src/**/*.py",
        "  ! the action names the project: my-api",
        "  ! the action names the project: acme",
    ]


def test_both_sides_of_a_contradiction_are_shown(program: Program, three: None) -> None:
    put(projects.project(OWN), made(OWN, "pm", action="Use `pnpm` instead of `npm`."))
    put(projects.project(WEB), made(WEB, "pm", action="Use `npm` instead of `pnpm`."))
    done = program("promote", "pm", "--yes")
    assert (done.code, done.err.splitlines()[0]) == (1, "error: pm is contradicted")
    for side in ("my-api: pm: when", "web: pm: when", "Use `pnpm` instead of `npm`.", "Use `npm` instead of `pnpm`."):
        assert side in done.out
    assert not Path(paths.store(paths.GLOBAL)).exists()


def test_one_that_is_refused_keeps_no_other_back(program: Program, three: None) -> None:
    for about in (OWN, WEB):
        put(
            projects.project(about),
            made(about, "a-home", trigger="when building", action="Run `make` in /home/bob-x/w."),
        )
    done = program("promote", "--yes")
    assert done.code == 1
    assert "a-home of my-api cannot be everybody's: a private path (/home/bob-x)" in done.err
    assert projects.there().written["confirmations"] == 24


def test_a_store_that_cannot_be_opened_is_named(program: Program, three: None) -> None:
    (Path(paths.store(CLI.project_id)) / ".git" / "HEAD").write_text("junk\n")
    done = program("promote", "--yes")
    assert (done.code, f"! {paths.store(CLI.project_id)}: " in done.out) == (0, True)


def test_a_persons_own_edits_are_committed_first_and_come_along(program: Program, three: None) -> None:
    file = Path(paths.store(PROJECT_ID)) / "instincts" / f"{NAME}.md"
    file.write_bytes(file.read_bytes().replace(b"then edit", b"then think, and edit"))
    assert program("promote", NAME, "--yes").code == 0
    assert projects.there().action == "Find the place with `rg`, read it, then think, and edit."
    assert "edit: " in "\n".join(subjects(projects.project(OWN)))
    assert_sound(projects.project(OWN))


def test_the_project_is_disclosed_only_if_the_settings_say_so(program: Program, three: None) -> None:
    program("promote", "--yes")
    held = projects.everybody()
    assert PROJECT_ID not in git(held.path, "log", "--format=%B", "main") + git(
        held.path, "for-each-ref", origin.FOLDER
    )
    config = Path(paths.config_file())
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text("promote:\n  disclose: true\n")
    more(projects.project(OWN), "later")
    program("promote", "--yes")
    assert f"Promoted-From: {PROJECT_ID} " in git(held.path, "log", "-1", "--format=%B", "main")


# --- a shared store


@pytest.fixture
def remote(three: None, program: Program, tmp_path: Path) -> Path:
    """A remote where the global store is shared."""
    homes.make_global(NOW)
    place = bare(tmp_path / "global.git")
    assert program("share", str(place), "--global", "--yes").code == 0
    return place


def test_it_waits_for_review_on_a_branch_and_says_the_next_step(program: Program, remote: Path) -> None:
    done = program("promote", NAME, "--yes")
    tip = git(projects.everybody().path, "rev-parse", "--short=10", f"promote/{NAME}")
    assert done.out.splitlines()[-2:] == [
        f"commit {tip} on promote/{NAME}",
        f"next: gitinstinct review lands it, gitinstinct promote {NAME} --pr asks the others",
    ]
    assert program("list", "--global", "--json").json["instincts"] == []
    assert program("promote", "--json").json["candidates"][0]["state"] == "waits"


def test_direct_and_land_decide_where(program: Program, remote: Path) -> None:
    assert program("promote", NAME, "--yes", "--direct", "--json").json["place"] == "main"
    config = Path(paths.config_file())
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text("promote:\n  land: main\n")
    assert program("promote", "name-tests", "--yes", "--json").json["place"] == "main"
    assert program("promote", NAME, "--direct", "--pr", "--yes").code == 2


def test_a_pull_request_is_the_branch_pushed(program: Program, remote: Path) -> None:
    done = program("promote", NAME, "--yes", "--pr")
    assert done.code == 0, done.err
    assert git(remote, "rev-parse", f"refs/heads/promote/{NAME}") == git(
        projects.everybody().path, "rev-parse", f"promote/{NAME}"
    )


def test_a_pull_request_to_nobody_is_refused_before_anything_is_written(program: Program, three: None) -> None:
    before = everything()
    done = program("promote", NAME, "--yes", "--pr")
    assert (done.code, done.err.splitlines()[0]) == (
        1, "error: the global store is not shared, so nobody can be asked",
    )  # fmt: skip
    assert everything() == before


# --- demote


def test_demote_and_what_a_promotion_says_then(program: Program, three: None) -> None:
    program("promote", "--yes")
    done = program("demote", NAME, "-m", "too broad")
    tip = git(projects.everybody().path, "rev-parse", "--short=10", "main")
    assert done.out == f"{NAME}  is no longer global\n  still known in web, my-api\ncommit {tip} in global\n"
    again = program("promote", NAME, "--yes")
    assert (again.code, again.err.splitlines()[-1]) == (
        1, f"hint: bring it back first: gitinstinct restore {NAME} --global",
    )  # fmt: skip
    assert program("restore", NAME, "0.8", "--global").code == 0
    assert program("demote", NAME, "--json").json["way"] == "archived"


def test_demote_gives_back_to_the_project_at_hand(program: Program, three: None) -> None:
    program("promote", "--yes")
    program("archive", NAME)
    program("archive", NAME, "--project", WEB.project_id)
    put(projects.everybody(), made(API, "only-global", action="Look twice."))
    found = program("demote", "only-global", "--json").json
    assert (found["back"], sorted(found["commits"])) == ("given", ["global", "my-api"])
    assert markdown.parse(projects.data(projects.project(OWN), "only-global")).project_id == PROJECT_ID
    assert (
        program("demote", NAME, "--dry-run").out.splitlines()[1].startswith("  this project has put it away") is False
    )


def test_demote_of_what_is_not_there(program: Program, three: None) -> None:
    assert program("demote", "x").code == 1
    homes.make_global(NOW)
    assert program("demote", "../x").err.startswith("error: the global store has no ../x")


# --- two at once, and one that is killed


def test_two_promotions_at_once_are_one(three: None, project: Path) -> None:
    with ThreadPoolExecutor(3) as pool:
        done = list(pool.map(lambda _: process("promote", NAME, "--yes", "--json", cwd=project), range(3)))
    assert [one.code for one in done] == [0, 0, 0], [one.err for one in done]
    assert sum(one.json["commit"] is not None for one in done) == 1
    assert projects.there().written["confirmations"] == 24
    assert subjects(projects.everybody()).count(f"promote: {NAME}") == 2
    for about in (OWN, WEB):
        ledger = markdown.parse(projects.data(projects.project(about))).ledger
        assert [entry.kind for entry in ledger] == ["observed", "promoted"]
    assert_sound(projects.everybody())


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.2, 0.4, 0.6, 0.8, 0.95])
def test_a_process_that_is_killed_is_made_good_by_the_next(three: None, project: Path, share: float) -> None:
    """At a part of the time that a whole one takes; whatever it had done by then."""
    begun = time.monotonic()
    process("promote", "name-tests", "--yes", cwd=project)
    whole = time.monotonic() - begun
    arguments = [sys.executable, "-m", "gitinstinct", "promote", NAME, "--yes"]
    running = subprocess.Popen(arguments, cwd=project, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(whole * share)
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    more(projects.project(OWN), "later")
    done = process("promote", NAME, "--yes", cwd=project)
    assert done.code == 0, done.err
    held = projects.everybody()
    assert projects.there().written["confirmations"] == 25
    assert git(held.path, "worktree", "list").count("\n") == 0
    for about in (OWN, WEB):
        kinds = {entry.kind for entry in markdown.parse(projects.data(projects.project(about))).ledger}
        assert kinds == {"observed", "promoted"}
    assert_sound(held)
