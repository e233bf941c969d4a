"""Many files merged on all cores: the merge is a pure function of three texts, so they can be shared out freely.

A few hundred files are merged before a second process has started, so those stay here; so do all of them where the
system gives no further processes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import starmap

from gitinstinct.store import filemerge
from gitinstinct.store.filemerge import Verdict, Version

Versions = tuple[str, Version, Version, Version]
"""A file: its path, the base's version, ours, theirs."""

_FEW = 400
_AT_ONCE = 100  # files that go to a process together
_MOST = 8  # processes


def merge(files: Sequence[Versions]) -> Iterator[Verdict]:
    """What each file becomes, in order."""
    workers = min(os.cpu_count() or 1, _MOST, len(files) // (_FEW // 2))
    if len(files) < _FEW or workers < 2:
        yield from starmap(filemerge.merge, files)
        return
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    done = 0
    try:
        with ProcessPoolExecutor(workers) as pool:
            for verdict in pool.map(_one, files, chunksize=_AT_ONCE):
                yield verdict
                done += 1
    except (OSError, NotImplementedError, ImportError, BrokenProcessPool):  # no room, no semaphores, a process killed
        yield from starmap(filemerge.merge, files[done:])


def _one(file: Versions) -> Verdict:
    return filemerge.merge(*file)
