"""The ledger in short: how many, how sure, and the way up."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from gitinstinct.instinct import markdown
from gitinstinct.instinct.ledger import Entry
from gitinstinct.instinct.shelf import Item
from gitinstinct.review import evidence
from tests.support import files

DAY = "2026-12-20"


def item(data: bytes, as_written: str = "") -> Item:
    return Item("instincts/a.md", data, markdown.parse(data), as_written)


def test_of_a_life() -> None:
    found = evidence.of(item(files.CANONICAL.encode()), "2026-11-12")
    assert [entry.date for entry in found.newest] == ["2026-11-12", "2026-11-11", "2026-11-10"]
    assert (found.lines, found.sessions, found.confirmations, found.contradictions) == (4, 4, 8, 0)
    assert [point.confidence for point in found.curve] == [50, 55, 60, 65, 65]


def test_a_file_without_a_ledger_is_worth_what_it_says() -> None:
    found = evidence.of(item(files.UNADOPTED.encode(), "2026-11-01"), "2026-11-16")
    assert [(point.day, point.confidence) for point in found.curve] == [("2026-11-01", 80), ("2026-11-16", 76)]
    assert (found.lines, found.newest) == (0, ())


def test_a_persons_command_is_no_session() -> None:
    more = b"- 2026-11-13 confirmed 1: I saw it, too [01m7aaaaa0-12345678]\n"
    found = evidence.of(item(files.CANONICAL.encode() + more), "2026-11-13")
    assert (found.lines, found.sessions) == (5, 4)


entries = st.lists(
    st.builds(
        lambda day, kind, key: Entry(f"2026-11-{day:02}", kind, 1, "same in another session", f"01m6x9kf80-{key:08x}"),
        st.integers(1, 30), st.sampled_from(["observed", "confirmed", "contradicted"]), st.integers(0, 2**32 - 1),
    ),
    min_size=1, max_size=80, unique_by=lambda entry: entry.key,
)  # fmt: skip


@settings(deadline=None)
@given(entries)
def test_the_curve_ends_with_today_and_stays_short(ledger: list[Entry]) -> None:
    fields = {"id": "a", "trigger": "when a", "domain": "git", "source": "session-observation", "scope": "global"}
    one = item(markdown.compose(fields, "A", "Do a.", ledger))
    found = evidence.of(one, DAY)
    assert 2 <= len(found.curve) <= evidence.POINTS
    assert found.curve[-1] == evidence.Point(DAY, one.fold(DAY).confidence)
    assert [point.day for point in found.curve] == sorted(point.day for point in found.curve)
    assert found.sessions == found.lines == len(one.instinct.ledger)
