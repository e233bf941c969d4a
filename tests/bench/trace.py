"""What asking costs in a store with a long past, beside `git log -- path` in the same run. Run by hand:

    python -m tests.bench.trace [INSTINCTS] [COMMITS] [--keep DIR]

Prints medians of interleaved rounds in milliseconds, whole processes, and the ratio to plain git. The machine decides
the milliseconds; the ratios are what to compare. `hot` changed in one commit of 22, `cold` four times. With `--keep`
the store is made in that folder, or used if it is there already.
"""

from __future__ import annotations

import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from gitinstinct import paths
from gitinstinct.instinct import ids, ledger, markdown
from gitinstinct.instinct.ledger import Entry
from gitinstinct.store import store as stores
from gitinstinct.store.layout import About
from tests.support.repos import git

ROUNDS = 7
PROJECT = "a1b2c3d4e5f6"
HOT, COLD = "rule-0", "rule-1"
_START = datetime(2026, 1, 1, tzinfo=UTC)
_WORDS = "cache queue parser router worker schema token index lock shard buffer ledger socket planner codec".split()
_TOOLS = "rg fd jq uv ruff pytest make docker kubectl terraform helm npm pnpm cargo go".split()


def _file(number: int, entries: list[Entry]) -> bytes:
    chosen = random.Random(number)
    tool, word = chosen.choice(_TOOLS), chosen.choice(_WORDS)
    fields = {
        "id": f"rule-{number}", "trigger": f"when changing the {word} of part {number}", "domain": "workflow",
        "source": "session-observation", "scope": "project", "project_id": PROJECT, "project_name": "bench",
    }  # fmt: skip
    action = f"Run `{tool} {word}-{number % 50}` and read what it says about {chosen.choice(_WORDS)}."
    return markdown.compose(fields, f"Rule {number}", action, entries)


class _Past:
    """A made-up history as a stream for `fast-import`."""

    def __init__(self, instincts: int, commits: int) -> None:
        self.commits = commits
        self.entries = [[self._entry(number, 0, "observed", 3)] for number in range(instincts)]
        self.chosen = random.Random(7)

    def stream(self, tip: str) -> Iterator[bytes]:
        """All commits on top of `tip`."""
        yield from self._commit(0, list(range(len(self.entries))), f"from {tip}\n")
        for number in range(1, self.commits):
            yield from self._commit(number, self._touch(number))
        yield b"done\n"

    def _touch(self, number: int) -> list[int]:
        touched = {self.chosen.randrange(2, len(self.entries)) for _ in range(2)}
        touched |= {0} if number % 22 == 0 else set()
        touched |= {1} if number % (self.commits // 4) == 0 else set()
        for one in touched:
            self.entries[one].append(self._entry(one, number, "confirmed", 1))
        return sorted(touched)

    def _commit(self, number: int, touched: list[int], parent: str = "") -> Iterator[bytes]:
        told = "".join(f"Instinct: rule-{one} confirmed\n" for one in touched[:20])
        message = f"observe: {len(touched)} confirmed\n\n  some evidence\n\n{told}Run: {number:010}\n".encode()
        moment = int(self._moment(number).timestamp())
        actor = f"gitinstinct observer <observer@localhost> {moment} +0000\n"
        yield f"commit refs/heads/main\nauthor {actor}committer {actor}data {len(message)}\n".encode() + message
        yield parent.encode()
        for one in touched:
            content = _file(one, self.entries[one])
            yield f"M 100644 inline {ids.path_of(f'rule-{one}')}\ndata {len(content)}\n".encode() + content + b"\n"

    def _moment(self, number: int) -> datetime:
        return _START + timedelta(minutes=40 * number)

    def _entry(self, one: int, number: int, kind: str, amount: int) -> Entry:
        origin = ledger.observed_origin(PROJECT, f"{one}-{number}", kind)
        return ledger.new_entry(self._moment(number), kind, amount, "same order in another session", origin, [])


def build(instincts: int, commits: int) -> Path:
    """The project's store with that past, packed and indexed as after housekeeping; or the one that is there."""
    place = Path(paths.store(PROJECT))
    if place.exists():
        return place
    made = stores.create(place, About("project", PROJECT, "bench"), _START - timedelta(days=1))
    stream = b"".join(_Past(instincts, commits).stream(git(place, "rev-parse", "main")))
    git(place, "fast-import", "--quiet", "--done", stdin=stream)
    git(place, "repack", "-adq")
    git(place, "reset", "-q", "--hard")
    git(made.path, "commit-graph", "write", "--reachable", "--changed-paths", "--split", "--no-progress")
    return place


def _timed(argv: list[str], cwd: Path) -> float:
    started = time.perf_counter()
    subprocess.run(argv, cwd=cwd, check=True, stdout=subprocess.DEVNULL)
    return (time.perf_counter() - started) * 1000


def _table(place: Path, name: str) -> None:
    path = ids.path_of(name)
    program = [sys.executable, "-m", "gitinstinct"]
    where = ["--project", PROJECT]
    commands = {
        "git log -- path": ["git", "log", "main", "--", path],
        "git blame": ["git", "blame", "main", "--", path],
        "start alone": [*program, "log", "--help"],
        **{verb: [*program, verb, name, *where] for verb in ("show", "why", "log", "blame", "diff")},
        "show ID@main~100": [*program, "show", f"{name}@main~100", *where],
    }
    first = _first_why(place, commands["why"])
    rounds = [{label: _timed(argv, place) for label, argv in commands.items()} for _ in range(ROUNDS)]
    medians = {label: statistics.median(one[label] for one in rounds) for label in commands}
    plain, start = medians["git log -- path"], medians["start alone"]
    print(f"{name}: {git(place, 'rev-list', '--count', 'main', '--', path)} versions")
    print(f"  {'why, first call':<18} {first:7.0f} ms   reads every instinct once, for the neighbours")
    for label, found in medians.items():
        print(f"  {label:<18} {found:7.0f} ms   to git log {found / plain:6.2f}   without start {found - start:6.0f}")


def _first_why(place: Path, argv: list[str]) -> float:
    shutil.rmtree(paths.root("cache"), ignore_errors=True)
    return _timed(argv, place)


def main(arguments: list[str]) -> None:
    """Makes the store and prints the tables."""
    keep = arguments[arguments.index("--keep") + 1] if "--keep" in arguments else None
    numbers = [int(argument) for argument in arguments if argument.isdigit()]
    instincts, commits = (*numbers, 5_000, 10_000)[:2] if len(numbers) != 1 else (numbers[0], 10_000)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["GITINSTINCT_HOME"] = os.path.abspath(keep or folder)  # noqa: PTH100
        place = build(instincts, commits)
        print(f"{instincts} instincts, {commits} commits; milliseconds, median of {ROUNDS} rounds")
        for name in (HOT, COLD):
            _table(place, name)


if __name__ == "__main__":
    main(sys.argv[1:])
