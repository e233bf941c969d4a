"""How foreign files are cut: every dialect, and what only looks like one."""

from __future__ import annotations

import json

import pytest

from tests.exchange.support import BOT, read
from tests.support.files import CANONICAL, UNADOPTED

BLOCK = "---\nid: {name}\ntrigger: when {name}\nconfidence: 0.5\n---\n\n## Action\nDo {name}.\n"


# --- blocks of frontmatter


@pytest.mark.parametrize("text", [CANONICAL, UNADOPTED, CANONICAL.rstrip("\n"), CANONICAL.replace("\n", "\r\n")])
def test_a_single_file_stays_as_it_is(text: str) -> None:
    [draft] = read(text, "instincts/grep-before-edit.md").drafts
    assert draft.data == text.encode()
    assert draft.stem == "grep-before-edit"


def test_a_byte_order_mark_is_no_text() -> None:
    assert read("\ufeff" + BOT).drafts == read(BOT).drafts


def test_many_instincts_below_a_banner() -> None:
    first, second = read(BOT).drafts
    assert first.data.startswith(b"---\nid: shop-commit-length\n")
    assert first.data.endswith(b"- Average length: 37 chars\n")
    assert second.label == "shop-named-exports"
    assert b"code-style   # of the front end" in second.data


def test_a_file_of_crlf_lines_is_cut_the_same_way() -> None:
    drafts = read(BOT.replace("\n", "\r\n")).drafts
    assert [draft.label for draft in drafts] == ["shop-commit-length", "shop-named-exports"]
    assert all(b"\r\n" in draft.data for draft in drafts)


def test_a_rule_in_a_body_ends_nothing() -> None:
    text = BLOCK.format(name="a") + "\n---\n\nMore.\n\n---\n" + BLOCK.format(name="b")
    first, second = read(text).drafts
    assert b"More." in first.data
    assert second.label == "b"


def test_frontmatter_in_a_code_fence_is_an_example() -> None:
    example = "\n```markdown\n" + BLOCK.format(name="evil") + "```\n"
    text = BLOCK.format(name="a") + example + "\n" + BLOCK.format(name="b")
    assert [draft.label for draft in read(text).drafts] == ["a", "b"]
    assert read("# How it works\n" + example).nothing


def test_a_code_fence_that_is_never_closed_hides_nothing_silently() -> None:
    reading = read(BLOCK.format(name="a") + "\n```\ncode\n\n" + BLOCK.format(name="b"))
    assert [draft.label for draft in reading.drafts] == ["a"]
    assert "never closed" in reading.refused[0].reason


def test_headings_may_stand_for_fields() -> None:
    [draft] = read("# Early Returns\n\n## Trigger\nWhen nesting.\n\n## Action\nReturn early.\n").drafts
    assert draft.label == "Early Returns"


@pytest.mark.parametrize(
    "text",
    [
        "# Notes\n\nNothing here.\n", "", "---\nname: skill\ndescription: text\n---\n\nBody.\n", "plain",
        "<!DOCTYPE html><html><body>trigger: x</body></html>", "  <html>\n---\nid: a\n---\n",
    ],
)  # fmt: skip
def test_what_is_no_instinct_is_said_to_be_none(text: str) -> None:
    reading = read(text)
    assert not reading.drafts
    assert reading.nothing


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("---\nid: a\ntrigger: b\n", "does not end"),
        (b"---\nid: a\ntrigger: \xff\n---\n", "not UTF-8: byte 0xff"),
        (b"trigger" + b" " * (4 * 1024 * 1024), "is the most"),
    ],
)
def test_a_file_that_cannot_be_read_is_named_with_its_reason(text: str | bytes, reason: str) -> None:
    assert reason in read(text).refused[0].reason


# --- YAML and JSON

RECORD = {"id": "a-b", "trigger": "when a", "action": "Do b.", "confidence": 0.75, "tags": ["one", "two"], "seen": True}


@pytest.mark.parametrize(
    "value",
    [RECORD, [RECORD], {"instincts": [RECORD]}, {"instincts": {"a-b": RECORD}}, {"a-b": RECORD}, {"items": [RECORD]}],
)
def test_json_of_every_shape(value: object) -> None:
    [draft] = read(json.dumps(value), "x.json").drafts
    expected = (
        "---\nid: a-b\ntrigger: when a\nconfidence: 0.75\ntags: [one, two]\nseen: \"true\"\n---\n"
        "\n# A B\n\n## Action\nDo b.\n"
    )  # fmt: skip
    assert draft.data.decode() == expected


def test_json_below_comments_and_one_a_line() -> None:
    one, two = json.dumps(RECORD), json.dumps(RECORD | {"id": "c-d"})
    assert [draft.label for draft in read(f"{one}\n\n{two}\n", "x.jsonl").drafts] == ["a-b", "c-d"]
    assert read(f"# Export\n// of 2026\n\n{one}", "x.json").drafts == read(one, "x.json").drafts
    assert "line 3: JSON: Expecting" in read('# Export\n\n{"trigger": }', "x.json").refused[0].reason


YAML = "- id: a-b\n  trigger: when a\n  action: Do b.\n  confidence: 0.75\n  tags: [one, two]\n  seen: true\n"


@pytest.mark.parametrize(
    "text",
    [
        YAML,
        "version: '2.0'\ninstincts:\n" + YAML,
        "id: a-b\ntrigger: when a\naction: Do b.\nconfidence: 0.75\ntags: [one, two]\nseen: true\n",
        "---\nid: a-b\ntrigger: when a\naction: Do b.\nconfidence: 0.75\ntags: [one, two]\nseen: true\n---\n"
        "id: c\ntrigger: when c\naction: Do c.\nconfidence: 1\n",
    ],
)
def test_yaml_of_every_shape(text: str) -> None:
    draft = read(text, "x.yaml").drafts[0]
    assert draft.data == read(json.dumps(RECORD), "x.json").drafts[0].data


def test_other_names_for_the_same() -> None:
    record = {
        "name": "Fix Types",
        "when": ["a", "b"],
        "guidance": ["one", "two"],
        "category": "git",
        "confidence": "0.7",
    }
    [draft] = read(json.dumps([record]), "x.json").drafts
    assert b"id: Fix Types\ntrigger: a; or b\nconfidence: 0.70\ndomain: git\n" in draft.data
    assert b"## Action\n- one\n- two\n" in draft.data


def test_a_trigger_of_fields_becomes_a_sentence_and_paths() -> None:
    text = "- name: indent\n  trigger:\n    kind: file_edit\n    glob: '**/*.sh'\n  guidance:\n    - two blanks\n"
    [draft] = read(text, "x.yaml").drafts
    assert (
        b'trigger: "on file_edit, glob **/*.sh"' in draft.data or b"trigger: on file_edit, glob **/*.sh" in draft.data
    )
    assert b'paths: ["**/*.sh"]' in draft.data
    assert b"x_original_trigger: {kind: file_edit, glob:" in draft.data


def test_evidence_of_records_becomes_a_list() -> None:
    record = RECORD | {"evidence": [{"ts": "2026-02-07", "sha": "ab"}, "twice\nseen"]}
    assert (
        read(json.dumps(record), "x.json")
        .drafts[0]
        .data.endswith(b"## Evidence\n- ts 2026-02-07, sha ab\n- twice seen\n")
    )


@pytest.mark.parametrize("action", ["# A heading\ntext", "```\nopen", "## Evidence\n- x", "---\nid: evil\n---"])
def test_an_action_that_a_body_cannot_hold_stays_a_field(action: str) -> None:
    from gitinstinct.instinct import markdown

    [draft] = read(json.dumps(RECORD | {"action": action}), "x.json").drafts
    assert markdown.parse(draft.data).action == action


def test_records_that_are_none_are_named_and_the_others_go_on() -> None:
    reading = read(
        json.dumps({"instincts": ["text", [1], RECORD, {"id": "x", "trigger": "when", "action": "\ud800"}]}), "x.json"
    )
    assert len(reading.drafts) == 1
    assert [one.reason for one in reading.refused] == [
        "it is text, not a map of fields",
        "it is a list, not a map of fields",
        "it holds half a character (a lone surrogate)",
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"trigger": NaN}', "NaN is no value"),
        ('{"trigger": 1e999, "confidence": Infinity}', "Infinity is no value"),
        ('{"trigger": "a", "trigger": "b"}', "the key 'trigger' stands twice"),
        ('{"trigger": ', "JSON: Expecting value"),
        ('{"trigger": ' + "[" * 200_000, "nested too deeply"),
        ('{"trigger": "a", "x": ' + "[" * 20 + "]" * 20 + "}", "nested too deeply"),
    ],
)
def test_json_that_is_none(text: str, reason: str) -> None:
    assert reason in read(text, "x.json").refused[0].reason


def test_ten_megabytes_of_nesting_end_at_once() -> None:
    assert "is the most" in read(b'{"trigger": ' + b"[" * (10 * 1024 * 1024), "x.json").refused[0].reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (YAML.replace("when a", "&x when a"), "anchors and aliases"),
        (YAML + "- &a\n  trigger: x\n- *a\n", "anchors and aliases"),
        (YAML.replace("when a", "!!python/name:os.system x"), "tags"),
        (YAML + "  trigger: again\n", "the key 'trigger' stands twice"),
        (YAML + "  <<: {id: evil}\n", "merge keys"),
        ("instincts:\n  - id: a\n    trigger: `x`\n", "line 3: YAML: found character that cannot start any token"),
    ],
)
def test_yaml_that_a_reviewer_cannot_see_through(text: str, reason: str) -> None:
    assert reason in read(text, "x.yaml").refused[0].reason


def test_a_bomb_of_aliases_is_not_unfolded() -> None:
    bomb = "a: &a [x, x]\n" + "".join(
        f"{chr(98 + n)}: &{chr(98 + n)} [*{chr(97 + n)}, *{chr(97 + n)}]\n" for n in range(24)
    )
    assert not read(bomb, "x.yaml").drafts
    assert "anchors" in read(bomb + "instincts:\n" + YAML, "x.yaml").refused[0].reason


def test_a_long_list_in_yaml_is_named() -> None:
    assert "more than 1,048,576 characters" in read(YAML * 20_000, "x.yaml").refused[0].reason


def test_the_banner_says_where_blocks_begin_if_it_still_fits() -> None:
    body = BLOCK.format(name="a") + "\n---\nid: not-one\ntrigger: x\n---\n"
    text = f"# By us\n# Blocks begin in lines: 4\n\n{body}"
    assert [draft.label for draft in read(text).drafts] == ["a"]
    for wrong in ("5", "4 4", "9999", "-1", "x", "٤"):
        told = text.replace("lines: 4", f"lines: {wrong}")
        assert [draft.label for draft in read(told).drafts] == ["a", "not-one"]
