"""Promotions in a range: what they cite is compared with what is there, and nothing else comes along."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitinstinct.check.rules import Severity
from gitinstinct.check.span.provenance import Promotion
from gitinstinct.promote import origin
from tests.support import files
from tests.support.mates import GENESIS
from tests.support.promotions import processes
from tests.support.proposals import OTHER, SECOND, Proposal, confirmed, proposal

PROJECT = "e5c363015306"
NAME = "use-uv"
PATH = f"instincts/{NAME}.md"
DATA = files.made(NAME, "when installing", "Use `uv`.")
REF = origin.ref(PROJECT, NAME)
OWN = "9" * 40  # of the project's own main, which nobody else has


@pytest.fixture
def proposed(tmp_path: Path) -> Proposal:
    return proposal(tmp_path / "clone")


def source(proposed: Proposal, data: bytes = DATA, ref: str = REF) -> str:
    """The project's own promotion commit, on its ref."""
    proposed.git("checkout", "-q", "--detach", GENESIS)
    commit = proposed.commit({PATH: data}, message())
    proposed.on("feature")
    if ref:
        proposed.git("update-ref", ref, commit)
    return commit


def message(*picked: str, name: str = NAME, own: str = OWN) -> str:
    """What `promote` and git's `cherry-pick -x` write; the trailer names a commit that only the project has."""
    block = [f"Instinct: {name} promoted 0.85", f"Promoted-From: {PROJECT} {own}"]
    block += [f"(cherry picked from commit {one})" for one in picked]
    return f"promote: {name}\n\n" + "\n".join(block) + "\n"


def test_what_is_there_is_verified(proposed: Proposal) -> None:
    cited = source(proposed)
    commit = proposed.commit({PATH: DATA}, message(cited))
    judged = proposed.judge()
    assert judged.findings == ()
    assert judged.promotions == (Promotion(commit, (NAME,), (PROJECT,), verified=True),)


def test_an_earlier_promotion_of_the_same_is_there_as_well(proposed: Proposal) -> None:
    cited = source(proposed)
    proposed.git("checkout", "-q", "--detach", cited)
    proposed.git("update-ref", REF, proposed.commit({PATH: confirmed(DATA, 1)}, message()))
    proposed.on("feature")
    proposed.commit({PATH: DATA}, message(cited))
    assert proposed.judge().promotions[0].verified


def test_evidence_of_the_global_store_itself_needs_no_source(proposed: Proposal) -> None:
    proposed.on("main")
    proposed.commit({PATH: confirmed(DATA, 5, who="global")}, "known here")
    proposed.git("checkout", "-q", "-B", "feature")
    cited = source(proposed, confirmed(DATA, 1))
    both = confirmed(confirmed(DATA, 5, who="global"), 1)
    proposed.commit({PATH: both}, message(cited))
    assert proposed.judge().findings == ()
    assert proposed.judge().promotions[0].verified


def test_what_is_not_there_is_a_claim(proposed: Proposal) -> None:
    commit = proposed.commit({PATH: DATA}, message(source(proposed, ref="")))
    judged = proposed.judge()
    [finding] = judged.findings
    assert (finding.rule, finding.severity, finding.commit) == ("claimed-provenance", Severity.WARNING, commit)
    assert "a claim" in finding.why
    assert not judged.promotions[0].verified


def false(proposed: Proposal) -> str:
    [finding] = proposed.errors()
    assert finding.rule == "false-provenance"
    assert not proposed.judge().promotions[0].verified
    return finding.why


def test_evidence_that_the_source_does_not_have(proposed: Proposal) -> None:
    proposed.commit({PATH: confirmed(DATA, 1, 2, 3)}, message(source(proposed)))
    assert false(proposed) == "it has evidence that no promotion has: 2026-11-10 confirmed 1, and 2 more"


def test_evidence_that_the_source_has_and_the_promotion_lacks(proposed: Proposal) -> None:
    cited = source(proposed, confirmed(DATA, 1))
    proposed.commit({PATH: DATA}, message(cited))
    assert false(proposed) == f"it lacks evidence {cited[:10]} has"


def test_a_commit_that_is_not_on_the_ref_of_its_project(proposed: Proposal) -> None:
    source(proposed)
    other = source(proposed, confirmed(DATA, 1), ref="")
    proposed.commit({PATH: confirmed(DATA, 1)}, message(other))
    assert "is none of that project's promotions" in false(proposed)


def test_a_source_that_holds_no_such_file(proposed: Proposal) -> None:
    source(proposed)
    proposed.git("checkout", "-q", "--detach", GENESIS)
    empty = proposed.commit({"README.md": "x\n"}, message())
    proposed.git("update-ref", REF, empty)
    proposed.on("feature")
    proposed.commit({PATH: DATA}, message(empty))
    assert "has no instincts/use-uv.md" in false(proposed)


def test_other_words_than_the_sources(proposed: Proposal) -> None:
    proposed.commit({PATH: DATA.replace(b"Use `uv`.", b"Use `vu`.")}, message(source(proposed)))
    assert "other words than" in false(proposed)


def test_words_that_a_commit_below_put_in_are_not_those_of_main(proposed: Proposal) -> None:
    cited, other = source(proposed), DATA.replace(b"Use `uv`.", b"Use `vu`.")
    proposed.commit({PATH: other}, "tweak")
    proposed.commit({PATH: other + b"\n"}, message(cited))
    assert "other words than" in false(proposed)


def test_words_that_a_curator_gave_it_on_main_stand(proposed: Proposal) -> None:
    cited, curated = source(proposed), DATA.replace(b"Use `uv`.", b"Use `uv` here.")
    proposed.on("main")
    proposed.commit({PATH: curated.rpartition(b"\n- ")[0] + b"\n"}, "edit")
    proposed.git("checkout", "-q", "-B", "feature")
    proposed.commit({PATH: curated}, message(cited))
    assert proposed.judge().promotions[0].verified
    assert [one.rule for one in proposed.judge(f"{GENESIS}..feature").findings if "provenance" in one.rule] == []


def test_another_origin_than_the_source_tells(proposed: Proposal) -> None:
    proposed.commit({PATH: DATA}, message(source(proposed), own="8" * 40))
    assert "comes from elsewhere" in false(proposed)


def test_of_several_picks_the_last_one_counts(proposed: Proposal) -> None:
    proposed.commit({PATH: DATA}, message("1" * 40, source(proposed)))
    assert proposed.judge().promotions[0].verified


def test_a_squash_by_a_host_cites_several_and_is_verified(proposed: Proposal) -> None:
    first = source(proposed)
    proposed.git("checkout", "-q", "--detach", GENESIS)
    second = proposed.commit({PATH: confirmed(DATA, 1)}, message().replace(PROJECT, "0123456789ab"))
    proposed.git("update-ref", origin.ref("0123456789ab", NAME), second)
    proposed.on("feature")
    text = f"Promote {NAME} (#7)\n\n* {message(second).replace(PROJECT, '0123456789ab')}\n* {message(first)}"
    proposed.commit({PATH: confirmed(DATA, 1)}, text)
    judged = proposed.judge()
    assert [one.rule for one in judged.findings] == ["loose-trailer"]
    assert judged.promotions[0].verified
    proposed.commit({PATH: confirmed(DATA, 1, 2)}, text)  # what none of them has
    assert [one.rule for one in proposed.errors()] == ["false-provenance"]


def test_a_pick_of_a_commit_that_is_nowhere(proposed: Proposal) -> None:
    source(proposed)
    proposed.commit({PATH: DATA}, message("1" * 40))
    assert "1111111111 is none of that project's promotions" in false(proposed)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"promote: {NAME}\n\nInstinct: {NAME} promoted 0.85\n", "lacks the one line `Promoted-From: PROJECT COMMIT`"),
        (message().replace(PROJECT, "my project"), "lacks the one line `Promoted-From: PROJECT COMMIT`"),
        (message(), "lacks the line `(cherry picked from commit"),
        (f"promote: {NAME}\n\n(cherry picked from commit {'1' * 40})\n", "does not name the one instinct"),
        (message("1" * 40).replace("Promoted-From", "Instinct"), "does not name the one instinct"),
        (message().replace("promote: ", "learn: "), "lacks the line `(cherry picked from commit"),
    ],
)
def test_what_a_promotion_must_say(text: str, why: str, proposed: Proposal) -> None:
    proposed.commit({PATH: DATA}, text)
    [finding] = [one for one in proposed.errors() if one.rule == "no-provenance"]
    assert why in finding.why


@pytest.mark.parametrize("path", [OTHER, "README.md", ".github/workflows/gitinstinct.yml", "evolved/x.md"])
def test_nothing_comes_along_with_a_promotion(path: str, proposed: Proposal) -> None:
    proposed.commit({PATH: DATA}, message(source(proposed)))
    proposed.commit({path: confirmed(SECOND, 1) if path == OTHER else "name: x\n"}, "and this")
    assert (path, "second-file") in [(one.file, one.rule) for one in proposed.errors()]


def test_a_range_from_the_beginning_is_no_proposal_and_a_branch_from_there_is(proposed: Proposal) -> None:
    proposed.commit({PATH: DATA}, message(source(proposed)))
    assert proposed.found(f"{GENESIS}..feature") == []
    proposed.git("checkout", "-q", "-B", "feature", GENESIS)
    proposed.commit({PATH: DATA}, message(source(proposed)))
    proposed.git("checkout", "-q", "main", "--", "store.yaml")
    proposed.commit({OTHER: SECOND}, "and this")
    assert {one.file for one in proposed.errors() if one.rule == "second-file"} == {OTHER, "store.yaml"}


def test_two_promotions_name_two_instincts(proposed: Proposal) -> None:
    proposed.commit({PATH: DATA}, message(source(proposed)))
    proposed.commit({OTHER: confirmed(SECOND, 1)}, message("2" * 40, name="run-tests"))
    assert [one.rule for one in proposed.judge().findings] == ["claimed-provenance"]


# --- what stands in the tree beyond them


@pytest.mark.parametrize("when", ["above", "below"])
def test_evidence_that_no_promotion_brought_is_found_wherever_it_was_put_in(when: str, proposed: Proposal) -> None:
    cited, forged = source(proposed), confirmed(DATA, 1, 2)
    if when == "below":
        proposed.commit({PATH: forged}, "tweak")
    proposed.commit({PATH: DATA if when == "above" else forged + b"\n"}, message(cited))
    proposed.commit({PATH: forged}, "tweak")
    [finding] = proposed.errors()
    assert (finding.rule, finding.file) == ("unpromoted-evidence", PATH)
    assert finding.why.endswith("evidence that no promotion has: 2026-11-10 confirmed 1, and 1 more")
    assert proposed.judge().promotions[0].verified  # what it says itself is true


def test_words_that_no_promotion_has_are_told(proposed: Proposal) -> None:
    proposed.commit({PATH: DATA}, message(source(proposed)))
    proposed.commit({PATH: DATA.replace(b"Use `uv`.", b"Use nothing.")}, "tweak")
    [finding] = proposed.judge().findings
    assert (finding.rule, finding.severity) == ("unpromoted-words", Severity.WARNING)


def test_evidence_of_a_command_that_says_so_is_told_and_no_error(proposed: Proposal) -> None:
    proposed.commit({PATH: DATA}, message(source(proposed)))
    proposed.commit({PATH: confirmed(DATA, 1)}, f"confirm: {NAME}\n\nInstinct: {NAME} confirmed 0.85 -> 0.90\n")
    [finding] = proposed.judge().findings
    assert (finding.rule, finding.severity) == ("unpromoted-evidence", Severity.WARNING)


def test_what_the_target_had_or_got_meanwhile_is_nothing_more(proposed: Proposal) -> None:
    proposed.commit({PATH: DATA}, message(source(proposed)))
    proposed.on("main")
    proposed.commit({PATH: confirmed(DATA, 5, who="global")}, "known here")
    proposed.on("feature")
    both = confirmed(DATA, 5, who="global")
    proposed.git("merge", "-q", "--no-commit", "-X", "theirs", "main", ok=False)
    proposed.commit({PATH: both}, "merge: main")
    assert [one.rule for one in proposed.judge().findings if one.rule.startswith("unpromoted")] == []


# --- many


def test_the_number_of_processes_does_not_grow(proposed: Proposal, monkeypatch: pytest.MonkeyPatch) -> None:
    def started(number: int) -> int:
        for at in range(number):
            name = f"n{number}-{at}"
            some = {f"instincts/{name}.md": files.made(name)}
            proposed.git("checkout", "-q", "--detach", GENESIS)
            cited = proposed.commit(some, message(name=name))
            proposed.git("update-ref", origin.ref(PROJECT, name), cited)
            proposed.on("feature")
            proposed.commit(some, message(cited, name=name))
        with processes(monkeypatch) as begun:
            assert all(one.verified for one in proposed.judge().promotions)
        return len(begun)

    assert 0 < started(2) == started(7)
