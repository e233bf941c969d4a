"""What two detectors make of the same observations, side by side. Nothing is written and nothing is consumed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from gitinstinct.config import Config
from gitinstinct.instinct import similar
from gitinstinct.observer import detectors, past, run
from gitinstinct.observer.past import Again, Range
from gitinstinct.observer.proposals import Proposal
from gitinstinct.observer.tally import Tally

if TYPE_CHECKING:
    from gitinstinct.capture.project import Project

Pair = tuple[Proposal, Proposal]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Both answers. `both` say the same, `contrary` the opposite; what qualified with one detector alone stands apart.

    `one` and `other` also tell what each has cost and refused.
    """

    one: Again
    other: Again
    both: tuple[Pair, ...]
    contrary: tuple[Pair, ...]
    only_one: tuple[Proposal, ...]
    only_other: tuple[Proposal, ...]


def compare(project: Project, now: datetime, config: Config, within: Range, names: tuple[str, str]) -> Comparison:
    """Shows both detectors the same range.

    Raises:
        DetectorFault: one of them could not answer.
        UsageError: there is none of a name.
    """
    return paired(*(_asked(project, now, config, within, name) for name in names))


def _asked(project: Project, now: datetime, config: Config, within: Range, name: str) -> Again:
    tally = Tally()
    return past.again(project, within, tally, detectors.make(name, config, run.setting(project, tally, now, name)))


def paired(one: Again, other: Again) -> Comparison:
    """Which proposals of two detectors say the same. A pair counts if one of the two has seen it often enough."""
    pairs = [
        (mine, theirs) for mine in one.proposals for theirs in other.proposals if mine.qualified or theirs.qualified
    ]
    both = tuple(pair for pair in pairs if _same(*pair))
    contrary = tuple(pair for pair in pairs if similar.contrary(pair[0].action, pair[1].action))
    return Comparison(
        one,
        other,
        both,
        contrary,
        _alone(one, {id(mine) for mine, _ in both}),
        _alone(other, {id(theirs) for _, theirs in both}),
    )


def _alone(answer: Again, known: set[int]) -> tuple[Proposal, ...]:
    return tuple(one for one in answer.proposals if one.qualified and id(one) not in known)


def _same(one: Proposal, other: Proposal) -> bool:
    return similar.same(one.trigger, one.action, other.trigger, other.action)
