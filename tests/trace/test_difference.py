from __future__ import annotations

import pytest
from hypothesis import given

from gitinstinct.instinct import edit, markdown
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.ledger import Entry
from gitinstinct.trace import difference
from gitinstinct.trace.difference import Field
from tests.support import files
from tests.support.ledgers import ledgers

OLD = files.CANONICAL.encode()
FOREIGN = OLD.replace(b"contradictions: 0\n", b"contradictions: 0\ntags: [a, b]\nx['y']: {k: [1, 2]}\n")
BULLET = b"- Observed 8 times in session abc123 (2026-02-08)\n"


def changed(old: bytes, new: bytes) -> list[tuple[str, str | None, str | None]]:
    found = difference.between("grep-before-edit", old, new)
    assert (found.added, found.removed, found.silenced, found.numbers) == ((), (), (), ())
    return [(field.name, field.old, field.new) for field in found.words]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (OLD, OLD.replace(b"modifying", b"changing"),
         [("trigger", "when modifying code in a file", "when changing code in a file")]),
        (OLD, OLD.replace(b"# Grep Before Edit", b"# Grep First"), [("title", "Grep Before Edit", "Grep First")]),
        (OLD, OLD.replace(b"then edit.", b"then edit.\nAnd look."),
         [("action", "Find the exact place with Grep, read it, then edit.",
           "Find the exact place with Grep, read it, then edit.\nAnd look.")]),
        (OLD, FOREIGN, [("tags", None, "a, b"), ("x['y']", None, '{"k": ["1", "2"]}')]),
        (FOREIGN, FOREIGN.replace(b"[a, b]", b"[a]"), [("tags", "a, b", "a")]),
        (FOREIGN, FOREIGN.replace(b"x['y']: {k: [1, 2]}\n", b""), [("x['y']", '{"k": ["1", "2"]}', None)]),
        (OLD, OLD.replace(b"## Evidence", b"## Why\nIt hurt.\n\n## Evidence"), [("## Why", None, "It hurt.")]),
        (OLD, OLD.replace(BULLET, b""), [("free text in the evidence", BULLET.decode().strip(), None)]),
    ],
)  # fmt: skip
def test_words_are_told_field_by_field(
    old: bytes, new: bytes, expected: list[tuple[str, str | None, str | None]]
) -> None:
    assert changed(old, new) == expected


@pytest.mark.parametrize(
    ("old", "new"),
    [(b"\n", b"\r\n"), (b"domain: workflow", b"domain: 'workflow' # as it is"), (b"## Action\n", b"## Action\n\n")],
)
def test_what_is_only_form_is_called_so(old: bytes, new: bytes) -> None:
    assert difference.between("x", OLD, OLD.replace(old, new)).change == "form"


def test_evidence_comes_with_the_numbers_that_follow_from_it() -> None:
    entry = Entry("2026-11-13", "contradicted", 1, "not here", "01m7aaaa00-11111111")
    found = difference.between("grep-before-edit", OLD, edit.record(OLD, [entry], ""))
    assert (found.change, found.words, found.added, found.removed) == ("changed", (), (entry,), ())
    assert found.worth == (65, 55)
    assert found.numbers == (
        Field("confidence", "0.65", "0.55"), Field("last_observed", "2026-11-12", "2026-11-13"),
        Field("contradictions", "0", "1"),
    )  # fmt: skip
    assert not found.forged


def test_a_retraction_names_what_it_silences() -> None:
    first = markdown.parse(OLD).ledger[0]
    entry = Entry("2026-11-13", "retracted", first.key, "undo", "01m7aaaa00-11111111")
    found = difference.between("grep-before-edit", OLD, edit.record(OLD, [entry], ""))
    assert (found.added, found.silenced, found.worth) == ((entry,), (first,), (65, 40))
    back = difference.between("grep-before-edit", edit.record(OLD, [entry], ""), OLD)
    assert (back.added, back.removed, back.silenced) == ((), (entry,), ())


def test_a_forged_number_is_no_worth() -> None:
    found = difference.between("grep-before-edit", OLD, OLD.replace(b"confidence: 0.65", b"confidence: 0.95"))
    assert (found.numbers, found.worth, found.forged) == ((Field("confidence", "0.65", "0.95"),), (65, 65), "0.95")


def test_new_and_gone() -> None:
    new = difference.between("grep-before-edit", None, OLD)
    assert (new.change, new.words, len(new.added), new.worth) == ("new", (), 4, (None, 65))
    gone = difference.between("grep-before-edit", OLD, None)
    assert (gone.change, len(gone.removed), gone.worth, gone.forged) == ("gone", 4, (65, None), "")
    assert difference.between("prefer-rg", files.UNADOPTED.encode(), None).worth == (80, None)


def test_what_cannot_be_read_cannot_be_compared() -> None:
    with pytest.raises(Invalid):
        difference.between("x", OLD, b"no frontmatter")


@given(ledgers(), ledgers())
def test_the_lines_that_came_and_went_lead_from_one_ledger_to_the_other(old: list[Entry], new: list[Entry]) -> None:
    fields = {"id": "x", "trigger": "when x", "source": "session-observation"}
    extra = Entry("2026-01-01", "observed", 1, "", "0000000000-ffffffff")
    before, after = (markdown.compose(fields, "X", "Do x.", [extra, *lines]) for lines in (old, new))
    found = difference.between("x", before, after)
    left = list(markdown.parse(before).ledger)
    for entry in found.removed:
        left.remove(entry)
    assert sorted(left + list(found.added), key=lambda entry: entry.order) == list(markdown.parse(after).ledger)
    assert set(found.silenced) <= set(left)
