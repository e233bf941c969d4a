"""What branches would bring, found for all of them at once: the same as a merge of each, by as many processes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitinstinct.git.repo import resolve
from gitinstinct.promote import branches, outlook
from gitinstinct.store import merging
from gitinstinct.store.store import Store
from tests.support.promotions import branch, everybody, made, processes
from tests.support.repos import commit_all, git, raw_commit

PATH = "instincts/a.md"


@pytest.fixture
def store(home: Path) -> Store:
    return everybody()


def waits(store: Store) -> list[str]:
    return [one.id for one in branches.waiting(store.repo)]


def test_a_branch_waits_until_main_has_all_of_it(store: Store) -> None:
    commit = branch(store, "a", {PATH: made("a")})
    [(waiting, look)] = branches.looked_at(store.repo)
    assert (waiting.id, waiting.here, waiting.there) == ("a", commit, None)
    assert look.own == (commit,)
    assert [(one.path, one.is_file, one.ours) for one in look.brought] == [(PATH, True, None)]
    git(store.path, "merge", "-q", "--no-edit", "promote/a")
    assert waits(store) == []
    assert branches.has_landed(store.repo, commit)


@pytest.mark.parametrize("how", ["squash", "rebase"])
def test_a_squashed_or_rebased_one_has_landed(store: Store, how: str) -> None:
    branch(store, "a", {PATH: made("a")})
    commit_all(store.path, {"instincts/b.md": made("b")})
    if how == "squash":
        git(store.path, "merge", "-q", "--squash", "promote/a")
        git(store.path, "-c", "core.hooksPath=", "commit", "-q", "-m", "squashed")
    else:
        git(store.path, "-c", "core.hooksPath=", "cherry-pick", "promote/a")
    assert waits(store) == []
    assert [one.id for one in branches.landed(store.repo)] == ["a"]


def test_a_branch_into_which_main_was_merged(store: Store) -> None:
    branch(store, "a", {PATH: made("a")})
    for name in ("b", "c"):
        tip = commit_all(store.path, {f"instincts/{name}.md": made(name)})
        git(store.path, "switch", "-q", "promote/a")
        git(store.path, "-c", "core.hooksPath=", "merge", "-q", "--no-edit", "main")
        git(store.path, "switch", "-q", "main")
    [(_, look)] = branches.looked_at(store.repo)
    assert look.bases == (tip,)
    assert [one.path for one in look.brought] == [PATH]


def test_own_commits_come_newest_first_through_a_merge_as_well(store: Store) -> None:
    old = branch(store, "a", {PATH: made("a")})
    git(store.path, "branch", "left-over", "promote/a")
    git(store.path, "branch", "-f", "promote/a", "main")
    new = branch(store, "a", {"instincts/b.md": made("b")})
    git(store.path, "switch", "-q", "promote/a")
    git(store.path, "-c", "core.hooksPath=", "merge", "-q", "--no-ff", "--no-edit", "left-over")
    git(store.path, "switch", "-q", "main")
    [(waiting, look)] = branches.looked_at(store.repo)
    assert look.own == (waiting.here, new, old)


def test_other_files_keep_a_branch_waiting(store: Store) -> None:
    branch(store, "a", {"evil.sh": "x"})
    branch(store, "b", {"instincts/new\nline.md": "x"})
    looks = {waiting.id: look for waiting, look in branches.looked_at(store.repo)}
    assert [one.path for one in looks["a"].brought] == ["evil.sh"]
    assert [one.path for one in looks["b"].brought] == ["instincts/new\nline.md"]
    assert not any(one.is_file for look in looks.values() for one in look.brought)


def test_no_common_beginning_is_no_base(store: Store) -> None:
    alone = raw_commit(store.repo, [])
    git(store.path, "update-ref", "refs/heads/promote/a", alone)
    [(_, look)] = branches.looked_at(store.repo)
    assert look.bases == ()
    assert not look.has_landed


def test_what_is_no_commit_is_no_branch(store: Store) -> None:
    blob = git(store.path, "hash-object", "-w", "--stdin", stdin=b"x")
    git(store.path, "update-ref", "refs/remotes/origin/promote/a", blob)
    assert waits(store) == []


def test_the_number_of_processes_stays_the_same(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def started(number: int) -> int:
        for at in range(number):
            branch(store, f"n{number}-{at}", {f"instincts/n{number}-{at}.md": made(f"n{number}-{at}")})
        with processes(monkeypatch) as begun:
            assert len(waits(store)) >= number
        return len(begun)

    assert 0 < started(2) == started(9)


texts = st.sampled_from(["Use `rg`.", "Use `fd`.", "Use `ag`."])
steps = st.lists(
    st.tuples(st.sampled_from(["main", "branch", "merge main", "merge branch"]), st.sampled_from("ab"), texts),
    max_size=6,
)


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=steps)
def test_it_tells_what_a_merge_would_do(tmp_path_factory: pytest.TempPathFactory, home: Path, steps: Any) -> None:
    store = everybody(tmp_path_factory.mktemp("law") / "store")
    branch(store, "a", {PATH: made("a")})
    for number, (where, name, action) in enumerate(steps):
        if where == "main":
            commit_all(store.path, {f"instincts/{name}.md": made(name, action), "README.md": f"{number}"}, "main")
        elif where == "branch":
            branch(store, "a", {f"instincts/{name}.md": made(name, action), "README.md": f"{number}"})
        else:
            into, other = ("promote/a", "main") if where == "merge main" else ("main", "promote/a")
            git(store.path, "switch", "-q", into)
            git(store.path, "-c", "core.hooksPath=", "merge", "-q", "-X", "ours", "--no-edit", other, ok=False)
            git(store.path, "merge", "--abort", ok=False)
            git(store.path, "switch", "-q", "-f", "main")
    main, tip = resolve(store.repo, "main") or "", resolve(store.repo, "promote/a") or ""
    decided = merging.decide(store.repo, main, tip)
    look = outlook.read(store.repo, [tip])[tip]
    assert look.has_landed == (not decided.files and not decided.unreadable)
    if len(look.bases) == 1:
        assert {one.path: one.merged.data for one in look.brought if one.is_news} == dict(decided.files)
