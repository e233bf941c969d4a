"""Everything of a store that a person is asked about, each case with what they must see to decide."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from gitinstinct.git.identity import FALLBACK
from gitinstinct.instinct import steering, words
from gitinstinct.instinct.fit import REFUSED, WARNING, Finding
from gitinstinct.instinct.shelf import Item
from gitinstinct.review import origin
from gitinstinct.review.origin import Origin
from gitinstinct.store import library
from gitinstinct.store.store import Store, identity
from gitinstinct.trace import difference
from gitinstinct.trace.difference import Field
from gitinstinct.trust import standing
from gitinstinct.trust.book import Book


@dataclass(frozen=True, slots=True)
class Case:
    """One instinct whose words are kept back, or that was asked for by name.

    Attributes:
        store: where it is.
        held: `waiting`, `refused`, `rejected` or `conflicted`; None if nothing holds it back.
        findings: what is odd about its words.
        origin: where they come from.
        changes: what differs from what was approved before, by field; empty if nothing was.
        mine: whether the author has the name of this store's person.
    """

    store: Store
    item: Item
    held: str | None
    findings: tuple[Finding, ...] = ()
    origin: Origin = field(default_factory=Origin)
    changes: tuple[Field, ...] = ()
    mine: bool = False

    @property
    def id(self) -> str:
        """The instinct's id."""
        return self.item.instinct.id

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


def cases(store: Store, names: Collection[str], rules: Rules) -> list[Case]:
    """What a person must see of these instincts; an id that the store does not hold is left out.

    Args:
        store: the store.
        names: ids.
        rules: what decides.

    Raises:
        GitError: the history cannot be read.
    """
    shelf = library.read(store)
    items = [shelf.items[name] for name in names if name in shelf.items]
    said = {item.instinct.id: words.content_hash(item.instinct) for item in items}
    origins, person = origin.find(store.repo, said, rules.decided.approved), identity(store)
    return [_case(store, item, origins[item.instinct.id], rules, person.mail) for item in items]


def _case(store: Store, item: Item, found: Origin, rules: Rules, mail: str) -> Case:
    changed = difference.between(item.instinct.id, found.approved, item.data).words if found.approved else ()
    author = found.author
    return Case(
        store=store,
        item=item,
        held=held(item, rules),
        findings=tuple(steering.findings(item.instinct, rules.hosts)),
        origin=found,
        changes=changed,
        mine=author is not None and author.mail.lower() == mail.lower() != FALLBACK.mail,
    )
