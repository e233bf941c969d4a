"""A git bundle as a source: one branch, fetched into a scratch repository, and its newest files."""

from __future__ import annotations

import tempfile
from pathlib import Path

from gitinstinct.exchange.sources import trees
from gitinstinct.exchange.sources.source import Source, named
from gitinstinct.git import bundle

is_bundle = bundle.is_bundle


def gather(name: str, data: bytes) -> Source:
    """Reads a bundle.

    Raises:
        Found: it is damaged, or not to be read; the reason says why.
    """
    branch = trees.chosen(bundle.branches(data), name)
    with tempfile.TemporaryDirectory(prefix="gitinstinct-") as folder:
        copy = Path(folder) / "source.bundle"  # what was looked at is what is fetched
        copy.write_bytes(data)
        repo = trees.scratch(Path(folder) / "scratch", sha256=b"@object-format=sha256" in data[:200])
        bundle.fetch(repo, copy, branch)
        files, refused = trees.files(repo, branch)
    return Source(named("file", name), files, refused, loose=True)
