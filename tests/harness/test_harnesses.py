"""What is registered where, and what would keep it from running."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitinstinct import shipped
from gitinstinct.errors import EnvironmentFault, UsageError
from gitinstinct.harness import HARNESSES, caveats, find
from gitinstinct.harness.claude_code import CLAUDE_CODE
from gitinstinct.harness.model import Harness, Program, Scope
from gitinstinct.harness.qoder import QODER

PROGRAM = Program("/opt/gi/bin/python", "/opt/gi/hooks/hook.py")
ROOT = Path("/work/app")


def handlers(groups: dict[str, dict[str, object]]) -> dict[str, dict[str, object]]:
    found: dict[str, dict[str, object]] = {}
    for event, group in groups.items():
        assert list(group) == ["hooks"], "no matcher: everything"
        assert isinstance(group["hooks"], list)
        (found[event],) = group["hooks"]
    return found


@pytest.mark.parametrize(
    ("scope", "env", "expected"),
    [
        (Scope.USER, {"HOME": "/home/me"}, "/home/me/.claude/settings.json"),
        (Scope.USER, {"HOME": "/home/me", "CLAUDE_CONFIG_DIR": "/cfg"}, "/cfg/settings.json"),
        (Scope.USER, {"HOME": "/home/me", "CLAUDE_CONFIG_DIR": ""}, "/home/me/.claude/settings.json"),
        (Scope.USER, {"USERPROFILE": "/users/me"}, "/users/me/.claude/settings.json"),
        (Scope.PROJECT, {}, "/work/app/.claude/settings.json"),
        (Scope.LOCAL, {"CLAUDE_CONFIG_DIR": "/cfg"}, "/work/app/.claude/settings.local.json"),
    ],
)
def test_each_scope_has_its_file(scope: Scope, env: dict[str, str], expected: str) -> None:
    assert CLAUDE_CODE.settings_file(scope, ROOT, env) == Path(expected)


def test_qoder_keeps_its_settings_in_its_own_folder() -> None:
    env = {"HOME": "/home/me", "CLAUDE_CONFIG_DIR": "/cfg"}
    found = [QODER.settings_file(scope, ROOT, env) for scope in Scope]
    below = [".qoder/settings.json", ".qoder/settings.json", ".qoder/settings.local.json"]
    assert found == [Path("/home/me") / below[0], ROOT / below[1], ROOT / below[2]]


@pytest.mark.parametrize(
    ("scope", "env"), [(Scope.USER, {}), (Scope.PROJECT, {"HOME": "/h"}), (Scope.LOCAL, {"HOME": "/h"})]
)
def test_a_scope_without_a_place_is_refused(scope: Scope, env: dict[str, str]) -> None:
    with pytest.raises(EnvironmentFault):
        CLAUDE_CODE.settings_file(scope, None, env)


def test_every_phase_of_a_tool_call_is_asked_for_and_nothing_dangerous() -> None:
    events = set(CLAUDE_CODE.events)
    assert {"PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionDenied"} <= events
    assert {"UserPromptSubmit", "SessionStart", "SessionEnd", "Stop", "PreCompact"} <= events
    assert not {"WorktreeCreate", "MessageDisplay", "PermissionRequest"} & events


@pytest.mark.parametrize("harness", HARNESSES.values(), ids=list(HARNESSES))
@pytest.mark.parametrize("scope", [Scope.USER, Scope.LOCAL])
def test_a_persons_own_file_starts_this_program_without_a_shell(harness: Harness, scope: Scope) -> None:
    for event, handler in handlers(harness.groups(scope, PROGRAM)).items():
        assert (handler["type"], handler["command"]) == ("command", PROGRAM.python)
        assert handler["args"] == ["-I", "-S", PROGRAM.shim, harness.name]
        assert handler.get("async", False) is not harness.events[event].waits
        assert isinstance(handler["timeout"], int)
        assert 0 < handler["timeout"] <= 10


@pytest.mark.parametrize("harness", HARNESSES.values(), ids=list(HARNESSES))
def test_a_committed_file_holds_no_path_and_is_silent_where_we_are_missing(harness: Harness) -> None:
    commands = {
        event: handler["command"] for event, handler in handlers(harness.groups(Scope.PROJECT, PROGRAM)).items()
    }
    assert commands.pop("SessionStart") == f"gitinstinct hook {harness.name}"
    assert set(commands.values()) == {f"gitinstinct hook {harness.name} || true"}


def test_the_agent_waits_only_where_we_answer_or_must_be_in_time() -> None:
    waiting = {name for name, event in CLAUDE_CODE.events.items() if event.waits}
    assert waiting == {"SessionStart", "UserPromptSubmit", "PreCompact", "SessionEnd"}


def test_the_agent_waits_for_more_where_a_person_wants_an_answer() -> None:
    found = handlers(CLAUDE_CODE.groups(Scope.USER, PROGRAM, waiting=("PreToolUse",)))
    assert "async" not in found["PreToolUse"]
    assert found["PostToolUse"]["async"] is True


def test_an_unknown_harness_is_refused_with_the_names() -> None:
    assert find("qoder") is QODER
    with pytest.raises(UsageError) as caught:
        find("emacs")
    assert caught.value.hint == "one of: claude-code, qoder"


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"disableAllHooks": True}, "disableAllHooks"),
        ({"allowManagedHooksOnly": True}, "allowManagedHooksOnly"),
        ({"enabledPlugins": {"gitinstinct@somewhere": True}}, "gitinstinct@somewhere"),
        ({"hooks": {"PreToolUse": ["x"]}}, "entry 1 of PreToolUse is broken (not an object)"),
        ({"hooks": {"PreToolUse": [{"hooks": []}, {"matcher": "Bash"}]}}, "entry 2 of PreToolUse"),
        ({"hooks": {"PreToolUse": [{"matcher": {"tool": "Bash"}, "hooks": []}]}}, '"matcher" is not text'),
        ({"hooks": {"PermissionRequest": [{"hooks": ["x"]}]}}, "a hook is not an object"),
        ({"hooks": {"PreToolUse": [{"hooks": [{"type": "shell", "command": "x"}]}]}}, "\"type\" is 'shell'"),
        ({"hooks": {"PreToolUse": [{"hooks": [{"type": ["command"]}]}]}}, '"type" is'),
        ({"hooks": {"PreToolUse": [{"hooks": [{"type": "command"}]}]}}, '"command" is not text'),
        ({"hooks": {"PreToolUse": [{"hooks": [{"type": "http", "url": "x", "timeout": -1}]}]}}, '"timeout"'),
        ({"hooks": {"PreToolUse": [{"hooks": [{"type": "http", "url": "x", "timeout": 0}]}]}}, '"timeout"'),
        ({"hooks": {"PreToolUse": [{"hooks": [{"type": "http", "url": "x", "timeout": True}]}]}}, '"timeout"'),
        (
            {"hooks": {"Stop": [{"hooks": [{"command": "gitinstinct hook claude-code; say done"}]}]}},
            "an entry of Stop calls",
        ),
    ],
)
def test_what_keeps_the_hooks_from_running_is_said_in_one_sentence(settings: dict[str, object], words: str) -> None:
    (sentence,) = caveats.of_settings(settings, CLAUDE_CODE)
    assert words in sentence


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"disableAllHooks": False, "enabledPlugins": {"gitinstinct@x": False, "other@x": True}},
        {"hooks": CLAUDE_CODE.groups(Scope.USER, PROGRAM), "enabledPlugins": []},
        {"hooks": {event: [group] for event, group in CLAUDE_CODE.groups(Scope.USER, PROGRAM).items()}},
        {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "prompt", "prompt": "x", "timeout": 2.5}]}]}},
        {"hooks": {"Stop": [3, {"hooks": 3}]}},  # broken, but only for itself
    ],
)
def test_ordinary_settings_give_no_warning(settings: dict[str, object]) -> None:
    assert caveats.of_settings(settings, CLAUDE_CODE) == []


def test_shipped_files_are_found_in_a_checkout_and_in_a_wheel(tmp_path: Path) -> None:
    package = tmp_path / "site-packages" / "gitinstinct"
    package.mkdir(parents=True)
    with pytest.raises(EnvironmentFault, match="hooks/ is missing"):
        shipped._shipped("hooks", package)
    (package.parent / "hooks").mkdir()
    assert shipped._shipped("hooks", package) == package.parent / "hooks"
    (package / "hooks").mkdir()
    assert shipped._shipped("hooks", package) == package / "hooks"
    assert shipped.hooks().is_dir()
    assert shipped.templates().is_dir()
