"""What lies before a person who reviews: some stores, everything of theirs that waits, and what surrounds each case."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from gitinstinct.instinct.shelf import Shelf
from gitinstinct.promote import branches
from gitinstinct.review import kinds, promotions
from gitinstinct.review import waiting as waits
from gitinstinct.review.promotions import Found, Unusable
from gitinstinct.review.waiting import Case, Rules
from gitinstinct.store import library
from gitinstinct.store.store import Store
from gitinstinct.trace.neighbours import Crowd, Neighbour
from gitinstinct.trace.wordbook import Said

GLOBAL = "global"


@dataclass(frozen=True)
class Table:
    """What a review looks at.

    Attributes:
        shelves: the stores, each with its instincts.
        rules: what decides.
        day: today, as an ISO day.
    """

    shelves: tuple[tuple[Store, Shelf], ...]
    rules: Rules
    day: str

    def waiting(self, wanted: Collection[str] = ()) -> list[Case]:
        """Everything that a person is asked about, by kind; only some kinds if they are named.

        Raises:
            GitError: a history cannot be read.
        """
        found = [case for store, shelf in self.shelves for case in self._of(store, shelf)]
        found += self.promotions.cases if not wanted or kinds.PROMOTION in wanted else ()
        chosen = [case for case in found if not wanted or case.kind in wanted]
        return sorted(chosen, key=lambda case: kinds.ORDER.index(case.kind))

    def _of(self, store: Store, shelf: Shelf) -> list[Case]:
        names = [*waits.conflicts(shelf.items.values()), *waits.waiting(shelf.items.values(), self.day, self.rules)]
        return waits.cases(store, names, self.rules, shelf) if names else []

    @cached_property
    def promotions(self) -> Found:
        """The promotions that wait in the global store, if that is looked at."""
        everybody = next((store for store, _ in self.shelves if store.about.scope == GLOBAL), None)
        return promotions.find(everybody, self.rules) if everybody else Found()

    def counts(self) -> dict[str, int]:
        """How many wait, by kind; a kind of which none waits is missing."""
        found = Counter(case.kind for case in self.waiting())
        found[kinds.PROMOTION] += len(self.promotions.unusable)
        return {kind: found[kind] for kind in kinds.ORDER if found[kind]}

    def named(self, name: str) -> list[Case | Unusable]:
        """Everything that a person may mean by a name: an id, or `promote/ID` for the promotion alone.

        What waits comes first; an instinct of which nothing waits is told from the project's store before the global
        one. Empty if there is none.
        """
        bare = branches.bare(name)
        promoted: list[Case | Unusable] = [one for one in self.promotions.cases if one.id == bare]
        promoted += [one for one in self.promotions.unusable if one.waiting.id == bare]
        if bare != name:
            return promoted
        found = [case for store, shelf in self.shelves for case in waits.cases(store, [name], self.rules, shelf)]
        undecided = [case for case in found if case.held in waits.UNDECIDED]
        return [*(undecided or (found[:1] if not promoted else [])), *promoted]

    def anew(self, case: Case) -> Case | None:
        """The same as it stands after somebody changed it; None if it is gone."""
        found = waits.cases(case.store, [case.id], self.rules, library.read(case.store))
        return found[0] if found else None

    # --- what surrounds a case

    @cached_property
    def _crowd(self) -> Crowd:
        return Crowd(_said(self.shelves))

    def neighbours(self, case: Case) -> Sequence[Neighbour]:
        """Who says the same or the contrary, in these stores."""
        return self._crowd.around(case.item.instinct, case.scope)


def _said(shelves: Iterable[tuple[Store, Shelf]]) -> Iterator[tuple[str, Said]]:
    for store, shelf in shelves:
        for item in shelf.items.values():
            if not item.instinct.forgotten:
                said = Said(item.instinct.id, item.instinct.trigger, item.instinct.action)
                yield store.about.scope, said
