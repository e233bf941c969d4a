"""The merge function: worked cases, each rule of the table, and files as people and tools leave them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from gitinstinct.instinct import edit, markdown, sheet
from gitinstinct.instinct.ledger import Entry
from gitinstinct.instinct.merge import Conflicted, Invalid, Merged, Outcome, hold, merge, rules
from gitinstinct.instinct.model import Instinct
from tests.support import DATA, files, versions
from tests.support.versions import START, Act, done

CASES: list[dict[str, Any]] = json.loads((DATA / "vectors" / "merge.json").read_text("utf-8"))


def read(outcome: Outcome) -> Instinct:
    assert not isinstance(outcome, Invalid), outcome.reason
    assert outcome.data is not None
    return markdown.parse(outcome.data)


def both(base: bytes | None, ours: bytes | None, theirs: bytes | None) -> Outcome:
    """The merge, which must be the same with the sides swapped."""
    outcome = merge(base, ours, theirs)
    assert merge(base, theirs, ours) == outcome
    return outcome


@pytest.mark.parametrize("case", CASES, ids=map(str, range(len(CASES))))
def test_worked_cases(case: dict[str, Any]) -> None:
    base, ours, theirs = (case[side] and case[side].encode() for side in ("base", "ours", "theirs"))
    outcome, expected = both(base, ours, theirs), case["expect"]
    instinct = read(outcome)
    assert isinstance(outcome, Conflicted) == bool(expected["conflicts"])
    assert [conflict["field"] for conflict in instinct.conflicts] == expected["conflicts"]
    for name in ("trigger", "action"):
        assert name in expected["conflicts"] or getattr(instinct, name) == expected[name]
    assert instinct.extra.get("reviewer") == expected["reviewer"]
    assert sorted(instinct.tags) == expected["tags"]
    assert sorted(entry.key for entry in instinct.ledger) == expected["ledger"]
    written = instinct.written
    assert written["confidence"] == round(expected["confidence"] * 100)
    names = ("confirmations", "contradictions", "status")
    assert [written[name] for name in names] == [expected[name] for name in names]


# --- words


def with_(data: bytes, **fields: object) -> bytes:
    document = sheet.split(data)
    for name, value in fields.items():
        document = sheet.without_field(document, name) if value is None else sheet.with_field(document, name, value)
    return document.encode()


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "stands", "values"),
    [
        ("a b", "a b", "new word", "new word", None),
        ("a b", "new word", "new word", "new word", None),
        ("a b", "one word", "two words", "one word", ["one word", "two words"]),
        ("a b", "\"no\"", "yes sir", "no", ["no", "yes sir"]),
    ],
)  # fmt: skip
def test_triggers(base: str, ours: str, theirs: str, stands: str, values: list[str] | None) -> None:
    made = [with_(START, trigger=text) for text in (base, ours, theirs)]
    instinct = read(both(*(data.replace(b'"\\"no\\""', b'"no"') for data in made)))
    assert instinct.trigger == stands
    assert instinct.conflicts == ([{"field": "trigger", "values": values}] if values else [])


def test_a_key_taken_away_against_one_changed_is_a_conflict_and_the_word_stands() -> None:
    outcome = both(START, with_(START, reviewer=None), with_(START, reviewer="tools"))
    assert read(outcome).conflicts == [{"field": "reviewer", "values": ["", "tools"]}]
    assert read(outcome).extra["reviewer"] == "tools"


@pytest.mark.parametrize("name", ["domain", "source", "scope", "project_id", "source_repo", "x_original_status"])
def test_quiet_fields_never_conflict(name: str) -> None:
    outcome = both(START, with_(START, **{name: "beta"}), with_(START, **{name: "alpha"}))
    assert isinstance(outcome, Merged)
    assert f"\n{name}: alpha\n".encode() in (outcome.data or b"")


def test_title_and_action_conflict_as_words() -> None:
    one = START.replace(b"# Prefer Rg", b"# One").replace(b"Use `rg`.", b"Use `rg` and\nread on.")
    other = START.replace(b"# Prefer Rg", b"# Other").replace(b"Use `rg`.", b"Use `grep`.")
    outcome = both(START, one, other)
    assert isinstance(outcome, Conflicted)
    assert outcome.fields == ("action", "title")
    instinct = read(outcome)
    assert (instinct.title, instinct.action) == ("One", "Use `grep`.")
    assert {c["field"]: c["values"] for c in instinct.conflicts} == {
        "action": ["Use `grep`.", "Use `rg` and\nread on."],
        "title": ["One", "Other"],
    }


# --- conflicts that are open already

DISPUTED = both(START, with_(START, trigger="one word"), with_(START, trigger="two words")).data  # type: ignore[union-attr]


def test_settling_on_one_side_ends_a_conflict() -> None:
    assert DISPUTED
    settled = with_(DISPUTED, conflicts=None, trigger="two words")
    later = done(DISPUTED, [Act("confirm", 1, "a")])
    outcome = both(DISPUTED, settled, later)
    assert isinstance(outcome, Merged)
    assert (read(outcome).trigger, read(outcome).conflicts) == ("two words", [])


def test_settling_alike_is_no_conflict_and_settling_otherwise_is_one() -> None:
    assert DISPUTED
    one, other = (with_(DISPUTED, conflicts=None, trigger=text) for text in ("one word", "two words"))
    assert both(DISPUTED, one, done(one, [Act("confirm", 1, "a")])) == Merged(done(one, [Act("confirm", 1, "a")]))
    again = both(DISPUTED, one, other)
    assert read(again).conflicts == [{"field": "trigger", "values": ["one word", "two words"]}]


def test_a_third_word_joins_a_conflict() -> None:
    assert DISPUTED
    third = with_(START, trigger="more words")
    assert read(both(START, DISPUTED, third)).conflicts == [
        {"field": "trigger", "values": ["more words", "one word", "two words"]}
    ]


def test_conflicts_are_lines_that_people_can_read() -> None:
    assert DISPUTED
    lines = b"conflicts:\n  - field: trigger\n    values:\n      - one word\n      - two words\n---\n"
    assert lines in DISPUTED


@pytest.mark.parametrize("line", ["conflicts: x", "conflicts: [a]", "conflicts: [{field: [a], values: b}]"])
def test_conflicts_that_are_none_say_nothing(line: str) -> None:
    odd = START.replace(b"note: kept\n", f"note: kept\n{line}\n".encode())
    assert read(both(START, odd, done(START, [Act("confirm", 1, "a")]))).conflicts == []


# --- evidence


def entry(date: str, kind: str, amount: int | str | None, origin: str, text: str = "seen") -> Entry:
    return Entry(date, kind, amount, text, f"01m6x9kf80-{origin}")


def recorded(data: bytes, *entries: Entry) -> bytes:
    return edit.record(data, entries, "2026-11-01")


def test_a_retraction_stays_whoever_takes_it_out() -> None:
    undone = recorded(START, entry("2026-11-20", "retracted", "01m6x9kf80-9f3ac1d0", "aaaaaaaa"))
    reverted = edit.with_ledger(undone, markdown.parse(START).ledger)
    later = done(undone, [Act("confirm", 2, "bb")])
    assert any(one.kind == "retracted" for one in read(both(undone, reverted, later)).ledger)


def test_reverting_an_observation_takes_it_out_of_both() -> None:
    seen = recorded(START, entry("2026-11-20", "confirmed", 1, "aaaaaaaa"))
    outcome = both(seen, START, done(seen, [Act("confirm", 2, "bb")]))
    assert "aaaaaaaa" not in [one.origin for one in read(outcome).ledger]


def test_one_key_with_two_texts() -> None:
    base = recorded(START, entry("2026-11-20", "confirmed", 1, "aaaaaaaa", "first"))
    one, other = (base.replace(b"confirmed 1: first", f"confirmed 1: {word}".encode()) for word in ("beta", "alpha"))
    assert [e.text for e in read(both(base, one, done(base, [Act("confirm", 2, "bb")]))).ledger if e.text == "beta"]
    assert "alpha" in [e.text for e in read(both(base, one, other)).ledger]


def test_archiving_and_confirming_meet() -> None:
    outcome = both(START, done(START, [Act("archive", 5, "a")]), done(START, [Act("confirm", 2, "bb")]))
    assert read(outcome).written["status"] == "archived"
    assert read(outcome).written["confirmations"] == 4


def test_free_text_in_the_evidence_is_kept_as_a_set() -> None:
    tail = b"- Observed 8 times\nA paragraph\nof two lines.\n\n```\n- no bullet\n```\n"
    one, other = START + tail + b"- from ann\n", START + tail.replace(b"8 times", b"9 times")
    data = both(START + tail, one, other).data  # type: ignore[union-attr]
    assert data is not None
    for text in (b"- Observed 9 times\n", b"A paragraph\nof two lines.\n", b"```\n- no bullet\n```\n", b"- from ann\n"):
        assert data.count(text) == 1
    assert b"8 times" not in data


# --- stubs, deletions, files without a ledger

STUB = markdown.compose(
    {"id": "prefer-rg", "source": "manual"}, "Prefer Rg", "", [entry("2026-11-21", "forgotten", None, "cccccccc")]
)


def test_a_stub_absorbs_everything() -> None:
    assert both(START, STUB, done(START, [Act("confirm", 1, "a"), Act("trigger", 1, "a")])) == Merged(STUB)
    later = STUB.replace(b"2026-11-21", b"2026-11-22")
    assert both(START, STUB, later) == Merged(STUB)
    assert both(None, STUB, START) == Merged(STUB)


def test_deleted() -> None:
    edited = done(START, [Act("confirm", 1, "a")])
    assert both(START, None, START) == Merged(None)
    assert both(START, None, None) == Merged(None)
    outcome = both(START, None, edited)
    assert isinstance(outcome, Conflicted)
    assert read(outcome).conflicts == [{"field": "file", "values": ["absent", "present"]}]
    assert both(START, None, b"no instinct") == Conflicted(b"no instinct", ("file",))


def test_a_dispute_about_the_file_ends_when_a_side_settles_it() -> None:
    held = hold(START, "absent", "present")
    assert both(held, START, done(held, [Act("confirm", 1, "a")])) == Merged(done(START, [Act("confirm", 1, "a")]))


UNADOPTED = files.UNADOPTED.encode()


def test_files_without_a_ledger() -> None:
    lower, higher = (UNADOPTED.replace(b'"0.8"', text) for text in (b'"0.6"', b'"0.9"'))
    assert b'confidence: "0.6"' in (both(UNADOPTED, lower, higher).data or b"")  # type: ignore[union-attr]
    outcome = both(UNADOPTED, lower.replace(b"Use `rg`.", b"Use it."), UNADOPTED.replace(b"when s", b"on s"))
    assert not read(outcome).adopted
    adopted = edit.adopt(UNADOPTED, "2026-11-01")
    assert read(both(UNADOPTED, lower, adopted)).ledger == markdown.parse(adopted).ledger


# --- what cannot be merged


@pytest.mark.parametrize(
    "theirs",
    [
        b"", b"text", b"[a]", b"---\nid: other\ntrigger: t\nconfidence: 0.5\n---\n",
        START.replace(b"confidence: 0.50", b"confidence: high"),
        START.replace(b"trigger:", b"trigger: a\ntrigger:"), START.replace(b"Use", b"<<<<<<< ours\nUse"),
        START.replace(b"Use", b"\xff\xfe"), START.replace(b"\n---\n\n#", b"\n\n#"),
    ],
)  # fmt: skip
def test_a_side_that_cannot_be_read_is_named(theirs: bytes) -> None:
    ours = done(START, [Act("confirm", 1, "a")])
    outcome = merge(START, ours, theirs)
    assert isinstance(outcome, Invalid)
    assert outcome.reason
    assert isinstance(merge(START, theirs, ours), Invalid)


def test_the_name_of_the_file_counts() -> None:
    one, other = done(START, [Act("confirm", 1, "a")]), done(START, [Act("confirm", 1, "bb")])
    assert isinstance(merge(START, one, other, "prefer-rg"), Merged)
    assert isinstance(merge(START, one, other, "use-rg"), Invalid)


def test_a_base_that_cannot_be_read_is_none() -> None:
    one, other = done(START, [Act("confirm", 1, "a")]), done(START, [Act("confirm", 1, "bb")])
    assert both(b"<<<<<<<<< x\n", one, other) == both(None, one, other)


def test_a_result_that_would_be_too_long_is_not_made() -> None:
    def filled(letter: str) -> bytes:
        return START + b"".join(f"- {letter} {number:04} {'x' * 300}\n".encode() for number in range(150))

    assert "most for one instinct" in getattr(merge(START, filled("a"), filled("b")), "reason", "")


# --- bytes


@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
def test_bom_and_line_ends_stay(bom: bytes, newline: bytes) -> None:
    def dressed(data: bytes) -> bytes:
        return bom + data.replace(b"\n", newline)

    one, other = done(START, [Act("confirm", 1, "a")]), done(START, [Act("confirm", 1, "bb")])
    plain = both(START, one, other).data  # type: ignore[union-attr]
    assert plain
    assert both(dressed(START), dressed(one), dressed(other)) == Merged(dressed(plain))
    assert both(START, dressed(one), other) == Merged(dressed(plain))
    assert both(START, dressed(START), other) == Merged(dressed(other))


def test_a_missing_final_newline_stays_missing_only_where_all_lack_it() -> None:
    one, other = done(START, [Act("confirm", 1, "a")]), done(START, [Act("confirm", 1, "bb")])
    plain = both(START, one, other).data  # type: ignore[union-attr]
    assert plain
    bare = [data.removesuffix(b"\n") for data in (START, one, other)]
    assert both(*bare) == Merged(plain.removesuffix(b"\n"))
    assert both(bare[0], bare[1], other) == Merged(plain)


def test_no_line_but_the_changed_ones_moves() -> None:
    odd = START.replace(b"domain: workflow\n", b"# about\ndomain:   'workflow'   # kept\n").replace(
        b"confidence: 0.50\n", b"confidence: 0.5  # so far\n"
    )
    one, other = with_(odd, trigger="when it is late"), done(odd, [Act("confirm", 1, "bb")])
    data = both(odd, one, other).data  # type: ignore[union-attr]
    assert data is not None
    lines = set(data.splitlines()) - set(odd.splitlines())
    changed = [
        b"trigger: when it is late",
        b"confidence: 0.55  # so far",
        b"last_observed:",
        b"confirmations: 4",
        b"- ",
    ]
    assert all(any(line.startswith(start) for start in changed) for line in lines), lines
    assert len(lines) == 5


def test_sections_merge_line_by_line_or_conflict() -> None:
    base = START + b"\n## Notes\none\ntwo\nthree\nfour\nfive\n"
    one, other = base.replace(b"one\n", b"ONE\n"), base.replace(b"five\n", b"FIVE\n")
    assert b"## Notes\nONE\ntwo\nthree\nfour\nFIVE\n" in (both(base, one, other).data or b"")  # type: ignore[union-attr]
    outcome = both(base, one, base.replace(b"one\n", b"eins\n"))
    assert read(outcome).conflicts[0]["field"] == "## Notes"


def test_comments_of_both_sides_stay() -> None:
    one = START.replace(b"note: kept\n", b"# ann: read twice\nnote: kept\n")
    other = START.replace(b"---\nid:", b"---\n# bob was here\nid:")
    data = both(START, done(one, [Act("confirm", 1, "a")]), done(other, [Act("confirm", 1, "bb")])).data  # type: ignore[union-attr]
    assert data is not None
    assert b"# ann: read twice\nnote: kept\n" in data
    assert b"# bob was here\nid:" in data


# --- the table


def test_readme_prints_the_table() -> None:
    readme = (Path(__file__).parents[3] / "README.md").read_text("utf-8")
    found = re.search(r"<!-- merge rules -->\n\| field \| rule \|\n\| --- \| --- \|\n(.*?)\n\n", readme, re.DOTALL)
    assert found
    assert found[1] == "\n".join(f"| {field} | {rule} |" for field, rule in rules.TABLE)


def test_every_act_of_the_generator_is_readable() -> None:
    for kind in versions.KINDS:
        assert markdown.parse(done(START, [Act(kind, 1, "a")]), "prefer-rg")
