"""A team in memory: clones of one instinct's history, merged as git would, thousands of histories in a minute.

Commits are numbers with parents and one file's bytes. Merge bases are git's: the best common ancestors, folded where
there are several. Each clone sees what was pushed when it pulls, and pushes only what builds on that.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from gitinstinct.instinct import markdown
from gitinstinct.store import filemerge
from tests.support import versions
from tests.support.versions import START, Act

PATH = "instincts/prefer-rg.md"
KINDS = ("observe", "confirm", "contradict", "shared", "retract", "trigger", "domain", "tags", "action", "reviewer")
_WORDS = {"trigger", "action", "reviewer"}


@dataclass
class History:
    """All commits of a team, whoever has them."""

    parents: list[tuple[int, ...]] = field(default_factory=lambda: [()])
    files: list[bytes] = field(default_factory=lambda: [START])
    above: list[frozenset[int]] = field(default_factory=lambda: [frozenset({0})])

    def commit(self, data: bytes, *parents: int) -> int:
        """Adds a commit; its number."""
        self.parents.append(parents)
        self.files.append(data)
        number = len(self.files) - 1
        self.above.append(frozenset({number}).union(*(self.above[parent] for parent in parents)))
        return number

    def bases(self, one: int, other: int) -> list[int]:
        """The best common ancestors."""
        common = self.above[one] & self.above[other]
        return sorted(known for known in common if not any(known in self.above[c] for c in common - {known}))

    def merge(self, one: int, other: int) -> int:
        """The merge of two commits: one of them if it has the other, else a new one."""
        bases = self.bases(one, other)
        if other in bases:
            return one
        if one in bases:
            return other
        return self.commit(self._merged(bases, one, other), one, other)

    def _merged(self, bases: Iterable[int], one: int, other: int) -> bytes:
        verdict = filemerge.merge(PATH, self._folded(list(bases)), self.files[one], self.files[other])
        assert verdict.data is not None
        assert not verdict.reason, verdict.reason
        return verdict.data

    def _folded(self, bases: list[int]) -> bytes:
        first, *rest = bases
        data = self.files[first]
        for other in rest:
            below = self._folded(self.bases(first, other))
            data = filemerge.merge(PATH, below, data, self.files[other]).data or b""
        return data


@dataclass
class Team:
    """Three people and what they have pushed."""

    seed: int
    kinds: Sequence[str] = KINDS
    people: int = 3

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.history = History()
        self.tips = [0] * self.people
        self.seen = [0] * self.people
        self.pushed = 0
        self.said: dict[str, set[str]] = {}

    def play(self, steps: int = 14) -> None:
        """A random interleaving of work, pulls, pushes and squashes."""
        for _ in range(steps):
            person = self.random.randrange(self.people)
            self.random.choice((self._work, self._work, self._work, self._pull, self._push, self._squash))(person)

    def _work(self, person: int) -> None:
        act = Act(self.random.choice(self.kinds), self.random.randrange(6), "abc"[person] * (person + 1))
        before = self.history.files[self.tips[person]]
        after = versions.done(before, [act])
        if act.kind in _WORDS:
            self.said.setdefault(act.kind, set()).add(_word(after, act.kind))
        if after != before:
            self.tips[person] = self.history.commit(after, self.tips[person])

    def _pull(self, person: int) -> None:
        self.seen[person] = self.pushed
        self.tips[person] = self.history.merge(self.tips[person], self.pushed)

    def _push(self, person: int) -> None:
        if self.pushed in self.history.above[self.tips[person]]:
            self.pushed = self.seen[person] = self.tips[person]

    def _squash(self, person: int) -> None:
        """All that the person has not pushed becomes one commit on what they last saw."""
        tip, base = self.tips[person], self.seen[person]
        if tip != base and base in self.history.above[tip]:
            self.tips[person] = self.history.commit(self.history.files[tip], base)

    def synced(self) -> set[bytes]:
        """Everybody pulls and pushes until nothing is new: what then lies in the clones."""
        for person in [*range(self.people)] * 2:
            self._pull(person)
            self._push(person)
        return {self.history.files[tip] for tip in self.tips}

    def alone(self) -> set[bytes]:
        """Nobody pushes; everybody takes all others in, each in an order of their own: what then lies in the clones."""
        results = set()
        for person, own in enumerate(self.tips):
            tip = self.history.merge(own, self.pushed)
            for other in range(1, self.people):
                tip = self.history.merge(tip, self.tips[(person + other) % self.people])
            results.add(self.history.files[tip])
        return results


def _word(data: bytes, kind: str) -> str:
    instinct = markdown.parse(data)
    return str({"trigger": instinct.trigger, "action": instinct.action}.get(kind, instinct.extra.get(kind, "")))


def unfounded(team: Team, data: bytes) -> set[str]:
    """Conflicts in a file about fields on which nobody ever disagreed."""
    fields = {str(conflict["field"]) for conflict in markdown.parse(data).conflicts}
    return {name for name in fields if len(team.said.get(name, set())) < 2}
