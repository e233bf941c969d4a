from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from gitinstinct.store import library
from tests.support.repos import git
from tests.support.stores import NOW, new_store

DAYS = 12


@pytest.mark.parametrize("singly", [0, 1, DAYS])
def test_what_has_no_ledger_counts_from_the_day_of_its_commit(singly: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many ask, one by one or all at once, and whatever was merged."""
    monkeypatch.setattr(library, "_SINGLY", singly)
    store = new_store()
    (store.path / "instincts").mkdir()
    for day in range(DAYS):
        if day == DAYS - 2:
            git(store.path, "checkout", "-q", "-b", "side", "HEAD~3")
        text = f"---\nid: i{day}\ntrigger: when {day}\nconfidence: 0.5\n---\n"
        (store.path / f"instincts/i{day}.md").write_text(text)
        git(store.path, "add", "-A")
        when = (NOW + timedelta(days=day)).isoformat()
        git(store.path, "commit", "-q", "-m", "x", env={"GIT_COMMITTER_DATE": when, "GIT_AUTHOR_DATE": when})
    git(store.path, "checkout", "-q", "main")
    git(store.path, "merge", "-q", "--no-edit", "side", env={"GIT_COMMITTER_DATE": "2027-06-01T00:00:00Z"})
    found = library.read(store).items
    first = datetime(2026, 11, 29, tzinfo=UTC).date()
    assert {name: item.as_written for name, item in found.items()} == {
        f"i{day}": (first + timedelta(days=day)).isoformat() for day in range(DAYS)
    }
