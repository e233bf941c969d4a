"""What the program costs as a whole process where much has been learned. Run by hand:

    python -m tests.bench.store [INSTINCTS] [COMMITS]

Prints medians of interleaved rounds, as ratios to `git log -1` in the same store and to an empty start of this Python.
The machine decides the milliseconds; the ratios are what to compare.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from gitinstinct import paths
from gitinstinct.store.layout import About
from gitinstinct.store.store import Store
from tests.support import work
from tests.support.repos import git
from tests.support.stores import instinct, new_store

ROUNDS = 5
PROJECT = "e5c363015306"
PROGRAM = [sys.executable, "-m", "gitinstinct"]
NEW = 20  # observations


def filled(store: Store, count: int, commits: int) -> None:
    """So many instincts in one commit, then commits that each change one; packed, with the index of changed paths."""
    git(store.path, "fast-import", "--quiet", "--force", stdin=b"".join(_stream(count, commits)))
    git(store.path, "reset", "-q", "--hard", "main")
    git(store.path, "gc", "--quiet")
    git(store.path, "commit-graph", "write", "--reachable", "--changed-paths")


def _stream(count: int, commits: int) -> Iterator[bytes]:
    for number in range(commits):
        names = [f"i{number % count}"] if number else [f"i{each}" for each in range(count)]
        message = f"observe: {len(names)} confirmed\n\nInstinct: {names[0]} confirmed 0.50 -> 0.55\nRun: {number}\n"
        yield b"commit refs/heads/main\ncommitter Ann <ann@example.org> %d +0000\n" % (1_796_000_000 + number)
        yield b"data %d\n%s\n" % (len(message), message.encode())
        yield b"" if number else b"from refs/heads/main^0\n"
        for name in names:
            content = instinct(name, f"Act {number}.", 3 + number % 8)
            yield b"M 100644 inline instincts/%s.md\ndata %d\n%s\n" % (name.encode(), len(content), content)


def capture(project: Path, at: int) -> None:
    """New observations, by the hook; other ones each time."""
    shown = work.payloads(7, 40)
    taken = (shown[index % len(shown)] for index in range(at * NEW, (at + 1) * NEW))
    work.hook(*({**payload, "cwd": str(project), "tool_use_id": f"t{at}-{n}"} for n, payload in enumerate(taken)))


def timed(command: list[str], cwd: Path) -> float:
    """Milliseconds of one process."""
    started = time.perf_counter()
    subprocess.run(command, cwd=cwd, stdout=subprocess.DEVNULL, check=True)
    return (time.perf_counter() - started) * 1000


def main(count: int, commits: int) -> None:
    """Prints the table."""
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder) / "my-api"
        os.environ |= {"HOME": folder, "GITINSTINCT_HOME": f"{folder}/home", "PYTHONPATH": str(work.ROOT)}
        git(Path(folder), "init", "-q", "my-api")
        git(project, "remote", "add", "origin", "git@github.com:Acme/My-API.git")
        store = new_store(Path(paths.store(PROJECT)), about=About("project", PROJECT, "my-api"))
        filled(store, count, commits)
        commands = {
            "git log -1": ["git", "-C", str(store.path), "log", "-1"],
            "python": [sys.executable, "-c", "pass"],
            **{verb: [*PROGRAM, *verb.split()] for verb in ("--version", "list", "list --json", "status")},
            **{verb: [*PROGRAM, *verb.split()] for verb in ("log -n 20", "log i7", "show i7", "observe --now")},
        }
        spent: dict[str, list[float]] = {name: [] for name in commands}
        for number in range(ROUNDS):
            capture(project, number)
            for name, command in commands.items():
                spent[name].append(timed(command, project))
        medians = {name: statistics.median(times) for name, times in spent.items()}
        print(f"{count} instincts, {commits} commits, {NEW} new observations; median of {ROUNDS} rounds")
        print(f"{'':<14}{'ms':>8}{'/ git log -1':>14}{'/ python':>10}")
        for name, median in medians.items():
            print(f"{name:<14}{median:8.0f}{median / medians['git log -1']:14.1f}{median / medians['python']:10.1f}")


if __name__ == "__main__":
    numbers = [int(argument) for argument in sys.argv[1:]] or [10_000]
    main(numbers[0], numbers[-1])
