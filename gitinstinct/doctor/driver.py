"""The merge driver, tried: a tiny merge by plain git in a place of its own, with the very command that stores have."""

from __future__ import annotations

import tempfile
from pathlib import Path

from gitinstinct.git import objects
from gitinstinct.git.identity import FALLBACK
from gitinstinct.git.objects import Commit
from gitinstinct.git.repo import Repo
from gitinstinct.git.run import clean, run
from gitinstinct.instinct import markdown
from gitinstinct.instinct import merge as merging
from gitinstinct.instinct.ledger import Entry
from gitinstinct.store import driver, store

_PATH = "instincts/try.md"
_DAYS = ("2026-11-08", "2026-11-09", "2026-11-10")
_KEYS = ("01m6x9kf80-9f3ac1d0", "01m70a5b00-41b7e2aa", "01m72cnze0-7e21f04c")


def fault(command: str | None = None) -> str:
    """What happened instead of a merge; empty if git, through the command, merged as we do.

    Args:
        command: the merge driver's command line; ours unless given.

    Raises:
        GitError: git itself failed.
    """
    base, ours, theirs = _version(0), _version(0, 1), _version(0, 2)
    with tempfile.TemporaryDirectory(prefix="gitinstinct-") as folder:
        run(["init", "--quiet", "--bare", "--template=", "--", folder], cwd=Path(folder))
        repo = Repo(Path(folder))
        store.protect(repo)
        sides = objects.write(repo, [_commit(base), _commit(ours, ":1"), _commit(theirs, ":1")])[1:]
        merged = repo.run(*_merging(command or driver.command()), *sides, expect=range(256))
        tree = merged.out.decode("utf-8", "replace").partition("\n")[0]
        if merged.code:
            said = clean(merged.err.decode("utf-8", "replace")).rstrip(".")
            return "it ended with a conflict where there is none" + (f": {said}" if said else "")
        found = repo.run("cat-file", "blob", f"{tree}:{_PATH}").out
    return "" if merging.Merged(found) == merging.merge(base, ours, theirs, "try") else "git merged line by line"


def _merging(command: str) -> tuple[str, ...]:
    wired = (f"merge.instinct.driver={command}", "merge.instinct.name=a trial")
    return (*(part for setting in wired for part in ("-c", setting)), "merge-tree", "--write-tree")


def _version(*numbers: int) -> bytes:
    ledger = [Entry(_DAYS[number], "confirmed", 1, "a trial", _KEYS[number]) for number in numbers]
    return markdown.compose({"id": "try", "trigger": "when trying"}, "Try", "Try it.", ledger)


def _commit(data: bytes, *parents: str) -> Commit:
    return Commit(b"a trial\n", FALLBACK, FALLBACK, objects.GENESIS_TIME, parents, {_PATH: data})
