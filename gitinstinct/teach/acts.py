"""Runs and commands as things that can be taken back: which there are, which still stand, and what carries them on.

A commit that takes others back says so in its trailers (`Undoes:`), by run or by commit. Taking that commit back makes
the evidence count again, under its own name from then on: it *carries* what it brought back. So who takes a run back
for the second time takes back its carrier.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from gitinstinct.store.history import Logged

UNDOES = "Undoes"
_RUN = "Run"
_VERB = "undo"
_VERBS = frozenset(
    "observe learn confirm contradict set edit archive restore import merge resolve promote demote evolve consolidate"
    " prune".split()
)


class Acts:
    """The commits of a store's history, newest first, and who took back whom."""

    def __init__(self, log: Sequence[Logged]) -> None:
        self.log = log
        self._undone_by: dict[str, list[Logged]] = defaultdict(list)
        for entry in log:
            for name in entry.values(UNDOES):
                self._undone_by[name].append(entry)
        self._standing: dict[str, bool] = {}
        for entry in log:  # whoever takes something back is newer
            self._standing[entry.commit] = not any(self._standing.get(one.commit) for one in self.undoing(entry))

    def named(self, name: str) -> list[Logged]:
        """The commits of a run, or the one commit of this full id."""
        return [entry for entry in self.log if name in _names(entry)]

    def undoing(self, entry: Logged) -> list[Logged]:
        """The commits that took it back."""
        return [one for name in _names(entry) for one in self._undone_by[name] if one.commit != entry.commit]

    def is_undone(self, entry: Logged) -> bool:
        """Whether it was taken back, and that was not taken back in its turn."""
        return not self._standing[entry.commit]

    def carriers(self, entry: Logged) -> list[Logged]:
        """The commit itself and all that brought it back after it was taken back, newest first."""
        found, waiting = {entry.commit}, [entry]
        while waiting:
            undos = self.undoing(waiting.pop())
            new = [again for undo in undos for again in self.undoing(undo) if again.commit not in found]
            found.update(again.commit for again in new)
            waiting += new
        return [one for one in self.log if one.commit in found]

    def standing(self) -> Iterator[Logged]:
        """Runs and commands of the branch's own line that were not taken back, newest first."""
        return (entry for entry in self._line() if entry.verb in _VERBS and not self.is_undone(entry))

    def _line(self) -> Iterator[Logged]:
        """From the tip by first parents: what a merge brought is the merge's."""
        by_commit = {entry.commit: entry for entry in self.log}
        entry = self.log[0] if self.log else None
        while entry is not None:
            yield entry
            entry = by_commit.get(entry.parents[0]) if entry.parents else None


def _names(entry: Logged) -> tuple[str, ...]:
    """What a trailer calls it by: its run, and its commit's id."""
    return (*entry.values(_RUN), entry.commit)


def undoes(entries: Iterable[Logged]) -> list[tuple[str, str]]:
    """The trailers of a commit that takes these back: a run goes by its name, which outlives a rewritten history."""
    return [(UNDOES, name) for name in dict.fromkeys(_names(entry)[0] for entry in entries)]


def title(entry: Logged) -> str:
    """What a commit is called in a sentence: `run 01m77pxbv0`, `confirm 9c41d07be2`."""
    run = next(iter(entry.values(_RUN)), "")
    return f"run {run}" if run else f"{entry.verb or 'commit'} {entry.commit[:10]}"
