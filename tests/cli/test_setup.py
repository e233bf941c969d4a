"""`init`, `install`, `uninstall`: what is asked, what is done, and what stays as it was."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from gitinstinct import paths
from gitinstinct.capture import reader
from tests.cli.conftest import PROJECT_ID
from tests.support.program import Program
from tests.support.repos import git
from tests.support.work import tree_of

FOREIGN = '{\n  "model": "opus",\n  "hooks": {"PostToolUse": [{"hooks": [{"type": "command", "command": "fmt"}]}]}\n}\n'


@pytest.fixture
def settings(home: Path) -> Path:
    file = home / ".claude" / "settings.json"
    file.parent.mkdir()
    file.write_text(FOREIGN)
    return file


def test_init_makes_stores_and_adds_hooks(project: Path, settings: Path, program: Program) -> None:
    result = program("init", "--yes")
    assert result.code == 0, result.err
    assert "my-api  e5c363015306  github.com/acme/my-api" in result.out
    for store in (paths.store(PROJECT_ID), paths.store(paths.GLOBAL)):
        assert git(Path(store), "log", "--format=%s").splitlines()[-1] == "genesis"
        assert git(Path(store), "log", "-1", "--format=%an <%ae>") == "Ann <ann@example.org>"
    hooks = json.loads(settings.read_text())["hooks"]
    assert {"SessionStart", "PreToolUse", "PostToolUse", "PostToolUseFailure", "UserPromptSubmit", "Stop"} <= set(hooks)
    assert hooks["PostToolUse"][0] == {"hooks": [{"type": "command", "command": "fmt"}]}
    assert settings.with_name("settings.json.gitinstinct-bak").read_text() == FOREIGN
    assert git(project, "status", "--porcelain") == "", "nothing is put into the person's own repository"


def test_init_again_changes_nothing(project: Path, settings: Path, program: Program, home: Path) -> None:
    program("init", "--yes")
    before = tree_of(home)
    result = program("init", "--yes")
    assert result.code == 0
    assert "are there" in result.out
    assert tree_of(home) == before


def test_init_shows_and_does_nothing_when_it_rehearses(
    project: Path, settings: Path, program: Program, home: Path
) -> None:
    before = tree_of(home)
    result = program("init", "--dry-run")
    assert result.code == 0
    assert '"SessionStart": [' in result.out
    assert "will be made" in result.out
    assert tree_of(home) == before


@pytest.mark.parametrize("verb", [("init",), ("install", "claude-code")])
def test_without_a_terminal_nothing_is_guessed(
    verb: tuple[str, ...], project: Path, settings: Path, program: Program, home: Path
) -> None:
    before = tree_of(home)
    result = program(*verb)
    assert result.code == 2
    assert "--yes" in result.err
    assert tree_of(home) == before


@pytest.mark.parametrize("text", ["{not json", "[]", '{"hooks": []}', '// mine\n{"hooks": {}}'])
def test_a_settings_file_that_is_not_understood_is_left_alone(
    text: str, project: Path, settings: Path, program: Program
) -> None:
    settings.write_text(text)
    result = program("init", "--yes")
    assert result.code == 3
    assert str(settings) in result.err
    assert settings.read_text() == text
    assert not Path(paths.store(PROJECT_ID)).exists()
    assert program("init", "--yes", "--no-hooks").code == 0


@pytest.mark.parametrize(("scope", "name"), [("project", "settings.json"), ("local", "settings.local.json")])
def test_hooks_for_one_project_only(scope: str, name: str, project: Path, settings: Path, program: Program) -> None:
    assert program("init", "--yes", "--scope", scope).code == 0
    text = (project / ".claude" / name).read_text()
    assert settings.read_text() == FOREIGN
    assert (sys.executable in text or "/hook.py" in text) == (scope == "local"), (
        "a committed file names no path of this machine"
    )


def test_uninstall_leaves_no_trace(project: Path, settings: Path, program: Program) -> None:
    program("init", "--yes")
    result = program("uninstall", "--yes")
    assert result.code == 0
    assert paths.root("data") in result.out
    assert settings.read_text() == FOREIGN
    assert sorted(path.name for path in settings.parent.iterdir()) == ["settings.json"]
    assert program("uninstall", "--yes").code == 0


def test_another_harness(project: Path, program: Program, home: Path) -> None:
    assert program("install", "qoder", "--yes").code == 0
    assert "hook.py" in (home / ".qoder" / "settings.json").read_text()
    result = program("install", "emacs", "--yes")
    assert result.code == 2
    assert "claude-code" in result.err


def test_outside_a_repository_only_the_global_store(
    home: Path, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)
    result = program("init", "--yes", "--no-hooks")
    assert result.code == 0
    assert "no project here" in result.out
    assert not (home / "gitinstinct" / "data" / "projects").exists()


def test_the_hook_that_was_installed_records(project: Path, settings: Path, program: Program) -> None:
    """Through the line in the settings, as the agent starts it, and not through a function of ours."""
    program("init", "--yes")
    hooks = json.loads(settings.read_text())["hooks"]
    for event, fields in {
        "PreToolUse": {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "t1"},
        "PostToolUseFailure": {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "t1", "error": "x"},
        "Stop": {},
    }.items():
        handler = hooks[event][-1]["hooks"][0]
        payload = {"session_id": "s1", "cwd": str(project), "hook_event_name": event, **fields}
        done = subprocess.run(
            [handler["command"], *handler["args"]],
            input=json.dumps(payload).encode(), capture_output=True, cwd="/", check=False, timeout=30,
        )  # fmt: skip
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert [record["event"] for _, record in reader.read(PROJECT_ID)] == ["tool_start", "tool_failed", "stop"]
