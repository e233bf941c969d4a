"""Promotions that wait, as cases: what is shown of an honest one, and what a hostile branch comes to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gitinstinct.instinct import markdown
from gitinstinct.promote import rejection
from gitinstinct.review import kinds, promotions, verdict
from gitinstinct.review.waiting import Case, Rules
from gitinstinct.store.store import Store
from gitinstinct.trust import book
from tests.support.promotions import MAIN_OF_PROJECT, TAG, branch, everybody, made, picked, processes, promoted
from tests.support.repos import commit_all, corrupt, git, raw_commit
from tests.support.stores import NOW

NAME = "prefer-rg"
PATH = f"instincts/{NAME}.md"
SILENT = f"promote: {NAME}\n\nInstinct: {NAME} promoted 0.50\nPromoted-From: {TAG}"  # the commit is missing


@pytest.fixture
def store(home: Path) -> Store:
    return everybody()


def found(store: Store) -> promotions.Found:
    return promotions.find(store, Rules(book.read()))


def case(store: Store) -> Case:
    [one] = found(store).cases
    return one


def reason(store: Store) -> str:
    [one] = found(store).unusable
    return one.reason


def faults(store: Store) -> list[str]:
    return [one.fault for one in case(store).sources]


# --- an honest one


def test_a_new_one_is_shown_whole(store: Store) -> None:
    commit = picked(store, NAME, made(NAME))
    one = case(store)
    assert (one.name, one.id, one.kind, one.held, one.scope) == (
        f"promote/{NAME}", NAME, kinds.PROMOTION, "waiting", "global",
    )  # fmt: skip
    assert one.item.data == made(NAME)
    assert one.origin.wrote is not None
    assert one.origin.wrote.commit == commit
    assert one.origin.approved is None
    [source] = one.sources
    assert (source.project, source.commit, source.is_verified) == (TAG, MAIN_OF_PROJECT, True)


def test_what_all_projects_have_already_is_what_it_is_compared_with(store: Store) -> None:
    commit_all(store.path, {PATH: made(NAME)})
    branch(store, NAME, {PATH: made(NAME, "Use `rg` always.")})
    one = case(store)
    assert [(field.name, field.old, field.new) for field in one.changes] == [
        ("action", "Use `rg`.", "Use `rg` always.")
    ]


def test_evidence_alone_changes_no_words(store: Store) -> None:
    commit_all(store.path, {PATH: made(NAME)})
    more = b"- 2026-11-20 confirmed 1: same in another session [01m77pxbv0-7e21f04c]\n"
    branch(store, NAME, {PATH: made(NAME) + more})
    one = case(store)
    assert one.changes == ()
    assert one.origin.approved == made(NAME)
    assert len(one.item.instinct.ledger) == 2


def test_words_that_differ_on_both_sides_are_named(store: Store) -> None:
    commit_all(store.path, {PATH: made(NAME)})
    branch(store, NAME, {PATH: made(NAME, "Use `rg` always.")})
    commit_all(store.path, {PATH: made(NAME, "Use `rg` here.")})
    promotion = case(store).promotion
    assert promotion is not None
    assert promotion.conflicts == ("action",)


def test_two_projects_are_two_sources(store: Store) -> None:
    picked(store, NAME, made(NAME))
    second = made(NAME).replace(b"9f3ac1d0", b"aaaaaaaa").replace(b"01m6x9kf80", b"01m6x9kf81")
    branch(store, NAME, {PATH: made(NAME) + second.rpartition(b"## Evidence\n")[2]})
    commit = promoted(store, NAME, second, tag="ba9876543210")
    said = SILENT.replace(TAG, "ba9876543210")
    message = f"{said} {MAIN_OF_PROJECT}\n(cherry picked from commit {commit})"
    git(store.path, "switch", "-q", f"promote/{NAME}")
    git(store.path, "-c", "core.hooksPath=", "commit", "-q", "--amend", "-m", message)
    git(store.path, "switch", "-q", "main")
    assert sorted(one.project for one in case(store).sources) == [TAG, "ba9876543210"]
    assert faults(store) == ["", ""]


# --- what it claims


def test_no_ref_and_it_is_a_claim(store: Store) -> None:
    picked(store, NAME, made(NAME))
    git(store.path, "update-ref", "-d", f"refs/gitinstinct/promoted/{TAG}/{NAME}")
    assert faults(store) == ["no promotion of that project is known here"]


def test_a_commit_of_somebody_else_is_a_claim(store: Store) -> None:
    picked(store, NAME, made(NAME))
    promoted(store, NAME, made(NAME, "Use `rg` always."))
    assert "none of that project's promotions" in faults(store)[0]


def test_the_ref_of_another_instinct_is_a_claim(store: Store) -> None:
    commit = promoted(store, "other", made("other"))
    branch(store, NAME, {PATH: made(NAME)}, message=_forged(commit))
    assert faults(store) == ["no promotion of that project is known here"]


def test_other_words_or_more_evidence_are_a_claim(store: Store) -> None:
    picked(store, NAME, made(NAME))
    cited = git(store.path, "rev-parse", f"refs/gitinstinct/promoted/{TAG}/{NAME}")
    branch(store, NAME, {PATH: made(NAME, "Use `rg` always.")})
    assert faults(store) == [f"it has other words than {cited[:10]} has"]
    entry = b"- 2026-11-20 confirmed 9: very often [01m77pxbv0-7e21f04c]\n"
    branch(store, NAME, {PATH: made(NAME) + entry})
    assert faults(store) == ["it has evidence that no promotion has: 2026-11-20 confirmed 9"]
    branch(store, NAME, {PATH: made(NAME).replace(b"observed 3", b"observed 9")})
    assert faults(store) == ["it has evidence that no promotion has: 2026-11-08 observed 9"]
    branch(store, NAME, {PATH: made(NAME)})
    assert faults(store) == [""]


def test_another_origin_than_the_projects_own_is_a_claim(store: Store) -> None:
    commit = promoted(store, NAME, made(NAME))
    branch(store, NAME, {PATH: made(NAME)}, message=_forged(commit))
    assert faults(store) == [f"{commit[:10]} says that it comes from elsewhere"]


def test_less_evidence_than_the_projects_is_a_claim(store: Store) -> None:
    more = made(NAME) + b"- 2026-11-20 confirmed 1: same in another session [01m77pxbv0-7e21f04c]\n"
    cited = promoted(store, NAME, more)
    branch(store, NAME, {PATH: made(NAME)}, message=(
        f"{SILENT} {MAIN_OF_PROJECT}\n(cherry picked from commit {cited})"
    ))  # fmt: skip
    assert faults(store) == [f"it lacks evidence {cited[:10]} has"]


def test_words_that_main_has_need_no_source(store: Store) -> None:
    picked(store, NAME, made(NAME))
    commit_all(store.path, {PATH: made(NAME, "Use `rg` always.")})
    branch(store, NAME, {PATH: made(NAME, "Use `rg` always.")})
    assert promotions.find(store, Rules(book.read())) == promotions.Found()  # nothing is left of it
    more = made(NAME, "Use `rg` always.") + b"- 2026-11-20 confirmed 1: seen [01m77pxbv0-7e21f04c]\n"
    cited = promoted(store, NAME, more.replace(b" always", b""))
    branch(store, NAME, {PATH: more}, message=(
        f"{SILENT} {MAIN_OF_PROJECT}\n(cherry picked from commit {cited})"
    ))  # fmt: skip
    assert faults(store) == [""]


def test_without_a_word_it_is_a_claim(store: Store) -> None:
    branch(store, NAME, {PATH: made(NAME)}, message=f"{SILENT} {'1' * 40}")
    assert faults(store) == ["it lacks the line `(cherry picked from commit …)`"]
    branch(store, "b", {"instincts/b.md": made("b")})
    assert found(store).cases[0].sources == ()


def _forged(commit: str) -> str:
    return f"{SILENT} {'1' * 40}\n(cherry picked from commit {commit})"


# --- branches that are none of ours


def test_one_promotion_is_one_instinct(store: Store) -> None:
    branch(store, NAME, {PATH: made(NAME), "evil.sh": "x", "store.yaml": "format: 9"})
    one = case(store)
    assert one.held == "refused"
    assert one.is_refused
    assert "evil.sh, store.yaml" in one.findings[0].why


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ({"instincts/other.md": made("other")}, "no instincts/prefer-rg.md"),
        ({PATH: b"\xff\xfe\0"}, ""),
        ({PATH: "---\nid: other\n---\n"}, ""),
        ({PATH: "x" * 70_000}, "70,000 bytes"),
        ({PATH: made(NAME).replace(b"domain: workflow", b"confidence: high")}, ""),
    ],
)
def test_what_holds_no_readable_instinct_has_a_reason(store: Store, content: Any, why: str) -> None:
    branch(store, NAME, content)
    assert why in reason(store)
    assert found(store).cases == ()


def test_a_link_is_none(store: Store) -> None:
    (store.path / "instincts").mkdir(exist_ok=True)
    git(store.path, "switch", "-q", "-c", f"promote/{NAME}")
    (store.path / PATH).symlink_to("/etc/passwd")
    git(store.path, "add", "-A")
    git(store.path, "-c", "core.hooksPath=", "commit", "-q", "-m", "link")
    git(store.path, "switch", "-q", "main")
    assert reason(store) == f"{PATH} is a symbolic link"


def test_a_damaged_file_spoils_no_other(store: Store) -> None:
    branch(store, NAME, {PATH: made(NAME)})
    branch(store, "b", {"instincts/b.md": made("b")})
    corrupt(store.repo, git(store.path, "rev-parse", f"promote/{NAME}:{PATH}"))
    assert [one.id for one in found(store).cases] == ["b"]
    assert "damaged" in reason(store)


def test_taking_an_instinct_away_is_no_promotion(store: Store) -> None:
    commit_all(store.path, {PATH: made(NAME)})
    git(store.path, "switch", "-q", "-c", f"promote/{NAME}")
    git(store.path, "rm", "-q", PATH)
    git(store.path, "-c", "core.hooksPath=", "commit", "-q", "-m", "gone")
    git(store.path, "switch", "-q", "main")
    assert "takes instincts/prefer-rg.md away" in reason(store)


def test_a_stranger_has_no_common_beginning(store: Store) -> None:
    git(store.path, "update-ref", f"refs/heads/promote/{NAME}", raw_commit(store.repo, []))
    assert reason(store) == "it has no common beginning with the global store"


def test_what_no_push_would_take_cannot_land(store: Store) -> None:
    branch(store, NAME, {PATH: made(NAME, "Use `rg` with ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8.")})
    one = case(store)
    assert (one.held, one.is_refused) == ("refused", True)
    assert one.findings[0][:3] == ("refused", "secret", "file")
    assert verdict.objection(one, "trust me") == "it cannot land: what looks like a secret (github-token)"
    branch(store, NAME, {PATH: made(NAME, "Use /home/mallory/bin/rg.")})
    assert "a path in somebody's home (/home/mallory)" in verdict.objection(case(store), "trust me")


def test_forged_numbers_are_told_and_count_for_nothing(store: Store) -> None:
    honest = made(NAME)
    forged = honest.replace(b"confidence: 0.", b"confidence: 0.9", 1)
    branch(store, NAME, {PATH: forged})
    one = case(store)
    assert [(found.level, found.family) for found in one.findings] == [("remark", "numbers")]
    assert one.item.fold("2026-11-29") == markdown.parse(honest).fold("2026-11-29", "2026-11-29")
    assert verdict.objection(one) == ""
    assert "look at it by itself" in verdict.oddity(one)


def test_a_branch_with_which_a_left_over_was_merged_is_known_by_its_newest_promotion(store: Store) -> None:
    first = picked(store, NAME, made(NAME))
    git(store.path, "branch", "left-over", first)
    git(store.path, "branch", "-D", "-q", f"promote/{NAME}")
    commit_all(store.path, {PATH: made(NAME)}, "squashed")
    more = made(NAME) + b"- 2026-11-20 confirmed 1: same in another session [01m77pxbv0-7e21f04c]\n"
    cited = promoted(store, NAME, more, parent=git(store.path, "rev-parse", f"refs/gitinstinct/promoted/{TAG}/{NAME}"))
    branch(store, NAME, {PATH: more}, message=(
        f"{SILENT} {MAIN_OF_PROJECT}\n(cherry picked from commit {cited})"
    ))  # fmt: skip
    git(store.path, "switch", "-q", f"promote/{NAME}")
    git(store.path, "-c", "core.hooksPath=", "merge", "-q", "-X", "ours", "--no-edit", "left-over")
    git(store.path, "switch", "-q", "main")
    [one] = case(store).sources
    assert (one.picked, one.fault) == (cited, "")


# --- turned down


def test_a_rejected_one_is_not_asked_about_again(store: Store) -> None:
    branch(store, NAME, {PATH: made(NAME)})
    rejection.reject(NAME, case(store).key, NOW)
    branch(store, NAME, {PATH: made(NAME) + b"- 2026-11-20 confirmed 1: seen [01m77pxbv0-7e21f04c]\n"})
    assert found(store) == promotions.Found()
    branch(store, NAME, {PATH: made(NAME, "Use `rg`!")})
    assert case(store).id == NAME


def test_a_branch_of_others_is_turned_down_by_its_commit(store: Store) -> None:
    branch(store, NAME, {PATH: made(NAME), "evil.sh": "x"})
    rejection.reject(NAME, case(store).key, NOW)
    assert found(store).cases == ()
    assert not rejection.is_rejected(markdown.parse(made(NAME)), book.read())  # its words alone are as good as before
    branch(store, NAME, {"evil.sh": "y"})
    assert case(store).is_refused


# --- many


def test_the_number_of_processes_does_not_grow(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def started(number: int) -> int:
        for at in range(number):
            picked(store, f"n{number}-{at}", made(f"n{number}-{at}"))
        with processes(monkeypatch) as begun:
            assert len(found(store).cases) >= number
        return len(begun)

    assert 0 < started(2) == started(7) < 20
