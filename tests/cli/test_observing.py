"""`observe` and `status`: whether it learns, and if not, why."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path

import pytest

from gitinstinct import paths
from gitinstinct.cli.app import run
from gitinstinct.store.layout import About
from tests.cli.conftest import PROJECT_ID
from tests.support import files
from tests.support.program import Program, process
from tests.support.repos import git
from tests.support.stores import new_store
from tests.support.work import captured, spool, tree_of


@pytest.fixture
def work(project: Path) -> list[bytes]:
    """Observations that wait in the project's spool, the last of them of this minute."""
    lines = captured(3, project=PROJECT_ID)
    last = lines[-3].replace(json.loads(lines[-3])["at"].encode(), b"2026-11-29T09:59:00.000Z")
    spool([*lines, last.replace(b'"event":"', b'"event":"prompt","was":"')], PROJECT_ID)
    return lines


def test_observe_tells_what_it_learned(work: list[bytes], program: Program) -> None:
    result = program("observe", "--now")
    assert result.code == 0, result.err
    assert result.out.startswith("522 observations; learned: 8 new\n")
    assert "use-httpx-instead-of-requests" in result.out
    again = program("observe", "--now")
    assert again.code == 0
    assert again.out == "Nothing new was captured.\n"


def test_observe_as_json(work: list[bytes], program: Program) -> None:
    found = program("observe", "--now", "--json").json
    assert found["version"] == 1
    assert found["observations"] == 522
    assert {told["verb"] for told in found["learned"]} == {"new"}
    assert found["commit"]
    assert found["stopped"] is None


def test_a_rehearsal_writes_nothing(work: list[bytes], program: Program, home: Path) -> None:
    program("observe", "--now", "--dry-run")
    before = tree_of(home)
    result = program("observe", "--now", "--dry-run")
    assert "would learn: 8 new" in result.out
    assert tree_of(home) == before


def test_the_gates_hold_and_say_why(work: list[bytes], program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "learned" in program("observe").out
    spool(work[:5], PROJECT_ID, "000002.jsonl")
    result = program("observe")
    assert result.code == 0
    assert result.out.startswith("No run: 5 new observations, 20 needed.")
    spool(work[:50], PROJECT_ID, "000002.jsonl")
    assert "last run anywhere 0 s ago, 60 s needed" in program("observe").out
    monkeypatch.setenv("GITINSTINCT_NOW", "2026-11-29T10:01:00Z")
    assert "last run here 60 s ago, 300 s needed" in program("observe").out
    monkeypatch.setenv("GITINSTINCT_NOW", "2026-11-30T03:00:00Z")
    assert "active hours are 08-23" in program("observe").out
    assert program("observe", "--json").json["stopped"]["gate"] == "hours"


def test_status_before_anything(project: Path, program: Program) -> None:
    result = program("status")
    assert result.code == 0
    assert "no instincts yet; there is no store yet" in result.out
    assert "last run     none yet" in result.out
    found = program("status", "--json").json
    assert found["project"] == {"id": PROJECT_ID, "name": "my-api", "remote": "github.com/acme/my-api"}
    assert found["observer"]["last_run"] is None
    assert found["problems"] == []


def test_status_after_a_run(work: list[bytes], program: Program) -> None:
    program("observe", "--now")
    result = program("status")
    lines = result.out.splitlines()
    assert lines[0] == "my-api  e5c363015306  github.com/acme/my-api"
    assert [line for line in lines if line in {"debugging", "git", "testing", "workflow"}] == sorted(
        line for line in lines if line in {"debugging", "git", "testing", "workflow"}
    )
    assert "local/1: 8 new, from 522 observations" in result.out
    assert "last failure none" in result.out
    found = program("status", "--json").json
    assert found["counts"]["injected"] == len(found["injected"]) == result.out.count(" > ")
    assert found["counts"]["injected"] + found["counts"]["listed"] + found["counts"]["archived"] == 8


def test_status_names_what_is_wrong(work: list[bytes], program: Program, home: Path) -> None:
    program("observe", "--now")
    store = Path(paths.store(PROJECT_ID))
    (store / "instincts" / "mine.md").write_text("half typed")
    (store / ".git" / "index.lock").write_text("")
    Path(paths.config_file()).parent.mkdir(parents=True, exist_ok=True)
    Path(paths.config_file()).write_text("observer: {minimum: many}\n")
    counts = Path(paths.counts())
    (counts / "skipped.subagent").write_bytes(b"." * 12)
    (counts / "lost.json").write_bytes(b"..")
    result = program("status")
    assert result.code == 0
    assert "your change of instincts/mine.md is not committed" in result.out
    assert "index.lock" in result.out
    assert "observer.minimum is not a whole number" in result.out
    assert "left out     12 subagent" in result.out
    assert "lost         2 json" in result.out
    (store / ".git" / "index.lock").unlink()


class Terminal(io.StringIO):
    """One that only prints."""

    def isatty(self) -> bool:
        return True


def test_status_without_a_store_fits_eighty_columns(
    project: Path, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = "git@github.com:Acme/an-organisation-with-a-name/that-is-long-and-a-project-that-has-one-too.git"
    git(project, "remote", "set-url", "origin", url)
    Path(paths.config_file()).parent.mkdir(parents=True, exist_ok=True)
    Path(paths.config_file()).write_text(f"observer: {{minimum: {'many ' * 20}}}\n{'unknown' * 9}: 1\n")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(sys, "stdout", screen := Terminal())
    assert run(("status",)) == 0
    lines = re.sub(r"\x1b\[[0-9;]*m", "", screen.getvalue()).splitlines()
    assert [line for line in lines if len(line) > 80] == []
    assert "no instincts yet; there is no store yet: `gitinstinct init`, or the first run," in lines
    assert any(line.startswith("  ! ") for line in lines)


def test_status_says_when_another_branch_is_checked_out(work: list[bytes], program: Program) -> None:
    program("observe", "--now")
    assert "stands on" not in program("status").out
    git(Path(paths.store(PROJECT_ID)), "checkout", "-q", "-b", "topic")
    assert "stands on topic: what is learned goes to main all the same" in program("status").out


def test_a_failure_is_remembered(work: list[bytes], program: Program) -> None:
    program("observe", "--now")
    spool(work[:40], PROJECT_ID, "000002.jsonl")
    rebase = Path(paths.store(PROJECT_ID)) / ".git" / "rebase-merge"
    rebase.mkdir()
    (rebase / "head-name").write_text("refs/heads/main\n")
    result = program("observe", "--now")
    assert result.code == 3
    assert result.err.startswith("error: main is being re")
    assert "hint: " in result.err
    out = program("status").out
    assert "nothing can be committed now" in out
    assert "last failure 2026-11-29 10:00  main is being re" in out


def test_an_instinct_of_the_project_beats_the_global_one(project: Path, program: Program) -> None:
    from gitinstinct.git.trailers import Message
    from gitinstinct.store import commit
    from gitinstinct.store.commit import Change
    from tests.support.stores import NOW

    everybody = new_store(Path(paths.store(paths.GLOBAL)), about=About("global", "", "global"))
    own = new_store(about=About("project", PROJECT_ID, "my-api"))
    for store, trigger in ((everybody, "when anywhere"), (own, "when here")):
        change = Change({"instincts/prefer-rg.md": files.made(trigger=trigger)}, Message("learn: one"))
        commit.write(store, lambda _, change=change: change, NOW, vet=lambda path, data: None)  # type: ignore[misc]
    out = program("status").out
    assert "when here" in out
    assert "when anywhere" not in out


def test_state_that_cannot_be_written_is_said(project: Path, home: Path) -> None:
    """A file stands where the folder should be: every command says so, none throws."""
    state = Path(paths.root("state"))
    state.parent.mkdir(parents=True)
    state.write_text("a file in its place")
    result = process("status", cwd=project)
    assert result.code == 0
    assert f"{state} cannot be written: events are being lost" in result.out
    result = process("observe", "--now", cwd=project)
    assert result.code == 3
    assert "Traceback" not in result.err
    assert str(state) in result.err
