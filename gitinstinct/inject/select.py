"""Which instincts a session start gets, and why the others do not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gitinstinct.config import Inject
from gitinstinct.inject import render
from gitinstinct.instinct.confidence import Fold
from gitinstinct.instinct.shelf import Item, Shelf

SHADOWED = "the project has one of that id"


@dataclass(frozen=True, slots=True)
class Candidate:
    """An instinct with the scope of its store and what its evidence is worth today."""

    scope: str
    item: Item
    fold: Fold

    @property
    def rank(self) -> tuple[int, int, str]:
        """The surest first; of equally sure ones what was seen more often."""
        return (-self.fold.confidence, -self.fold.confirmations, self.item.instinct.id)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An instinct that is not injected, and the reason in a few words."""

    candidate: Candidate
    reason: str


@dataclass(frozen=True, slots=True)
class Selection:
    """What a session start gets, in order, and everything else."""

    chosen: tuple[Candidate, ...]
    left_out: tuple[LeftOut, ...]


def candidates(shelves: Iterable[tuple[str, Shelf]], day: str) -> list[Candidate]:
    """Every readable instinct of several stores (scope and shelf), judged as of a day."""
    return [Candidate(scope, item, item.fold(day)) for scope, shelf in shelves for item in shelf.items.values()]


def select(found: Iterable[Candidate], settings: Inject) -> Selection:
    """Chooses whole items, the surest first, as many as the number and the characters allow.

    Args:
        found: from all stores.
        settings: threshold, number and budget.
    """
    chosen: list[Candidate] = []
    left_out: list[LeftOut] = []
    room = settings.budget
    seen: set[str] = set()
    for candidate in sorted(found, key=lambda candidate: (candidate.scope != "project", candidate.rank)):
        reason = SHADOWED if candidate.item.instinct.id in seen else _unfit(candidate, settings)
        seen.add(candidate.item.instinct.id)
        if reason:
            left_out.append(LeftOut(candidate, reason))
        else:
            chosen.append(candidate)
    ranked = sorted(chosen, key=lambda candidate: candidate.rank)
    chosen = []
    for candidate in ranked:
        size = len(render.line(candidate.scope, candidate.item, candidate.fold.confidence)) + 1
        if len(chosen) >= settings.most:
            left_out.append(LeftOut(candidate, f"beyond the first {settings.most}"))
        elif size > room:
            left_out.append(LeftOut(candidate, f"does not fit into {settings.budget} characters"))
        else:
            room -= size
            chosen.append(candidate)
    return Selection(tuple(chosen), tuple(left_out))


def _unfit(candidate: Candidate, settings: Inject) -> str:
    """Why it may not be injected at a session start at all; "" if it may."""
    instinct, today = candidate.item.instinct, candidate.fold
    if not settings.enabled:
        return "injection is switched off in config.yaml"
    if today.status != "active":
        return today.status
    if candidate.item.held:
        return candidate.item.held
    if today.confidence < settings.threshold:
        return f"below {settings.threshold / 100:.2f}"
    if not instinct.action:
        return "it has no action"
    if instinct.paths:
        return "only where its paths match"
    return ""
