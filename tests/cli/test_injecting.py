"""`inject`: the text, and the reason for everything that is not in it; what sessions got; what none has had."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitinstinct import paths
from gitinstinct.store.store import Store
from tests.cli.conftest import PROJECT_ID
from tests.inject.support import PROJECT, a_store, everybodys, made, put, send, told
from tests.support.program import Program

assert PROJECT_ID == PROJECT


@pytest.fixture
def store(project: Path) -> Store:
    """The project's store, with one instinct that is sure enough and one that is not."""
    held = a_store()
    put(held, made("sure", 85, "Use `rg`.", trigger="when searching text"), made("unsure", 44))
    return held


def test_it_shows_the_text_that_the_hook_gives_and_what_is_left_out(
    project: Path, store: Store, program: Program
) -> None:
    put(store, made("foreign", 90), trusted=False)
    put(everybodys(), made("sure", 80, scope="global"), made("all-of-us", 75, scope="global"))
    (store.path / "instincts" / "broken.md").write_text("<<<<<<< HEAD\n")
    out = program("inject").out
    assert "- when searching text: Use `rg`. [sure, project, 0.85]" in out
    assert "0.44  project   unsure  below 0.70" in out
    assert "foreign  waiting for review" in out
    assert "sure  the project has one of that id" in out
    found = program("inject", "--json").json
    assert [item["id"] for item in found["items"]] == ["sure", "all-of-us"]
    assert found["text"] == told(send(project))
    reasons = {(one["scope"], one["id"]): one["reason"] for one in found["left_out"]}
    assert set(reasons) == {("project", "unsure"), ("project", "foreign"), ("global", "sure")}


def test_every_other_event_and_session(project: Path, store: Store, program: Program) -> None:
    send(project)
    assert program("inject", "--event", "resume", "--session", "s-1", "--json").json["items"] == []
    for event in ("startup", "compact", "clear", "fork"):
        found = program("inject", "--event", event, "--session", "s-1", "--json").json
        assert [item["id"] for item in found["items"]] == ["sure"]
    assert program("inject", "--event", "restart").code == 2
    assert program("inject", "--event", "resume", "--prompt", "x").code == 2


def test_what_a_prompt_would_bring(project: Path, store: Store, program: Program) -> None:
    found = program("inject", "--prompt", "search the text for TODO", "--json").json
    assert [item["id"] for item in found["items"]] == ["sure"]
    assert "showed about this" in found["text"]
    assert "sure  the prompt does not ask for it" in program("inject", "--prompt", "hello").out
    send(project)
    again = program("inject", "--prompt", "search the text", "--session", "s-1").out
    assert "this session has it already" in again


def test_the_switches(project: Path, store: Store, program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITINSTINCT_INJECT", "0")
    assert "injection is switched off in the environment" in program("inject").out
    monkeypatch.delenv("GITINSTINCT_INJECT")
    Path(paths.config_file()).parent.mkdir(parents=True)
    Path(paths.config_file()).write_text("enabled: false\n")
    assert "injection is switched off" in program("inject").out


def test_nothing_at_all(project: Path, program: Program) -> None:
    assert program("inject").out == "Nothing would be injected.\n"
    assert program("inject", "--log").out == "Nothing has reached a session here yet.\n"
    assert program("inject", "--log", "--session", "s-1").code == 1


def test_what_sessions_got(project: Path, store: Store, program: Program) -> None:
    send(project)
    send(project, session_id="s-2")
    assert "2026-11-29 10:00  startup   s-1  claude-code\n    project   sure\n" in program("inject", "--log").out
    found = program("inject", "--log", "--session", "s-2", "--json").json["injected"]
    assert [(one["session"], one["id"], one["event"]) for one in found] == [("s-2", "sure", "startup")]


def test_when_something_last_influenced_anything(project: Path, store: Store, program: Program) -> None:
    never = "nothing yet: no session has had it"
    assert f"influenced  {never}" in program("why", "sure").out
    assert program("status", "--json").json["influenced"] is None
    assert "no session yet" in program("status").out
    send(project)
    send(project, session_id="s-2")
    assert "influenced  2026-11-29 10:00  session s-2; 2 sessions so far\n" in program("why", "sure").out
    assert program("why", "sure", "--json").json["why"]["influenced"]["sessions"] == 2
    assert never in program("why", "unsure").out
    assert "last reached a session 2026-11-29 10:00" in program("show", "sure").out
    assert program("show", "sure", "--json").json["instinct"]["influenced"]["session"] == "s-2"
    assert program("status", "--json").json["influenced"]["id"] == "sure"
    assert "last 2026-11-29 10:00, session s-2" in program("status").out


def test_what_no_session_has_had_and_what_lost_its_ground(project: Path, store: Store, program: Program) -> None:
    (project / "Makefile").touch()
    put(store, made("anchored", 85, anchors=["Makefile"]), made("placed", 85, paths=["src/**/*.py"]))
    send(project)
    listed = program("list", "--never-used", "--json").json["instincts"]
    assert {one["id"] for one in listed} == {"unsure", "placed"}
    assert [one["id"] for one in program("list", "--stale", "--json").json["instincts"]] == ["placed"]
    (project / "src").mkdir()
    (project / "Makefile").unlink()
    assert [one["id"] for one in program("list", "--stale", "--json").json["instincts"]] == ["anchored"]
    assert "anchored  stale: Makefile is gone" in program("inject").out
