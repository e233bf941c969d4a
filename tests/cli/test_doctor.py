"""`doctor`: one line for each thing, an exit code, and cures that are safe."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from gitinstinct.harness import HARNESSES
from gitinstinct.harness.model import Scope
from tests.cli.conftest import PROJECT_ID
from tests.support.program import Program, process
from tests.support.repos import git, snapshot


@pytest.fixture
def settled(project: Path, program: Program) -> Path:
    """A project after `init`, and its settings file."""
    assert program("init", "--yes").code == 0
    return HARNESSES["claude-code"].settings_file(Scope.USER, None, os.environ)


def test_after_init_nothing_is_broken(settled: Path, home: Path, program: Program) -> None:
    before = snapshot(home)
    result = program("doctor", "--deep")
    assert result.code == 0, result.out
    assert "Claude Code: an event went through the hook and was kept" in result.out
    assert " error " not in result.out
    assert snapshot(home) == before, "looking changes nothing"


def test_as_json(settled: Path, program: Program) -> None:
    found = program("doctor", "--json").json
    assert (found["version"], found["errors"], found["fixed"]) == (1, 0, [])
    names = {check["name"] for check in found["checks"]}
    assert names == {
        "git", "python", "libraries", "data", "config", "state", "cache", "modes", "hooks", "self-test", "settings",
        "spool", "observer", "store", "driver",
    }  # fmt: skip
    assert all(set(check) == {"name", "level", "text", "way_out", "fixable"} for check in found["checks"])


def test_a_hook_that_writes_nothing_is_an_error(settled: Path, program: Program) -> None:
    text = settled.read_text().replace("hooks/hook.py", "hooks/hook.py.gone")
    settled.write_text(text)
    assert program("doctor").code == 0, "an entry that is not ours is none of our business"
    settled.write_text(
        '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "gitinstinct hook claude-code"}]}]}}'
    )
    shadow = settled.parent / "bin"
    shadow.mkdir()
    (shadow / "gitinstinct").write_text("#!/bin/sh\nexit 0\n")
    (shadow / "gitinstinct").chmod(0o755)
    result = process("doctor", cwd=Path.cwd(), PATH=f"{shadow}{os.pathsep}{os.environ['PATH']}")
    assert result.code == 1
    assert "the hook was started, and it wrote nothing" in " ".join(result.out.split())


def test_what_a_project_brings_along_is_not_started(settled: Path, project: Path, program: Program) -> None:
    evil = project / "gitinstinct"
    evil.write_text(f"#!/bin/sh\ntouch {project}/ran\n")
    evil.chmod(0o755)
    (project / ".claude").mkdir()
    for command in (f"{evil} hook claude-code", f"PATH={project}:$PATH exec {evil} hook claude-code"):
        entry = {"hooks": [{"type": "command", "command": command}]}
        (project / ".claude/settings.json").write_text(json.dumps({"hooks": {"Stop": [entry]}}))
        result = program("doctor")
        assert result.code == 0
        assert "not tried" in " ".join(result.out.split())
    assert not (project / "ran").exists()


def test_fix_mends_what_is_safe(settled: Path, home: Path, program: Program) -> None:
    store = home / "gitinstinct" / "data" / "projects" / PROJECT_ID
    (store / ".git/info/attributes").unlink()
    store.chmod(0o755)
    assert "would mend" in program("doctor", "--fix", "--dry-run").out
    assert not (store / ".git/info/attributes").exists()
    result = program("doctor", "--fix", "--json")
    assert result.code == 0
    assert len(result.json["fixed"]) == 2
    assert not [check for check in result.json["checks"] if check["fixable"]]
    assert store.stat().st_mode & 0o777 == 0o700


def test_dry_run_goes_with_fix(project: Path, program: Program) -> None:
    assert program("doctor", "--dry-run").code == 2


def test_on_an_ascii_terminal_without_a_home_or_git(tmp_path: Path) -> None:
    result = process("doctor", cwd=tmp_path, PYTHONIOENCODING="ascii", PATH=str(tmp_path), HOME="")
    assert result.code == 1
    assert "git is not on PATH" in result.out
    assert "Traceback" not in result.err


def test_a_clone_without_the_driver_is_told_by_whoever_writes_until_it_is_mended(
    settled: Path, home: Path, program: Program
) -> None:
    store = home / "gitinstinct" / "data" / "projects" / PROJECT_ID
    git(store, "config", "--remove-section", "merge.instinct")
    learned = program("learn", "when searching text", "Use rg.", "--json")
    assert (learned.code, bool(learned.json["commit"])) == (0, True)
    assert "note: no merge driver is set" in learned.err
    assert "no merge driver is set" in program("observe", "--now").err
    assert "no merge driver is set" in " ".join(program("status", "--json").json["notes"])
    assert program("list").err == "", "who reads is left alone"
    assert "no merge driver is set" in " ".join(program("doctor", "--fix", "--json").json["fixed"])
    assert program("confirm", "use-rg").err == ""
