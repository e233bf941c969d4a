"""What speaks for an instinct, short enough to decide by: the newest lines, how many, from whom, and the way up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gitinstinct.instinct.confidence import steps
from gitinstinct.instinct.ledger import COUNTING, Entry, live
from gitinstinct.instinct.shelf import Item
from gitinstinct.measure.persons import is_persons

NEWEST = 3
POINTS = 40
_SEEN = frozenset({"observed", "confirmed", "contradicted"})


@dataclass(frozen=True, slots=True)
class Point:
    """A confidence, in hundredths, on an ISO day."""

    day: str
    confidence: int


@dataclass(frozen=True, slots=True)
class Evidence:
    """The ledger in short.

    Attributes:
        newest: the newest lines that count, newest first.
        lines: how many count.
        sessions: how many of them are what one session showed; commands of people are not.
        confirmations, contradictions: how often it was seen, and how often the contrary.
        curve: the confidence after each step and as of today, oldest first; of very many some are left out.
    """

    newest: tuple[Entry, ...]
    lines: int
    sessions: int
    confirmations: int
    contradictions: int
    curve: tuple[Point, ...]


def of(item: Item, day: str) -> Evidence:
    """The evidence of an instinct as of an ISO day."""
    instinct, today = item.instinct, item.fold(day)
    counting = [entry for entry in live(instinct.ledger) if entry.kind in COUNTING]
    return Evidence(
        newest=tuple(sorted(counting, key=lambda entry: entry.order, reverse=True)[:NEWEST]),
        lines=len(counting),
        sessions=sum(entry.kind in _SEEN and not is_persons(entry, instinct.id) for entry in counting),
        confirmations=today.confirmations,
        contradictions=today.contradictions,
        curve=tuple(_some(_points(item, day), POINTS)),
    )


def _points(item: Item, day: str) -> list[Point]:
    """An unadopted file has no steps: it is worth what it says, and less for every week since."""
    made = [Point(step.entry.date, step.after) for step in steps(item.instinct.ledger, item.instinct.source)]
    if not item.instinct.adopted:
        made = [Point(item.as_written, item.fold(item.as_written).confidence)]
    return [*made, Point(day, item.fold(day).confidence)]


def _some(points: Sequence[Point], most: int) -> Sequence[Point]:
    """At most so many, evenly; the first and the last stay."""
    if len(points) <= most:
        return points
    return [points[place * (len(points) - 1) // (most - 1)] for place in range(most)]
