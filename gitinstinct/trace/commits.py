"""Commits as people speak of them: which command made one, who, what it did to which instincts.

A commit of ours says so in its subject and trailers. A colleague's plain commit, a revert or a merge has none; then the
files that it changed tell.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from gitinstinct.git.repo import Repo, text
from gitinstinct.instinct import ids
from gitinstinct.store import history
from gitinstinct.store.history import Logged

VERBS = frozenset(
    "observe learn confirm contradict set archive restore forget undo import export merge resolve promote promoted"
    " demote evolve consolidate prune init edit check share".split()
)
_DID = {"A": "added", "D": "deleted"}


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which commits to list. Times are those of the author, which are the ones that are shown; both ends count."""

    since: datetime | None = None
    until: datetime | None = None
    verb: str | None = None
    run: str | None = None
    limit: int | None = None

    def choose(self, entries: Iterable[Logged]) -> list[Logged]:
        """Those of the entries that are wanted, in their order."""
        return list(islice((entry for entry in entries if self._fits(entry)), self.limit))

    @property
    def only_limit(self) -> bool:
        """Whether all commits are wanted, up to a number."""
        return not (self.since or self.until or self.verb or self.run)

    def _fits(self, entry: Logged) -> bool:
        return (
            bool(entry.parents)  # every store has the same first commit, which says nothing
            and (self.since is None or entry.date >= self.since)
            and (self.until is None or entry.date <= self.until)
            and (self.verb is None or verb(entry) == self.verb)
            and (self.run is None or self.run in entry.values("Run"))
        )


def listed(repo: Repo, wanted: Wanted) -> list[Logged]:
    """Commits of `main`, newest first.

    Raises:
        GitError: `main` cannot be read.
    """
    enough = wanted.limit + 1 if wanted.limit is not None and wanted.only_limit else None  # one may be the genesis
    return wanted.choose(history.log(repo, run=wanted.run, limit=enough))


def verb(entry: Logged) -> str:
    """The command that made the commit; for one that plain git made `merge` or `edit`."""
    if entry.verb in VERBS:
        return entry.verb
    return "merge" if len(entry.parents) > 1 else "edit"


def run(entry: Logged) -> str | None:
    """The observer run that made the commit."""
    return next(iter(entry.values("Run")), None)


def deeds(repo: Repo, entries: Sequence[Logged]) -> dict[str, tuple[str, ...]]:
    """What each commit did, one line an instinct, by commit: `use-rg confirmed 0.60 -> 0.65`, `use-rg edited`.

    A commit's own trailers, else the instincts whose files it changed; of a merge those that differ from both sides.
    """
    silent = [entry.commit for entry in entries if not entry.values("Instinct")]
    changed = _changed(repo, silent)
    return {entry.commit: entry.values("Instinct") or changed.get(entry.commit, ()) for entry in entries}


def _changed(repo: Repo, commits: Sequence[str]) -> dict[str, tuple[str, ...]]:
    if not commits:
        return {}
    flags = ("-c", "log.showRoot=true", "log", "-z", "--no-walk=unsorted", "--stdin", "--format=%x01%H", "-c")
    stdin = "".join(commit + "\n" for commit in commits).encode()
    fields = text(repo.run(*flags, "--name-status", stdin=stdin).out).split("\0")
    found: dict[str, list[str]] = {}
    current, status = "", ""
    for item in (field.strip() for field in fields):
        if item.startswith("\x01"):
            current = item[1:]
        elif name := ids.of_path(item):
            found.setdefault(current, []).append(
                f"{name} {'merged' if len(status) > 1 else _DID.get(status, 'edited')}"
            )
        elif item:
            status = item
    return {commit: tuple(lines) for commit, lines in found.items()}
