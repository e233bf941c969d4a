"""Text for a page of GitHub: whatever stands in a file, it orders nothing there."""

from __future__ import annotations

import re
from urllib.parse import unquote

from hypothesis import given
from hypothesis import strategies as st

from gitinstinct.check.rules import Finding, Found, Severity, told
from gitinstinct.check.span.asked import Asked, Span
from gitinstinct.check.span.judgement import Judged
from gitinstinct.check.span.provenance import Promotion
from gitinstinct.check.span.signed import Signed
from gitinstinct.cli import annotating, output
from gitinstinct.cli.checked import Looked
from gitinstinct.git.repo import Repo
from tests.support import DATA

EVIL = [
    "::set-output name=x::y", "\n::add-mask::x", "\r\n::stop-commands::x", "##[error]x", "a##[add-path]/tmp", "%", ":",
    "%0A::warning::x", "x,line=1::y", "\x1b[31m", "\u2028::error::x", "@team fixes #1 <!-- x --> ![x](http://x/y)", "|",
    "``` ````", "<b>", "https://example.org/x @ann `@bob` /merge",
]  # fmt: skip
texts = st.one_of(st.sampled_from(EVIL), st.text(max_size=60), st.lists(st.sampled_from(EVIL)).map("".join))
_COMMAND = re.compile(r"::(error|warning) ((?:[a-z]+=[^,:]*)(?:,[a-z]+=[^,:]*)*)::(.*)")


def finding(file: str, why: str, line: int | None = 3, commit: str = "") -> Finding:
    return told(Found("secret", line, why, commit=commit), file)


@given(texts, texts)
def test_an_annotation_is_one_line_and_one_command(file: str, why: str) -> None:
    line = annotating.annotation(finding(file, why))
    assert line.isprintable()
    found = _COMMAND.fullmatch(line)
    assert found
    assert "##[" not in line
    properties = dict(part.split("=", 1) for part in found[2].split(","))
    shown = output.clean(file).replace("##[", "## [")
    assert unquote(properties.get("file", "")) == (unquote(shown.replace("%", "%25")) if file else "")
    assert output.clean(why).replace("##[", "## [").replace("%", "%25") in found[3]


def test_an_annotation_byte_for_byte() -> None:
    assert annotating.annotation(finding("a,b:c%.md", "x: 100 %\n::y")) == (
        "::error file=a%2Cb%3Ac%25.md,line=3,title=gitinstinct%3A secret::x: 100 %25\\n::y; take it out and have it"
        " changed where it is valid: what was committed stays in the history"
    )
    assert annotating.annotation(finding("", "x", commit="1" * 40)).startswith(
        "::error title=gitinstinct%3A secret::commit 1111111111: x; "
    )


def page(*findings: Finding, judged: Judged | None = None) -> str:
    return annotating.page([Looked("x", None, findings, len(findings), judged=judged)])


@given(texts, texts, texts)
def test_on_the_page_foreign_words_stand_in_code(file: str, why: str, name: str) -> None:
    span = Span(Asked(name, name, name), Repo(DATA), "1" * 40, "2" * 40, ("2" * 40,))
    promotion, signed = (
        Promotion("1" * 40, (name,), (name,), verified=False),
        Signed("1" * 40, "good", name, name, name),
    )
    judged = Judged(span, promotions=(promotion,), signatures=(signed,))
    text = page(finding(f"f{file}", f"w{why}"), judged=judged)
    outside = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", text)
    assert not {"@", "!", "[", "|"} & set(outside.replace("**not verified**", ""))
    assert set(re.findall("<[^>]*>?", outside)) <= {"<br>"}
    assert text.replace("\n", "").isprintable()


def test_a_long_page_is_cut_and_says_so() -> None:
    many = [finding(f"instincts/x{number}.md", "w" * 500) for number in range(300)]
    warning = Finding("x", Severity.WARNING, "first.md", 1, "a warning", "x", fixable=False)
    text = page(warning, *many)
    assert len(text.encode()) < 65_536
    assert "instincts/x0.md" in text
    assert "first.md" not in text, "errors come first"
    assert re.search(r"and \d+ more, which the log of the check has", text)
    assert "300 errors, 1 warning" in text
