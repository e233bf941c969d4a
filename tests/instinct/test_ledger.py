"""The lines of the ledger: what is an entry, what is free text, and the keys."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitinstinct.instinct import ledger
from gitinstinct.instinct.ledger import Entry, parse_line
from tests.support.ledgers import ledgers

KEY = "01m6x9kf80-9f3ac1d0"
NOON = datetime(2026, 11, 8, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("line", "kind", "amount", "text"),
    [
        (f"- 2026-11-08 observed 5: seen 5 times [{KEY}]", "observed", 5, "seen 5 times"),
        (f"- 2026-11-08 set 0.85: by hand [{KEY}]", "set", 85, "by hand"),
        (f"- 2026-11-08 set 0.5: by hand [{KEY}]", "set", 50, "by hand"),
        (f"- 2026-11-08 set 0: by hand [{KEY}]", "set", 0, "by hand"),
        (f"- 2026-11-08 archived: [{KEY}]", "archived", None, ""),
        (f"- 2026-11-08 retracted {KEY}: undo [0b-12aaaa]", "retracted", KEY, "undo"),
        (f"- 2026-11-08 wondered 7x: an unknown kind [{KEY}]", "wondered", "7x", "an unknown kind"),
        (f"- 2026-11-08 confirmed 1: a: b [c] (d) [{KEY}]  ", "confirmed", 1, "a: b [c] (d)"),
    ],
)
def test_entry(line: str, kind: str, amount: object, text: str) -> None:
    entry = parse_line(line)
    assert entry is not None
    assert (entry.kind, entry.amount, entry.text) == (kind, amount, text)


@pytest.mark.parametrize(
    "line",
    [
        "- Observed 8 times in session abc123 (2026-02-08)",
        f"- 2026-13-45 observed 5: no such day [{KEY}]",
        f"- 2026-11-08 observed: no amount [{KEY}]",
        f"- 2026-11-08 observed 0: none [{KEY}]",
        f"- 2026-11-08 observed -3: less [{KEY}]",
        f"- 2026-11-08 observed 9999999: too many [{KEY}]",
        f"- 2026-11-08 observed ٣: not ASCII [{KEY}]",
        f"- 2026-11-08 set 0.96: above what a set may say [{KEY}]",
        f"- 2026-11-08 set 0.855: three decimals [{KEY}]",
        f"- 2026-11-08 set 1: [{KEY}]",
        "- 2026-11-08 confirmed 1: a key too short [abc]",
        "- 2026-11-08 confirmed 1: no key",
        f"* 2026-11-08 confirmed 1: another bullet [{KEY}]",
        f"  - 2026-11-08 confirmed 1: indented [{KEY}]",
        f"- 2026-11-08 retracted: what? [{KEY}]",
        f"- 2026-11-08 confirmed 1: two\nlines [{KEY}]",
    ],
)
def test_free_text(line: str) -> None:
    assert parse_line(line) is None


@given(ledgers())
def test_a_line_reads_as_what_was_written(entries: list[Entry]) -> None:
    assert [parse_line(entry.render()) for entry in entries] == entries


@given(st.text())
def test_any_text_becomes_one_line_that_reads_back(text: str) -> None:
    entry = ledger.new_entry(NOON, "confirmed", 1, text, "12ab34cd", [])
    assert "\n" not in entry.render()
    assert parse_line(entry.render()) == entry


@given(st.integers(0, 2**50 - 1))
def test_time_reads_back(milliseconds: int) -> None:
    assert ledger.decode_time(ledger.encode_time(milliseconds) + "-0") == milliseconds


def test_keys_of_a_day_stay_in_order_even_when_the_clock_goes_back() -> None:
    made: list[Entry] = []
    for minutes in (50, 10, 10, 30):
        made.append(ledger.new_entry(NOON + timedelta(minutes=minutes), "confirmed", 1, "", f"{minutes:08x}", made))
    assert [e.order for e in made] == sorted(e.order for e in made)
    other_day = ledger.new_entry(NOON - timedelta(days=1), "confirmed", 1, "", "00000001", made)
    assert ledger.decode_time(other_day.key) == int((NOON - timedelta(days=1)).timestamp() * 1000)


def test_one_session_is_one_origin_for_what_was_seen() -> None:
    seen = {ledger.observed_origin("p", "s", kind) for kind in ("observed", "confirmed")}
    assert len(seen) == 1
    assert ledger.observed_origin("p", "s", "contradicted") not in seen
    assert ledger.observed_origin("p", "t", "observed") not in seen


def test_a_retracted_origin_is_known_although_its_entry_is_gone() -> None:
    entry = Entry("2026-11-08", "retracted", "0b-12aaaa", "undo", "0c-13bbbb")
    assert ledger.origins([entry]) == {"12aaaa", "13bbbb"}


def test_what_was_forgotten_cannot_be_retracted() -> None:
    gone = Entry("2026-11-08", "forgotten", None, "", "0b-12aaaa")
    kept = ledger.live([gone, Entry("2026-11-09", "retracted", gone.key, "", "0c-13bbbb")])
    assert [e.kind for e in kept] == ["forgotten", "retracted"]
