"""Which instincts may reach a session, in which order, and why the others may not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, TypeVar

from gitinstinct.config import Inject
from gitinstinct.inject import block, facts, render
from gitinstinct.inject.facts import Facts
from gitinstinct.inject.pick import gone, pick
from gitinstinct.instinct import globs
from gitinstinct.instinct.confidence import Fold
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.model import Instinct
from gitinstinct.instinct.shelf import Item, Shelf
from gitinstinct.measure import texts
from gitinstinct.trust.book import Book
from gitinstinct.trust.standing import ALL, REJECTED, REVIEW, WAITING

PROJECT = "project"
SHADOWED = "the project has one of that id"
ONLY_PATHS = "only where its paths match"


@dataclass(frozen=True, slots=True)
class Rules:
    """What decides beside the instincts themselves: settings, consent, verdicts.

    `held_back`: id → hashes of its words that measuring holds back, and why. `settled`: (id, hash) → the models with
    which nothing is left to find out.
    """

    settings: Inject = field(default_factory=Inject)
    book: Book = field(default_factory=Book)
    policy: str = REVIEW
    held_back: Mapping[str, Sequence[tuple[str, str]]] = field(default_factory=dict)
    settled: Mapping[tuple[str, str], Sequence[str]] = field(default_factory=dict)


class Known(NamedTuple):
    """An instinct of a store, as far as it decides: its id, the scope of its store, what it is worth today."""

    scope: str
    id: str
    facts: Facts
    confidence: int
    status: str

    @property
    def rank(self) -> tuple[int, int, str]:
        """The surest first; of equally sure ones what was seen more often."""
        return (-self.confidence, -self.facts.seen, self.id)


class Candidate(NamedTuple):
    """The same, read in full."""

    scope: str
    id: str
    facts: Facts
    confidence: int
    status: str
    item: Item
    fold: Fold

    @property
    def rank(self) -> tuple[int, int, str]:
        """As that of `Known`."""
        return (-self.confidence, -self.facts.seen, self.id)


K = TypeVar("K", Known, Candidate)


@dataclass(frozen=True, slots=True)
class LeftOut(Generic[K]):
    """An instinct that is not injected, and the reason in a few words."""

    candidate: K
    reason: str


@dataclass(frozen=True, slots=True)
class Selection:
    """What a session start gets, in order, and everything else."""

    chosen: tuple[Candidate, ...]
    left_out: tuple[LeftOut[Candidate], ...]


def candidates(shelves: Iterable[tuple[str, Shelf]], day: str) -> list[Candidate]:
    """Every readable instinct of several stores (scope and shelf), judged as of a day."""
    return [candidate(scope, item, day) for scope, shelf in shelves for item in shelf.items.values()]


def candidate(scope: str, item: Item, day: str) -> Candidate:
    """An instinct that was read in full, judged as of a day."""
    found, fold = facts.of(item.instinct, item.as_written), item.fold(day)
    return Candidate(scope, item.instinct.id, found, fold.confidence, fold.status, item, fold)


def ranked(found: Iterable[K], rules: Rules) -> tuple[list[K], list[LeftOut[K]]]:
    """(those that a session may get, the surest first; the others, each with its reason)."""
    every = list(found)
    ours = {one.id for one in every if one.scope == PROJECT}
    fit: list[K] = []
    left: list[LeftOut[K]] = []
    for one in every:
        reason = SHADOWED if one.scope != PROJECT and one.id in ours else unfit(one, rules)
        if reason:
            left.append(LeftOut(one, reason))
        else:
            fit.append(one)
    return sorted(fit, key=_rank), left


def _rank(one: K) -> tuple[int, int, str]:
    return one.rank


def unfit(one: Known | Candidate, rules: Rules) -> str:
    """Why it may not be injected at all; "" if it may."""
    settings, text = rules.settings, one.facts.text
    if not settings.enabled:
        return "injection is switched off in config.yaml"
    if one.status != "active":
        return one.status
    if one.facts.fault:
        return one.facts.fault
    if one.confidence < settings.threshold:
        return f"below {settings.threshold / 100:.2f}"
    verdicts = rules.held_back.get(one.id, ())
    return _not_consented(text, rules) or next((why for words, why in verdicts if texts.same(words, text)), "")


def _not_consented(text: str, rules: Rules) -> str:
    if text in rules.book.rejected:
        return REJECTED
    return "" if rules.policy == ALL or text in rules.book.approved else f"{WAITING} for review"


def lost(instinct: Instinct, root: str, search: str) -> str:
    """What an instinct stands on and is gone in a project; "" if it stands. Arguments as `select`."""
    try:
        anchors = facts.anchors(instinct)
    except Invalid:
        return ""
    return gone({"anchors": anchors, "roots": globs.roots(list(instinct.paths))}, root, search)


def waiting(left: Iterable[LeftOut[K]]) -> int:
    """How many wait for review and would be injected if they did not."""
    return sum(one.reason.startswith(WAITING) for one in left)


def entries(found: Iterable[Candidate]) -> list[dict[str, Any]]:
    """The same as the hook knows them."""
    return [render.entry(one.scope, one.item.instinct, one.confidence, one.facts.text) for one in found]


def select(
    found: Iterable[Candidate],
    rules: Rules,
    *,
    known: Mapping[str, str] | None = None,
    root: str = "",
    search: str = "",
) -> Selection:
    """What a session start gets: whole items, the surest first, as many as the number and the characters allow.

    Args:
        found: from all stores.
        rules: settings, consent, verdicts.
        known: id → hash of the words that the session has had.
        root: the project's folder.
        search: the folders of programs, as in `PATH`.
    """
    fit, left = ranked(found, rules)
    anywhere = [one for one in fit if not one.facts.pathed]
    left += [LeftOut(one, ONLY_PATHS) for one in fit if one.facts.pathed]
    made = entries(anywhere)
    behind = {id(entry): one for entry, one in zip(made, anywhere, strict=True)}
    settings = rules.settings
    chosen, rest = pick(made, settings.most, min(settings.budget, block.ROOM), known or {}, root, search)
    left += [LeftOut(behind[id(entry)], reason) for entry, reason in rest]
    return Selection(tuple(behind[id(entry)] for entry in chosen), tuple(left))
