"""Whole files: tolerant to read, never silent, canonical when new."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitinstinct.instinct import markdown, sheet
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.ledger import Entry
from gitinstinct.instinct.markdown import parse
from gitinstinct.instinct.sheet import split
from tests.support import files, needs_real_samples, real_samples
from tests.support.ledgers import ledgers

GOOD = files.CANONICAL.encode()


def test_every_field_is_read() -> None:
    instinct = parse(GOOD, "grep-before-edit")
    assert instinct.trigger == "when modifying code in a file"
    assert instinct.title == "Grep Before Edit"
    assert instinct.action == "Find the exact place with Grep, read it, then edit."
    assert [entry.amount for entry in instinct.ledger] == [5, 1, 1, 1]
    assert instinct.notes == ("- Observed 8 times in session abc123 (2026-02-08)",)
    assert instinct.written["confidence"] == 65


def test_the_example_is_what_its_evidence_gives() -> None:
    instinct = parse(GOOD)
    found = instinct.fold(instinct.newest or "", "")
    assert (found.confidence, found.confirmations, found.status) == (65, 8, "active")


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf" + GOOD,
        GOOD.replace(b"\n", b"\r\n"),
        GOOD.removesuffix(b"\n"),
        GOOD.replace(b"id: grep-before-edit", b'id:   "grep-before-edit"  # a comment'),
        GOOD.replace(b"domain: workflow\n", b"# a comment\ndomain: 'workflow'\n\n"),
        GOOD + b"\n---\n\nid: evil\n---\nmore\n",
        GOOD.replace(b"---\n\n#", b"--- \n\n#"),
    ],
    ids=[
        "BOM",
        "CRLF",
        "no final newline",
        "quotes and comment",
        "comment line",
        "rule in the body",
        "blank after fence",
    ],
)
def test_reading_is_tolerant(data: bytes) -> None:
    instinct = parse(data, "grep-before-edit")
    assert (instinct.id, instinct.domain, len(instinct.ledger)) == ("grep-before-edit", "workflow", 4)
    assert split(data).encode() == data


def field(name: str, value: str) -> bytes:
    lines = [f"{name}: {value}" if line.startswith(f"{name}:") else line for line in files.CANONICAL.split("\n")]
    return "\n".join(lines).encode()


@pytest.mark.parametrize("value", ["0.65", "0.5", "1", "0", "1.0", "-0.0", "0.30000000000000004"])
def test_confidence_that_is_a_number(value: str) -> None:
    assert 0 <= int(parse(field("confidence", value)).written["confidence"]) <= 100


@pytest.mark.parametrize(
    "value",
    [".nan", ".inf", "-.inf", "NaN", "1e3", "1e999", "1:30", "0x1", "1_0", "yes", "[0.5]", "\u0660\u066b\u0665", "0,5",
     "80%", "high", "1.2", "-0.1", "5", "9" * 400],
)  # fmt: skip
def test_confidence_that_is_none(value: str) -> None:
    with pytest.raises(Invalid, match="confidence"):
        parse(field("confidence", value))


@pytest.mark.parametrize(
    "value", ["2026-13-45", "yesterday", "0000-01-01", "20261", "2026-11-08T25:00:00Z", "9" * 5000]
)
@pytest.mark.parametrize("name", ["created", "last_observed"])
def test_a_date_that_is_none(name: str, value: str) -> None:
    with pytest.raises(Invalid, match=name):
        parse(field(name, value))


def test_a_timestamp_is_cut_to_its_day() -> None:
    assert parse(field("created", "2026-11-08T10:00:00.123Z")).written["created"] == "2026-11-08"


@pytest.mark.parametrize("value", ["no", "on", "null", "~", "12-30", "123", "0777", "true", "2026-01-01"])
def test_an_id_is_the_text_that_stands_there(value: str) -> None:
    if value == "~":
        with pytest.raises(Invalid, match="id"):
            parse(field("id", value))
    else:
        assert parse(field("id", value)).id == value


@pytest.mark.parametrize(
    "value", ["", "Upper", "a_b", "a--b", "-a", "a-", "a.b", "../x", "a b", "ä", "x" * 65, '"a\\n"', "[a]"]
)
def test_an_id_that_is_none(value: str) -> None:
    with pytest.raises(Invalid, match="id"):
        parse(field("id", value))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "no frontmatter"),
        (b"# Instincts\n---\nid: a\n---\n", "a collection of instincts"),
        (b"---\nid: a\n", "does not end"),
        (GOOD.replace(b"---\n\n#", b"----\n\n#"), "does not end"),
        (b"+++\nid = 1\n+++\n", "no frontmatter"),
        (b'{"id": "a"}', "no frontmatter"),
        (GOOD.decode().encode("utf-16"), "not UTF-8"),
        (GOOD.replace(b"code", b"c\xe4de"), "not UTF-8"),
        (GOOD.replace(b"code", b"c\xed\xa0\x80de"), "not UTF-8"),
        (GOOD.replace(b"\n", b"\r"), "carriage return"),
        (GOOD.replace(b"edit.\n", b"edit.\rmore\n"), "carriage return"),
        (GOOD + b"x" * sheet.LENGTH, "bytes"),
        (field("trigger", '""'), "no trigger"),
        (field("trigger", "[a, b]"), "trigger is a list"),
        (field("trigger", "{a: b}"), "trigger is a map"),
        (GOOD.replace(b"Find", b"<<<<<<< HEAD\nFind"), "conflict marker"),
        (field("confirmations", "many"), "confirmations"),
        (b"---\nid: a\ntrigger: t\n---\n", "no confidence"),
        (b"---\nid: a\ntrigger: t\nconfidence: 0.5\ntags: {a: b}\n---\n", "tags"),
    ],
)
def test_what_cannot_be_read_says_why(data: bytes, reason: str) -> None:
    with pytest.raises(Invalid, match=reason):
        parse(data)


@pytest.mark.parametrize("stem", [None, "grep-before-edit", "other"])
@pytest.mark.parametrize("end", [b"", b"<<<<<<< ours\n", b"\xff", b"\r.", b"x" * 70_000])
@pytest.mark.parametrize("start", [GOOD, GOOD.replace(b"confidence: 0.65\n", b""), GOOD.replace(b"trigger:", b"x:")])
def test_a_check_says_what_reading_would(start: bytes, end: bytes, stem: str | None) -> None:
    head, _, ledger = start.partition(b"## Evidence\n")
    for data in (start + end, head + b"## Evidence\n" + b"- free text\n" * 60 + ledger + end):
        assert _outcome(markdown.check, data, stem) == _outcome(parse, data, stem)


def _outcome(reader: Callable[[bytes, str | None], object], data: bytes, stem: str | None) -> str:
    try:
        reader(data, stem)
    except Invalid as error:
        return str(error)
    return "fine"


def test_the_id_must_be_the_name_of_the_file() -> None:
    with pytest.raises(Invalid, match="file's name"):
        parse(GOOD, "other")


@pytest.mark.parametrize("name", ["content", "handler", "metadata", "__class__", "self", "ID", 'created"'])
def test_odd_keys_are_kept_and_inert(name: str) -> None:
    instinct = parse(GOOD.replace(b"domain:", f"{name}: x\ndomain:".encode()))
    assert instinct.extra == {name: "x"}


@given(st.binary(max_size=300) | st.text(max_size=300).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for candidate in (data, b"---\n" + data + b"\n---\n", GOOD.replace(b"workflow", data), GOOD + data):
        try:
            parse(candidate)
        except Invalid:
            continue
        assert split(candidate).encode() == candidate


@given(ledgers().filter(bool), st.text(max_size=40).map(lambda text: " ".join(text.split())).filter(bool))
def test_a_new_file_reads_as_what_it_was_made_from(entries: list[Entry], trigger: str) -> None:
    try:
        trigger.encode()
    except UnicodeEncodeError:
        return
    fields = {"id": "a", "trigger": trigger, "source": "manual", "tags": ["x", "no"], "zz": "0123"}
    data = markdown.compose(fields, "Title", "Do it.", entries)
    instinct = parse(data, "a")
    assert (instinct.trigger, instinct.title, instinct.action) == (trigger, "Title", "Do it.")
    assert instinct.tags == ("x", "no")
    assert instinct.extra["zz"] == "0123"
    assert list(instinct.ledger) == sorted(entries, key=lambda entry: entry.order)
    again = markdown.compose(fields, instinct.title, instinct.action, instinct.ledger)
    assert again == data


BODY = """
# A # Title #

```markdown
# not the title
## Action
not the action
- 2026-11-08 confirmed 1: not evidence [01m6x9kf80-9f3ac1d0]
```

## ACTION ##
Do it.
~~~
## Evidence
~~~

### Not a section
still the action

## Evidence
- 2026-11-08 confirmed 1: one line [01m6x9kf80-00000001]
- 2026-11-08 confirmed 1: with a line below it [01m6x9kf80-00000002]
  so this is free text
* another bullet
## Notes
- 2026-11-08 confirmed 1: not in the evidence [01m6x9kf80-00000003]
"""


def test_the_body_is_read_as_markdown() -> None:
    instinct = parse(files.CANONICAL.partition("\n# Grep")[0].encode() + BODY.encode())
    assert instinct.title == "A # Title"
    assert instinct.action == "Do it.\n~~~\n## Evidence\n~~~\n\n### Not a section\nstill the action"
    assert [entry.origin for entry in instinct.ledger] == ["00000001"]
    assert len(instinct.notes) == 2


def test_other_tools_put_title_and_action_into_the_frontmatter() -> None:
    instinct = parse(b"---\nid: a\ntrigger: t\nconfidence: 0.5\ntitle: A title\naction: Do it.\ntags: a, b\n---\n")
    assert (instinct.title, instinct.action, instinct.tags) == ("A title", "Do it.", ("a", "b"))


@needs_real_samples
@pytest.mark.parametrize("path", real_samples("instincts"), ids=lambda path: path.name)
def test_real_files_are_read_or_refused_with_a_reason(path: Path) -> None:
    data = path.read_bytes()
    try:
        parse(data)
    except Invalid as error:
        reason = error.reason
    else:
        reason = "" if split(data).encode() != data else "read"
    assert reason
