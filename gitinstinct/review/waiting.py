"""Everything of a store that a person is asked about, each case with what they must see to decide."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from gitinstinct.git.identity import FALLBACK, Actor
from gitinstinct.instinct import steering, words
from gitinstinct.instinct.fit import REFUSED, WARNING, Finding
from gitinstinct.instinct.shelf import Item, Shelf
from gitinstinct.promote import branches
from gitinstinct.promote.branches import Waiting
from gitinstinct.review import kinds, origin
from gitinstinct.review.origin import Origin
from gitinstinct.review.provenance import Source
from gitinstinct.store import library, outgoing
from gitinstinct.store.store import Store, identity
from gitinstinct.trace import difference
from gitinstinct.trace.difference import Field
from gitinstinct.trust import standing
from gitinstinct.trust.book import Book


@dataclass(frozen=True, slots=True)
class Promotion:
    """What a case that is a branch for a promotion has beside its words.

    Attributes:
        waiting: the branch.
        key: by which it is turned down.
        sources: the projects that it names.
        conflicts: fields in which it and `main` differ, so that it cannot land.
    """

    waiting: Waiting
    key: str
    sources: tuple[Source, ...] = ()
    conflicts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """One instinct whose words are kept back, or that was asked for by name; or a promotion that waits.

    Attributes:
        store: where it is.
        item: itself; of a promotion as it would be on `main`.
        held: `waiting`, `refused`, `rejected` or `conflicted`; None if nothing holds it back.
        findings: what is odd about its words.
        origin: where they come from.
        changes: what differs from what was approved before, by field; empty if nothing was. What is in conflict has no
            value yet. Of a promotion from what `main` says.
        mine: whether the author has the name of this store's person, and no model found the words.
        kind: see `kinds`.
        promotion: the branch, if it is one.
    """

    store: Store
    item: Item
    held: str | None
    findings: tuple[Finding, ...] = ()
    origin: Origin = field(default_factory=Origin)
    changes: tuple[Field, ...] = ()
    mine: bool = False
    kind: str = kinds.INCOMING
    promotion: Promotion | None = None

    @property
    def name(self) -> str:
        """What a person calls it: the id, or `promote/ID`."""
        return branches.called(self.id) if self.promotion else self.id

    @property
    def key(self) -> str:
        """The hash by which it is decided on."""
        return self.promotion.key if self.promotion else words.content_hash(self.item.instinct)

    @property
    def id(self) -> str:
        """The instinct's id."""
        return self.item.instinct.id

    @property
    def sources(self) -> tuple[Source, ...]:
        """The projects that a promotion names."""
        return self.promotion.sources if self.promotion else ()

    @property
    def scope(self) -> str:
        """The scope of its store."""
        return self.store.about.scope

    @property
    def is_refused(self) -> bool:
        """Whether nobody can consent to it."""
        return any(one.level == REFUSED for one in self.findings)

    @property
    def needs_reason(self) -> bool:
        """Whether consent needs a reason."""
        return any(one.level == WARNING for one in self.findings)


@dataclass(frozen=True, slots=True)
class Rules:
    """What decides: the list of this machine, the policy, hosts whose addresses are no finding."""

    decided: Book
    policy: str = standing.REVIEW
    hosts: Collection[str] = ()


def held(item: Item, rules: Rules) -> str | None:
    """Why an instinct is kept back although its evidence would do, or None: the one answer of all commands."""
    return item.held or standing.held(item.instinct, rules.decided, rules.policy)


def waiting(items: Iterable[Item], day: str, rules: Rules) -> list[str]:
    """The ids of those that wait for a person: not archived, undecided, and in no conflict."""
    return [
        item.instinct.id
        for item in items
        if not item.instinct.forgotten
        and item.fold(day).status == "active"
        and held(item, rules) in (standing.WAITING, standing.REFUSED)
        and words.content_hash(item.instinct) not in rules.decided.rejected
    ]


UNDECIDED = frozenset({standing.WAITING, standing.REFUSED, "conflicted"})
"""Why an instinct is held back about which somebody still has to decide."""


def conflicts(items: Iterable[Item]) -> list[str]:
    """The ids of those that a merge left in conflict: they are held back until somebody settles them."""
    return [item.instinct.id for item in items if item.instinct.conflicts]


def cases(store: Store, names: Collection[str], rules: Rules, shelf: Shelf | None = None) -> list[Case]:
    """What a person must see of these instincts; an id that the store does not hold is left out.

    Args:
        store: the store.
        names: ids.
        rules: what decides.
        shelf: the store's instincts, if they are read already.

    Raises:
        GitError: the history cannot be read.
    """
    shelf = shelf or library.read(store)
    items = [shelf.items[name] for name in names if name in shelf.items]
    said = {item.instinct.id: words.content_hash(item.instinct) for item in items}
    origins, person = origin.find(store.repo, said, rules.decided.approved), identity(store)
    return [_case(store, item, origins[item.instinct.id], rules, person.mail) for item in items]


def _case(store: Store, item: Item, found: Origin, rules: Rules, mail: str) -> Case:
    changed = difference.between(item.instinct.id, found.approved, item.data).words if found.approved else ()
    open_fields = {"conflicts", *(str(one.get("field")) for one in item.instinct.conflicts)}
    kept = held(item, rules)
    author = None if found.model else found.author
    return Case(
        store=store,
        item=item,
        held=kept,
        findings=(*private(item, WARNING), *steering.findings(item.instinct, rules.hosts)),
        origin=found,
        changes=tuple(one for one in changed if one.name not in open_fields),
        mine=is_mine(author, mail),
        kind=kinds.CONFLICT if kept == "conflicted" else kinds.of(found, mail),
    )


def private(item: Item, level: str) -> Iterator[Finding]:
    """What in a file must not be published: wherever it lies, no push would take it."""
    for kind, what in outgoing.private_in(item.data.decode("utf-8", "replace")):
        yield Finding(level, str(kind), "file", what)


def is_mine(author: Actor | None, mail: str) -> bool:
    """Whether the author has this person's address."""
    return author is not None and author.mail.lower() == mail.lower() != FALLBACK.mail
