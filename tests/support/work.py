"""Captured work: planted sessions that went through the real hook, to be observed."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

from gitinstinct import paths
from gitinstinct.capture.project import Project

ROOT = Path(__file__).parents[2]
HOOK = [sys.executable, "-I", "-S", str(ROOT / "hooks" / "hook.py"), "claude-code"]
PROJECT = Project("a1b2c3d4e5f6", "my-api")


@cache
def payloads(seed: int, sessions: int = 10) -> tuple[dict[str, Any], ...]:
    """Hook payloads with known patterns in them."""
    spec = importlib.util.spec_from_file_location("planted", ROOT / "tests" / "data" / "planted.py")
    assert spec is not None
    assert spec.loader is not None
    planted = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(planted)
    made: list[dict[str, Any]] = planted.play(seed, sessions)
    return tuple(made)


def hook(*sent: dict[str, Any], cwd: Path | None = None) -> None:
    """Sends payloads through the real hook, in batch mode."""
    lines = b"".join(json.dumps(payload).encode() + b"\n" for payload in sent)
    subprocess.run([*HOOK, "--batch"], input=lines, cwd=cwd, check=True, timeout=60)


def captured(seed: int, sessions: int = 10, project: str = PROJECT.id) -> list[bytes]:
    """The lines that the hook wrote of planted sessions, as those of a project; nothing is left in the spool."""
    hook(*payloads(seed, sessions))
    [segment] = Path(paths.spool(paths.GLOBAL)).glob("*.jsonl")
    lines = segment.read_bytes().splitlines(keepends=True)
    segment.unlink()
    return [line.replace(b'"project":"global"', f'"project":"{project}"'.encode()) for line in lines]


def spool(lines: list[bytes], project: str = PROJECT.id, segment: str = "000001.jsonl") -> None:
    """Appends lines to a project's spool, as hooks would."""
    folder = Path(paths.spool(project))
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / segment).open("ab") as file:
        file.write(b"".join(lines))


def tree_of(folder: Path) -> dict[str, bytes]:
    """Every file below a folder with its bytes."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }


def in_child(action: Any) -> int:
    """Runs an action in a forked process; returns its exit status (negative for a signal)."""
    pid = os.fork()
    if pid == 0:
        try:
            action()
        except BaseException:
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
