"""Whether each commit of a range is signed by somebody who may, and who that is.

Each of them, not the newest alone: a signed commit on top says nothing of those below. What counts is the signer; the
author is a line of text that anybody can write.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gitinstinct.check.rules import Finding, Found, told
from gitinstinct.errors import UsageError
from gitinstinct.git.clone import Clone
from gitinstinct.git.repo import Repo
from gitinstinct.git.signatures import Signature, Signers, Verdict, verify
from gitinstinct.store.history import Logged

_WHY = {
    Verdict.UNSIGNED: "it is not signed",
    Verdict.UNKNOWN: "it is signed by a key that the file of allowed signers does not have",
    Verdict.NOT_VALID: "it is signed by a key that was not valid then: expired, or not valid yet",
    Verdict.REVOKED: "it is signed by a key that is revoked",
    Verdict.BAD: "its signature does not fit it, or is by a key for another purpose",
    Verdict.OTHER: "its signature is not made by an SSH key, and only those can be verified here",
    Verdict.UNVERIFIED: "its signature could not be verified; is ssh-keygen on PATH?",
}


@dataclass(frozen=True, slots=True)
class Signed:
    """A commit, what its signature is worth, and the author that it claims."""

    commit: str
    verdict: str
    signer: str
    key: str
    author: str


def outside(file: Path, clone: Clone) -> Path:
    """A file of signers that does not lie in what is checked.

    Raises:
        UsageError: it does, so that whoever proposes a change could vouch for themselves.
    """
    place = file.expanduser().resolve()
    if clone.work_tree is not None and place.is_relative_to(clone.work_tree):
        message = f"{file} lies in the repository that is checked: who may change it would vouch for themselves"
        raise UsageError(message, "keep the file of allowed signers elsewhere")
    return place


def look(
    repo: Repo, entries: Sequence[Logged], signers: Signers, progress: Callable[[int, int], None] | None
) -> tuple[list[Signed], list[Finding]]:
    """Who signed each commit, and those that nobody did who may.

    Raises:
        UsageError: the file of signers cannot be used.
        GitError: a commit cannot be read.
    """
    by_id = {entry.commit: entry for entry in entries}
    found = verify(repo, list(by_id), signers, progress)
    wrong = [_told(one) for one in found if one.verdict is not Verdict.GOOD]
    return [_signed(one, by_id) for one in found], wrong


def _told(one: Signature) -> Finding:
    key = f" ({one.key})" if one.key and one.verdict in (Verdict.UNKNOWN, Verdict.NOT_VALID) else ""
    return told(Found("signature", None, f"{_WHY[one.verdict]}{key}", commit=one.commit), "")


def _signed(one: Signature, by_id: Mapping[str, Logged]) -> Signed:
    entry = by_id[one.commit]
    return Signed(one.commit, str(one.verdict), one.signer, one.key, f"{entry.author} <{entry.mail}>")
