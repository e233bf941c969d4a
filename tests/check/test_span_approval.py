"""Who approves must have had no hand in it, by whatever name the host and git know them."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitinstinct.check.span import approval
from gitinstinct.check.span.judgement import Wanted
from tests.support.proposals import OTHER, SECOND, TODAY, confirmed, proposal

PEOPLE = (
    "Ann Lee <ann@example.org>",
    "Bob <1234+bob-b@users.noreply.github.com>",
    "Cy <77-cy@users.noreply.gitlab.com>",
)


@pytest.mark.parametrize(
    ("approvers", "author", "said"),
    [
        (["dora"], "ann", None),
        (["@Dora"], "", None),
        (["bob-b", "dora"], "ann", None),
        (["ann"], "ann", "'ann'"),
        (["@ANN"], "ann", "'ann'"),
        (["Ann  Lee"], "x", "'ann lee'"),
        (["ANN@example.org"], "x", "'ann@example.org'"),
        (["Bob-B"], "x", "'bob-b'"),
        (["cy"], "x", "'cy'"),
        (["bob-b", "ann@example.org"], "x", "only by who wrote it"),
        (["ann"], "ann@example.org", None),
        ([], "ann", "nobody approved it"),
        (["", "  "], "ann", "nobody approved it"),
    ],
)
def test_whose_approval_counts(approvers: list[str], author: str, said: str | None) -> None:
    found = approval.look(approvers, author, PEOPLE, "1" * 40)
    assert [said in one.why for one in found if said] == ([True] if said else [])
    assert bool(found) is bool(said)


def test_who_made_the_commits_and_helped_is_known_from_them(tmp_path: Path) -> None:
    proposed = proposal(tmp_path / "clone")
    message = "by hand\n\nCo-authored-by: Dora <9+dora@users.noreply.github.com>\n"
    proposed.commit({OTHER: confirmed(SECOND, 1)}, message)
    for name, rules in (("dora", ["approval"]), ("Ann", ["approval"]), ("eve", [])):
        assert [rule for _, rule, _ in proposed.found(wanted=Wanted(TODAY, approvers=(name,)))] == rules
    assert proposed.found() == []
