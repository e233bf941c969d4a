"""Moving refs: one transaction, each ref only from the value that was read. Nothing is ever moved by force.

A foreign git that was quicker is no error: the answer is False, and the caller looks again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gitinstinct.git import run
from gitinstinct.git.identity import Actor
from gitinstinct.git.repo import Repo, refs

_PATIENCE = ("-c", "core.filesRefLockTimeout=3000")  # milliseconds: a living git soon lets go of a ref


@dataclass(frozen=True, slots=True)
class Move:
    """One ref's step: from `old` (None: it must not exist) to `new` (None: it goes away)."""

    name: str
    old: str | None
    new: str | None

    def command(self) -> str:
        """The step in the language of `update-ref --stdin`."""
        if self.old is None:
            return f"create {self.name} {self.new}\n"
        if self.new is None:
            return f"delete {self.name} {self.old}\n"
        return f"update {self.name} {self.new} {self.old}\n"


def move(repo: Repo, moves: Sequence[Move], actor: Actor, reason: str) -> bool:
    """Makes all moves or none.

    The files on disk follow in the order given, so that a power cut between two leaves a beginning of the list.

    Args:
        moves: the steps.
        actor: whose name the reflog shows.
        reason: the reflog's line.

    Returns:
        False if a ref was no longer where it was read.

    Raises:
        GitError: git could not do it although the refs are where they were read (a lock that is left, no room).
    """
    steps = "".join(step.command() for step in moves)
    stdin = f"start\n{steps}prepare\ncommit\n".encode()
    try:
        repo.run(*_PATIENCE, "update-ref", "-m", run.clean(reason), "--stdin", stdin=stdin, env=actor.variables())
    except run.GitError:
        if _stands(repo, {step.name: step.old for step in moves}):
            raise
        return False
    return True


def _stands(repo: Repo, expected: Mapping[str, str | None]) -> bool:
    found = refs(repo, *expected)
    return all((ref.oid if (ref := found.get(name)) else None) == old for name, old in expected.items())
