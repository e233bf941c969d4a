"""What is known of each instinct that is measured: numbers that were counted, and nothing else."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from gitinstinct import paths
from gitinstinct.measure import assigned, process, texts, verdicts
from gitinstinct.measure.decision import Decision, Verdict, sessions_left
from gitinstinct.measure.persons import may_withhold
from gitinstinct.measure.shelves import Shelves, owner
from gitinstinct.measure.strata import Stratum, gather

LATELY = timedelta(days=7)


class Lately(NamedTuple):
    """How often, in the last days, a session would have got something on probation, and how often it went without."""

    eligible: int
    withheld: int


def lately(owners: Collection[str], now: datetime) -> Lately:
    """What was withheld lately in the sessions of these projects, of all if none is named."""
    found = [
        line.withheld
        for project in assigned.projects()
        if not owners or owner(project, "project") in owners
        for line in assigned.read(project).lines
        if line.probation and now - line.at <= LATELY
    ]
    return Lately(len(found), sum(found))


@dataclass(frozen=True, slots=True)
class Said:
    """An estimate: how many prompts of an arm's sessions corrected the agent, by their words."""

    prompts: int
    corrections: int


@dataclass(frozen=True, slots=True)
class Row:
    """One test.

    Attributes:
        stratum: which, with its sessions.
        is_current: whether the instinct still has these words.
        is_theirs: whether it is a person's, and therefore never withheld.
        held: `quarantined` or `inert` if it is held back.
        holds_together: whether a HELPS or HARMS holds when all tests are looked at at once; None for other verdicts.
        said: what was said in the sessions with it, and without.
    """

    stratum: Stratum
    is_current: bool
    is_theirs: bool
    held: str
    holds_together: bool | None
    said: tuple[Said, Said]

    @property
    def decision(self) -> Decision:
        """The verdict, and what it rests on."""
        return self.stratum.decision

    @property
    def left(self) -> int | None:
        """About how many sessions it still takes; None where there is no telling."""
        return sessions_left(self.decision)

    @property
    def scope(self) -> str:
        """Whose it is."""
        return paths.GLOBAL if self.stratum.owner == paths.GLOBAL else "project"


def rows(owners: Collection[str] = ()) -> list[Row]:
    """What is known of the instincts of these owners (project ids, `global`), of all if none is named."""
    strata, shelves = gather(), Shelves()
    together = _together(strata)
    held = {
        (str(one["owner"]), str(one["instinct"]), str(one["text"]), str(one["model"])): str(one.get("held") or "")
        for one in verdicts.load()
    }
    return [
        _row(stratum, shelves, held.get((*stratum.words, stratum.model), ""), holds)
        for stratum, holds in zip(strata, together, strict=True)
        if not owners or stratum.owner in owners
    ]


def _together(strata: Sequence[Stratum]) -> list[bool | None]:
    """All tests on this machine at once, for each direction."""
    decisions = [stratum.decision for stratum in strata]
    helps = process.together([one.evidence.helps for one in decisions])
    harms = process.together([one.evidence.harms for one in decisions])
    return [
        {Verdict.HELPS: good, Verdict.HARMS: bad}.get(one.verdict)
        for one, good, bad in zip(decisions, helps, harms, strict=True)
    ]


def _row(stratum: Stratum, shelves: Shelves, held: str, together: bool | None) -> Row:
    instinct = shelves.current(stratum.owner, stratum.instinct)
    is_current = instinct is not None and texts.same(texts.of(instinct), stratum.text)
    is_theirs = instinct is not None and not may_withhold(instinct)
    return Row(stratum, is_current, is_theirs, held, together, (_said(stratum, False), _said(stratum, True)))


def _said(stratum: Stratum, withheld: bool) -> Said:
    found = [outcome for line, outcome in stratum.sessions if line.withheld is withheld]
    return Said(sum(one.prompts for one in found), sum(one.corrections for one in found))
