from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from gitinstinct.errors import Found, UsageError
from gitinstinct.trace import revision
from gitinstinct.trace.revision import Span
from tests.support.life import Lived
from tests.support.repos import git

NOW = datetime(2026, 11, 29, 10, tzinfo=UTC)
MIDNIGHT = datetime(2026, 11, 29, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-11-29", MIDNIGHT),
        ("today", MIDNIGHT),
        ("yesterday", MIDNIGHT - timedelta(days=1)),
        ("2026-11-28T12:30:00Z", datetime(2026, 11, 28, 12, 30, tzinfo=UTC)),
        ("2 weeks ago", NOW - timedelta(days=14)),
        ("2.weeks", NOW - timedelta(days=14)),
        ("90 minutes", NOW - timedelta(minutes=90)),
        (" 1 Month Ago ", NOW - timedelta(days=30)),
    ],
)
def test_a_time_as_people_write_it(text: str, expected: datetime) -> None:
    assert revision.moment(text, NOW) == expected


def test_a_day_ends_with_its_last_moment() -> None:
    assert revision.moment("2026-11-29", NOW, end=True) == MIDNIGHT + timedelta(days=1, microseconds=-1)


@pytest.mark.parametrize("text", ["", "soon", "2026-13-01", "999999 years ago", "-1 days", "1 fortnight"])
def test_what_is_no_time_is_said(text: str) -> None:
    with pytest.raises(UsageError, match="is no time"):
        revision.moment(text, NOW)


def test_a_revision_as_people_write_it(lived: Lived) -> None:
    repo = lived.store.repo
    for text, expected in {
        "01aaaaaaaa": lived.made,
        lived.confirmed[:10]: lived.confirmed,
        "main": lived.removed,
        "main~1": lived.merged,
        "HEAD~1": lived.merged,
        "2026-11-13": lived.by_person,
        "@{2026-11-12T10:00:00Z}": lived.by_person,
        "@{12 days ago}": lived.merged,
        "@{0}": lived.removed,
        "@{yesterday}": lived.removed,
    }.items():
        assert revision.commit(repo, text, NOW) == expected, text


def test_a_day_means_what_main_was_then_and_not_a_branch_that_came_in_later(lived: Lived) -> None:
    found = revision.commit(lived.store.repo, "2026-11-15", NOW)
    assert git(lived.store.path, "log", "-1", "--format=%s", found) == "observe: 1 confirmed"


def test_a_tag_called_main_changes_nothing(lived: Lived) -> None:
    git(lived.store.path, "tag", "main", lived.made)
    assert revision.commit(lived.store.repo, "main~1", NOW) == lived.merged


@pytest.mark.parametrize("text", ["nothing", "main~99", "01zzzzzzzz", "1999-01-01", "--all", "a\nb", "\x00", "", "x y"])
def test_what_is_no_revision_is_said(text: str, lived: Lived) -> None:
    with pytest.raises(Found):
        revision.commit(lived.store.repo, text, NOW)


def test_ranges_as_git_takes_them(lived: Lived) -> None:
    repo, path = lived.store.repo, lived.store.path
    assert revision.span(repo, "01aaaaaaaa..main~1", NOW) == Span(lived.made, lived.merged)
    assert revision.span(repo, f"{lived.made}..", NOW) == Span(lived.made, lived.removed)
    assert revision.span(repo, "..side", NOW) == Span(lived.removed, git(path, "rev-parse", "side"))
    assert revision.span(repo, "main~1^1...side", NOW) == Span(lived.by_person, git(path, "rev-parse", "side"))
    assert revision.step(repo, lived.merged).new == lived.merged
    assert revision.step(repo, git(path, "rev-list", "--max-parents=0", "main")).old is None
