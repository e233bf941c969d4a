"""`review` of promotions: what they come to, what a rejection silences, and how they are named beside instincts."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import pytest

from gitinstinct import paths
from gitinstinct.cli import output
from gitinstinct.cli.app import run
from gitinstinct.git.url import parse
from gitinstinct.store.layout import BRANCH
from gitinstinct.store.store import Store
from gitinstinct.team import link as links
from gitinstinct.team.link import Link
from gitinstinct.trust import book
from tests.cli.test_reviewing import EVIL, answer, arrive
from tests.support import files
from tests.support.mates import bare
from tests.support.program import Program
from tests.support.promotions import branch, everybody, made, picked
from tests.support.repos import commit_all, git

NAME = "prefer-rg"
PATH = f"instincts/{NAME}.md"


@pytest.fixture
def store(project: Path) -> Store:
    return everybody()


def waiting(program: Program, *more: str) -> list[tuple[str, str]]:
    return [(one["kind"], one["name"]) for one in program("review", "--json", *more).json["waiting"]]


def branches(store: Store) -> str:
    return git(store.path, "for-each-ref", "--format=%(refname:short)", "refs/heads/promote/")


def held(program: Program, name: str = NAME) -> str | None:
    found = program("list", "--global", "--json").json["instincts"]
    return next((str(one["held"]) if one["held"] else None) for one in found if one["id"] == name)


# --- looking


def test_it_is_shown_with_where_it_comes_from(store: Store, program: Program) -> None:
    picked(store, NAME, made(NAME))
    told = program("review")
    assert told.code == 1
    for part in (
        "1 to decide on: 1 promotion",
        "promote/prefer-rg  global  0.",
        "0123456789ab at ffffffffff",
        "verified",
    ):
        assert part in told.out
    [one] = program("review", "--json").json["waiting"]
    assert (one["kind"], one["name"], one["id"], one["verified"]) == ("promotion", f"promote/{NAME}", NAME, True)
    assert one["origin"]["projects"][0]["project"] == "0123456789ab"
    assert (one["new"], one["changes"], one["held"]) == (True, [], "waiting")


def test_every_case_has_the_same_keys(store: Store, program: Program) -> None:
    commit_all(store.path, {"instincts/b.md": made("b")}, "brought")
    picked(store, NAME, made(NAME))
    edit, promotion = sorted(program("review", "--json").json["waiting"], key=lambda one: one["kind"])
    assert edit.keys() == promotion.keys()
    assert edit.keys() >= set("kind changes evidence curve neighbours effect origin verified findings author".split())
    assert (edit["kind"], edit["origin"], edit["verified"]) == ("edit", None, None)
    assert edit["curve"][0] == {"day": "2026-11-08", "confidence": 0.5}


def test_kinds_can_be_chosen(store: Store, program: Program) -> None:
    commit_all(store.path, {"instincts/b.md": made("b")}, "brought")
    picked(store, NAME, made(NAME))
    assert waiting(program) == [("promotion", f"promote/{NAME}"), ("edit", "b")]
    assert waiting(program, "--kind", "edit") == [("edit", "b")]
    assert program("review", "--kind", "rumour").code == 2
    assert program("review", "--kind", "edit", "--accept", "b", "--yes").code == 2
    assert program("review", "--all", "--kind", "edit", "--yes").code == 0
    assert waiting(program) == [("promotion", f"promote/{NAME}")]


def test_status_counts_by_kind(store: Store, program: Program) -> None:
    commit_all(store.path, {"instincts/b.md": made("b")}, "brought")
    branch(store, NAME, {PATH: made(NAME)})
    branch(store, "evil", {"evil.sh": "x"})
    assert program("status", "--json").json["waiting"] == {
        "observations": 0, "review": ["b"], "kinds": {"promotion": 2, "edit": 1},
    }  # fmt: skip
    assert "3 wait for review: gitinstinct review  (2 promotions, 1 edit)" in program("status").out
    assert [one["id"] for one in program("list", "--waiting", "--json").json["instincts"]] == ["b"]


def test_a_hostile_branch_is_named_and_can_be_turned_down(store: Store, program: Program) -> None:
    branch(store, "evil", {"evil\x1b[31m.sh": "x"})
    told = program("review")
    assert told.code == 1
    assert "cannot be used: promote/evil: it brings other files, and no instincts/evil.md" in told.out
    assert program("review", "--json").json["problems"][0]["path"] == "promote/evil"
    assert program("review", "--accept", "promote/evil", "--yes").code == 1
    assert program("review", "--reject", "promote/evil", "--yes").code == 0
    assert (branches(store), program("review").code) == ("", 0)


# --- accepting


def test_accepted_it_is_on_main_and_may_be_told(store: Store, program: Program) -> None:
    picked(store, NAME, made(NAME))
    done = program("review", "--accept", NAME, "--yes")
    assert done.code == 0, done.err
    assert f"promote/{NAME}  accepted  promotion" in done.out
    assert f"{NAME}  is global now" in done.out
    assert (branches(store), held(program)) == ("", None)
    assert program("review").out == "Nothing waits for review.\n"


def test_where_all_projects_are_shared_the_way_to_the_others_is_told(store: Store, program: Program) -> None:
    picked(store, NAME, made(NAME))
    links.establish(store, Link(parse(str(bare(store.path.parent / "hub.git"))), BRANCH))
    assert "gitinstinct push --global" in program("review", "--accept", NAME, "--yes").out


def test_a_branch_of_the_remote_alone_is_taken_too(store: Store, program: Program) -> None:
    commit = picked(store, NAME, made(NAME))
    git(store.path, "update-ref", f"refs/remotes/origin/promote/{NAME}", commit)
    git(store.path, "branch", "-q", "-D", f"promote/{NAME}")
    assert "promote/prefer-rg, at the remote" in program("review").out
    assert program("review", "--accept", NAME, "--yes").code == 0
    assert (waiting(program), held(program)) == ([], None)


def test_a_rehearsal_leaves_it_waiting(store: Store, program: Program) -> None:
    picked(store, NAME, made(NAME))
    assert program("review", "--accept", NAME, "--dry-run").code == 0
    assert waiting(program) == [("promotion", f"promote/{NAME}")]


def test_what_is_merely_claimed_is_not_taken_along(store: Store, program: Program) -> None:
    branch(store, "claimed", {"instincts/claimed.md": made("claimed")})
    picked(store, NAME, made(NAME))
    done = program("review", "--all", "--yes", "--json").json
    assert done["accepted"] == [f"promote/{NAME}"]
    assert [one["id"] for one in done["left"]] == ["promote/claimed"]
    assert program("review", "--accept", "claimed", "--yes").code == 0


def test_other_files_never_land(store: Store, program: Program) -> None:
    branch(store, NAME, {PATH: made(NAME), "evil.sh": "x"})
    refused = program("review", "--accept", NAME, "--yes", "-m", "I know")
    assert refused.code == 1
    assert "evil.sh" in refused.err
    assert program("review", "--all", "--yes").code == 1
    assert git(store.path, "ls-tree", "--name-only", "main", "instincts/") == ""


def test_words_that_differ_on_both_sides_come_first(store: Store, program: Program) -> None:
    commit_all(store.path, {PATH: made(NAME)}, "brought")
    branch(store, NAME, {PATH: made(NAME, "Use `rg` always.")})
    commit_all(store.path, {PATH: made(NAME, "Use `rg` here.")}, "brought")
    refused = program("review", "--accept", f"promote/{NAME}", "--yes")
    assert (refused.code, "review --update" in refused.err) == (1, True)
    assert "differ in action" in program("review", f"promote/{NAME}").out


def test_what_its_branch_left_in_conflict_is_held_back_where_it_lands(store: Store, program: Program) -> None:
    conflicts = [{"field": "action", "values": ["Use `rg`.", "Use `ag`."]}]
    branch(store, NAME, {PATH: made(NAME, conflicts=conflicts)})
    assert program("review", "--all", "--yes").code == 1
    done = program("review", "--accept", NAME, "--yes", "--json")
    assert done.code == 1
    assert done.json["landed"][0]["conflicts"] == ["action"]


def test_one_that_cannot_land_stops_no_other(store: Store, program: Program) -> None:
    for name in ("a", "b"):
        picked(store, name, made(name, f"Use `{name}`."))
    git(store.path, "switch", "-q", "promote/a")
    done = program("review", "--all", "--yes", "--json")
    assert done.code == 1
    assert done.json["accepted"] == ["promote/b"]
    assert [one["id"] for one in done.json["left"]] == ["promote/a"]
    assert program("review", "--accept", "a", "--yes").code == 3  # alone it says what is in the way
    assert program("review", "--reject", "a", "--yes").code == 3
    assert waiting(program) == [("promotion", "promote/a")]


# --- rejecting


def test_a_rejected_one_is_silent_everywhere_but_in_its_project(store: Store, program: Program, project: Path) -> None:
    assert program("learn", "searching", "Use `rg`.").code == 0
    at_home = program("list", "--json").json["instincts"]
    picked(store, NAME, made(NAME))
    git(store.path, "update-ref", f"refs/remotes/origin/promote/{NAME}", f"promote/{NAME}")
    done = program("review", "--reject", f"promote/{NAME}", "--yes", "-m", "not for all")
    assert f"promote/{NAME}  rejected  promotion" in done.out
    assert (branches(store), waiting(program)) == ("", [])  # the same branch at the remote asks nobody
    assert program("list", "--json").json["instincts"] == at_home
    branch(store, NAME, {PATH: made(NAME, "Use `rg`!")})
    assert waiting(program) == [("promotion", f"promote/{NAME}")]


def test_it_can_be_reopened_by_name(store: Store, program: Program) -> None:
    commit = picked(store, NAME, made(NAME))
    assert program("review", "--reject", NAME, "--yes").code == 0
    assert program("review", "--revoke", "promote/other", "--yes").code == 1
    assert f"promote/{NAME}  may be proposed again" in program("review", "--revoke", f"promote/{NAME}", "--yes").out
    git(store.path, "update-ref", f"refs/heads/promote/{NAME}", commit)
    assert waiting(program) == [("promotion", f"promote/{NAME}")]


# --- one name, two kinds


def test_a_name_means_all_that_waits_under_it(store: Store, program: Program) -> None:
    commit_all(store.path, {PATH: made(NAME)}, "brought")
    branch(store, NAME, {PATH: made(NAME, "Use `rg` always.")})
    assert waiting(program) == [("promotion", f"promote/{NAME}"), ("edit", NAME)]
    done = program("review", "--accept", NAME, "--yes").out
    assert f"{NAME}  accepted  edit" in done
    assert f"promote/{NAME}  accepted  promotion" in done
    assert held(program) is None
    assert "always" in (store.path / PATH).read_text("utf-8")


def test_the_name_of_the_branch_means_the_promotion_alone(store: Store, program: Program) -> None:
    commit_all(store.path, {PATH: made(NAME)}, "brought")
    branch(store, NAME, {PATH: made(NAME, "Use `rg` always.")})
    assert program("review", "--reject", f"promote/{NAME}", "--yes").code == 0
    assert waiting(program) == [("edit", NAME)]


def test_one_name_can_be_accepted_and_turned_down(store: Store, program: Program) -> None:
    commit_all(store.path, {PATH: made(NAME)}, "brought")
    branch(store, NAME, {PATH: made(NAME, "Use `rg` always.")})
    done = program("review", "--reject", f"promote/{NAME}", "--accept", NAME, "--yes", "--json").json
    assert (done["accepted"], done["rejected"]) == ([NAME], [f"promote/{NAME}"])
    assert (waiting(program), held(program)) == ([], None)
    assert "always" not in (store.path / PATH).read_text("utf-8")


# --- on a terminal


def test_it_is_asked_about_with_a_reason_why_not(
    store: Store, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b", "c", "d"):
        picked(store, name, made(name, f"Use `{name}`."))
    answer(monkeypatch, "w", "y", "n", "not for all", "d")
    asked = program("review", "--kind", "promotion")
    assert asked.code == 1
    assert "## Evidence" in asked.out  # the whole file
    assert branches(store).split() == ["promote/c", "promote/d"]
    assert "not for all" in Path(paths.trust()).read_text("utf-8")


def test_the_rest_of_its_kind_where_nothing_is_odd(
    store: Store, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    picked(store, "a", made("a", "Use `a`."))
    branch(store, "b", {"instincts/b.md": made("b", "Use `b`.")})
    picked(store, "c", made("c", "Use `c`."))
    commit_all(store.path, {"instincts/z.md": made("z", "Use `z`.")}, "brought")
    answer(monkeypatch, "a", "s")
    assert program("review").code == 1
    monkeypatch.setattr(output, "is_terminal", lambda: False)
    assert waiting(program) == [("promotion", "promote/b"), ("edit", "z")]


def test_written_anew_it_lands_with_the_persons_words(
    store: Store, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    picked(store, NAME, made(NAME))
    monkeypatch.setenv("EDITOR", "sed -i 's/Use `rg`./Use `rg` first./'")
    answer(monkeypatch, "e")
    done = program("review")
    assert done.code == 0
    assert "Use `rg` first." in done.out.partition("An agent would read")[2]
    assert (branches(store), held(program)) == ("", None)
    assert "Use `rg` first." in (store.path / PATH).read_text("utf-8")


def test_a_text_that_does_not_count_lands_nothing(
    store: Store, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    picked(store, NAME, made(NAME))
    before = git(store.path, "rev-parse", "main")
    monkeypatch.setenv("EDITOR", "sed -i s/id:/identity:/")
    answer(monkeypatch, "e", "q")
    assert program("review").code == 1
    assert git(store.path, "rev-parse", "main") == before
    assert branches(store) == f"promote/{NAME}"


class Terminal(io.StringIO):
    """Eighty columns, some encoding."""

    def __init__(self, encoding: str) -> None:
        super().__init__()
        self._encoding = encoding

    @property
    def encoding(self) -> str:  # type: ignore[override] # of a StringIO it can be written
        return self._encoding

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_a_screen_fits_eighty_columns(store: Store, monkeypatch: pytest.MonkeyPatch, encoding: str) -> None:
    text = "Find the exact place with `rg`, read the whole function and its callers, and only then edit."
    commit_all(store.path, {PATH: made(NAME, text)}, "brought")
    branch(store, NAME, {PATH: made(NAME, text.replace("callers", "tests") + " Say so.")})
    picked(store, "c", made("c", "Use `c`."))
    branch(store, "a", {"instincts/a.md": made("a", EVIL + " " + "x" * 300, trigger="when " + "very " * 20)})
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(sys, "stdout", screen := Terminal(encoding))
    run(("review",))
    lines = re.sub(r"\x1b\[[0-9;]*m", "", screen.getvalue()).splitlines()
    shown = lines[: lines.index("An agent would read")]
    assert [line for line in shown if len(line) > 80] == []
    assert any(line.startswith("  + Find the exact place with `rg`, read the whole function") for line in shown)
    assert any(line.startswith("sure      0.50 ") and line.isascii() == (encoding == "ascii") for line in shown)


# --- what is hostile


@pytest.mark.parametrize("sign", ["\u202e", "\x1b[2J", "\u200b", "\U000e0041", "\u2066"], ids=ascii)
def test_no_sign_reaches_the_terminal_raw(store: Store, program: Program, sign: str) -> None:
    text = f"Use{sign} it."
    branch(store, "a", {"instincts/a.md": made("a", text)}, message=f"promote: a {sign}")
    commit_all(store.path, {"instincts/b.md": made("b", text)}, f"b {sign}")
    git(store.path, "-c", "core.hooksPath=", "commit", "-q", "--amend", "--no-edit", "--author", f"E{sign}ve <e@x>")
    told = program("review")
    assert sign not in told.out + told.err
    assert ascii(sign)[1:-1] in told.out or sign == "\x1b[2J"


def test_a_text_without_end_is_cut_and_refused(store: Store, program: Program) -> None:
    branch(store, "a", {"instincts/a.md": made("a", "Do it. " * 8_000)})
    told = program("review").out
    assert len(told) < 4_000
    assert "more characters" in told
    assert "refused   too-long in the action" in told
    assert program("review", "--accept", "a", "--yes", "-m", "yes").code == 1


def test_a_change_without_end_is_cut(store: Store, program: Program) -> None:
    commit_all(store.path, {"instincts/a.md": made("a")}, "brought")
    assert program("review", "--accept", "a", "--yes").code == 0
    commit_all(store.path, {"instincts/a.md": made("a", notes="x " * 20_000)}, "brought")
    branch(store, "a", {"instincts/a.md": made("a", "Use it.", notes="y " * 20_000)})
    assert len(program("review").out) < 8_000


# --- others


def test_many_are_told_at_once(store: Store, program: Program) -> None:
    for at in range(6):
        branch(store, f"n-{at}", {f"instincts/n-{at}.md": made(f"n-{at}", f"Use `n{at}`.")})
    arrive(store.path, **{f"x{at}": f"Use `x{at}`." for at in range(3)})  # one commit
    told = program("review").out
    assert "9 to decide on: 6 promotions, 3 edits" in told
    assert book.read().approved == frozenset()


def test_the_project_has_its_own_of_that_name(store: Store, program: Program, project: Path) -> None:
    picked(store, NAME, made(NAME))
    assert program("learn", "searching text", "Use `rg`.").code == 0
    own = Path(paths.store("e5c363015306"))
    commit_all(own, {PATH: files.made(NAME, action="Do not use `rg`.")}, "brought")
    assert waiting(program) == [("promotion", f"promote/{NAME}"), ("edit", NAME)]
    [promotion, _] = program("review", "--json").json["waiting"]
    assert ("contrary", NAME) in [(one["relation"], one["id"]) for one in promotion["neighbours"]]
