"""Counting sightings: when a pattern qualifies, what is forgotten, what survives the disk."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitinstinct.observer import tally_file
from gitinstinct.observer.pattern import BASE, CORRECTION, ERROR_FIX, PREFERENCE, WORKFLOW, Pattern, Sighting
from gitinstinct.observer.tally import Tally, is_part

NOON = datetime(2026, 10, 1, 12, tzinfo=UTC)
PNPM = Pattern("correction\0pnpm\0npm", CORRECTION, "when installing", "Use `pnpm`.", "t", "n", "workflow")


def sighting(
    place: int,
    session: str = "s1",
    pattern: Pattern = PNPM,
    days: float = 0,
    variant: str = "",
    start: int | None = None,
) -> Sighting:
    """A sighting anchored at a place of the stream."""
    begun = place - 1 if start is None else start
    return Sighting(pattern, session, NOON + timedelta(days=days), (f"1:{begun}", f"1:{place}"), variant)


def counted(*sightings: Sighting) -> Tally:
    tally = Tally()
    for item in sightings:
        tally.add(item)
    return tally


@pytest.mark.parametrize("sessions", [("a", "a", "a"), ("a", "b", "c"), ("a", "b", "b")])
def test_three_sightings_qualify_wherever_they_were(sessions: tuple[str, ...]) -> None:
    tally = Tally()
    answers = [tally.add(sighting(place, name)) for place, name in enumerate(sessions, 1)]
    assert [answer is not None for answer in answers] == [False, False, True]
    assert tally.qualified(PNPM.signature)


def test_the_point_of_qualifying_parts_founding_sessions_from_confirming_ones() -> None:
    tally = counted(*(sighting(place, name, days=place) for place, name in enumerate("abcad", 1)))
    record = tally.get(PNPM.signature)
    assert record is not None
    assert record.qualified == NOON + timedelta(days=3)
    shown = [(shown.session, shown.count, shown.is_founding) for shown in record.sessions.values()]
    assert shown == [("a", 2, True), ("b", 1, True), ("c", 1, True), ("d", 1, False)]
    first = record.sessions["a"]
    assert (first.first, first.last) == (NOON + timedelta(days=1), NOON + timedelta(days=4))
    assert first.observations == ("1:1", "1:4")


def test_no_anchor_counts_twice_however_often_it_comes() -> None:
    stream = [sighting(10, "a", start=1), sighting(11, "b", start=2), sighting(11, "b", start=3), sighting(12, "a")]
    tally = counted(*stream, *stream, *stream[2:])
    record = tally.get(PNPM.signature)
    assert record is not None
    assert {name: shown.count for name, shown in record.sessions.items()} == {"a": 2, "b": 2}


def test_what_is_older_than_thirty_days_does_not_count() -> None:
    assert counted(*(sighting(n, f"s{n}", days=n * 10) for n in (1, 2, 4))).qualified(PNPM.signature)
    tally = counted(*(sighting(n, f"s{n}", days=n * 16) for n in (1, 2, 3)))
    assert not tally.qualified(PNPM.signature)
    tally.prune(NOON + timedelta(days=200))
    assert tally.records() == []


def test_ten_thousand_sightings_of_one_session_are_one_session() -> None:
    record = counted(*(sighting(place) for place in range(1, 10_001))).get(PNPM.signature)
    assert record is not None
    assert [(shown.count, len(shown.observations)) for shown in record.sessions.values()] == [(10_000, 4)]


USE = Pattern("preference\0rg", PREFERENCE, occasions=("preference\0rg", "preference\0grep"))


@pytest.mark.parametrize(
    ("sessions", "variants", "others", "learned"),
    [
        ("abcabcab", "01234567", 0, True),
        ("abababab", "01234567", 0, False),  # two sessions
        ("abcabca", "0123456", 0, False),  # seven uses
        ("abcabcab", "00000000", 0, False),  # always the same
        ("abcabcab", "01234567", 6, False),  # grep as well
    ],
)
def test_a_preference_asks_for_more(sessions: str, variants: str, others: int, learned: bool) -> None:
    grep = Pattern("preference\0grep", BASE)
    before = [sighting(place, "a", grep) for place in range(1, others + 1)]
    uses = [sighting(20 + n, name, USE, variant=v) for n, (name, v) in enumerate(zip(sessions, variants, strict=True))]
    assert counted(*before, *uses).qualified(USE.signature) is learned


def test_what_a_person_refused_is_no_preference() -> None:
    refusal = Pattern("correction\0ag\0rg", CORRECTION)
    uses = [sighting(20 + n, "abc"[n % 3], USE, variant=str(n)) for n in range(9)]
    assert not counted(sighting(1, "z", refusal), *uses).qualified(USE.signature)


def test_a_cure_is_one_only_in_half_of_the_episodes() -> None:
    failed = Pattern("failure\0pytest\0", BASE)
    cure = Pattern("error-fix\0pytest\0\0ruff", ERROR_FIX, occasions=(failed.signature,))
    episodes = [sighting(place, "a", failed) for place in range(1, 8)]
    cures = [sighting(place, "a", cure) for place in (2, 4, 6)]
    assert not counted(*episodes, *cures).qualified(cure.signature)
    assert counted(*episodes[:6], *cures).qualified(cure.signature)


def workflow(*steps: str) -> Pattern:
    return Pattern("\0".join((WORKFLOW, *steps)), WORKFLOW)


def test_parts_and_rotations_of_a_known_workflow_add_nothing() -> None:
    known = [sighting(place, pattern=workflow("a", "b", "c")) for place in (1, 2, 3)]
    others = [workflow("a", "c"), workflow("b", "c", "a"), workflow("c", "a"), workflow("c", "b"), workflow("a", "d")]
    tally = counted(*known, *(sighting(place, pattern=other) for other in others for place in (4, 5, 6)))
    assert [tally.qualified(other.signature) for other in others] == [False, False, False, False, True]


@pytest.mark.parametrize(
    ("part", "whole", "held"),
    [("ac", "abc", True), ("cab", "abc", True), ("ca", "abc", True), ("acb", "abc", False), ("abcd", "abc", False)],
)
def test_is_part(part: str, whole: str, held: bool) -> None:
    assert is_part(part, whole) is held


def test_specific_words_win_over_general_ones_until_it_qualifies() -> None:
    general = Pattern(PNPM.signature, CORRECTION, "when choosing", specific=False)
    record = counted(sighting(1, pattern=general), sighting(2), sighting(3, pattern=general)).get(PNPM.signature)
    assert record is not None
    assert record.pattern.trigger == "when installing"


def test_the_number_of_patterns_is_bounded_and_what_qualified_stays() -> None:
    tally = counted(*(sighting(place) for place in (1, 2, 3)))
    for place in range(20_000):
        tally.add(sighting(place + 10, f"s{place}", Pattern(f"workflow\0a\0{place}", WORKFLOW)))
    assert len(tally.records()) <= 5_000
    assert tally.qualified(PNPM.signature)
    assert tally.get("workflow\0a\x0019999") is not None


MOMENTS = st.tuples(st.integers(0, 5), st.integers(0, 60), st.sampled_from([PNPM, USE, workflow("a", "b")]))


@given(st.lists(MOMENTS, max_size=40), st.integers(0, 40))
def test_a_tally_that_was_written_and_read_goes_on_as_if_nothing_had_happened(
    moments: list[tuple[int, int, Pattern]], cut: int
) -> None:
    stream = [sighting(n + 1, f"s{who}", pattern, day, str(day)) for n, (who, day, pattern) in enumerate(moments)]
    whole, tally = counted(*stream), counted(*stream[:cut])
    tally = tally_file.read(list(tally_file.lines(tally)))
    for item in stream:  # a replay from the beginning
        tally.add(item)
    assert "".join(tally_file.lines(tally)).count('"qualified"') == "".join(tally_file.lines(whole)).count(
        '"qualified"'
    )
    for record in whole.records():
        again = tally.get(record.pattern.signature)
        assert again is not None
        assert again == record


@pytest.mark.parametrize(
    "line",
    [
        "",
        "{",
        "[]",
        "null",
        '{"signature": "x"}',
        '{"pattern": ["x"], "mark": [1], "sessions": []}',
        '{"pattern": [1, 2, 3, 4, 5, 6, 7], "mark": [1], "sessions": []}',
        "[" * 100_000,
    ],
)
def test_a_damaged_line_is_never_read_as_something_else(line: str) -> None:
    with pytest.raises(tally_file.DAMAGE):
        tally_file.read([line])


def test_a_past_that_is_told_late_qualifies_by_itself_and_never_with_what_is_months_younger() -> None:
    tally = counted(sighting(1, "new", days=300), sighting(2, "new", days=300))
    assert tally.add(sighting(3, "old", days=0)) is None
    assert tally.add(sighting(4, "old", days=1)) is None
    record = tally.add(sighting(5, "older", days=2))
    assert record is not None
    assert {name: shown.is_founding for name, shown in record.sessions.items()} == {
        "new": False, "old": True, "older": True,
    }  # fmt: skip
