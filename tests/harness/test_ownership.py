"""An entry of ours is known in any clothes, and nothing else is taken for ours."""

from __future__ import annotations

import pytest

from gitinstinct.harness import ownership
from gitinstinct.harness.claude_code import CLAUDE_CODE
from gitinstinct.harness.model import Program, Scope

OURS = [
    "gitinstinct hook claude-code",
    "gitinstinct hook claude-code || true",
    "gitinstinct hook claude-code PostToolUse 2>/dev/null || true",
    "git instinct hook claude-code",
    "git-instinct hook claude-code --batch",
    "/home/a b/.local/bin/gitinstinct hook claude-code".replace(" b/", "\\ b/"),
    '"/home/a b/.local/bin/gitinstinct" hook claude-code',
    r"C:\Users\me\.local\bin\gitinstinct.exe hook claude-code",
    r'"C:\Program Files\gi\Scripts\python.exe" -I -S "C:\gi\hooks\hook.py" claude-code',
    "/old/venv/bin/python3.11 -I -S /old/place/hooks/hook.py claude-code",
    "python3 /x/site-packages/gitinstinct/hooks/hook.py claude-code PreToolUse",
    "python -m gitinstinct hook claude-code",
    "python3 /venv/bin/gitinstinct hook claude-code",
    "sh -c 'gitinstinct hook claude-code'",
    "bash -lc \"exec '/x y/gitinstinct' hook claude-code\"",
    "cmd /d /s /c gitinstinct hook claude-code",
    "sh -c \"sh -c 'gitinstinct hook claude-code'\"",
    "GITINSTINCT_HOME=/data gitinstinct hook claude-code",
    "env GITINSTINCT_HOME=/data gitinstinct hook claude-code",
    "uvx gitinstinct hook claude-code",
    "uv run --project /x gitinstinct hook claude-code",
]
FOREIGN = [
    "",
    "gitinstinct",
    "gitinstinct status",
    "gitinstinct hook qoder",
    "my-gitinstinct hook claude-code",
    'echo "gitinstinct hook claude-code"',
    "gitinstinct hook claude-code && notify-send done",
    "gitinstinct hook claude-code || mytool",
    "tee log | gitinstinct hook claude-code",
    "python3 /home/me/.claude/hooks/hook.py claude-code",
    "python3 -I -S /home/me/hooks/other.py claude-code",
    "sh -c 'gitinstinct hook claude-code; say done'",
    "sh -c",
    "'unclosed gitinstinct hook claude-code",
]


@pytest.mark.parametrize("command", OURS)
def test_a_call_of_our_hook_is_ours_however_it_is_written(command: str) -> None:
    assert ownership.is_ours({"type": "command", "command": command, "timeout": 5}, "claude-code")


@pytest.mark.parametrize("command", FOREIGN)
def test_anything_more_or_else_is_the_persons(command: str) -> None:
    assert not ownership.is_ours({"type": "command", "command": command}, "claude-code")


@pytest.mark.parametrize(
    "handler", [None, 3, [], {}, {"command": None}, {"command": ["gitinstinct"]}, {"args": ["hook"]}]
)
def test_an_entry_of_another_shape_is_the_persons(handler: object) -> None:
    assert not ownership.is_ours(handler, "claude-code")


@pytest.mark.parametrize(
    "words",
    [
        ["gitinstinct", "hook", "claude-code"],
        ["/x/python", "-I", "-S", "/y/hooks/hook.py", "claude-code"],
        ["sh", "-c", "gitinstinct hook claude-code"],
        ["cmd", "/c", "gitinstinct", "hook", "claude-code"],
        ["C:\\gi\\python.exe", "-I", "-S", "C:\\gi\\hooks\\hook.py", "claude-code"],
    ],
)
def test_a_program_with_arguments_is_recognised(words: list[str]) -> None:
    assert ownership.is_ours({"command": words[0], "args": words[1:]}, "claude-code")


@pytest.mark.parametrize("scope", Scope)
def test_what_we_register_is_ours(scope: Scope) -> None:
    groups = CLAUDE_CODE.groups(scope, Program("/a b/bin/python", "/c d/hooks/hook.py"))
    for group in groups.values():
        handlers = group["hooks"]
        assert isinstance(handlers, list)
        assert [CLAUDE_CODE.owns(handler) for handler in handlers] == [True]


@pytest.mark.parametrize("command", [FOREIGN[6], FOREIGN[11], "git instinct hook claude-code | tee log"])
def test_a_call_among_other_things_is_seen(command: str) -> None:
    assert ownership.mentions({"command": command})


@pytest.mark.parametrize("command", ["gitinstinct status", "githook run", ""])
def test_what_does_not_call_our_hook_is_no_mention(command: str) -> None:
    assert not ownership.mentions({"command": command})
