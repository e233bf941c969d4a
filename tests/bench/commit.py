"""What a write to a store costs, beside plain `git add` and `git commit` on the same tree. Run by hand:

    python -m tests.bench.commit [INSTINCTS]

Prints medians of interleaved rounds in milliseconds, and the ratio to plain git. The machine decides the milliseconds;
the ratios are what to compare.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from gitinstinct.git.identity import Actor
from gitinstinct.git.trailers import Message
from gitinstinct.store import condition, history, tree
from gitinstinct.store import store as stores
from gitinstinct.store.commit import Change, write
from gitinstinct.store.store import Store
from tests.support.repos import commit_all, git
from tests.support.stores import ABOUT, NOW, instinct

ROUNDS = 9


def timed(work: Callable[[], object]) -> float:
    """Milliseconds of wall time."""
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1000


def filled(place: Path, count: int) -> Store:
    """A store with so many instincts, packed as after git's housekeeping."""
    made = stores.create(place, ABOUT, NOW, identity=Actor("Ann", "ann@example.org"))
    commit_all(made.path, {f"instincts/i{number}.md": instinct(f"i{number}") for number in range(count)})
    git(made.path, "gc", "--quiet", "--force")  # the commit has begun one of its own
    return made


def ours(store: Store, changed: int, stamp: str) -> None:
    """One write that changes so many instincts."""
    files = {f"instincts/i{number}.md": instinct(f"i{number}", stamp) for number in range(changed)}
    write(store, lambda _: Change(files, Message("observe: bench"), record={"run": stamp}), NOW)


def plain(store: Store, changed: int, stamp: str) -> None:
    """The same by hand."""
    names = [f"instincts/i{number}.md" for number in range(changed)]
    for name in names:
        (store.path / name).write_bytes(instinct(Path(name).stem, stamp))
    git(store.path, "add", "--pathspec-from-file=-", stdin="\n".join(names).encode())
    git(store.path, "commit", "-q", "-m", "plain")


def main(count: int) -> None:
    """Prints the table."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["GITINSTINCT_HOME"] = folder
        store = filled(Path(folder) / "store", count)
        print(f"{count} instincts; milliseconds, median of {ROUNDS} rounds")
        for changed in (1, 10, min(1000, count)):
            pairs = [
                tuple(timed(partial(work, store, changed, f"{work.__name__} {number}.")) for work in (ours, plain))
                for number in range(ROUNDS)
            ]
            mine, theirs = (statistics.median(column) for column in zip(*pairs, strict=True))
            print(f"  write {changed:>5}   {mine:8.1f}   plain git {theirs:8.1f}   ratio {mine / theirs:5.2f}")
        tip = git(store.path, "rev-parse", "main")
        reads: dict[str, Callable[[], object]] = {
            "read all": lambda: tree.read(store.repo, tip).instincts(),
            "condition": lambda: condition.of(store),
            "log of one": lambda: history.log(store.repo, ["i0"]),
        }
        for name, read in reads.items():
            print(f"  {name:<12}  {statistics.median(timed(read) for _ in range(ROUNDS)):8.1f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
