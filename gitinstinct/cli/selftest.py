"""The hook, tried as the agent would start it: one made-up event into a temporary place, then a look for its record.

This alone finds a hook that runs, reports success and writes nothing. It plays the agent, so it may start a program.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

_SECONDS = 20
_SESSION = "gitinstinct-doctor"
_PAYLOAD = {
    "session_id": _SESSION,
    "hook_event_name": "PostToolUse",
    "tool_name": "Read",
    "tool_input": {"file_path": "README.md"},
    "tool_response": {"file": {"filePath": "README.md"}},
    "tool_use_id": "toolu_doctor",
}


def fault(handler: Mapping[str, object]) -> str:
    """Why an event that this hook entry gets does not reach the spool; empty if it does."""
    with tempfile.TemporaryDirectory(prefix="gitinstinct-doctor-", ignore_cleanup_errors=True) as folder:
        home, project = Path(folder) / "home", Path(folder) / "project"
        project.mkdir()
        ended = _start(handler, home, project)
        if any(_SESSION.encode() in file.read_bytes() for file in (home / "state" / "spool").glob("*/*.jsonl")):
            return ""
        counted = sorted(file.name for file in (home / "state" / "counts").glob("*.*") if file.stat().st_size)
    return f"it left the event out: {', '.join(counted)}" if counted else f"it wrote nothing; {ended}"


def _start(handler: Mapping[str, object], home: Path, project: Path) -> str:
    """Runs the entry's command; how it ended, in words."""
    command, args = str(handler.get("command", "")), handler.get("args")
    in_shell = not isinstance(args, list)
    argv: str | list[str] = [command, *map(str, args)] if isinstance(args, list) else command
    env = {**os.environ, "GITINSTINCT_HOME": str(home), "CLAUDE_PROJECT_DIR": str(project)}
    payload = json.dumps({**_PAYLOAD, "cwd": str(project)}).encode()
    try:
        done = subprocess.run(
            argv,
            shell=in_shell,
            input=payload,
            cwd=project,
            env=env,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"it did not end within {_SECONDS} seconds"
    except OSError as error:
        return error.strerror or str(error)
    said = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return f"it ended with code {done.returncode}" + (f": {said[-1][:200]}" if said else "")
