"""Promotions that wait, as cases: what each would bring to all projects, and from where it says that it comes.

One promotion is one instinct. A branch that brings other files along is shown and refused; one that holds no readable
instinct at all is no case, but a problem with a name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from gitinstinct.check import evidence
from gitinstinct.git.blobs import Unreadable
from gitinstinct.git.repo import Entry
from gitinstinct.instinct import ids, markdown, steering
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.fit import REFUSED, REMARK, Finding
from gitinstinct.instinct.shelf import Item
from gitinstinct.promote import branches, note, rejection
from gitinstinct.promote.branches import Waiting
from gitinstinct.promote.outlook import Brought, Outlook
from gitinstinct.review import kinds, origin, provenance
from gitinstinct.review.origin import Origin
from gitinstinct.review.waiting import Case, Promotion, Rules, is_mine, private
from gitinstinct.store import history, incoming, layout
from gitinstinct.store.history import Logged
from gitinstinct.store.store import Store, identity
from gitinstinct.trace import difference
from gitinstinct.trace.difference import Field
from gitinstinct.trust import standing

_NAMED = 3


@dataclass(frozen=True, slots=True)
class Unusable:
    """A branch for promotions from which nothing can be taken, and why: a sentence without a full stop."""

    store: Store
    waiting: Waiting
    reason: str

    @property
    def name(self) -> str:
        """What a person calls it."""
        return branches.called(self.waiting.id)

    @property
    def key(self) -> str:
        """By which it is turned down."""
        return rejection.key_of_commit(self.waiting.commit)


@dataclass(frozen=True, slots=True)
class Found:
    """The promotions of a store that wait, by id, and the branches from which nothing can be taken."""

    cases: tuple[Case, ...] = ()
    unusable: tuple[Unusable, ...] = ()


def find(store: Store, rules: Rules) -> Found:
    """All promotions that nobody here has turned down. The number of processes does not grow with theirs.

    Args:
        store: the global store.
        rules: what decides.

    Raises:
        GitError: a branch cannot be read.
    """
    looked = branches.looked_at(store.repo)
    if not looked:
        return Found()
    desk = _Desk(store, rules, [look for _, look in looked])
    made = [desk.case(waiting, look) for waiting, look in looked]
    kept = [one for one in made if one.key not in rules.decided.rejected]
    return Found(
        tuple(one for one in kept if isinstance(one, Case)), tuple(one for one in kept if isinstance(one, Unusable))
    )


class _Desk:
    """What is read once for all promotions of a store."""

    def __init__(self, store: Store, rules: Rules, looks: Iterable[Outlook]) -> None:
        own = list(dict.fromkeys(commit for look in looks for commit in look.own))
        self._store, self._rules, self._mail = store, rules, identity(store).mail
        self._told = history.told(store.repo, own)
        self._records = provenance.records(store.repo, self._told.values())

    def case(self, waiting: Waiting, look: Outlook) -> Case | Unusable:
        """One promotion."""
        try:
            own = _own(waiting, look)
            theirs = markdown.parse(_bytes(own.theirs), waiting.id)
            item = self._item(own, waiting)
        except Invalid as error:
            return Unusable(self._store, waiting, str(error))
        entries = [self._told[commit] for commit in look.own]
        others = [one.path for one in look.brought if one is not own]
        found = _origin(entries, own.ours)
        key = rejection.key_of_commit(waiting.commit) if others else rejection.key(theirs)
        ours = note.readable(own.ours, waiting.id) if isinstance(own.ours, bytes) else None
        sources = provenance.sources(self._records, theirs, ours, entries)
        promotion = Promotion(waiting, key, sources, own.merged.conflicts)
        odd = steering.findings(item.instinct, self._rules.hosts)
        findings = (*_more(others), *private(item, REFUSED), *_forged(item), *odd)
        return Case(
            store=self._store,
            item=item,
            held=standing.REFUSED if any(one.level == REFUSED for one in findings) else standing.WAITING,
            findings=findings,
            origin=found,
            changes=_changes(item, found.approved),
            mine=is_mine(found.author, self._mail),
            kind=kinds.PROMOTION,
            promotion=promotion,
        )

    def _item(self, own: Brought, waiting: Waiting) -> Item:
        """The instinct as the merge would make it; what has no ledger yet counts from the branch's newest commit."""
        if own.merged.reason or own.merged.data is None:
            raise Invalid(own.merged.reason or "nothing would be left of it")
        instinct = markdown.parse(own.merged.data, waiting.id)
        day = "" if instinct.adopted else self._told[waiting.commit].date.date().isoformat()
        return Item(own.path, own.merged.data, instinct, day)


def _origin(entries: Sequence[Logged], ours: bytes | Unreadable | None) -> Origin:
    people = origin.each(map(origin.person, entries))
    return Origin(entries[0], None, ours if isinstance(ours, bytes) else None, people)


def _own(waiting: Waiting, look: Outlook) -> Brought:
    """What a branch does to the one file that it may change.

    Raises:
        Invalid: nothing can be taken from it.
    """
    if not look.bases:
        raise Invalid("it has no common beginning with the global store")
    path = ids.path_of(waiting.id)
    own = next((one for one in look.brought if one.path == path), None)
    if own is None:
        raise Invalid(f"it brings other files, and no {path}")
    if own.theirs is None:
        raise Invalid(f"it takes {path} away; gitinstinct demote does that")
    refused = layout.refusals([Entry(own.mode, "blob", "", path)])
    if refused:
        raise Invalid(f"{path} is {refused[0].reason}")
    return own


def _bytes(data: bytes | Unreadable | None) -> bytes:
    if isinstance(data, bytes):
        return data
    raise Invalid(data.reason if data else "there is no such file")


def _more(others: Sequence[str]) -> Iterator[Finding]:
    """One promotion, one instinct: whatever comes along would be taken unseen."""
    if others:
        named = ", ".join(map(incoming.shown, others[:_NAMED]))
        more = f" and {len(others) - _NAMED} more" if len(others) > _NAMED else ""
        yield Finding(REFUSED, "promotion", "branch", f"it changes other files too: {named}{more}")


def _forged(item: Item) -> Iterator[Finding]:
    """Readers trust the ledger alone, but whoever wrote other numbers above it may have meant them to be believed."""
    if evidence.differs(item.instinct):
        yield Finding(REMARK, "numbers", "frontmatter", "they are not what the evidence gives, which is what counts")


def _changes(item: Item, before: bytes | None) -> tuple[Field, ...]:
    try:
        return difference.between(item.instinct.id, before, item.data).words if before is not None else ()
    except Invalid:  # what `main` has cannot be read
        return ()
