"""The frontmatter dialect: every scalar is the text that stands there, and nothing is hidden from a reviewer."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from gitinstinct.instinct import dialect, handler, nodes
from gitinstinct.instinct.errors import Invalid

HANDLER = handler.Handler()

AWKWARD = [
    "no", "on", "y", "null", "~", "", "0123", "1e3", "0o17", "0x1F", "1_000", ".5", ".inf", "NaN", "123456789012",
    "2026-01-01", "2026-01-01 10:00:00", "12:30", "1.0.0", "=", "<<", "-", "- x", "? x", "@x", "`x`", "#a", "a #b",
    "a: b", "x:", "*.py", "!x", "%x", "&x y", " lead", "trail ", "it's", '"q"', "a, b", "[a]", "日本語", "emoji 😀",
    "a\nb", "tab\there", "\x1b[31m", "\x00", "\u202e", "\ufeff", "\U000e0041", "back\\slash",
]  # fmt: skip


@pytest.mark.parametrize("text", AWKWARD)
@pytest.mark.parametrize("loader", [yaml.SafeLoader, yaml.CSafeLoader])
def test_a_written_scalar_is_that_text_for_every_reader(text: str, loader: type[yaml.SafeLoader]) -> None:
    assert yaml.load(dialect.field("k", text), Loader=loader) == {"k": text}
    assert yaml.load(dialect.field("k", [text, "b"]), Loader=loader) == {"k": [text, "b"]}


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_reads_back(text: str) -> None:
    assert HANDLER.load(dialect.field("k", text)) == {"k": text}


values: st.SearchStrategy[object] = st.recursive(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("abc ", min_size=1, max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.from_regex(r"[a-z_]{1,8}", fullmatch=True), values, max_size=5))
def test_export_and_load_are_inverse(fields: dict[str, object]) -> None:
    assert HANDLER.load(HANDLER.export(fields)) == fields


@pytest.mark.parametrize("text", ["domain: no", "domain: 0123", "domain: 2026-01-02", "domain: 12:30", "domain: 1e3"])
def test_scalars_stay_text(text: str) -> None:
    assert HANDLER.load(text) == {"domain": text.split(": ")[1]}


@pytest.mark.parametrize(
    ("text", "reason", "line"),
    [
        ("a: &x 1", "anchors", 2),
        ("a: 1\nb: *x", "anchors", 3),
        ("a: &a [*a]", "anchors", 2),
        ("a: !!python/object:os.system x", "tags", 2),
        ("a: !!binary aGk=", "tags", 2),
        ("a: !x 1", "tags", 2),
        ("<<: {id: evil}", "merge keys", 2),
        ("a: 1\nb: 2\na: 3", "a stands twice, first in line 2", 4),
        ("'a': 1\na: 2", "a stands twice", 3),
        ("[a]: 1", "no plain word", 2),
        ("- a\n- b", "not a map", 2),
        ("just words", "not a map", 2),
        ("a: b\n--- \nc: d", "another document", 3),
        ("a: b: c", "mapping values", 2),
        ("a: 'x", "YAML", 2),
        ("a: \x07", "control characters", None),
        ("a: " + "[" * 400, "nest", None),
        ("a: " + "{b: " * 400, "nest", None),
        ("a:\n  " + "- " * 400 + "x", "nest", None),
        ("a: " + "x" * dialect.LENGTH, "longer than", None),
        ("%TAG ! tag:evil,2000:\n---\na: !x 1", "tags", None),
    ],
)
def test_what_a_reviewer_cannot_see_through_is_refused(text: str, reason: str, line: int | None) -> None:
    with pytest.raises(Invalid, match=reason) as caught:
        HANDLER.load(text)
    assert line is None or caught.value.line == line


def test_an_alias_bomb_is_refused_before_anything_is_built() -> None:
    rows = ["a0: &a0 [x, x]"] + [f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]" for i in range(1, 30)]
    with pytest.raises(Invalid, match="anchors"):
        HANDLER.load("\n".join(rows))


def test_split_knows_only_the_fence_at_the_top() -> None:
    assert HANDLER.split("---\na: 1\n---\nbody\n---\nmore\n") == ("a: 1\n", "body\n---\nmore\n")
    with pytest.raises(Invalid, match="first line"):
        HANDLER.split("# text first\n---\na: 1\n---\n")
    with pytest.raises(Invalid, match="does not end"):
        HANDLER.split("---\na: 1\n")


@pytest.mark.parametrize(
    "text", ["", "a: b\nc: [d, 'e', {f: null}]\ng: {h: 1}\n", 'a: "\\x41"\nb: >\n  x\n  y\nc: ~\n']
)
def test_reading_without_tags_gives_what_the_base_loader_gives(text: str) -> None:
    assert HANDLER.load(text) == (yaml.load(text, Loader=yaml.BaseLoader) or {})


# --- the two readers agree

_LINE = st.one_of(
    st.from_regex(r"\A[a-z_]{1,4}:( .{0,20})?\Z"),
    st.from_regex(r"\A[a-z_]{1,4}: +\[[a-z0-9, ./*:#-]{0,12}\] *\Z"),
    st.builds(
        lambda key, value: f"{key}: {value}",
        st.sampled_from(["a", "b_c", "no", "x-y"]),
        st.text(alphabet="ab1:# '\"\\[]{},&*!|>%@`-?~<=\t\x85\u2028\ufeff\x07é日", max_size=12),
    ),
    st.sampled_from(
        ["", "# a comment", "- item", "  more", "a: |", "a: >-", "...", "<<: x", "? a", "a: &b c", "a: no"]
    ),
)


@given(st.lists(_LINE, max_size=5), st.sampled_from(["\n", "\r\n"]), st.booleans())
@settings(max_examples=1500)
def test_plain_lines_are_read_as_yaml_reads_them(lines: list[str], end: str, ended: bool) -> None:
    text = end.join(lines) + (end if ended else "")
    assert _read(dialect.fields, text) == _read(nodes.fields, text)


def _read(reader: Callable[[list[str]], dict[str, dialect.Field]], text: str) -> object:
    lines = dialect.cut(text)
    try:
        found = reader(lines)
    except Invalid as error:
        return str(error)
    return [(name, one.value, one.start, one.end, _shown(lines, one)) for name, one in found.items()]


def _shown(lines: list[str], one: dialect.Field) -> str:
    """The value as it stands in the file; nothing where a reader takes it to be over several lines."""
    return lines[one.start][one.begin : one.stop] if one.value != "" else ""
