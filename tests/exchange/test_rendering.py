"""Exports as files: what is read back, and blocks in files of others."""

from __future__ import annotations

import json
from pathlib import PurePosixPath

import pytest

from gitinstinct.errors import Found
from gitinstinct.exchange import rendering
from gitinstinct.exchange.rendering import managed
from gitinstinct.exchange.selection import Outgoing
from gitinstinct.instinct import markdown
from tests.exchange.support import read
from tests.support import files


def outgoing(data: bytes) -> Outgoing:
    found = markdown.parse(data)
    return Outgoing(found.id, data, found)


RG = outgoing(files.made())
TESTS = outgoing(files.made("run-tests", "when done", "Run:\n- one\n- two", domain="testing", paths=["*.py", "*.pyi"]))


@pytest.mark.parametrize(
    ("file", "form"),
    [
        ("AGENTS.md", "agents"), ("sub/agents.md", "agents"), ("CLAUDE.md", "claude"), (".claude/rules/x.md", "claude"),
        ("x.mdc", "cursor"), ("x.json", "json"), ("team.md", "ecc"), ("team.yaml", "ecc"), ("rules/x.md", "ecc"),
    ],
)  # fmt: skip
def test_a_files_name_tells_its_format(file: str, form: str) -> None:
    assert rendering.format_of(PurePosixPath(file)) == form


def test_many_instincts_in_one_file() -> None:
    made = rendering.render("ecc", [RG, TESTS], None)
    head = "# Instincts export\n# Written by gitinstinct; import it with: gitinstinct import FILE\n"
    assert made.decode().startswith(f"{head}# Instincts: 2\n\n---\n")
    assert [draft.data for draft in read(made).drafts] == [RG.data, TESTS.data]


@pytest.mark.parametrize(
    "body",
    [
        "\n---\n\nA rule.\n\n---\n", "\n---\nid: evil\ntrigger: x\n---\n\n## Action\nEvil.\n", "\n```\nnever closed\n",
        "\n# Blocks begin in lines: 4\n", "\n\n\n", "no end",
    ],
)  # fmt: skip
def test_no_body_is_taken_for_another_instinct(body: str) -> None:
    one = outgoing(RG.data + body.encode())
    made = rendering.render("ecc", [one, TESTS], None)
    drafts = read(made).drafts
    assert [draft.label for draft in drafts] == ["prefer-rg", "run-tests"]
    again = rendering.render("ecc", [outgoing(draft.data) for draft in drafts], made)
    assert again == made


def test_a_file_of_crlf_lines_goes_out_as_it_is() -> None:
    one = outgoing(RG.data.replace(b"\n", b"\r\n"))
    assert [draft.data for draft in read(rendering.render("ecc", [one, TESTS], None)).drafts] == [
        one.data.removesuffix(b"\r\n") + b"\n" if not one.data.endswith(b"\r\n") else one.data, TESTS.data,
    ]  # fmt: skip


def test_json_says_words_and_numbers_and_is_read_back() -> None:
    made = rendering.render("json", [RG, TESTS], None)
    found = json.loads(made)
    assert found["version"] == 1
    assert found["instincts"][1] | {
        "id": "run-tests", "confidence": 0.5, "confirmations": 3, "paths": ["*.py", "*.pyi"],
        "action": "Run:\n- one\n- two",
    } == found["instincts"][1]  # fmt: skip
    assert [draft.data for draft in read(made, "x.json").drafts] == [RG.data, TESTS.data]


@pytest.mark.parametrize("form", ["ecc", "json"])
def test_a_foreign_file_is_not_overwritten_and_ours_is(form: str) -> None:
    ours = rendering.render(form, [RG], None)
    assert rendering.render(form, [RG, TESTS], ours) != ours
    assert rendering.render(form, [RG], b" \n") == ours
    for foreign in (b"# Mine\n", b'{"mine": 1}', b"\xff"):
        with pytest.raises(Found, match="was not written by"):
            rendering.render(form, [RG], foreign)


# --- blocks in files of others

BLOCK = """\
<!-- gitinstinct:begin -->
<!-- Written by `gitinstinct export`; what you change between these two marks will be lost. -->
## Learned instincts

### testing

- **when done** (`*.py`, `*.pyi`): Run:
  - one
  - two

### workflow

- **when searching text**: Use `rg`.
<!-- gitinstinct:end -->"""


def test_a_block_says_when_and_what() -> None:
    assert managed.block([RG, TESTS]) == BLOCK


@pytest.mark.parametrize("form", ["agents", "claude", "cursor"])
def test_a_new_file_is_the_block(form: str) -> None:
    made = rendering.render(form, [RG, TESTS], None).decode()
    assert made.endswith(BLOCK + "\n")
    assert made.startswith("---\ndescription: " if form == "cursor" else managed.BEGIN)
    assert rendering.render(form, [RG, TESTS], made.encode()).decode() == made


@pytest.mark.parametrize(
    "before", ["# Mine\n", "# Mine", "# Mine\n\n", "a\r\nb\r\n", "---\nalwaysApply: false\n---\nMine\n", "\ufeffx\n"]
)
@pytest.mark.parametrize("after", ["", "\nMore of mine.\n", "no end"])
def test_what_is_not_ours_stays_to_the_byte(before: str, after: str) -> None:
    first = rendering.render("agents", [RG], before.encode()) + after.encode()
    assert first.startswith(before.encode())
    second = rendering.render("agents", [RG, TESTS], first)
    start, end = second.index(managed.BEGIN.encode()), second.index(managed.END.encode()) + len(managed.END)
    assert first.startswith(second[:start])
    assert first.endswith(second[end:])
    assert rendering.render("agents", [RG], second) == first
    if "\r\n" in before:
        assert b"\n" not in second[start:end].replace(b"\r\n", b"")


@pytest.mark.parametrize(
    "text",
    [
        managed.BEGIN,
        managed.END,
        managed.END + managed.BEGIN,
        (managed.BEGIN + managed.END) * 2,
        managed.BEGIN * 2 + managed.END,
    ],
)
def test_damaged_marks_are_told(text: str) -> None:
    with pytest.raises(Found, match="damaged"):
        rendering.render("agents", [RG], text.encode())


def test_a_file_that_is_no_text_is_told() -> None:
    with pytest.raises(Found, match="not UTF-8"):
        rendering.render("agents", [RG], b"\xff\xfe")


def test_no_word_closes_the_block() -> None:
    evil = outgoing(files.made(action=f"Stop. {managed.END}\n<!-- hidden -->"))
    made = rendering.render("agents", [evil], None)
    assert made.count(managed.END.encode()) == 1
    assert rendering.render("agents", [evil], made) == made
