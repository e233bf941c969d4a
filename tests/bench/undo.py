"""What it costs to take back a run from the middle of many, beside reading the history with plain git. Run by hand:

    python -m tests.bench.undo [RUNS]

The runs go over a few instincts, so the wrong one's files were changed by many that came later. Prints medians in
milliseconds and the ratio to `git log` over the whole store; the ratio is what to compare.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from gitinstinct.store import store as stores
from gitinstinct.store.store import Store
from tests.support.repos import ANN, git
from tests.support.stores import ABOUT
from tests.support.teaching import START, runs, undo

ROUNDS = 5


def timed(work: Callable[[], object]) -> float:
    """Milliseconds of wall time."""
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1000


def lived(place: Path, count: int) -> tuple[Store, list[str]]:
    """A store after so many runs, and their names."""
    made = stores.create(place, ABOUT, START, identity=ANN)
    few = max(10, count // 20)
    evidence = {n: {f"i{n % few}": ("observed", 3), f"i{(n * 3 + 1) % few}": ("confirmed", 1)} for n in range(count)}
    return made, list(runs(made, evidence).values())


def main(count: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["GITINSTINCT_HOME"] = str(Path(folder) / "home")
        store, names = lived(Path(folder) / "store", count)
        middle = names[count // 2 :]
        named = [timed(lambda name=name: undo(store, name)) for name in middle[:ROUNDS]]  # type: ignore[misc]
        newest = [timed(lambda: undo(store)) for _ in range(ROUNDS)]
        plain = [timed(lambda: git(store.path, "log", "--format=%B")) for _ in range(ROUNDS)]
    base = statistics.median(plain)
    for label, found in (("git log", plain), ("undo RUN", named), ("undo", newest)):
        print(f"{label:<10}{statistics.median(found):8.0f} ms{statistics.median(found) / base:8.1f} x")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
