"""The Claude Code plugin is complete, agrees with what we register ourselves, and lists only what exists."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

import gitinstinct
from gitinstinct import shipped
from gitinstinct.harness.claude_code import CLAUDE_CODE

PLUGIN = shipped.hooks() / "claude-code"
KEBAB = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def load(name: str) -> dict[str, object]:
    value = json.loads((PLUGIN / name).read_text(encoding="utf-8"))
    assert isinstance(value, dict)
    return value


def test_the_manifest_has_the_fields_of_the_schema_and_no_others() -> None:
    manifest = load(".claude-plugin/plugin.json")
    assert {"name", "version", "description", "author", "license", "keywords"} == set(manifest)
    assert manifest["name"] == "gitinstinct"
    assert manifest["version"] == gitinstinct.__version__
    assert isinstance(manifest["author"], dict)
    assert isinstance(manifest["keywords"], list)


def test_the_folder_is_a_marketplace_with_this_plugin() -> None:
    market = load(".claude-plugin/marketplace.json")
    assert KEBAB.fullmatch(str(market["name"]))
    assert isinstance(market["owner"], dict)
    assert market["owner"]["name"]
    assert isinstance(market["plugins"], list)
    (entry,) = market["plugins"]
    assert entry["name"] == load(".claude-plugin/plugin.json")["name"]
    assert (PLUGIN / entry["source"]).samefile(PLUGIN)
    assert entry["source"].startswith("./")


def test_nothing_but_manifests_lies_beside_the_manifest() -> None:
    assert {path.name for path in (PLUGIN / ".claude-plugin").iterdir()} == {"plugin.json", "marketplace.json"}


def test_the_hooks_are_those_that_we_register_in_committed_settings() -> None:
    hooks = load("hooks/hooks.json")
    assert set(hooks) == {"description", "hooks"}
    assert hooks["hooks"] == {event: [group] for event, group in CLAUDE_CODE.portable_groups().items()}


@pytest.mark.parametrize("present", [True, False], ids=["with the program", "without it"])
def test_the_hooks_work_from_a_copy_of_the_folder(tmp_path: Path, present: bool) -> None:
    """What the harness does with a string: a shell, in the project, with the program on the PATH or not."""
    shutil.copytree(PLUGIN, tmp_path / "cache" / "gitinstinct")
    if present:
        program = tmp_path / "bin" / "gitinstinct"
        program.parent.mkdir()
        program.write_text('#!/bin/sh\necho "$@" >> "$CALLS"\n')
        program.chmod(0o755)
    hooks = json.loads((tmp_path / "cache/gitinstinct/hooks/hooks.json").read_text())["hooks"]
    failed = set()
    for event, groups in hooks.items():
        env = {"PATH": f"{tmp_path / 'bin'}:/nowhere", "CALLS": str(tmp_path / "calls")}
        done = subprocess.run(
            ["/bin/sh", "-c", groups[0]["hooks"][0]["command"]], env=env, capture_output=True, check=False
        )
        failed |= {event} if done.returncode else set()
        assert done.stdout == b""
    assert failed == (set() if present else {"SessionStart"})
    if present:
        assert (tmp_path / "calls").read_text() == "hook claude-code\n" * len(hooks)


COMMANDS = sorted((PLUGIN / "commands").glob("*.md"))


def test_there_is_a_slash_command_for_each_everyday_verb() -> None:
    verbs = {path.stem.removeprefix("instinct-") for path in COMMANDS}
    assert verbs == {"status", "list", "show", "log", "observe", "init"}


@pytest.mark.parametrize("path", COMMANDS, ids=[path.stem for path in COMMANDS])
def test_a_slash_command_is_thin_described_and_calls_its_verb(path: Path) -> None:
    _, head, body = path.read_text(encoding="utf-8").split("---\n", 2)
    fields = yaml.safe_load(head)
    known = {"description", "argument-hint", "allowed-tools", "disable-model-invocation"}
    assert {"description", "allowed-tools"} <= set(fields) <= known
    assert 0 < len(fields["description"]) <= 80
    assert f"`gitinstinct {path.stem.removeprefix('instinct-')}" in body
    assert len(body.splitlines()) < 12


@pytest.mark.parametrize("path", COMMANDS, ids=[path.stem for path in COMMANDS])
def test_only_reading_commands_may_be_called_by_the_model_itself(path: Path) -> None:
    fields = yaml.safe_load(path.read_text(encoding="utf-8").split("---\n", 2)[1])
    reads = path.stem.removeprefix("instinct-") in {"status", "list", "show", "log"}
    assert fields.get("disable-model-invocation", False) is not reads
