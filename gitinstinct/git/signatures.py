"""Who signed a commit, as git itself verifies it against a file of allowed signers.

A signature is good if git calls it `G` and `verify-commit` ends with 0: for keys that nobody knows, and for expired
ones, it prints "Good signature" as well. Only signatures by SSH keys count, because only for those a plain file says
who is who; nothing is ever asked of a person's key ring, and no program that a config names is started.

What kind of signature a commit has is read from the commit first: one of no known kind is fatal for a whole `git log`.
So is one that ssh-keygen gives up on before it has read what was signed, where git was quicker and is killed by the
broken pipe (2.39); therefore what has not even the form of a signature is never put to it.
"""

from __future__ import annotations

import base64
import binascii
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from gitinstinct.git.repo import Repo, text
from gitinstinct.git.run import GitError
from gitinstinct.git.signers import KeyRing

_HEADER = re.compile(rb"^gpgsig(?:-sha256)? (.*(?:\n .*)*)$", re.MULTILINE)
_SSH = b"-----BEGIN SSH SIGNATURE-----\n"
_ARMOUR = re.compile(_SSH + rb"([A-Za-z0-9+/=\n]+)\n-----END SSH SIGNATURE-----\n?")
_MAGIC = b"SSHSIG"  # of the blob in the armour, see PROTOCOL.sshsig of OpenSSH
_FORM = "--format=%H%x00%G?%x00%GS%x00%GF"
_AT_ONCE = 50  # each starts ssh-keygen twice or more


class Verdict(StrEnum):
    """What is known of a commit's signature."""

    GOOD = "good"
    UNSIGNED = "unsigned"
    UNKNOWN = "unknown key"
    NOT_VALID = "key not valid then"
    REVOKED = "revoked key"
    BAD = "bad signature"
    OTHER = "no SSH signature"
    UNVERIFIED = "not verified"


@dataclass(frozen=True, slots=True)
class Signature:
    """A commit's signature: the verdict; the signer as the file of signers calls them; the key's fingerprint."""

    commit: str
    verdict: Verdict
    signer: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class Signers:
    """Who may sign: a file of allowed signers, and one of revoked keys, both of the person who checks."""

    allowed: Path
    revoked: Path | None = None


def verify(
    repo: Repo, commits: Sequence[str], signers: Signers, progress: Callable[[int, int], None] | None = None
) -> list[Signature]:
    """The signature of each commit, in order.

    Raises:
        GitError: a commit cannot be read.
        UsageError: the file of signers cannot be read.
    """
    ring, program = KeyRing.read(signers.allowed), shutil.which("ssh-keygen")
    found: dict[str, Signature] = {}
    for at in range(0, len(commits), _AT_ONCE):
        some = commits[at : at + _AT_ONCE]
        found |= _kinds(repo, some)
        signed = [commit for commit in some if found[commit].verdict is Verdict.UNVERIFIED]
        if program is not None:
            found |= {one.commit: one for one in _judged(repo, signed, signers, ring, program)}
        if progress is not None:
            progress(at + len(some), len(commits))
    return [found[commit] for commit in commits]


def _kinds(repo: Repo, commits: Sequence[str]) -> dict[str, Signature]:
    """What the commits themselves say: a signature by an SSH key is not verified yet."""
    stdin = "".join(commit + "\n" for commit in commits).encode()
    out, at, found = repo.run("cat-file", "--buffer", "--batch", stdin=stdin).out, 0, {}
    for commit in commits:
        end = out.index(b"\n", at)
        size = int(out[at:end].split(b" ")[-1])
        headers = out[end + 1 : end + 1 + size].partition(b"\n\n")[0]
        found[commit] = Signature(commit, _kind(_HEADER.findall(headers)))
        at = end + 1 + size + 1
    return found


def _kind(signatures: Sequence[bytes]) -> Verdict:
    if not signatures:
        return Verdict.UNSIGNED
    if len(signatures) > 1:  # which of them counts is for nobody to guess
        return Verdict.BAD
    signature = signatures[0].replace(b"\n ", b"\n")
    if not signature.startswith(_SSH):
        return Verdict.OTHER
    return Verdict.UNVERIFIED if _has_form(signature) else Verdict.BAD


def _has_form(signature: bytes) -> bool:
    """Whether it is armoured as SSH signatures are, around a blob that begins as theirs do."""
    found = _ARMOUR.fullmatch(signature)
    try:
        return found is not None and base64.b64decode(found[1].replace(b"\n", b""), validate=True).startswith(_MAGIC)
    except binascii.Error:
        return False


def _judged(repo: Repo, commits: Sequence[str], signers: Signers, ring: KeyRing, program: str) -> Iterator[Signature]:
    if not commits:
        return
    judged = list(_asked(repo, commits, signers, program))
    bad = [one.commit for one in judged if one.verdict is Verdict.BAD]
    known = {one.commit: one.verdict for one in _asked(repo, bad, Signers(signers.allowed), program)} if bad else {}
    good = [one.commit for one in judged if one.verdict is Verdict.GOOD]
    confirmed = set(good if _confirms(repo, good, signers, program) else _one_by_one(repo, good, signers, program))
    for one in judged:
        verdict = one.verdict
        if verdict is Verdict.BAD and signers.revoked and known[one.commit] is not Verdict.BAD:
            verdict = Verdict.REVOKED
        elif verdict is Verdict.UNKNOWN and one.key in ring.keys:
            verdict = Verdict.NOT_VALID
        elif verdict is Verdict.GOOD and one.commit not in confirmed:
            verdict = Verdict.UNVERIFIED
        yield Signature(one.commit, verdict, one.signer if verdict is Verdict.GOOD else "", one.key)


_LETTERS = {"G": Verdict.GOOD, "U": Verdict.UNKNOWN, "B": Verdict.BAD, "N": Verdict.BAD}


def _asked(repo: Repo, commits: Sequence[str], signers: Signers, program: str) -> Iterator[Signature]:
    """What git says. Where it dies of one of them, nothing is known of that one."""
    try:
        yield from _read(repo, commits, signers, program)
    except GitError:
        for commit in commits if len(commits) > 1 else ():
            yield from _asked(repo, [commit], signers, program)
        if len(commits) == 1:
            yield Signature(commits[0], Verdict.UNVERIFIED)


def _read(repo: Repo, commits: Sequence[str], signers: Signers, program: str) -> Iterator[Signature]:
    stdin = "".join(commit + "\n" for commit in commits).encode()
    flags = ("log", "-z", "--no-walk=unsorted", "--stdin", _FORM)
    fields = text(repo.run(*_settings(signers, program), *flags, stdin=stdin).out).split("\0")
    for at in range(0, len(fields) - 3, 4):
        commit, letter, signer, key = fields[at : at + 4]
        yield Signature(commit.strip(), _LETTERS.get(letter, Verdict.UNVERIFIED), signer, key)


def _confirms(repo: Repo, commits: Sequence[str], signers: Signers, program: str) -> bool:
    """Whether git's own verdict, its exit code, is good for all of them."""
    asked = ("verify-commit", "--", *commits)
    return not commits or repo.run(*_settings(signers, program), *asked, expect=range(256)).code == 0


def _one_by_one(repo: Repo, commits: Sequence[str], signers: Signers, program: str) -> Iterator[str]:
    return (commit for commit in commits if _confirms(repo, [commit], signers, program))


def _settings(signers: Signers, program: str) -> list[str]:
    """On the command line, so that no config has a say."""
    wanted = {
        "gpg.format": "ssh",
        "gpg.minTrustLevel": "fully",
        "gpg.program": "false",
        "gpg.x509.program": "false",
        "gpg.ssh.program": program,
        "gpg.ssh.allowedSignersFile": str(signers.allowed.resolve()),
        "gpg.ssh.revocationFile": str(signers.revoked.resolve()) if signers.revoked else "",
    }
    return [part for name, value in wanted.items() if value for part in ("-c", f"{name}={value}")]
