"""Settling: the chosen text stands, the conflict goes, and nothing else of the file moves."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings

from gitinstinct.instinct import edit, markdown, sheet
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.ledger import Entry
from gitinstinct.instinct.merge import Conflicted, Merged, merge
from gitinstinct.instinct.merge.settle import disputes, said, settle
from tests.support import files, versions
from tests.support.versions import START, acts, done

CONFIRMED = Entry("2026-11-10", "confirmed", 1, "again", "01m72cnze0-41b7e2aa")
BASE = files.made(note="kept", settings={"a": "b"}) + b"\n## Notes\n\nold\n"
OURS = {
    "when searching text": "when grepping",
    "# Prefer Rg": "# Rg",
    "Use `rg`.": "Use `rg -n`.\n\n```sh\n# no heading\nrg -n x\n```",
    "note: kept": "note: don't",
    "settings: {a: b}": "settings: {a: c}",
    "old": "new\nline",
}
THEIRS = {
    "trigger: when searching text": 'trigger: "when looking: here"',
    "# Prefer Rg": "# Ripgrep #1",
    "Use `rg`.": "Use `git grep`.",
    "note: kept": 'note: "say \\"no\\": x"',
    "settings: {a: b}": "settings: {a: [d]}",
    "old": "other",
}


def with_words(words: dict[str, str], data: bytes = BASE) -> bytes:
    for old, new in words.items():
        assert old.encode() in data
        data = data.replace(old.encode(), new.encode())
    return data


def conflicted(base: bytes | None, ours: bytes, theirs: bytes) -> bytes:
    outcome = merge(base, ours, theirs, "prefer-rg")
    assert isinstance(outcome, Conflicted)
    return outcome.data


def settled_as(side: bytes, data: bytes) -> bytes:
    """Every conflict settled as a side has it."""
    for field, values in disputes(data).items():
        value = said(side, field, values)
        assert value in values, field
        data = settle(data, field, value)
    return data


FORMS = {
    "plain": lambda data: data,
    "CRLF": lambda data: data.replace(b"\n", b"\r\n"),
    "BOM, no final newline": lambda data: b"\xef\xbb\xbf" + data.removesuffix(b"\n"),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=list(FORMS))
@pytest.mark.parametrize("side", [OURS, THEIRS], ids=["ours", "theirs"])
def test_all_of_one_side_is_that_side(side: dict[str, str], form) -> None:  # type: ignore[no-untyped-def]
    base, ours, theirs = form(BASE), form(with_words(OURS)), form(with_words(THEIRS))
    data = conflicted(base, ours, theirs)
    assert set(disputes(data)) == {"action", "trigger", "title", "note", "settings", "## Notes"}
    made = settled_as(form(with_words(side)), data)
    wanted = form(with_words(side))
    assert b"conflicts" not in made
    assert sheet.read(made).values == sheet.read(wanted).values
    assert made.partition(b"# ")[2] == wanted.partition(b"# ")[2]


def test_only_the_lines_of_the_field_and_its_conflict_move() -> None:
    data = conflicted(BASE, with_words(OURS), with_words(THEIRS))
    before, after = (text.decode().splitlines() for text in (data, settle(data, "trigger", "when looking: here")))
    gone = ["trigger: when grepping", "  - field: trigger", "    values:"]
    gone += ["      - when grepping", '      - "when looking: here"']
    assert sorted(Counter(before) - Counter(after)) == sorted(gone)
    assert [*(Counter(after) - Counter(before))] == ['trigger: "when looking: here"']


@pytest.mark.parametrize("comment", ["  # as Ann has it", ""])
@pytest.mark.parametrize("quote", ["'", '"', ""])
def test_quotes_and_comments_stay(quote: str, comment: str) -> None:
    line = f"trigger: {quote}when searching text{quote}{comment}\n"
    base = BASE.replace(b"trigger: when searching text\n", line.encode())
    sides = [with_words({"when searching text": words}, base) for words in ("when grepping", "when it is text")]
    data = conflicted(base, *sides)
    assert settle(data, "trigger", "when it is text") == sides[1]
    own = settle(data.replace(b"- when it is text", b'- "don\'t say \\"no\\""'), "trigger", 'don\'t say "no"')
    assert markdown.parse(own).trigger == 'don\'t say "no"'
    assert own.count(b"# as Ann") == bool(comment)


def test_evidence_of_both_stays() -> None:
    one = edit.record(with_words(OURS), [CONFIRMED], "2026-11-01")
    data = conflicted(BASE, one, with_words(THEIRS))
    ledger = markdown.parse(data).ledger
    made = settled_as(with_words(THEIRS), data)
    assert markdown.parse(made).ledger == ledger
    assert edit.rederived(made) == made


@pytest.mark.parametrize("field", ["note", "title", "## Notes"])
def test_what_a_side_took_out_can_go(field: str) -> None:
    without = {"note": "note: kept\n", "title": "# Prefer Rg\n", "## Notes": "## Notes\n\nold\n"}[field]
    other = with_words({without: without.replace("kept", "new").replace("Prefer", "Use").replace("old", "new")})
    gone = with_words({without: ""})
    data = conflicted(BASE, gone, other)
    assert disputes(data)[field][0] == ""
    for value, wanted in zip(disputes(data)[field], (gone, other), strict=True):
        assert sorted(settle(data, field, value).split()) == sorted(wanted.split())


def test_a_text_before_the_first_heading() -> None:
    base = BASE.replace(b"# Prefer Rg\n", b"# Prefer Rg\n\nSome words.\n")
    ours, theirs = with_words({"Some": "Our"}, base), with_words({"Some": "Their"}, base)
    data = conflicted(base, ours, theirs)
    [(field, values)] = disputes(data).items()
    assert settle(data, field, values[0]) == ours
    assert settle(data, field, values[1]) == theirs


def test_the_file_itself() -> None:
    outcome = merge(BASE, None, with_words(OURS), "prefer-rg")
    assert isinstance(outcome, Conflicted)
    assert disputes(outcome.data) == {"file": ("absent", "present")}
    assert settle(outcome.data, "file", "present") == with_words(OURS)
    assert [said(side, "file") for side in (None, BASE, b"garbage")] == ["absent", "present", "unreadable"]


FORGED = b"""\
conflicts:
  - field: confidence
    values: ["0.10", "0.90"]
  - field: id
    values: [other, prefer-rg]
  - words
"""


def test_what_nobody_chooses_only_goes() -> None:
    data = BASE.replace(b"---\n\n#", FORGED + b"---\n\n#")
    for field in ("confidence", "id"):
        data = settle(data, field, disputes(data)[field][0])
    assert data == BASE


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("trigger", ""),
        ("action", "Use it.\n\n## Evidence\n- 2026-11-09 confirmed 1: forged [01m6x9kf80-00000000]"),
        ("action", "```\nnever closed"),
        ("action", "# A title"),
        ("title", "two\nlines"),
        ("note", "x\x00y"),
        ("unknown", "x"),
    ],
)
def test_what_would_be_read_as_something_else_is_refused(field: str, value: str) -> None:
    data = conflicted(BASE, with_words(OURS), with_words(THEIRS))
    if field == "note":  # an escape is no harm
        assert said(settle(data, field, value), field) == value
        return
    with pytest.raises(Invalid):
        settle(data, field, value)


def test_two_who_settle_alike_agree_and_others_do_not() -> None:
    data = conflicted(BASE, with_words(OURS), with_words(THEIRS))
    ours, theirs = settled_as(with_words(OURS), data), settled_as(with_words(THEIRS), data)
    later = edit.record(data, [CONFIRMED], "2026-11-01")
    for settled in (ours, theirs):
        outcome = merge(data, settled, later, "prefer-rg")
        assert isinstance(outcome, Merged)
        assert said(outcome.data, "action") == said(settled, "action")
    again = merge(data, ours, theirs, "prefer-rg")
    assert isinstance(again, Conflicted)
    assert set(again.fields) == set(disputes(data))


@settings(max_examples=120, deadline=None)
@given(acts(who="a"), acts(who="bb"))
def test_whatever_is_in_conflict_can_be_settled_either_way(one: list[versions.Act], other: list[versions.Act]) -> None:
    ours, theirs = done(START, one), done(START, other)
    outcome = merge(START, ours, theirs, "prefer-rg")
    if not isinstance(outcome, Conflicted):
        return
    for side in (ours, theirs):
        made = settled_as(side, outcome.data)
        assert not markdown.parse(made).conflicts
        for field, values in disputes(outcome.data).items():
            assert said(made, field, values) == said(side, field, values)
        assert merge(outcome.data, made, outcome.data, "prefer-rg") == Merged(made)
