"""Foreign text on a page that a host renders: it is read, and does nothing."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from gitinstinct.check.rules import Finding, Severity
from gitinstinct.instinct import hidden
from gitinstinct.instinct.confidence import Fold
from gitinstinct.instinct.ledger import Entry
from gitinstinct.instinct.model import Instinct
from gitinstinct.pullrequest import body, harmless
from gitinstinct.pullrequest.facts import Facts
from gitinstinct.review.effect import Effect
from gitinstinct.review.provenance import Source
from gitinstinct.store.history import Logged
from gitinstinct.trace.difference import Difference, Field
from gitinstinct.trace.neighbours import Neighbour
from gitinstinct.trace.wordbook import Said

PAGE = MarkdownIt("commonmark").enable("table").enable("strikethrough")

HOSTILE = (
    "@team please look",
    "fixes #1, closes acme/app#2",
    "<!-- hidden from you --> text",
    "![x](https://evil.example/beacon.png)",
    "<img src=https://evil.example/beacon.png>",
    "```\n\n# Not a heading of ours\n\n@team\n```",
    "````text\n/merge\n````\n/approve",
    "~~~\nout\n~~~",
    "`` ` ``` ```` ` ``",
    "`",
    "a | b | c \\| d \\\\| e",
    "\\",
    "| --- |\n| x |",
    "\u202egnidaer morf\u202c",
    "\U000e0041\U000e0042 tags, zero\u200bwidth, soft\u00adhyphen",
    "[link](javascript:alert(1)) <https://evil.example>",
    "one\r\ntwo\rthree\u2028four\u0085five\x0bsix\x00",
    "\x1b[31mred\x1b[0m",
    "$$ \\require{x} $$ $`a`$",
    "</details></td></tr></table><h1>x</h1>",
    "- [ ] a task\n1. one\n> said\n\n    code\n***\n===\nx\n---",
    "[^1]\n\n[^1]: a note\n[ref]: https://evil.example\n[ref]",
    "\ud800 half",
    "x" * 70_000,
    "`" * 70_000,
    "漢" * 40_000,
)

texts = st.one_of(
    st.text(max_size=300),
    st.lists(st.sampled_from(HOSTILE[:-3]), min_size=1, max_size=4).map("\n".join),
    st.text(alphabet="`~|\\\n@#<>!-[]() \t\r/1a", max_size=120),
).filter(lambda text: bool(harmless.span(text)))


def facts(text: str, rows: int = 2, *, old: bool = True) -> Facts:
    """A promotion of which every word is this text."""
    ledger = tuple(Entry("2026-11-08", text, text, text, f"{number:010d}-9f3ac1d0") for number in range(rows))
    instinct = Instinct(
        id=text, trigger=text, title=text, action=text, domain=text, source=text, scope=text, project_id=text,
        project_name=text, tags=(text,), paths=(text,), written={}, ledger=ledger, notes=(text,),
    )  # fmt: skip
    moment = datetime(2026, 11, 29, tzinfo=UTC)
    logged = Logged("ab" * 20, ("cd" * 20,), text, text, moment, text, text, ((text, text),), text, text)
    changes = Difference(
        id=text, old=instinct if old else None, new=instinct, words=(Field(text, text, text),) * rows, added=ledger,
        removed=ledger, silenced=(), numbers=(), worth=(50, 60),
    )  # fmt: skip
    return Facts(
        instinct=instinct,
        changes=changes,
        today=Fold(65, text, 1, 0, None, None),
        curve=(30, 50, 90),
        counting=frozenset(ledger[:1]),
        commits=(logged,) * rows,
        sources=(Source(text, text, text, text), Source(text, text, text, "")),
        effects=(Effect(text, text, False),),
        neighbours=(Neighbour(text, text, Said(text, text, text)),),
        findings=(Finding(text, Severity.ERROR, text, 3, text, text, False),),
        others=(text,) * rows,
    )


def tokens(page: str) -> list[Token]:
    """All tokens of a page, those of its lines too."""
    return [one for token in PAGE.parse(page) for one in (token, *(token.children or ()))]


def skeleton(page: str) -> list[tuple[str, str, str]]:
    """Everything on a page but what stands in code: this is what a host acts upon."""
    return [
        (one.type, one.tag, "" if one.type in ("fence", "code_inline", "inline") else one.content)
        for one in tokens(page)
    ]


def render(found: Facts) -> str:
    return body.render(found, "main", "promote/run-tests")


@given(texts)
@example("a | b")
@example("x`")
@example("/merge")
def test_no_foreign_text_leaves_its_fence_or_cell(text: str) -> None:
    assert skeleton(render(facts(text))) == skeleton(render(facts("bland")))


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("old", [True, False])
def test_what_is_known_to_do_harm_does_none(text: str, old: bool) -> None:
    page = render(facts(text, old=old))
    assert skeleton(page) == skeleton(render(facts("bland", old=old)))
    kinds = {one.type for one in tokens(page)}
    assert not kinds & {"html_block", "html_inline", "image", "link_open", "code_block"}
    assert not any(line.startswith("/") for line in page.split("\n")), "no orders for a host"
    assert "#1" not in page


@pytest.mark.parametrize("text", HOSTILE)
def test_the_page_is_within_what_a_host_takes(text: str) -> None:
    page = render(facts(text, rows=3_000))
    assert len(page.encode()) <= body.LIMIT < 65_536


def test_what_is_cut_is_told() -> None:
    page = render(facts("word " * 20_000))
    assert "[cut: 100,000 signs in all; the file has the rest]" in page
    assert "The newest 40 of 3000 lines." in render(facts("x", rows=3_000))


@given(texts)
def test_every_sign_of_a_page_can_be_seen(text: str) -> None:
    assert not [one for line in render(facts(text)).split("\n") for one in hidden.find(line)]


@given(st.text(), st.integers(0, 200))
def test_a_cut_keeps_within_its_bytes_and_whole_letters(text: str, most: int) -> None:
    found = harmless.cut(text, most)
    assert len(found.encode()) <= max(most, 3)
    assert found == text.encode("utf-8", "replace").decode() or found.endswith("…")


@given(texts)
def test_a_fence_shows_all_that_it_was_given(text: str) -> None:
    [fence] = PAGE.parse(harmless.fence(text, 10**6))
    assert (fence.type, fence.info) == ("fence", "text")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").strip("\n").split("\n")
    shown = fence.content.removesuffix("\n").split("\n")
    assert len(shown) == len(lines)
    for line, seen in zip(lines, shown, strict=True):
        if line.isascii() and line.isprintable():
            assert seen.replace("# ", "#").strip() == line.replace("# ", "#").strip()


def test_honest_text_stays_as_it_is() -> None:
    for text in ("Run `pytest -q` first.", "Führe die Tests aus, 日本語, emoji 👩‍💻", "a\n  indented\n\nb"):
        assert text in harmless.fence(text, 1_000)
        assert "¦" not in harmless.span(text)
