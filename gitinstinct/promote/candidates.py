"""Which instincts several projects have learned: the same id, or the same words under another one.

What says the same in two projects that know nothing of each other is likely to hold in a third. How likely, the
criteria of the settings decide; each that is missed is named. A contradiction is no criterion but a stop: two projects
that say the contrary of each other cannot both be right everywhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from gitinstinct import paths
from gitinstinct.config import Promote
from gitinstinct.git.repo import Repo
from gitinstinct.instinct import ids, ledger
from gitinstinct.instinct.domains import canonical
from gitinstinct.instinct.shelf import Item
from gitinstinct.measure import texts, verdicts
from gitinstinct.measure.decision import Verdict
from gitinstinct.promote import note, rejection
from gitinstinct.promote.form import evidence, of, put_away
from gitinstinct.promote.groups import Contrary, Group, groups, is_same
from gitinstinct.promote.landscape import Landscape
from gitinstinct.promote.sources import Source
from gitinstinct.store import history
from gitinstinct.store.history import Logged, Version
from gitinstinct.trust import book, standing
from gitinstinct.trust.book import Book

NEW, MORE, DONE, WAITS, AWAY = "new", "more evidence", "promoted", "waits", "put away"
"""How a candidate stands: the global store has none of it, not all of it, all of it; its branch waits; or a person has
put it away there, which no promotion undoes."""


@dataclass(frozen=True)
class Candidate:
    """An instinct that projects have in common.

    Attributes:
        name: the id that it has, or would have, in the global store.
        sources: where it is; the first one's words are those that all would get.
        everybody: the global store's own; None if it has none.
        day: today, as an ISO day.
        contraries: what contradicts it.
        missed: the criteria that it does not meet, each as a phrase.
        state: how it stands to the global store.
        verdicts: what measuring says of it, as `project: verdict`.
    """

    name: str
    sources: tuple[Source, ...]
    everybody: Item | None
    day: str
    contraries: tuple[Contrary, ...] = ()
    missed: tuple[str, ...] = ()
    state: str = NEW
    verdicts: tuple[str, ...] = ()

    @cached_property
    def confidences(self) -> tuple[int, ...]:
        """Hundredths as of today, one a source."""
        return tuple(source.item.fold(self.day).confidence for source in self.sources)

    @property
    def mean(self) -> int:
        """Hundredths, rounded half up."""
        return (2 * sum(self.confidences) + len(self.confidences)) // (2 * len(self.confidences))

    @property
    def lowest(self) -> int:
        """Hundredths."""
        return min(self.confidences)

    @property
    def projects(self) -> int:
        """In how many projects it is."""
        return len({source.project for source in self.sources})

    @property
    def evidence(self) -> int:
        """How many sessions and commands speak for it or against it."""
        live = (ledger.live(source.item.instinct.ledger) for source in self.sources)
        return len({entry.origin for some in live for entry in some if entry.kind in ledger.COUNTING})

    @property
    def qualifies(self) -> bool:
        """Whether it is to be proposed."""
        return not self.missed and not self.contraries and self.state in (NEW, MORE)


# --- which there are


def candidates(found: Landscape, chosen: Promote, policy: str, here: str = "") -> list[Candidate]:
    """What is in two projects or more, the best first; with what each misses.

    Args:
        found: all that is live.
        chosen: the criteria.
        policy: of trust, see `standing`.
        here: the project whose words come first.
    """
    judge = _Judge(found, chosen, policy, book.read(), here)
    made = [judge.candidate(group) for group in groups(found) if group.projects > 1]
    return sorted(made, key=lambda one: (not one.qualifies, bool(one.contraries), -one.mean, one.name))


def named(found: Landscape, chosen: Promote, policy: str, name: str, here: str = "") -> Candidate | None:
    """The one that a person means by an id, as any project or the global store calls it; None if there is none."""
    judge = _Judge(found, chosen, policy, book.read(), here, name)
    made = [judge.candidate(group) for group in groups(found) if name in group.names]
    return min(made, key=lambda one: (one.name != name, -one.projects), default=None)


# --- judging


@dataclass(frozen=True, slots=True)
class _Judge:
    found: Landscape
    chosen: Promote
    policy: str
    decided: Book
    here: str
    asked: str = ""

    def candidate(self, group: Group) -> Candidate:
        """A group as a candidate."""
        name = self._name(group)
        by_project = {source.project: source for source in sorted(group.mine, key=self._rank, reverse=True)}
        ordered = tuple(sorted(by_project.values(), key=self._rank))
        everybody = self.found.globals.get(name)
        state = self._state(name, ordered, everybody)
        made = Candidate(name, ordered, everybody, self.found.day, tuple(group.against), (), state)
        made = replace(made, verdicts=tuple(_verdicts(made)))
        return replace(made, missed=tuple(self._missed(made)))

    def _name(self, group: Group) -> str:
        """The global store's id, else the one that was asked for, else the one that most projects use."""
        used = Counter(source.id for source in group.mine)
        known = sorted(item.instinct.id for item in group.theirs)
        known = known or sorted(used.keys() & self.found.globals.keys())  # put away there
        if known:
            return self.asked if self.asked in known else known[0]
        return self.asked if self.asked in used else min(used, key=lambda name: (-used[name], name))

    def _rank(self, source: Source) -> tuple[bool, bool, bool, int, str]:
        """Whose words come first: the project at hand's, trusted ones, those of the id asked for, the surest."""
        held = standing.held(source.item.instinct, self.decided, self.policy)
        worth = source.item.fold(self.found.day).confidence
        return (bool(held), source.project != self.here, source.id != self.asked, -worth, source.project)

    def _state(self, name: str, mine: Iterable[Source], everybody: Item | None) -> str:
        if everybody is not None and (everybody.instinct.forgotten or put_away(evidence(everybody))):
            return AWAY
        has_all = everybody is not None and all(
            note.holds(everybody.instinct.ledger, evidence(source.item)) for source in mine
        )
        if has_all:
            return DONE
        if name in self.found.waiting:
            return WAITS
        return NEW if everybody is None else MORE

    def _missed(self, one: Candidate) -> Iterator[str]:
        chosen = self.chosen
        if one.projects < chosen.projects:
            yield f"in {one.projects} of the {chosen.projects} projects that it takes"
        if sum(one.confidences) < chosen.mean * len(one.confidences):
            yield f"mean {one.mean / 100:.2f}, below {chosen.mean / 100:.2f}"
        if one.lowest < chosen.lowest:
            yield f"lowest {one.lowest / 100:.2f}, below {chosen.lowest / 100:.2f}"
        domain = canonical((one.everybody or one.sources[0].item).instinct.domain)
        if domain not in chosen.domains:
            yield f"domain {domain or 'none'}, which is mostly a project's own"
        yield from self._words(one)
        yield from (f"measured {said}" for said in one.verdicts if not said.endswith(Verdict.HELPS))

    def _words(self, one: Candidate) -> Iterator[str]:
        first = one.everybody or one.sources[0].item
        if any(not is_same(first, source.item) for source in one.sources):
            yield "the words differ"
        held = standing.held(one.sources[0].item.instinct, self.decided, self.policy)
        if held:
            yield f"its words are {held}" if held != standing.WAITING else "its words wait for review"
        said = one.everybody or of(one.sources[0].item, one.name, None)
        if rejection.is_rejected(said.instinct, self.decided):
            yield "turned down before"
        if one.everybody is not None and one.everybody.instinct.conflicts:
            yield "in conflict in the global store"


def _verdicts(one: Candidate) -> Iterator[str]:
    """What measuring found of these words in these projects, and globally."""
    owners = {source.project: source for source in one.sources}
    for row in verdicts.load():
        source = owners.get(str(row["owner"]))
        item = source.item if source else one.everybody if row["owner"] == paths.GLOBAL else None
        if item is None or row["instinct"] != item.instinct.id:
            continue
        if row["verdict"] != Verdict.UNKNOWN and texts.same(texts.of(item.instinct), str(row["text"])):
            yield f"{source.store.about.name if source else paths.GLOBAL}: {row['verdict']}"


# --- the team behind it


def people(one: Candidate) -> int:
    """How many people's observers and commands the evidence is of: committers of the file's versions, by address."""
    return len({mail for source in one.sources for mail in _committers(source)})


def _committers(source: Source) -> set[str]:
    states, told = _history(source.store.repo, source.commit)
    made = (told[state.commit] for state in states.get(source.item.path, ()))
    return {entry.committer_mail.lower() for entry in made if len(entry.parents) < 2}


@lru_cache(maxsize=64)
def _history(repo: Repo, commit: str) -> tuple[dict[str, list[Version]], dict[str, Logged]]:
    """The states of all instincts of a store and their commits, by two processes: candidates may be many."""
    states = history.versions_of(repo, [ids.FOLDER], commit)
    return states, history.told(repo, (one.commit for some in states.values() for one in some))
