"""Signatures by real keys: good is what git calls good and ends with 0 for; everything else has its own name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gitinstinct.errors import UsageError
from gitinstinct.git import signatures
from gitinstinct.git.repo import Repo
from gitinstinct.git.signatures import Signers, Verdict, verify
from gitinstinct.git.signers import KeyRing
from tests.support.keys import Key, key, needs_ssh_keygen, tampered
from tests.support.repos import git, repository, script

pytestmark = needs_ssh_keygen


@pytest.fixture
def ann(tmp_path: Path) -> Key:
    return key(tmp_path, "ann")


@pytest.fixture
def signers(ann: Key, tmp_path: Path) -> Signers:
    file = tmp_path / "signers"
    file.write_text("# the team\n\n" + ann.line("ann@example.org"))
    return Signers(file)


def verdicts(repo: Repo, commits: list[str], signers: Signers) -> list[Verdict]:
    return [one.verdict for one in verify(repo, commits, signers)]


def test_each_kind_of_signature_has_its_verdict(repo: Repo, folder: Path, ann: Key, tmp_path: Path) -> None:
    bob, expired, gone, other = (key(tmp_path, name) for name in ("bob", "expired", "gone", "other"))
    file, revoked = tmp_path / "signers", tmp_path / "revoked"
    file.write_text(
        ann.line("ann@example.org")
        + expired.line("old@example.org", 'valid-before="20200101"')
        + gone.line("gone@example.org")
        + other.line("mail@example.org", 'namespaces="file"')
    )
    revoked.write_text(gone.public + "\n")
    git(folder, "commit", "-q", "--allow-empty", "-m", "unsigned")
    unsigned = git(folder, "rev-parse", "HEAD")
    good = ann.commit(folder, "by ann")
    bad = tampered(folder, good, b"by ann", b"by eve")
    armour = b"-----BEGIN SSH SIGNATURE-----"
    pgp, odd = (tampered(folder, good, armour, new) for new in (b"-----BEGIN PGP SIGNATURE-----", b"garbage"))
    twice = tampered(folder, good, b"\ngpgsig -----", b"\ngpgsig garbage\ngpgsig -----")
    cut = tampered(folder, good, b"-----END SSH", b"-----ENDE SSH")
    signed = [one.commit(folder) for one in (bob, expired, gone, other)]
    found = verify(repo, [unsigned, good, *signed, bad, pgp, odd, twice, cut], Signers(file, revoked))
    assert [one.verdict for one in found] == [
        Verdict.UNSIGNED, Verdict.GOOD, Verdict.UNKNOWN, Verdict.NOT_VALID, Verdict.REVOKED, Verdict.BAD,
        Verdict.BAD, Verdict.OTHER, Verdict.OTHER, Verdict.BAD, Verdict.BAD,
    ]  # fmt: skip
    assert [one.signer for one in found if one.signer] == ["ann@example.org"]
    assert found[1].key.startswith("SHA256:")


@pytest.mark.parametrize(
    ("old", "new"),
    [(b"-----END SSH", b"-----ENDE SSH"), (b"U1NIU0lH", b"U1NIU0lI"), (b"U1NIU0lH", b"%%%%"), (b"U1NIU0lH", b"")],
    ids=["cut", "another magic", "no base64", "a piece gone"],
)
def test_what_has_not_the_form_of_a_signature_is_bad_however_busy_the_machine(
    old: bytes, new: bytes, repo: Repo, folder: Path, ann: Key, signers: Signers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Git is killed by a broken pipe where ssh-keygen gives up before git has written all: it is not asked at all."""
    broken = tampered(folder, ann.commit(folder), old, new)
    monkeypatch.setattr(signatures, "_asked", lambda *_: pytest.fail("git was asked"))
    assert [one.verdict for one in verify(repo, [broken], signers)] == [Verdict.BAD]


def test_a_false_author_changes_nothing_of_the_signer(repo: Repo, folder: Path, ann: Key, signers: Signers) -> None:
    [found] = verify(repo, [ann.commit(folder, author="Mallory <m@evil.org>")], signers)
    assert (found.verdict, found.signer) == (Verdict.GOOD, "ann@example.org")


def test_no_program_and_no_setting_of_the_repository_has_a_say(
    repo: Repo, folder: Path, ann: Key, signers: Signers, tmp_path: Path
) -> None:
    commit, bob = ann.commit(folder), key(tmp_path, "bob")
    stranger = bob.commit(folder)
    canary = tmp_path / "canary"
    yes = script(
        tmp_path, "yes", f"echo x > {canary}\necho 'Good \"git\" signature for ann@example.org with X key SHA256:x'"
    )
    theirs = tmp_path / "theirs"
    theirs.write_text(bob.line("ann@example.org"))
    for name, value in {
        "gpg.ssh.program": yes, "gpg.program": yes, "gpg.ssh.allowedSignersFile": theirs, "gpg.minTrustLevel": "never"
    }.items():  # fmt: skip
        git(folder, "config", name, str(value))
    assert verdicts(repo, [commit, stranger], signers) == [Verdict.GOOD, Verdict.UNKNOWN]
    assert not canary.exists()


def test_without_ssh_keygen_nothing_is_good(
    repo: Repo, folder: Path, ann: Key, signers: Signers, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = ann.commit(folder)
    monkeypatch.setattr("shutil.which", lambda _: None)
    assert verdicts(repo, [commit], signers) == [Verdict.UNVERIFIED]


def test_a_program_that_fails_or_lies_makes_nothing_good(
    repo: Repo, folder: Path, ann: Key, signers: Signers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = ann.commit(folder)
    for body in ("exit 1", "exit 0", "echo nonsense", 'echo "Good \\"git\\" signature for x with"; exit 1'):
        program = script(tmp_path, "ssh-keygen", body)
        monkeypatch.setattr("shutil.which", lambda _, program=program: str(program))
        assert Verdict.GOOD not in verdicts(repo, [commit], signers), body


def test_many_are_asked_in_turns(
    repo: Repo, folder: Path, ann: Key, signers: Signers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signatures, "_AT_ONCE", 2)
    commits = [ann.commit(folder, str(number)) for number in range(3)]
    told: list[tuple[int, int]] = []
    found = verify(repo, commits, signers, lambda done, of: told.append((done, of)))
    assert [one.commit for one in found] == commits
    assert {one.verdict for one in found} == {Verdict.GOOD}
    assert told == [(2, 3), (3, 3)]


def test_sha256_repositories(tmp_path: Path, ann: Key, signers: Signers) -> None:
    repo = repository(tmp_path / "sha256", object_format="sha256")
    assert verdicts(repo, [ann.commit(tmp_path / "sha256")], signers) == [Verdict.GOOD]


@pytest.mark.parametrize("content", [None, "", "# nothing\n", "ann@example.org\n", "x" * (2 * 1024 * 1024)])
def test_a_file_of_signers_that_says_nothing(content: str | None, repo: Repo, tmp_path: Path) -> None:
    file = tmp_path / "signers"
    if content is not None:
        file.write_text(content)
    with pytest.raises(UsageError, match=re.escape(str(file))):
        verify(repo, [], Signers(file))


def test_the_keys_of_a_file(ann: Key, tmp_path: Path) -> None:
    file = tmp_path / "signers"
    file.write_text(f'"Ann Lee" cert-authority,valid-before="20300101Z" {ann.public} ann\nbob not-a-key AAAA\n')
    [found] = KeyRing.read(file).keys
    assert found.startswith("SHA256:")
    assert len(found) == len("SHA256:") + 43
