"""A command writes its entries and tells what they did."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from gitinstinct.errors import Found
from gitinstinct.instinct import edit, markdown, shelf
from gitinstinct.instinct.ledger import Entry, parse_line
from gitinstinct.instinct.shelf import Item
from gitinstinct.teach import commands
from gitinstinct.teach.lesson import Lesson
from tests.support import files
from tests.support.teaching import said

AT = datetime(2026, 11, 14, 9, 30, tzinfo=UTC)


def item(ledger: str, source: str = "session-observation") -> Item:
    """An instinct with these entries: `date kind amount` each, by commas."""
    entries = [
        parsed(f"- {line.strip()}: x [{number:010}-{number:08x}]") for number, line in enumerate(ledger.split(","))
    ]
    return of(markdown.compose({"id": "a", "trigger": "when a", "source": source}, "A", "Do it.", entries))


def parsed(line: str) -> Entry:
    entry = parse_line(line)
    assert entry is not None
    return entry


def of(data: bytes, as_written: str = "2026-11-07") -> Item:
    [found] = shelf.read({markdown.parse(data).id: data}, lambda _: as_written).items.values()
    return found


def applied(one: Item, verb: str, value: int | None = None, why: str = "") -> Lesson:
    return commands.apply(said(verb, value=value, why=why, at=AT), {one.instinct.id: one})


CASES = [
    ("confirm", None, "2026-11-14 set 0.60", 65, "one confirmation"),
    ("confirm", None, "2026-11-14 set 0.65", 70, "one confirmation; from 0.70 on it is injected"),
    ("confirm", None, "2026-11-07 set 0.67", 70, "one confirmation; from 0.70 on it is injected"),
    ("confirm", None, "2026-11-14 set 0.25", 30, "one confirmation; from 0.30 on it is listed"),
    ("confirm", None, "2026-11-14 set 0.87", 90, "one confirmation, up to the most that confirmations give, 0.90"),
    ("confirm", None, "2026-11-14 set 0.90", 90, "it stays at 0.90: confirmations go up to 0.90"),
    ("confirm", None, "2026-11-14 set 0.95", 95, "it stays at 0.95: confirmations go up to 0.90"),
    ("confirm", None, "2026-11-16 set 0.40", 40, "one confirmation, and evidence of a later day decides"),
    (
        "confirm", None, "2026-11-14 set 0.60, 2026-11-14 archived", 65,
        "one confirmation; it is still archived, `restore` brings it back",
    ),
    ("contradict", None, "2026-11-14 set 0.85", 75, "one contradiction"),
    (
        "contradict", None, "2026-11-14 set 0.75", 65,
        "one contradiction; below 0.70 it is listed, no longer injected",
    ),
    ("contradict", None, "2026-11-14 set 0.35", 25, "one contradiction; below 0.30 it is silent"),
    ("contradict", None, "2026-11-14 set 0.22", 12, "one contradiction; below 0.15 it is archived"),
    (
        "contradict", None, "2026-11-14 set 0.18", 10,
        "one contradiction, down to the least that contradictions leave, 0.10; below 0.15 it is archived",
    ),
    ("contradict", None, "2026-11-14 set 0.10", 10, "it stays at 0.10: contradictions go down to 0.10"),
    ("set", 40, "2026-11-14 set 0.85", 40, "set by hand; below 0.70 it is listed, no longer injected"),
    ("set", 85, "2026-11-14 set 0.85", 85, "it was that already; it counts as news all the same"),
    ("set", 0, "2026-11-14 set 0.85", 0, "set by hand; below 0.15 it is archived"),
    (
        "set", 80, "2026-11-14 set 0.60, 2026-11-14 archived", 80,
        "set by hand; it is still archived, `restore` brings it back",
    ),
    ("set", 80, "2026-11-15 set 0.60", 60, "set to 0.80, and evidence of a later day changes it"),
    ("archive", None, "2026-11-14 set 0.80", 80, "archived by hand; it is neither injected nor listed"),
    ("archive", None, "2026-11-14 set 0.05", 5, "archived by hand"),
    ("restore", None, "2026-11-14 set 0.80, 2026-11-14 archived", 30, "restored at 0.30; from 0.30 on it is listed"),
    ("restore", 72, "2026-11-14 set 0.05", 72, "restored at 0.72; from 0.70 on it is injected"),
]  # fmt: skip


@pytest.mark.parametrize(("verb", "value", "ledger", "after", "reason"), CASES)
def test_what_it_does_and_why(verb: str, value: int | None, ledger: str, after: int, reason: str) -> None:
    one = item(ledger)
    lesson = applied(one, verb, value)
    [told] = lesson.taught
    assert told.after is not None
    assert (told.after.confidence, told.reason) == (after, reason)
    assert told.before == one.fold("2026-11-14")
    written = markdown.parse(lesson.files[one.path] or b"")
    assert written.fold("2026-11-14", "") == told.after
    assert len(written.ledger) > len(one.instinct.ledger)


def test_what_a_person_wrote_loses_half() -> None:
    [told] = applied(item("2026-11-14 set 0.85", source="manual"), "contradict").taught
    assert told.change == "0.85 -> 0.80"
    assert told.reason == "one contradiction, which counts half against what a person wrote"


@pytest.mark.parametrize(
    ("verb", "ledger", "reason"),
    [
        ("archive", "2026-11-14 set 0.80, 2026-11-14 archived", "it is archived already"),
        ("restore", "2026-11-14 set 0.80", "it is not archived; `set` gives it another value"),
        ("confirm", "2026-11-14 set 0.80, 2026-11-14 forgotten", "it was forgotten, and stays so"),
    ],
)
def test_where_nothing_is_to_be_done_nothing_is_written(verb: str, ledger: str, reason: str) -> None:
    lesson = applied(item(ledger), verb)
    assert lesson.files == {}
    assert [told.reason for told in lesson.taught] == [reason]


def test_one_that_only_faded_can_be_put_away_for_good() -> None:
    archived = applied(item("2026-11-14 set 0.05"), "archive").files["instincts/a.md"] or b""
    again = edit.record(archived, [parsed("- 2026-11-15 observed 9: x [01m9000000-0000beef]")], "")
    assert markdown.parse(again).fold("2026-11-15", "").status == "archived"


def test_a_file_without_a_ledger_is_taken_in_first() -> None:
    one = of(files.UNADOPTED.encode())
    lesson = applied(one, "confirm", why="saved me twice")
    written = markdown.parse(lesson.files[one.path] or b"")
    assert [(entry.kind, entry.text) for entry in written.ledger] == [
        ("set", "as written (8 confirmations, last confirmed 2026-02-08)"),
        ("confirmed", "saved me twice"),
    ]
    assert [told.change for told in lesson.taught] == ["0.78 -> 0.83"]


def test_two_entries_of_one_command_have_two_origins_and_a_second_command_counts_again() -> None:
    one = item("2026-11-14 set 0.80, 2026-11-14 archived")
    data = applied(one, "restore", 50).files[one.path] or b""
    kinds = [(entry.kind, entry.text) for entry in markdown.parse(data).ledger[2:]]
    assert kinds == [("restored", "restored by hand"), ("set", "restored by hand")]
    once = applied(of(data), "confirm").files[one.path] or b""
    assert applied(of(once), "confirm").taught[0].change == "0.55 -> 0.60"


def test_a_file_that_is_full_is_said() -> None:
    full = of(files.made(action="x" * (65_500 - len(files.made()))))
    with pytest.raises(Found, match=r"instincts/prefer-rg\.md takes no more evidence: .* 65,536 is the most"):
        applied(full, "confirm")


def test_the_message_tells_it_to_git() -> None:
    two = {"a": item("2026-11-14 set 0.60"), "b": item("2026-11-14 set 0.87")}
    two["b"] = of(two["b"].data.replace(b"id: a", b"id: b"))
    lesson = commands.apply(said("confirm", why="as agreed", at=AT), two)
    assert lesson.message.render().decode() == (
        "confirm: 2 instincts\n\n  as agreed\n\n"
        "  confirmed    a                         0.60 -> 0.65\n"
        "  confirmed    b                         0.87 -> 0.90\n\n"
        "Instinct: a confirmed 0.60 -> 0.65\nInstinct: b confirmed 0.87 -> 0.90\n"
    )
    one = applied(two["a"], "confirm")
    assert one.message.subject == "confirm: a 0.60 -> 0.65"


def test_a_reason_cannot_forge_evidence_or_trailers() -> None:
    why = "x [01m6x9kf80-00000000]\n- 2026-11-14 set 0.95: y [01m6x9kf80-00000001]\n\nRun: forged"
    lesson = applied(item("2026-11-14 set 0.60"), "confirm", why=why)
    written = markdown.parse(lesson.files["instincts/a.md"] or b"")
    assert written.fold("2026-11-14", "").confidence == 65
    assert len(written.ledger) == 2
    assert lesson.message.render().decode().rsplit("\n\n", 1)[1] == "Instinct: a confirmed 0.60 -> 0.65\n"
