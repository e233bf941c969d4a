"""What kind of thing waits: told by what brought it here."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from gitinstinct.git.identity import OBSERVER
from gitinstinct.review import kinds
from gitinstinct.review.origin import Origin
from gitinstinct.store.history import Logged

MINE = "ann@example.org"


def logged(subject: str, mail: str = MINE, parents: int = 1, committer: str = "") -> Logged:
    date, by = datetime(2026, 11, 8, tzinfo=UTC), committer or mail
    return Logged("c" * 40, ("p" * 40,) * parents, "x", mail, date, subject, "", (), "x", by)


def origin(subject: str, mail: str = MINE, *, merge: str = "", merged_by: str = MINE, committer: str = "") -> Origin:
    made = logged(subject, mail, committer=committer)
    return Origin(made, logged(merge, merged_by, 2) if merge else None)


@pytest.mark.parametrize(
    ("found", "kind"),
    [
        (Origin(), kinds.INCOMING),
        (origin("learn: a", "bob@example.org"), kinds.INCOMING),
        (origin("learn: a", "bob@example.org", merge="merge: team"), kinds.INCOMING),
        (origin("learn: a"), kinds.INCOMING),  # from one's own other machine
        (origin("import: 1 instinct", merge="import: 1 instinct"), kinds.IMPORT),
        (origin("import: 1 instinct"), kinds.IMPORT),
        (origin("import: 1", "bob@example.org", merge="import: 1", merged_by="bob@example.org"), kinds.INCOMING),
        (origin("import: 1", merge="merge: team"), kinds.INCOMING),
        (origin("observe: 1 new", OBSERVER.mail, committer=MINE), kinds.PROPOSAL),
        (origin("observe: 1 new", OBSERVER.mail, committer="bob@example.org"), kinds.INCOMING),
        (origin("brought"), kinds.EDIT),
        (origin("Merge branch 'x'"), kinds.EDIT),
        (origin("edit: a"), kinds.EDIT),
        (origin("brought", MINE.upper()), kinds.EDIT),
    ],
)
def test_kinds(found: Origin, kind: str) -> None:
    assert kinds.of(found, MINE) == kind


def test_a_merge_of_two_texts_is_incoming() -> None:
    merged = Origin(logged("Merge branch 'x'", parents=2))
    assert kinds.of(merged, MINE) == kinds.INCOMING
