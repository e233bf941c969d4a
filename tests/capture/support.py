"""What the tests of capture share: the recorded payloads, and the hook called in process or as a process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gitinstinct.capture import hook, intake, reader
from tests.conftest import NOW

ROOT = Path(__file__).resolve().parents[2]
PAYLOADS = ROOT / "tests" / "data" / "payloads"
SHIM = ROOT / "hooks" / "hook.py"

Record = dict[str, Any]

# An environment that a test makes itself has no home in it, so nothing may be started from there.
_ALONE = {"GITINSTINCT_NOW": NOW, "GITINSTINCT_AUTO": "0"}


def lines(name: str) -> list[bytes]:
    """The payloads of a file; the n-th of INDEX.md is at n - 1."""
    return [line for line in (PAYLOADS / name).read_bytes().split(b"\n") if line]


def claude(number: int) -> bytes:
    return lines("claude-code.jsonl")[number - 1]


def call(*raw: bytes, harness: str = "claude-code", event: str = "", env: Mapping[str, str] | None = None) -> str:
    """The hook in this process, with an environment of its own."""
    arguments = [harness, event] if event else [harness]
    return hook.run(arguments, [intake.Payload(one) for one in raw], _ALONE | dict(env or {}))


def tool_event(**fields: Any) -> bytes:
    """A completed Bash call with these fields."""
    payload = {
        "session_id": "s-1",
        "cwd": "/home/me/proj",
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "tool_use_id": "toolu_1",
    }
    return json.dumps(payload | fields).encode()


def kept() -> list[Record]:
    """All records of all projects, doubles included, in the order of the files."""
    return [json.loads(line) for line in stored().splitlines()]


def stored() -> str:
    """The text of all segments."""
    found = [segment.path for project in reader.projects() for segment in reader.segments(project)]
    return "".join(path.read_text("utf-8") for path in found)


def counts() -> dict[str, int]:
    return {count.reason: count.number for count in reader.counts()}


def process(
    raw: bytes,
    *arguments: str,
    env: Mapping[str, str] | None = None,
    before: tuple[str, ...] = (),
    python: tuple[str, ...] = ("-I", "-S"),
    cwd: Path | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """The hook as agents start it, in a process of its own; `before` is a program that starts it."""
    command = [*before, sys.executable, *python, str(SHIM), *(arguments or ("claude-code",))]
    given = dict(os.environ) | dict(env or {})
    return subprocess.run(command, input=raw, env=given, cwd=cwd, capture_output=True, timeout=60, check=False)
