"""How long the hook takes, as ratios to a bare start of the same interpreter: `python tests/bench/hook.py [ROUNDS]`.

All commands run once in every round, in turn, so that a busy machine slows them alike; shown is the median of the
ratios of the rounds. Wall times mean nothing on another machine.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FLOOR = [sys.executable, "-I", "-S", "-c", "pass"]
HOOK = [sys.executable, "-I", "-S", str(ROOT / "hooks" / "hook.py"), "claude-code", "PostToolUse"]
LIMITS = {"1 KB": 1.5, "1 KB, a secret": 2.5, "100 KB": 2.0, "5 MB": 6.0}


def payload(stdout: str, cwd: str) -> bytes:
    return json.dumps(
        {
            "session_id": "5d0c1e72-8f4b-4a7e-9b1d-2c6f7a3e9011",
            "transcript_path": "/home/dev/.claude/projects/-work-demo-app/5d0c1e72.jsonl",
            "cwd": cwd,
            "hook_event_name": "PostToolUse",
            "tool_name": "Bash",
            "tool_input": {"command": "uv run pytest -q tests/test_upload.py", "description": "Run upload tests"},
            "tool_response": {"stdout": stdout, "stderr": "", "interrupted": False, "isImage": False},
            "tool_use_id": "toolu_01Demo0001AbCdEfGhIjKl",
            "duration_ms": 2210,
        }
    ).encode()


def once(command: list[str], stdin: bytes, env: dict[str, str]) -> float:
    begin = time.perf_counter()
    subprocess.run(command, input=stdin, env=env, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begin


def main(rounds: int) -> None:
    line = "tests/test_upload.py::test_retries_with_backoff passed in 0.42s\n"
    with tempfile.TemporaryDirectory() as folder:
        env = {"PATH": os.environ["PATH"], "HOME": folder, "GITINSTINCT_HOME": folder + "/gi"}
        inputs = {
            "1 KB": payload(line * 9, folder),
            "1 KB, a secret": payload(line * 8 + "export API_TOKEN=" + "x9Kd8sLq2M" * 3, folder),
            "100 KB": payload(line * 1_560, folder),
            "5 MB": payload(line * 78_000, folder),
        }
        ratios: dict[str, list[float]] = {name: [] for name in inputs}
        for _ in range(rounds + 2):
            floor = once(FLOOR, b"", env)
            for name, stdin in inputs.items():
                ratios[name].append(once(HOOK, stdin, env) / floor)
    for name, found in ratios.items():
        print(f"{name:16} {statistics.median(found[2:]):5.2f} x  (at most {LIMITS[name]})")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 30)
