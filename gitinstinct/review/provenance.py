"""Where a promotion says that it comes from: of each project that its commits name the newest word, and what that is
worth by the rule of `promote.provenance`.

The branch is judged as it stands: whatever commit put it in, it says what the promotions say and has no evidence beyond
theirs and that of `main`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from gitinstinct.git.repo import Repo
from gitinstinct.instinct.model import Instinct
from gitinstinct.promote import origin, provenance
from gitinstinct.promote.provenance import Doubt, Proof, Records
from gitinstinct.store.history import Logged


@dataclass(frozen=True, slots=True)
class Source:
    """One project that a promotion names.

    Attributes:
        project: its id, or the keyed hash of it.
        commit: the commit of the project's own `main`, as the message says it.
        picked: the promotion commit that was picked; empty if the message names none.
        fault: why that is no more than a claim; empty if it is verified.
    """

    project: str
    commit: str
    picked: str
    fault: str

    @property
    def is_verified(self) -> bool:
        """Whether the promotion commit is where it has to be and says the same."""
        return not self.fault


def records(repo: Repo, entries: Iterable[Logged]) -> Records:
    """The promotions that a store knows, for these commits. Errors as `Records`."""
    return Records(repo, origin.promoted(repo), entries)


def sources(known: Records, instinct: Instinct, ours: Instinct | None, entries: Sequence[Logged]) -> tuple[Source, ...]:
    """What the commits of a promotion say of where it comes from.

    Args:
        known: the promotions of projects, read for these commits.
        instinct: as the branch has it.
        ours: as `main` has it; None if it has none.
        entries: the branch's commits, newest first.
    """
    before = [ours] if ours else []
    proofs = [(entry, known.proof(entry, instinct.id)) for entry in entries if provenance.is_promotion(entry)]
    told: dict[str, Source] = {}
    for entry, proof in proofs:
        said = provenance.cited(entry)
        for project, commit in said.projects:
            picked = said.picked[-1] if said.picked else ""
            told.setdefault(project, Source(project, commit, picked, _fault(proof, instinct, before)))
    proved = [one for _, proof in proofs if isinstance(proof, Proof) for one in proof.instincts]
    more = provenance.surplus(instinct, [*before, *proved])  # somebody added to it on the way
    return tuple(replace(one, fault=one.fault or more) for one in told.values())


def _fault(proof: Proof | Doubt, instinct: Instinct, ours: Iterable[Instinct]) -> str:
    doubt = proof.disagreement(instinct, ours) if isinstance(proof, Proof) else proof
    return doubt.why if doubt else ""
