"""Proposals become evidence: on the instinct that says the same, against the one that says the contrary, else on a
new one.

A pure function over what the store holds. Evidence is earned per session, one line each, and known origins add
nothing: reconciling the same proposals again changes nothing, however often and in whatever portions they come.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from gitinstinct.instinct import edit, lint, markdown, similar
from gitinstinct.instinct.confidence import fold, is_put_away
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.ids import apart, instinct_id, path_of
from gitinstinct.instinct.ledger import Entry, live, origins
from gitinstinct.instinct.model import Instinct
from gitinstinct.instinct.shelf import Item, Shelf
from gitinstinct.observer.evidence import EntryOf, beginning, confirming, contradicting, entries, origin_of, summary
from gitinstinct.observer.proposals import Proposal

SOURCE = "session-observation"
NEW_PER_RUN = 20
"""What qualifies beyond this waits in the tally for the next run."""


@dataclass(frozen=True, slots=True)
class Learned:
    """One change of a run: `verb` is new, confirmed or contradicted; confidences in hundredths, as in the file."""

    id: str
    verb: str
    before: int | None
    after: int
    evidence: str
    cited: tuple[str, ...]


@dataclass(slots=True)
class Reconciled:
    """The outcome: files to write, what was learned, and which proposals were refused, each with its reason."""

    files: dict[str, bytes] = field(default_factory=dict)
    learned: list[Learned] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Home:
    """The store's own fields for a new instinct."""

    scope: str
    project_id: str = ""
    project_name: str = ""

    def fields(self) -> dict[str, str]:
        """The frontmatter fields that tell where an instinct belongs."""
        project = {"project_id": self.project_id, "project_name": self.project_name} if self.project_id else {}
        return {"scope": self.scope, **project}


Past = Callable[[str], frozenset[str]]
"""Tells every origin that the file of an id ever knew."""


def reconcile(
    held: Shelf,
    proposals: Iterable[Proposal],
    home: Home,
    secrets: Callable[[str], list[str]],
    past: Past = lambda name: frozenset(),
) -> Reconciled:
    """Works the proposals into the instincts that are there.

    Args:
        held: what the store holds. A file that cannot be read keeps its id: nothing is written over it.
        proposals: from a detector, in any order.
        home: where new instincts belong.
        secrets: names the kinds of secret in a text.
        past: the origins that a file knew in any of its versions.

    Contradictions come before confirmations, so that each confirmation is weighed against all that was before it in
    time: the outcome does not depend on the portions in which sessions are told.
    """
    ordered = sorted(proposals, key=lambda proposal: (proposal.evidence[0].first, proposal.name, proposal.action))
    work = _Work(held, home, secrets, past)
    for step in (work.begin, work.oppose, work.confirm):
        for proposal in ordered:
            step(proposal)
    work.outcome.learned.extend(sorted(work.told.values(), key=lambda told: (_VERBS.index(told.verb), told.id)))
    return work.outcome


class _Work:
    """The state of one reconciliation: the items as they become."""

    def __init__(self, held: Shelf, home: Home, secrets: Callable[[str], list[str]], past: Past) -> None:
        self.past = past
        self.items = dict(held.items)
        self.unreadable = {problem.path: problem.reason for problem in held.problems}
        self.home = home
        self.secrets = secrets
        self.outcome = Reconciled()
        self.told: dict[str, Learned] = {}
        self.made = 0

    def begin(self, proposal: Proposal) -> None:
        """Makes a new instinct of what qualified and is not there yet, with what qualified it."""
        if not proposal.qualified or self._match(proposal) is not None:
            return
        name = _apart(proposal) if _name(proposal) in self.items else _name(proposal)
        reason = lint.refusal(proposal.trigger, proposal.action, proposal.domain, self.secrets)
        if path_of(name) in self.unreadable:
            reason = f"its file cannot be read: {self.unreadable[path_of(name)]}"
        if reason is None and self.made >= NEW_PER_RUN:
            reason = f"more than {NEW_PER_RUN} new ones in one run; it waits for the next"
        if reason is not None:
            self.outcome.refused.append((name, reason))
            return
        self._make(name, proposal)

    def oppose(self, proposal: Proposal) -> None:
        """Adds it as evidence against what says the contrary. One correction is enough, one a session."""
        if not proposal.qualified and proposal.family != "correction":
            return
        for item in list(self.items.values()):
            if _is_open(item.instinct) and similar.contrary(proposal.action, item.instinct.action):
                self._contradict(item, proposal)

    def confirm(self, proposal: Proposal) -> None:
        """Adds the evidence to the instinct that says the same."""
        item = self._match(proposal)
        if item is not None and _is_open(item.instinct):
            self._record(item, self._entries(item.instinct, proposal, confirming), "confirmed", proposal)

    def _match(self, proposal: Proposal) -> Item | None:
        """The instinct that says the same: the pattern's own, or, once it has qualified, any."""
        own = self._own(proposal)
        if own is not None or not proposal.qualified:
            return own
        return next((item for item in self.items.values() if _says(item.instinct, proposal)), None)

    def _own(self, proposal: Proposal) -> Item | None:
        """The instinct that an earlier run made of this pattern, also when a person has put it into other words."""
        for candidate in (_name(proposal), _apart(proposal)):
            item = self.items.get(candidate)
            if item and _is_of(item.instinct, proposal):
                return item
        return None

    def _contradict(self, item: Item, proposal: Proposal) -> None:
        """Only what came after the instinct's first evidence speaks against it."""
        first = min((entry.order for entry in item.instinct.ledger), default=None)
        made = self._entries(item.instinct, proposal, contradicting)
        added = [entry for entry in made if first is None or entry.order > first]
        self._record(item, added, "contradicted", proposal)

    def _make(self, name: str, proposal: Proposal) -> None:
        fields = {"id": name, "trigger": proposal.trigger, "domain": proposal.domain, "source": SOURCE}
        made = entries((), SOURCE, proposal, beginning, lambda: self.past(name))
        if not made:  # a person took it out, and nothing new speaks for it
            return
        data = markdown.compose(fields | self.home.fields(), proposal.title, proposal.action, made)
        item = Item(path_of(name), data, markdown.parse(data, name), "")
        self._put(item)
        self.made += 1
        self._tell(item.instinct, "new", None, proposal, len(made))

    def _entries(self, instinct: Instinct, proposal: Proposal, entry_of: EntryOf) -> list[Entry]:
        return entries(instinct.ledger, instinct.source, proposal, entry_of, lambda: self.past(instinct.id))

    def _record(self, item: Item, added: list[Entry], verb: str, proposal: Proposal) -> None:
        try:
            data = edit.record(item.data, added, item.as_written)
        except Invalid as full:
            self.outcome.refused.append((item.instinct.id, full.reason))
            return
        if data != item.data:
            changed = replace(item, data=data, instinct=markdown.parse(data))
            self._put(changed)
            self._tell(changed.instinct, verb, _confidence(item.instinct), proposal, len(added))

    def _put(self, item: Item) -> None:
        self.items[item.instinct.id] = item
        self.outcome.files[item.path] = item.data

    def _tell(self, instinct: Instinct, verb: str, before: int | None, proposal: Proposal, sessions: int) -> None:
        """One account for each instinct, also when it is both begun and confirmed in one run."""
        cited = tuple(one for shown in proposal.evidence for one in shown.observations)
        evidence = summary(proposal, verb, sessions)
        told = self.told.get(instinct.id)
        if told is not None:
            verb = min(told.verb, verb, key=_VERBS.index)
            before, cited = told.before, (*told.cited, *cited)
            evidence = told.evidence if evidence in told.evidence else f"{told.evidence}; {evidence}"
        self.told[instinct.id] = Learned(instinct.id, verb, before, _confidence(instinct), evidence, cited)


_VERBS = ("new", "contradicted", "confirmed")  # the first of them that applies is told


def _name(proposal: Proposal) -> str:
    return instinct_id(proposal.name, trigger=proposal.trigger, action=proposal.action, domain=proposal.domain)


def _apart(proposal: Proposal) -> str:
    return apart(_name(proposal), trigger=proposal.trigger, action=proposal.action)


def _says(instinct: Instinct, proposal: Proposal) -> bool:
    return similar.same(proposal.trigger, proposal.action, instinct.trigger, instinct.action)


def _is_of(instinct: Instinct, proposal: Proposal) -> bool:
    """Whether an instinct of the proposal's id is the proposal's. What was forgotten absorbs what comes for its id."""
    if instinct.forgotten or _says(instinct, proposal):
        return True
    return _shares_evidence(instinct, proposal) and not similar.contrary(proposal.action, instinct.action)


def _shares_evidence(instinct: Instinct, proposal: Proposal) -> bool:
    known = origins(instinct.ledger)
    return any(origin_of(shown, "confirmed") in known for shown in proposal.evidence)


def _is_open(instinct: Instinct) -> bool:
    """Whether evidence still matters: a person has neither archived nor forgotten it, or took that back."""
    return not instinct.forgotten and not is_put_away(live(instinct.ledger))


def _confidence(instinct: Instinct) -> int:
    """As the file says, or will say: on the day of its newest entry."""
    if not instinct.newest:
        return int(instinct.written["confidence"])
    return fold(instinct.ledger, instinct.source, instinct.newest).confidence
