"""Publishing a promotion: what is looked at, what is pushed, what a request would say."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitinstinct.errors import Found
from gitinstinct.git.url import parse
from gitinstinct.pullrequest import hosts, publishing
from gitinstinct.pullrequest.publishing import Plan
from tests.support.mates import TALK, Mate
from tests.support.repos import commit_all, git, script
from tests.support.shared import FIRST, SECOND, TAG, commit, file, refs, waits
from tests.support.stores import NOW

HEAD = "refs/heads/promote/run-tests"
GITHUB = hosts.of(parse("git@github.com:acme/store.git"))


def planned(who: Mate, name: str = "run-tests") -> Plan:
    with publishing.looked(who.store, who.link, TALK, rehearse=False) as there:
        return publishing.plan(who.store, name, there, NOW, TALK)


def pushed(who: Mate) -> Plan:
    plan = planned(who)
    publishing.push(who.store, plan, who.link, TALK)
    return plan


def test_the_branch_is_made_and_then_moves_forward(ann: Mate, hub: Path) -> None:
    first = waits(ann, "run-tests", file("run-tests"))
    plan = pushed(ann)
    assert (plan.there, plan.outgoing.commits, plan.outgoing.instincts) == (None, 1, ("run-tests",))
    assert refs(hub)[HEAD] == first == refs(ann.store.path)["refs/remotes/origin/promote/run-tests"]
    second = waits(ann, "run-tests", file("run-tests", FIRST, SECOND), base=first)
    plan = pushed(ann)
    assert (plan.there, plan.outgoing.commits) == (first, 1)
    assert refs(hub)[HEAD] == second


def test_nothing_goes_over_what_somebody_else_has_put_there(ann: Mate, bob: Mate, hub: Path) -> None:
    waits(bob, "run-tests", file("run-tests", FIRST, SECOND))
    theirs = pushed(bob).commit
    waits(ann, "run-tests", file("run-tests"))
    with pytest.raises(Found, match="has what yours has not") as found:
        planned(ann)
    assert "review --update" in found.value.hint
    assert refs(hub)[HEAD] == theirs


def test_somebody_who_is_quicker_is_not_overwritten(ann: Mate, bob: Mate, hub: Path) -> None:
    waits(ann, "run-tests", file("run-tests"))
    plan = planned(ann)
    waits(bob, "run-tests", file("run-tests", FIRST, SECOND))
    theirs = pushed(bob).commit
    with pytest.raises(Found, match="somebody else moved"):
        publishing.push(ann.store, plan, ann.link, TALK)
    assert refs(hub)[HEAD] == theirs


def test_what_must_not_be_published_stops_it(ann: Mate, hub: Path) -> None:
    token = "ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    first = waits(ann, "run-tests", file("run-tests", action=f"Use {token}."))
    waits(ann, "run-tests", file("run-tests"), base=first)  # the newest state is clean, its history is not
    plan = planned(ann)
    assert "secret" in plan.outgoing.findings[0].what
    with pytest.raises(Found, match="would publish") as found:
        publishing.push(ann.store, plan, ann.link, TALK)
    assert token not in found.value.message
    assert HEAD not in refs(hub)


def test_a_branch_with_what_no_store_takes_stays_here(ann: Mate, hub: Path) -> None:
    bad = commit(ann.store.repo, {"instincts/run-tests.md": file("run-tests"), "run.sh": b"x"}, [ann.tip], "x\n")
    git(ann.store.path, "branch", "promote/run-tests", bad)
    with pytest.raises(Found, match=r"run\.sh"):
        planned(ann)
    assert HEAD not in refs(hub)


@pytest.mark.parametrize("data", [None, b"no instinct"])
def test_a_branch_without_its_instinct_is_none(ann: Mate, data: bytes | None) -> None:
    files = {"instincts/run-tests.md": data} if data else {"README.md": b"x\n"}
    git(ann.store.path, "branch", "promote/run-tests", commit(ann.store.repo, files, [ann.tip], "x\n"))
    with pytest.raises(Found, match=r"instincts/run-tests\.md"):
        planned(ann)


def test_a_hook_there_that_declines_is_told(ann: Mate, hub: Path) -> None:
    script(hub / "hooks", "pre-receive", "echo 'only on Mondays' >&2; exit 1")
    waits(ann, "run-tests", file("run-tests"))
    with pytest.raises(Found, match="only on Mondays"):
        pushed(ann)


def test_what_main_has_and_the_remote_lacks_is_told_since_it_goes_along(ann: Mate) -> None:
    commit_all(ann.store.path, {"instincts/mine.md": file("mine")})
    waits(ann, "run-tests", file("run-tests"))
    plan = planned(ann)
    assert plan.facts.others == ("instincts/mine.md",)
    assert "`instincts/mine.md`" in publishing.text(plan, ann.link)


def test_the_text_says_where_it_comes_from_and_whether_that_holds(ann: Mate) -> None:
    waits(ann, "run-tests", file("run-tests", FIRST, SECOND))
    text = publishing.text(planned(ann), ann.link)
    assert f"`{TAG}`" in text
    assert "| verified |" in text
    assert "It is new here." in text
    assert "0.85 → 0.90" in text
    assert "`seen again`" in text
    assert "finds nothing" in text
    git(ann.store.path, "update-ref", "-d", f"refs/gitinstinct/promoted/{TAG}/run-tests")
    assert "| verified |" not in publishing.text(planned(ann), ann.link)


def test_the_text_shows_what_changes_field_by_field(ann: Mate) -> None:
    commit_all(ann.store.path, {"instincts/run-tests.md": file("run-tests")})
    ann.sync()
    waits(ann, "run-tests", file("run-tests", FIRST, SECOND, action="Run all the tests."))
    text = publishing.text(planned(ann), ann.link)
    assert "```diff\n- Run the tests.\n+ Run all the tests.\n```" in text
    assert "Lines of evidence: 1 new, 0 gone." in text


def test_others_that_say_the_same_are_on_the_page(ann: Mate) -> None:
    action, trigger = "Use `rg` instead of `grep`.", "when searching text"
    commit_all(ann.store.path, {"instincts/prefer-rg.md": file("prefer-rg", action=action, trigger=trigger)})
    ann.sync()
    waits(ann, "run-tests", file("run-tests", action="Use `grep` instead of `rg`.", trigger=trigger))
    text = publishing.text(planned(ann), ann.link)
    assert "| `contrary` | `prefer-rg` |" in text


def test_what_check_finds_is_on_the_page(ann: Mate) -> None:
    forged = file("run-tests").replace(b"confidence: 0.85", b"confidence: 0.95")
    waits(ann, "run-tests", forged)
    assert "`derived-field`" in publishing.text(planned(ann), ann.link)


def test_the_commands_of_the_text_work(ann: Mate, bob: Mate, hub: Path, tmp_path: Path) -> None:
    waits(ann, "run-tests", file("run-tests"))
    text = publishing.text(pushed(ann), ann.link)
    blocks = [block.split("```")[0] for block in text.split("```sh\n")[1:]]
    [plain] = [block for block in blocks if block.startswith("git fetch")]
    git(tmp_path, "clone", "-q", str(hub), "clone")
    for line in plain.splitlines():
        out = git(tmp_path / "clone", *line.split()[1:])
    assert "+# Run-Tests" in out


def test_without_a_host_there_is_nothing_to_ask(ann: Mate) -> None:
    waits(ann, "run-tests", file("run-tests"))
    asked = publishing.ask(planned(ann), ann.link, None, "text")
    assert (asked.opened, asked.page, asked.reason) == (None, "", "")


def test_without_a_program_the_page_is_told(ann: Mate, monkeypatch: pytest.MonkeyPatch) -> None:
    waits(ann, "run-tests", file("run-tests"))
    plan = planned(ann)
    monkeypatch.setattr("gitinstinct.pullrequest.programs.shutil.which", lambda name: None)
    asked = publishing.ask(plan, ann.link, GITHUB, "text")
    assert asked.page == "https://github.com/acme/store/compare/main...promote/run-tests?expand=1"
    assert asked.reason == "gh is not installed"
