"""What a reviewer must know of a promotion that waits, gathered from its branch and from nothing else.

Whoever reads the page has the same commits before them; so everything on it can be checked there.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from gitinstinct.check import inspection
from gitinstinct.check.rules import Finding
from gitinstinct.check.subject import Home, Subject
from gitinstinct.errors import Found
from gitinstinct.git.blobs import blobs
from gitinstinct.instinct import confidence, ids
from gitinstinct.instinct.confidence import Fold
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.ledger import Entry, live
from gitinstinct.instinct.model import Instinct
from gitinstinct.review import effect, provenance
from gitinstinct.review.effect import Effect
from gitinstinct.review.provenance import Source
from gitinstinct.store import history, layout, merging
from gitinstinct.store.history import Logged
from gitinstinct.store.store import Store
from gitinstinct.trace import difference, neighbours, wordbook
from gitinstinct.trace.difference import Difference
from gitinstinct.trace.neighbours import Neighbour

_COMMITS = 50


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a promotion.

    Attributes:
        instinct: as it would be.
        changes: against what the branch is to be merged into.
        today: what it is worth today.
        curve: what it was worth after each piece of evidence that counts, in hundredths.
        counting: the lines of the ledger that count.
        commits: what the branch brings, newest first; merges of the base are left out.
        sources: the projects that it names, and whether their commits say the same.
        effects: what was measured of it on this machine.
        neighbours: instincts of all projects that say the same or the contrary.
        findings: what `check` says about the file.
        others: paths of other files that a merge of the branch would change.
    """

    instinct: Instinct
    changes: Difference
    today: Fold
    curve: tuple[int, ...]
    counting: frozenset[Entry]
    commits: tuple[Logged, ...]
    sources: tuple[Source, ...]
    effects: tuple[Effect, ...]
    neighbours: tuple[Neighbour, ...]
    findings: tuple[Finding, ...]
    others: tuple[str, ...]

    @property
    def people(self) -> tuple[str, ...]:
        """The names of those who made the commits. Names are claims."""
        return tuple(dict.fromkeys(one.author for one in self.commits))


def gather(store: Store, name: str, commit: str, base: str, now: datetime) -> Facts:
    """Reads the facts of a promotion.

    Args:
        store: the global store.
        name: the instinct's id.
        commit: the tip of its branch.
        base: the commit that it is to be merged into.
        now: the moment.

    Raises:
        Found: the branch has no such instinct, or none that can be read.
        GitError: git cannot read it.
    """
    repo, path, day = store.repo, ids.path_of(name), now.date().isoformat()
    read = blobs(repo, [f"{base}:{path}", f"{commit}:{path}"], layout.CAP)
    old, new = (data if isinstance(data, bytes) else None for data in read.values())
    changes = _changes(name, old, new)
    instinct = changes.new
    assert instinct is not None
    found = history.log(repo, revision=f"{base}..{commit}", limit=_COMMITS)
    commits = tuple(one for one in found if len(one.parents) < 2)
    steps = confidence.steps(instinct.ledger, instinct.source)
    return Facts(
        instinct=instinct,
        changes=changes,
        today=instinct.fold(day, day),
        curve=tuple(step.after for step in steps),
        counting=frozenset(live(instinct.ledger)),
        commits=commits,
        sources=provenance.sources(provenance.records(repo, commits), instinct, changes.old, commits),
        effects=effect.on(instinct),
        neighbours=tuple(neighbours.find(instinct, "global", (("global", said) for said in wordbook.read(store)))),
        findings=tuple(inspection.inspect(Subject(path, new or b"", name, Home("global", "")), day)),
        others=tuple(sorted(merging.decide(repo, base, commit).files.keys() - {path})),
    )


def _changes(name: str, old: bytes | None, new: bytes | None) -> Difference:
    if new is None:
        raise Found(f"the branch has no {ids.path_of(name)}", "a promotion's branch holds the instinct of its name")
    try:
        return difference.between(name, old, new)
    except Invalid as error:
        raise Found(f"{ids.path_of(name)} cannot be read: {error}", "mend it on its branch, or on main") from error
