"""Whether a promotion comes from where it says: its commits name the promotion commits that they were picked from.

Anybody can write such a line. It is verified where that commit lies on `refs/gitinstinct/promoted/<project>/<id>`, in
line with what the project promoted before, and the branch says what that commit says and has all of its evidence. Such
a ref can be forged by whoever may push to the remote, too: what is verified is that the two agree, not who they are.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace

from gitinstinct.git.blobs import blobs
from gitinstinct.git.repo import Repo
from gitinstinct.instinct import ids, words
from gitinstinct.instinct.model import Instinct
from gitinstinct.promote import note, origin
from gitinstinct.promote.origin import PROMOTED_FROM, Promoted
from gitinstinct.store import layout
from gitinstinct.store.history import Logged

_SURPLUS = "the branch has evidence that no promotion has"
_TAG = re.compile(r"[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class Source:
    """One project that a promotion names.

    Attributes:
        project: its id, or the keyed hash of it.
        commit: the commit of the project's own `main`, as the message says it.
        picked: the promotion commit that was picked; empty if the message names none.
        fault: why that is no more than a claim; empty if it is verified.
    """

    project: str
    commit: str
    picked: str
    fault: str

    @property
    def is_verified(self) -> bool:
        """Whether the promotion commit is where it has to be and says the same."""
        return not self.fault


class Records:
    """The promotion commits that a store knows, read once for many promotions: three processes."""

    def __init__(self, repo: Repo, entries: Iterable[Logged]) -> None:
        self._repo = repo
        known = origin.promoted(repo)
        picked = {found for entry in entries for found in entry.picked} if known else set()
        self._known = {(one.tag, one.id) for one in known}
        self._made = self._lines(known) if picked else {}
        self._contents = self._read(picked)

    def _lines(self, known: Iterable[Promoted]) -> dict[str, set[tuple[str, str]]]:
        """Each promotion commit, and of which project and instinct it is: every one is made on the one before."""
        stdin = "".join(f"{one.commit}\n" for one in known).encode()
        lines = self._repo.ask("rev-list", "--parents", "--stdin", stdin=stdin).splitlines()
        parents = {commit: above for commit, *above in (line.split(" ") for line in lines)}
        found: dict[str, set[tuple[str, str]]] = defaultdict(set)
        for one in known:
            commit = one.commit
            while len(parents.get(commit, ())) == 1:
                found[commit].add((one.tag, one.id))
                commit = parents[commit][0]
        return found

    def _read(self, picked: Iterable[str]) -> dict[str, bytes]:
        names = {f"{commit}:{ids.path_of(name)}" for commit in picked for _, name in self._made.get(commit, ())}
        found = blobs(self._repo, sorted(names), layout.CAP) if names else {}
        return {name: data for name, data in found.items() if isinstance(data, bytes)}

    def sources(self, instinct: Instinct, ours: Instinct | None, entries: Iterable[Logged]) -> tuple[Source, ...]:
        """What the commits of a promotion say of where it comes from: of each project the newest word.

        Args:
            instinct: as the branch has it.
            ours: as `main` has it; None if it has none.
            entries: the branch's commits, newest first.
        """
        found: dict[str, Source] = {}
        for entry in entries:
            picked = entry.picked[-1] if entry.picked else ""
            for said in entry.values(PROMOTED_FROM):
                project, _, commit = said.partition(" ")
                if _TAG.fullmatch(project) and project not in found:
                    found[project] = Source(project, commit, picked, self._fault(instinct, project, picked))
        told = tuple(found.values())
        known = [self._promotion(one.picked, instinct.id) for one in told if one.is_verified]
        if _claims(instinct) <= {claim for one in (ours, *known) if one for claim in _claims(one)}:
            return told
        return tuple(replace(one, fault=one.fault or _SURPLUS) for one in told)  # somebody added to it on the way

    def _promotion(self, commit: str, name: str) -> Instinct | None:
        data = self._contents.get(f"{commit}:{ids.path_of(name)}")
        return note.readable(data, name) if data is not None else None

    def _fault(self, instinct: Instinct, project: str, picked: str) -> str:
        if not picked:
            return "it names no promotion commit"
        if (project, instinct.id) not in self._known:
            return "no promotion of that project is known here"
        if (project, instinct.id) not in self._made.get(picked, ()):
            return f"{picked[:10]} is none of that project's promotions"
        there = self._promotion(picked, instinct.id)
        if there is None:
            return f"{picked[:10]} cannot be read"
        return _difference(there, instinct)


def _difference(there: Instinct, here: Instinct) -> str:
    if words.content_hash(there) != words.content_hash(here):
        return "the project's promotion has other words"
    return "" if note.holds(here.ledger, there.ledger) else "the project's promotion has other evidence"


def _claims(instinct: Instinct) -> set[tuple[str, str, str]]:
    """Every line of evidence without its words: an amount that was raised is another line."""
    return {(entry.date, entry.claim, entry.key) for entry in instinct.ledger}
