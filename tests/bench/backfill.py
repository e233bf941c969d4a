"""How fast the past is read, and in how much memory: `python tests/bench/backfill.py [MB]`."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

START = datetime(2026, 1, 5, 9, tzinfo=UTC)
OUTPUT = "tests/test_client.py::test_retry PASSED  0.03s call\n" * 60


def session(folder: Path, number: int, project: Path, calls: int) -> int:
    """Writes one transcript; its size in bytes."""
    name = f"{number:08x}-0000-4000-8000-000000000000"
    at = START + timedelta(hours=number)
    common = {"isSidechain": False, "sessionId": name, "cwd": str(project), "version": "2.1.270"}
    with (folder / f"{name}.jsonl").open("w", encoding="utf-8") as file:
        for call in range(calls):
            at += timedelta(seconds=9)
            identity = f"toolu_{number}_{call}"
            told = {"uuid": f"u{number}-{call}-a", "timestamp": at.isoformat(), **common}
            given = {"command": f"pytest -q tests/test_{call % 40}.py"}
            block = {"type": "tool_use", "id": identity, "name": "Bash", "input": given}
            file.write(json.dumps({"type": "assistant", "message": {"content": [block]}, **told}) + "\n")
            result = {"type": "tool_result", "tool_use_id": identity, "content": OUTPUT}
            told["uuid"] = f"u{number}-{call}-b"
            output = {"stdout": OUTPUT, "stderr": "", "interrupted": False}
            line = {"type": "user", "message": {"content": [result]}, "toolUseResult": output, **told}
            file.write(json.dumps(line) + "\n")
        return file.tell()


def main(size: float) -> None:
    """Makes a past of so many megabytes and reads it, twice."""
    with tempfile.TemporaryDirectory() as place:
        home, project = Path(place, "home"), Path(place, "app")
        folder = home / ".claude" / "projects" / "-app"
        folder.mkdir(parents=True)
        subprocess.run(["git", "init", "-q", str(project)], check=True)
        written = number = 0
        while written < size * 1e6:
            written += session(folder, number, project, 400)
            number += 1
        os.environ |= {"HOME": str(home), "GITINSTINCT_HOME": str(home / "gi")}
        from gitinstinct.backfill import run, sources
        from gitinstinct.capture.project import identify

        found = identify(str(project), {})
        for turn in ("first", "second"):
            begun = time.perf_counter()
            planned = run.plan(found, (), sources.usual(os.environ, home, (), found.root))
            looked = time.perf_counter()
            summary = run.backfill(planned, datetime.now(UTC), {})
            took = time.perf_counter() - looked
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            speed = planned.size / 1e6 / took
            print(
                f"{turn}: {number} sessions, {planned.size / 1e6:.0f} MB; looked at in {looked - begun:.2f} s, "
                f"read in {took:.1f} s ({speed:.0f} MB/s), {summary.events} events, "
                f"spool {summary.written / 1e6:.0f} MB, peak {peak:.0f} MB"
            )


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 100)
