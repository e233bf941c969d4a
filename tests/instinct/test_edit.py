"""A change touches the lines that it must, and no other byte."""

from __future__ import annotations

import difflib
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitinstinct.instinct import edit, markdown
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.ledger import Entry, new_entry, observed_origin
from gitinstinct.instinct.markdown import parse
from gitinstinct.instinct.sheet import split
from tests.support import files, needs_real_samples, real_samples
from tests.support.ledgers import ledgers

GOOD = files.CANONICAL.encode()
LATER = datetime(2026, 11, 13, 9, tzinfo=UTC)


def confirmed(session: str = "s", amount: int = 1, moment: datetime = LATER) -> Entry:
    return new_entry(moment, "confirmed", amount, "same order again", observed_origin("p", session, "confirmed"), [])


def changed_lines(before: bytes, after: bytes) -> list[str]:
    """The lines of a diff without context, ends included."""
    lines = difflib.unified_diff(before.decode().split("\n"), after.decode().split("\n"), n=0, lineterm="")
    return [line for line in lines if not line.startswith(("---", "+++", "@@"))]


def test_a_confirmation_changes_only_what_it_must() -> None:
    after = edit.record(GOOD, [confirmed()], "")
    assert changed_lines(GOOD, after) == [
        "-confidence: 0.65",
        "+confidence: 0.70",
        "-last_observed: 2026-11-12",
        "-confirmations: 8",
        "+last_observed: 2026-11-13",
        "+confirmations: 9",
        f"+{confirmed().render()}",
    ]


def test_known_evidence_changes_nothing() -> None:
    once = edit.record(GOOD, [confirmed(), confirmed()], "")
    assert edit.record(once, [confirmed(amount=7)], "") == once
    retracted = edit.record(
        once, [Entry("2026-11-14", "retracted", confirmed().key, "undo", "01m7d000zz-00000001")], ""
    )
    assert edit.record(retracted, [confirmed()], "") == retracted
    assert parse(retracted).written["confidence"] == 65


def test_a_late_entry_goes_to_its_place() -> None:
    between = confirmed(moment=datetime(2026, 11, 11, 23, tzinfo=UTC))
    after = edit.record(GOOD, [between], "")
    assert [entry.date for entry in parse(after).ledger] == [
        "2026-11-08", "2026-11-10", "2026-11-11", "2026-11-11", "2026-11-12",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("confidence: 0.65  # sure", "confidence: 0.70  # sure"),
        ('confidence: "0.65"', 'confidence: "0.70"'),
        ("confidence:   '0.65'   ", "confidence:   '0.70'   "),
        ('"confidence" : 0.65', '"confidence" : 0.70'),
        ("confidence:\n  0.65", "confidence: 0.70"),
        ("confidence: >-\n  0.65", "confidence: 0.70"),
        ("confidence:", "confidence: 0.70"),
        ("confidence:   # later", "confidence: 0.70   # later"),
    ],
)
def test_comment_and_quotes_of_a_line_stay(before: str, after: str) -> None:
    data = GOOD.replace(b"confidence: 0.65", before.encode())
    text = edit.record(data, [confirmed()], "").decode()
    assert f"\n{after}\ndomain: workflow\n" in text


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_line_ends_and_bom_stay(newline: str, bom: str) -> None:
    data = (bom + files.CANONICAL.replace("\n", newline)).encode()
    after = edit.record(data, [confirmed()], "").decode()
    assert after.startswith(bom + "---" + newline)
    assert after.replace(newline, "").count("\n") == 0


def test_no_final_newline_before_a_new_last_line() -> None:
    head = GOOD[: GOOD.index(b"- Observed 8")].removesuffix(b"\n")
    after = edit.record(head, [confirmed()], "")
    assert after.endswith(confirmed().render().encode() + b"\n")
    assert len(parse(after).ledger) == 5


def test_a_file_without_evidence_section_gets_one() -> None:
    after = edit.record(files.UNADOPTED.encode(), [confirmed()], "2026-11-01").decode()
    assert "Use `rg`.\n\n## Evidence\n- 2026-11-01 set 0.80: as written" in after


def test_adoption_tells_what_the_file_said() -> None:
    after = edit.adopt(files.UNADOPTED.encode(), "2026-11-01")
    instinct = parse(after)
    assert instinct.ledger[0].text == "as written (8 confirmations, last confirmed 2026-02-08)"
    assert instinct.extra["x_original_status"] == "pending"
    assert instinct.extra["x_original_confirmations"] == "8"
    assert instinct.extra["evolved"] == "true"
    assert (instinct.written["confirmations"], instinct.written["status"]) == (0, "active")
    assert b"id: prefer-rg   # short for ripgrep\ntrigger: 'when searching text'\n" in after
    assert edit.adopt(after, "2026-12-01") == after


def test_what_was_put_away_stays_put_away_when_it_is_adopted() -> None:
    after = edit.adopt(files.UNADOPTED.replace("pending", "archived").encode(), "2026-11-01")
    assert [(entry.kind, entry.amount) for entry in parse(after).ledger] == [("set", 80), ("archived", None)]
    assert parse(after).written["status"] == "archived"
    assert "x_original_status" not in parse(after).extra


def test_adoption_clips_to_what_a_set_may_say() -> None:
    after = edit.adopt(files.UNADOPTED.replace('"0.8"', "1.0").encode(), "2026-11-01")
    assert parse(after).written["confidence"] == 95


def test_an_earlier_imported_creation_date_stays() -> None:
    data = GOOD.replace(b"created: 2026-11-08", b"created: 2025-01-01")
    assert parse(edit.rederived(data)).written["created"] == "2025-01-01"
    later = GOOD.replace(b"created: 2026-11-08", b"created: 2026-12-24")
    assert parse(edit.rederived(later)).written["created"] == "2026-11-08"


def test_forged_numbers_are_put_right() -> None:
    forged = GOOD.replace(b"0.65", b"0.95").replace(b"confirmations: 8", b"confirmations: 800")
    assert edit.rederived(forged) == GOOD


def test_a_field_that_the_ledger_no_longer_gives_goes() -> None:
    data = files.made()
    gone = edit.record(data, [Entry("2026-11-09", "retracted", "01m6x9kf80-9f3ac1d0", "undo", "0b-12aaaa")], "")
    assert "last_observed" not in parse(gone).written
    assert (parse(gone).written["confidence"], parse(gone).written["status"]) == (0, "archived")


@given(ledgers().filter(bool), ledgers())
def test_recording_gives_the_same_file_in_any_portion(first: list[Entry], more: list[Entry]) -> None:
    data = markdown.compose({"id": "a", "trigger": "t", "source": "x"}, "T", "Do it.", first)
    at_once = edit.record(data, more, "")
    one_by_one = data
    for entry in more:
        one_by_one = edit.record(one_by_one, [entry], "")
    assert one_by_one == at_once
    assert edit.record(at_once, more, "") == at_once
    assert edit.rederived(at_once) == at_once


@given(ledgers().filter(bool), ledgers().filter(bool))
def test_a_ledger_can_be_exchanged_and_put_back(first: list[Entry], other: list[Entry]) -> None:
    data = markdown.compose({"id": "a", "trigger": "t", "source": "x"}, "T", "Do it.", first)
    exchanged = edit.with_ledger(data, other)
    assert sorted(parse(exchanged).ledger, key=lambda e: e.order) == sorted(other, key=lambda e: e.order)
    assert edit.rederived(exchanged) == exchanged
    back = edit.with_ledger(exchanged, first)
    created = parse(back).written["created"]  # never later than what the file said
    assert back == data.replace(f"created: {parse(data).written['created']}".encode(), f"created: {created}".encode())
    assert edit.with_ledger(data, first) == data


def test_a_ledger_is_taken_out_line_by_line() -> None:
    kept = parse(GOOD).ledger[:2]
    after = edit.with_ledger(GOOD, kept)
    assert changed_lines(GOOD, after) == [
        "-confidence: 0.65",
        "+confidence: 0.55",
        "-last_observed: 2026-11-12",
        "-confirmations: 8",
        "+last_observed: 2026-11-10",
        "+confirmations: 6",
        *(f"-{entry.render()}" for entry in parse(GOOD).ledger[2:]),
    ]
    without = edit.with_ledger(GOOD, [])
    assert parse(without).written == parse(GOOD).written
    assert parse(without).notes == parse(GOOD).notes
    assert edit.without_evidence(GOOD) == edit.without_evidence(edit.record(GOOD, [confirmed()], ""))
    assert b"confidence" not in edit.without_evidence(GOOD)


@given(
    st.lists(
        st.sampled_from(["tags: [a]", "# note", "", "x_y: 'q'  # c", "zz: |\n  block\n  text", "li:\n- a\n- b"]),
        max_size=5,
    )
)
def test_what_stands_around_is_untouched(extra: list[str]) -> None:
    block = "".join(line + "\n" for line in dict.fromkeys(extra))
    data = files.CANONICAL.replace("status: active\n", block + "status: active\n").encode()
    after = edit.record(data, [confirmed()], "").decode()
    assert block in after
    assert len(after.split("\n")) == len(data.decode().split("\n")) + 1


def readable(path: Path) -> bool:
    try:
        parse(path.read_bytes())
    except Invalid:
        return False
    return True


@needs_real_samples
@pytest.mark.parametrize(
    "path", [path for path in real_samples("instincts") if readable(path)], ids=lambda path: path.name
)
def test_real_files_keep_every_other_line(path: Path) -> None:
    data = path.read_bytes()
    after = edit.record(data, [confirmed()], "2026-11-01")
    removed = [line for line in changed_lines(data, after) if line.startswith("-")]
    derived = ("confidence", "status", "created", "last_observed")
    assert all(line.split(":")[0].strip('-"') in derived for line in removed)
    assert split(after).encode() == after
    assert edit.record(after, [confirmed()], "2026-11-01") == after


@pytest.mark.parametrize("body", ["```\ncode\n", "~~~~ text\n# no heading", "```\na\n```\n~~~\n## Evidence\n"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_evidence_is_no_code_where_a_fence_is_never_closed(body: str, newline: str) -> None:
    data = (files.UNADOPTED + "\n" + body).replace("\n", newline).encode()
    assert [entry.kind for entry in parse(edit.adopt(data, "2026-11-01")).ledger] == ["set"]
    seen = new_entry(datetime(2026, 11, 20, tzinfo=UTC), "confirmed", 1, "seen", "0123abcd", [])
    recorded = parse(edit.record(data, [seen], "2026-11-01"))
    assert [entry.kind for entry in recorded.ledger] == ["set", "confirmed"]
    assert parse(edit.with_ledger(data, [seen])).ledger == (seen,)
