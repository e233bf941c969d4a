"""What merging costs, beside the same merge by `git merge` with our own driver. Run by hand:

    python -m tests.bench.merge [FILES …] [--histories N]

For each number of files that both sides changed: the merge in this process, `git merge` (up to 1,000 files, where it
takes a minute), and their ratio; the processes that git was started for; the memory. Then the start of the driver
beside `python -I -S -c pass`, and N random histories of a team of three, which must end with one file in every clone.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from gitinstinct import shipped
from gitinstinct.git import objects, refs, run
from gitinstinct.git.identity import Actor
from gitinstinct.git.objects import Commit
from gitinstinct.git.trailers import Message
from gitinstinct.instinct import edit
from gitinstinct.instinct.ids import short_hash
from gitinstinct.instinct.ledger import Entry
from gitinstinct.store import driver, merging
from gitinstinct.store import store as stores
from gitinstinct.store.layout import BRANCH
from gitinstinct.store.store import Store
from tests.support import files
from tests.support.repos import git
from tests.support.stores import ABOUT, NOW
from tests.support.team import Team, unfounded

ANN = Actor("Ann", "ann@example.org")
PLAIN_UP_TO = 1_000


def timed(work: Callable[[], object]) -> float:
    """Seconds of wall time."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def parted(place: Path, count: int) -> tuple[Store, str]:
    """A store of which two branches have each confirmed every instinct, packed; and the other branch's tip."""
    store = stores.create(place, ABOUT, NOW, identity=ANN, driver=driver.command())
    names = [f"use-tool-{number}" for number in range(count)]
    before = {f"instincts/{name}.md": files.made(name, tags=["shell"]) for name in names}
    root = store.repo.ask("rev-parse", BRANCH)
    [base] = objects.write(store.repo, [Commit(b"base\n", ANN, ANN, int(NOW.timestamp()), [root], before)])
    tips = objects.write(store.repo, [_side(base, before, who) for who in ("ours", "theirs")])
    refs.move(store.repo, [refs.Move(BRANCH, root, tips[0]), refs.Move("refs/heads/theirs", None, tips[1])], ANN, "x")
    git(store.path, "reset", "-q", "--hard")
    git(store.path, "gc", "--quiet", "--force")
    return store, tips[1]


def _side(base: str, before: dict[str, bytes], who: str) -> Commit:
    after = {path: edit.record(data, [_confirmed(path, who)], "2026-11-01") for path, data in before.items()}
    return Commit(f"{who}\n".encode(), ANN, ANN, int(NOW.timestamp()) + len(who), [base], after)


def _confirmed(path: str, who: str) -> Entry:
    return Entry("2026-11-20", "confirmed", 1, f"seen again by {who}", f"01m7zzzzzz-{short_hash(path, who)}")


def compare(count: int) -> None:
    """One line of the table."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["GITINSTINCT_HOME"] = folder
        store, theirs = parted(Path(folder) / "store", count)
        git(store.path, "branch", "-q", "start")
        started, real = [], run.run
        run.run = lambda *given, **more: (started.append(given), real(*given, **more))[1]  # type: ignore[func-returns-value]
        decided = timed(lambda: merging.decide(store.repo, store.repo.ask("rev-parse", BRANCH), theirs))
        deciding = len(started) - 1
        ours = timed(lambda: merging.merge(store, theirs, NOW, message=lambda _: Message("merge: bench")))
        run.run = real
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(f"{count:>7,}  {decided:8.2f}  {ours:8.2f}  {memory:>5}", end="")
        if count > PLAIN_UP_TO:
            print(f"         -        -  {deciding:>4} {len(started) - deciding - 1:>4}")
            return
        git(store.path, "checkout", "-q", "-f", "-B", "plain", "start")
        plain = timed(lambda: git(store.path, "merge", "-q", "-m", "plain", "theirs"))
        same = git(store.path, "rev-parse", "plain^{tree}") == git(store.path, "rev-parse", f"{BRANCH}^{{tree}}")
        print(f"  {plain:8.2f}  {plain / ours:6.0f}x  {deciding:>4} {len(started) - deciding - 1:>4}", end="")
        print("" if same else "  the two do not agree")


def start() -> None:
    """The driver's start beside the interpreter's."""
    with tempfile.TemporaryDirectory() as folder:
        names = [Path(folder) / name for name in ("base", "ours", "theirs")]
        versions = [files.made(), *(edit.record(files.made(), [_confirmed("x", w)], "2026-11-01") for w in "ab")]
        script = [str(shipped.hooks() / "merge.py"), *map(str, names), "7", "instincts/prefer-rg.md"]
        rounds: tuple[list[float], list[float]] = ([], [])
        for _ in range(31):
            for file, data in zip(names, versions, strict=True):
                file.write_bytes(data)
            for found, rest in zip(rounds, (["-c", "pass"], script), strict=True):
                found.append(timed(lambda rest=rest: subprocess.run([sys.executable, "-I", "-S", *rest], check=True)))  # type: ignore[misc]
        floor, ours = map(statistics.median, rounds)
        print(f"\ndriver {ours * 1000:.1f} ms, `python -I -S -c pass` {floor * 1000:.1f} ms: {ours / floor:.2f}x")


def histories(count: int) -> None:
    """Random team histories."""
    conflicts = 0
    for seed in range(count):
        team = Team(seed)
        team.play()
        [data] = team.synced()
        assert not unfounded(team, data), seed
        conflicts += b"\nconflicts:\n" in data
    print(f"{count:,} histories of three clones: one file in all of them at the end, {conflicts:,} with a conflict")


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=int, nargs="*", default=[100, 1_000, 10_000])
    parser.add_argument("--histories", type=int, default=10_000)
    given = parser.parse_args()
    print("  files   decide s   merge s  MB rss  git merge s   ratio  processes: decide, write")
    for count in given.files:
        compare(count)
    start()
    histories(given.histories)


if __name__ == "__main__":
    main()
