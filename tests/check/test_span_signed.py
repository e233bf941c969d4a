"""`--signed`: each commit of the range, by somebody whom the checker's own file names."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitinstinct.check.span import signed
from gitinstinct.check.span.judgement import Wanted
from gitinstinct.errors import UsageError
from gitinstinct.git import clone as clones
from gitinstinct.git.signatures import Signers
from tests.support.keys import Key, key, needs_ssh_keygen
from tests.support.proposals import TODAY, Proposal, proposal
from tests.support.repos import git

pytestmark = needs_ssh_keygen


@pytest.fixture
def proposed(tmp_path: Path) -> Proposal:
    return proposal(tmp_path / "clone")


@pytest.fixture
def ann(tmp_path: Path) -> Key:
    return key(tmp_path, "ann")


@pytest.fixture
def wanted(ann: Key, tmp_path: Path) -> Wanted:
    file = tmp_path / "signers"
    file.write_text(ann.line("ann@example.org"))
    return Wanted(TODAY, signers=Signers(file))


def test_a_range_that_is_signed_throughout(proposed: Proposal, ann: Key, wanted: Wanted) -> None:
    commits = [ann.commit(proposed.folder, "one"), ann.commit(proposed.folder, "two", author="Eve <eve@evil.org>")]
    judged = proposed.judge(wanted=wanted)
    assert judged.findings == ()
    assert {(one.commit, one.signer, one.author) for one in judged.signatures} == {
        (commits[0], "ann@example.org", "Ann <ann@example.org>"),
        (commits[1], "ann@example.org", "Eve <eve@evil.org>"),
    }


def test_a_signed_tip_says_nothing_of_what_is_below(proposed: Proposal, ann: Key, wanted: Wanted) -> None:
    git(proposed.folder, "commit", "-q", "--allow-empty", "-m", "unsigned")
    unsigned = proposed.git("rev-parse", "HEAD")
    ann.commit(proposed.folder)
    [finding] = proposed.judge(wanted=wanted).findings
    assert (finding.rule, finding.commit, finding.why) == ("signature", unsigned, "it is not signed")


def test_a_strangers_key_is_named(proposed: Proposal, wanted: Wanted, tmp_path: Path) -> None:
    commit = key(tmp_path, "bob").commit(proposed.folder)
    [finding] = proposed.judge(wanted=wanted).findings
    assert finding.commit == commit
    assert "does not have (SHA256:" in finding.why


def test_who_proposes_cannot_vouch_for_themselves(proposed: Proposal, ann: Key, tmp_path: Path) -> None:
    inside = proposed.folder / "signers"
    inside.write_text(ann.line("ann@example.org"))
    link = tmp_path / "signers"
    link.symlink_to(inside)
    with clones.opened(proposed.folder) as clone:
        assert clone is not None
        for file in (inside, link):
            with pytest.raises(UsageError, match="vouch for themselves"):
                signed.outside(file, clone)
        assert signed.outside(tmp_path / "elsewhere", clone) == tmp_path / "elsewhere"
