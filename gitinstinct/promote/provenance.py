"""Whether a promotion comes from where its commit says: one rule, for a branch in a store and a range in any clone.

Git picks it from a promotion commit of the project, which whoever promotes pushes beside the shared store: on
`refs/gitinstinct/promoted/<project>/<id>`, in line with what the project promoted before. The message cites both, and
anybody can write such lines. It is verified where that commit lies there and says the same. Who may push can forge such
a ref, too: what is verified is that the two agree, not who they are.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from gitinstinct.git.blobs import blobs
from gitinstinct.git.repo import Repo
from gitinstinct.instinct import ids, words
from gitinstinct.instinct.ledger import Entry
from gitinstinct.instinct.model import Instinct
from gitinstinct.promote import note, origin
from gitinstinct.promote.origin import PROMOTED_FROM, Promoted
from gitinstinct.store import history, layout
from gitinstinct.store.history import Logged

_SOURCE = re.compile(r"([0-9a-f]{12}) ([0-9a-f]{40}|[0-9a-f]{64})")
_SQUASHED = 100  # promotions in one commit
_VERB = "promote"


class Kind(StrEnum):
    """What is the matter: the message lacks what it must cite; what it cites is not here; it is here, and otherwise."""

    SILENT = "silent"
    UNKNOWN = "unknown"
    FALSE = "false"


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why a promotion is not verified. `why` is a sentence without a full stop."""

    kind: Kind
    why: str


# --- what a message cites


@dataclass(frozen=True, slots=True)
class Cited:
    """What the message of a promotion cites.

    Attributes:
        ids: of the instincts that it is about; there must be one.
        projects: what each project is called, and the commit of its own `main`; there must be one.
        picked: the promotion commits that it was picked from. A squash by a host has several; the last is its own.
    """

    ids: tuple[str, ...]
    projects: tuple[tuple[str, str], ...]
    picked: tuple[str, ...]

    def lack(self, name: str) -> str:
        """What is missing for a promotion of this instinct; empty if nothing is."""
        if self.ids != (name,):
            return "it does not name the one instinct that it brings"
        if len(self.projects) != 1:
            return f"it lacks the one line `{PROMOTED_FROM}: PROJECT COMMIT`"
        return "" if self.picked else "it lacks the line `(cherry picked from commit …)`"


def is_promotion(entry: Logged) -> bool:
    """Whether a commit says that it promotes. A merge brings what the commits below it say for themselves."""
    return len(entry.parents) < 2 and (entry.verb == _VERB or bool(entry.values(PROMOTED_FROM)))


def cited(entry: Logged) -> Cited:
    """What a commit cites, as far as it has our form."""
    matches = map(_SOURCE.fullmatch, entry.values(PROMOTED_FROM))
    projects = tuple((found[1], found[2]) for found in matches if found)
    return Cited(tuple(said.split(" ")[0] for said in entry.values("Instinct")), projects, entry.picked)


# --- what is there


@dataclass(frozen=True, slots=True)
class Proof:
    """What a promotion cites, where it has to be: the commit that it was picked from, and what that holds.

    Attributes:
        commit: the promotion commit.
        instinct: what it holds.
        others: what the other commits hold that a squash cites, as far as they are promotions of the same.
    """

    commit: str
    instinct: Instinct
    others: tuple[Instinct, ...] = ()

    @property
    def instincts(self) -> tuple[Instinct, ...]:
        """All that is cited."""
        return (self.instinct, *self.others)

    def disagreement(self, now: Instinct, ours: Iterable[Instinct]) -> Doubt | None:
        """What speaks against it in what has come of it; None if nothing does.

        Args:
            now: the instinct as the promotion gives it.
            ours: as `main` had it without the promotion, whose words a curator may have written.
        """
        said = f"{self.commit[:10]} has"
        if words.content_hash(now) not in {words.content_hash(one) for one in (self.instinct, *ours)}:
            return Doubt(Kind.FALSE, f"it has other words than {said}")
        return None if note.holds(now.ledger, self.instinct.ledger) else Doubt(Kind.FALSE, f"it lacks evidence {said}")


class Records:
    """The promotion commits of projects, read once for many promotions: three processes, however many there are."""

    def __init__(self, repo: Repo, known: Sequence[Promoted], entries: Iterable[Logged]) -> None:
        """Reads what commits cite.

        Args:
            repo: where the commits are.
            known: the projects' promotions there; each is the newest of its line.
            entries: the commits that may be promotions.

        Raises:
            GitError: a commit cannot be read.
        """
        picked = {one for entry in entries for one in entry.picked[-_SQUASHED:]} if known else set()
        self._known = {(one.tag, one.id) for one in known}
        self._made = _lines(repo, known) if picked else {}
        there = picked & self._made.keys()
        self._said = history.told(repo, sorted(there))
        names = {f"{commit}:{ids.path_of(name)}" for commit in there for _, name in self._made[commit]}
        found = blobs(repo, sorted(names), layout.CAP) if names else {}
        self._contents = {name: data for name, data in found.items() if isinstance(data, bytes)}

    def proof(self, entry: Logged, name: str) -> Proof | Doubt:
        """What a promotion of this instinct cites, or why that proves nothing."""
        said = cited(entry)
        if lack := said.lack(name):
            return Doubt(Kind.SILENT, lack)
        [(project, _)], picked = said.projects, said.picked[-1]
        if (project, name) not in self._known:
            return Doubt(Kind.UNKNOWN, "no promotion of that project is known here")
        if (project, name) not in self._made.get(picked, ()):
            return Doubt(Kind.FALSE, f"{picked[:10]} is none of that project's promotions")
        if self._said[picked].values(PROMOTED_FROM) != entry.values(PROMOTED_FROM):
            return Doubt(Kind.FALSE, f"{picked[:10]} says that it comes from elsewhere")
        there = self._instinct(picked, name)
        if there is None:
            return Doubt(Kind.FALSE, f"{picked[:10]} has no {ids.path_of(name)} that can be read")
        others = (self._instinct(one, name) for one in dict.fromkeys(said.picked[-_SQUASHED:-1]) if one != picked)
        return Proof(picked, there, tuple(filter(None, others)))

    def _instinct(self, commit: str, name: str) -> Instinct | None:
        data = self._contents.get(f"{commit}:{ids.path_of(name)}")
        return note.readable(data, name) if data is not None else None


def _lines(repo: Repo, known: Sequence[Promoted]) -> dict[str, set[tuple[str, str]]]:
    """Each promotion commit, and of which project and instinct it is: every one is made on the one before."""
    stdin = "".join(f"{one.commit}\n" for one in known).encode()
    lines = repo.ask("rev-list", "--parents", "--stdin", stdin=stdin).splitlines()
    parents = {commit: above for commit, *above in (line.split(" ") for line in lines)}
    found: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for one in known:
        commit = one.commit
        for _ in range(origin.LONGEST):
            if len(parents.get(commit, ())) != 1:
                break
            found[commit].add((one.tag, one.id))
            commit = parents[commit][0]
    return found


# --- whether there is more than that


def surplus(now: Instinct, known: Iterable[Instinct]) -> str:
    """That it has evidence which none of the others has, as a sentence without a full stop; empty if it has none.

    An amount that was raised is other evidence; another text is not.
    """
    essences = {_essence(entry) for one in known for entry in one.ledger}
    more = [entry for entry in now.ledger if _essence(entry) not in essences]
    if not more:
        return ""
    others = f", and {len(more) - 1} more" if len(more) > 1 else ""
    return f"it has evidence that no promotion has: {more[0].date} {more[0].claim}{others}"


def _essence(entry: Entry) -> tuple[str, str, str]:
    return (entry.date, entry.claim, entry.key)
