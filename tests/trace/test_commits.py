from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from gitinstinct.store import history
from gitinstinct.trace import commits
from gitinstinct.trace.commits import Wanted
from tests.support.life import Lived, at
from tests.support.repos import git


def test_plain_gits_commits_have_a_verb_too(lived: Lived) -> None:
    told = commits.listed(lived.store.repo, Wanted())
    assert [commits.verb(entry) for entry in told] == [
        "prune", "merge", "edit", "observe", "edit", "observe", "observe", "init",
    ]  # fmt: skip
    assert "genesis" not in {entry.subject for entry in told}


def test_a_subject_that_only_looks_like_ours_is_an_edit(lived: Lived) -> None:
    commit = lived.by_hand("2026-11-21", {"use-rg": lived.data("use-rg").replace(b"Use", b"Take")}, "fix: a word")
    assert commits.verb(history.told(lived.store.repo, [commit])[commit]) == "edit"


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"verb": "edit"}, ["observe by hand", "Say it better"]),
        ({"verb": "observe", "limit": 2}, ["observe: 1 confirmed", "observe: 2 confirmed"]),
        ({"run": "01bbbbbbbb"}, ["observe: 2 confirmed"]),
        ({"run": "01bbbbbbb"}, []),
        ({"limit": 1}, ["prune: faded"]),
        ({"limit": 99, "verb": "init"}, ["init: my-api"]),
        ({"since": at("2026-11-15"), "until": at("2026-11-16")}, ["Merge branch 'side'", "observe by hand"]),
        ({"since": at("2026-11-20") + timedelta(seconds=1)}, []),
    ],
)
def test_the_list_can_be_narrowed(lived: Lived, filters: dict[str, Any], expected: list[str]) -> None:
    assert [entry.subject for entry in commits.listed(lived.store.repo, Wanted(**filters))] == expected


def test_what_a_commit_did_is_its_word_or_else_its_files(lived: Lived) -> None:
    told = commits.listed(lived.store.repo, Wanted())
    found = commits.deeds(lived.store.repo, told)
    assert found[lived.confirmed] == ("use-rg confirmed 0.50", "faded confirmed 0.50")
    assert found[lived.by_person] == ("use-rg edited",)
    assert found[lived.merged] == ("use-rg merged",)
    assert found[lived.removed] == ("faded deleted",)
    assert found[told[-1].commit] == ()  # README and the like are no instincts


def test_a_merge_that_decided_nothing_did_nothing(lived: Lived) -> None:
    path = lived.store.path
    git(path, "checkout", "-q", "-b", "other")
    lived.by_hand("2026-11-21", {"use-fd": lived.data("use-rg").replace(b"use-rg", b"use-fd")})
    git(path, "checkout", "-q", "main")
    lived.put("2026-11-22", "use-rg", lived.data("use-rg").replace(b"Use", b"Take"))
    git(path, "merge", "-q", "other", "-m", "both")
    merge, *_ = commits.listed(lived.store.repo, Wanted(limit=1))
    assert (commits.verb(merge), commits.deeds(lived.store.repo, [merge])) == ("merge", {merge.commit: ()})
