"""What the person's settings leave out, and what a broken file does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gitinstinct import paths
from gitinstinct.capture import settings
from tests.capture.support import call, claude, counts, kept, tool_event


def write(text: str) -> None:
    path = Path(paths.hook_settings())
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.mark.parametrize(
    ("chosen", "event", "why"),
    [
        ({"enabled": False}, {}, "disabled"),
        ({"skip_tools": ["Bash"]}, {}, "tool"),
        ({"skip_tools": ["mcp__*"]}, {"tool_name": "mcp__x__y"}, "tool"),
        ({"skip_tools": ["Ba"]}, {}, ""),
        ({"skip_paths": ["/home/me/proj"]}, {"cwd": "/home/me/proj/sub"}, "path"),
        ({"skip_paths": ["/home/me/pro"]}, {}, ""),
        ({"skip_paths": ["~/private/"]}, {"tool_input": {"file_path": "{home}/private/x"}}, "path"),
        ({"skip_paths": ["scratch"]}, {"cwd": "/a/scratch/b"}, "path"),
        ({"skip_paths": ["scratch"]}, {"cwd": "C:\\a\\scratch"}, "path"),
        ({"skip_paths": ["scratch"]}, {"cwd": "/a/scratches"}, ""),
        ({"skip_paths": "scratch-sessions, "}, {}, ""),
        ({"skip_paths": ["", " ", 7], "skip_tools": [None, ""]}, {}, ""),
    ],
)
def test_what_is_left_out(chosen: dict[str, Any], event: dict[str, Any], why: str, home: Path) -> None:
    write(json.dumps(chosen))
    call(tool_event(**json.loads(json.dumps(event).replace("{home}", str(home)))))
    assert counts() == ({f"skipped.{why}": 1} if why else {})
    assert len(kept()) == (not why)


def test_subagents_when_asked_for() -> None:
    write('{"subagents": true}')
    call(claude(63), claude(66))
    assert [(record["event"], record["agent"]) for record in kept()] == [
        ("tool_start", "a7154de3fc719065c"),
        ("stop", "a7154de3fc719065c"),
    ]


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"enabled": fal', "[" * 9_000])
def test_a_broken_file_means_the_defaults_and_is_counted(text: str) -> None:
    write(text)
    call(tool_event())
    assert len(kept()) == 1
    assert counts() == {"lost.settings": 1}


@pytest.mark.parametrize(
    ("command", "own"),
    [
        ("gitinstinct status --json", True),
        ("git instinct log", True),
        ("X=1 /usr/bin/gitinstinct list | jq .", True),
        ("cd /x && python3 -m gitinstinct status", True),
        ("git-instinct status; gitinstinct doctor", True),
        ("pytest && gitinstinct status", False),
        ("grep -rn gitinstinct src", False),
        ("git commit -m 'instinct'", False),
        ("cd instincts", False),
        ("", False),
    ],
)
def test_which_commands_are_our_own(command: str, own: bool) -> None:
    assert settings.is_own_command(command) is own
