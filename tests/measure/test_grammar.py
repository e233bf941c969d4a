"""`check:`: what it may say, and that nothing in it can keep the machine busy."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitinstinct.instinct import globs, markdown
from gitinstinct.measure import grammar, regexes
from gitinstinct.measure.errors import Malformed
from tests.support import measuring, work

GOOD = [
    {"on": "shell", "bad": r"\bpip install\b", "good": r"\buv add\b"},
    {"on": ["Bash", "mcp__git__*"], "when": "pytest", "good": "-n auto"},
    {"on": "edit", "paths": "**/*.py", "then": "pytest", "within": "5"},
    {"on": "edit", "paths": ["*.{ts,tsx}", "src/**"], "before": "^(Read|Grep) ", "within": "10"},
    {"on": "Write", "paths": "*.md", "good": "^# "},
    {"on": "shell", "bad": r"git\s+commit\b.*--no-verify"},
    {"on": "shell", "bad": r"(?<!uv )\bpip\b(?! list)", "when": "(?i)pip"},
]


@pytest.mark.parametrize("value", GOOD)
def test_what_can_be_said(value: dict[str, object]) -> None:
    assert grammar.read(value).on


def test_a_file_says_it_as_yaml() -> None:
    data = measuring.instinct(check=None).replace(
        b"\n---\n\n#", b'\ncheck: {on: Edit, paths: "**/*.py", then: "pytest", within: 5}\n---\n\n#'
    )
    found = grammar.read(markdown.parse(data).extra["check"])
    assert (found.on, found.paths, found.within) == (("Edit",), ("**/*.py",), 5)
    assert found.then is not None
    assert found.concerns("Edit", "/repo/src/a.py")
    assert not found.concerns("Write", "/repo/src/a.py")
    assert not found.concerns("Edit", "/repo/src/a.md")
    assert not found.concerns("Edit", "")


BAD = [
    ("npm", "is no map"),
    ([], "is no map"),
    ({}, "does not say `on`"),
    ({"on": "shell"}, "needs one of"),
    ({"on": "shell", "bad": "a", "then": "b"}, "needs one of"),
    ({"on": "shell", "then": "a", "before": "b"}, "needs one of"),
    ({"on": "shell", "good": "a"}, "has `good` alone"),
    ({"on": "shell", "bad": "a", "within": "3"}, "has `within` without"),
    ({"on": "shell", "then": "a", "within": "0"}, "has '0' in `within`"),
    ({"on": "shell", "then": "a", "within": "51"}, "has '51' in `within`"),
    ({"on": "shell", "then": "a", "within": "five"}, "has 'five' in `within`"),
    ({"on": "shell", "then": "a", "within": "٣"}, "in `within`"),
    ({"on": "shell", "bad": "a", "Good": "b"}, "has an unknown key 'Good'; it knows on, paths"),
    ({"on": {"a": "b"}, "bad": "a"}, "no name or list of names in `on`"),
    ({"on": ["a", ["b"]], "bad": "a"}, "no name or list of names in `on`"),
    ({"on": ["x"] * 21, "bad": "a"}, "more than 20 names"),
    ({"on": "shell", "bad": ["a"]}, "has no text in `bad`"),
    ({"on": "shell", "bad": ""}, "has no text in `bad`"),
    ({"on": "shell", "bad": "("}, "`bad` is no regular expression"),
    ({"on": "shell", "bad": "[[a]"}, "`bad` is no regular expression (Possible nested set"),
    ({"on": "shell", "bad": "a" * 201}, "`bad` has 201 characters"),
    ({"on": "edit", "paths": " ", "bad": "a"}, "`paths` holds a glob that is empty"),
]


@pytest.mark.parametrize(("value", "reason"), BAD)
def test_what_cannot_is_named(value: object, reason: str) -> None:
    with pytest.raises(Malformed, match=re.escape(reason)):
        grammar.read(value)  # type: ignore[arg-type]


HOSTILE = [
    "(a*)*b", "(a+)+$", "(a|aa)+$", "(?:a?)*b", "(a|ab)*c", "(.*)*x", "(?:.*a){20}", "a?" * 40 + "a" * 40, ".*.*.*x",
    r"(\w+\s?)*$", r"(x+x+)+y", r"(?:(?:a{1,50}){1,50}){1,50}b", r"^(\w+)\1$", r"(a)(?(1)b|c)", r"(?=(a+))*\1b",
    "(?P<n>a)(?P=n)", "(?:a|b?)*c", ".{0,2000}.{0,2000}.{0,2000}x",
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_what_may_take_too_long_is_refused(text: str) -> None:
    with pytest.raises(Malformed):
        regexes.compiled(text)


@given(st.text("ab*+?|(){}[].^$\\123,=!<:", max_size=24))
def test_no_expression_raises_anything_else(text: str) -> None:
    try:
        found = regexes.compiled(text)
    except Malformed:
        return
    begun = time.process_time()
    found.found("ab" * 3_000)
    assert time.process_time() - begun < 5  # refused ones would take years


def test_only_the_beginning_of_a_text_is_looked_at() -> None:
    assert regexes.compiled("x$").found("a" * 1_999 + "x" + "b" * 100)
    assert not regexes.compiled("x").found("a" * 2_000 + "x")
    assert not regexes.compiled("a.*b.*c").found("a" * 500 + "bc"), "two open ends: less of it"


@pytest.mark.parametrize(
    ("glob", "path", "matches"),
    [
        ("*.py", "/repo/src/a.py", True),
        ("*.py", "a.py", True),
        ("*.py", "a.pyc", False),
        ("src/*.py", "/repo/src/a.py", True),
        ("src/*.py", "/repo/src/b/a.py", False),
        ("src/**", "/repo/src/b/a.py", True),
        ("src/**/*.{ts,tsx}", "/repo/src/b/c/a.tsx", True),
        ("src/**/*.{ts,tsx}", "/repo/src/a.ts", True),
        ("src/**/*.{ts,tsx}", "/repo/lib/a.ts", False),
        ("/repo/*.py", "/repo/a.py", True),
        ("/repo/*.py", "/other/repo/a.py", True),
        ("test_?.py", "C:\\work\\test_a.py", True),
        ("[a].py", "a.py", False),
        ("a.py", "b/a.py", True),
        ("a.py", "b/aXpy", False),
        ("**/**/**", "a/b", True),
    ],
)
def test_globs(glob: str, path: str, matches: bool) -> None:
    assert globs.matches(glob, path) is matches


def test_a_glob_is_quick_whatever_it_is() -> None:
    begun = time.process_time()
    globs.matches("/".join(["**", "*a*"] * 20), "/".join(["a" * 300] * 100) + "b")
    assert time.process_time() - begun < 5


def test_the_examples_in_the_readme() -> None:
    readme = (work.ROOT / "README.md").read_text("utf-8")
    lines = re.findall(r"^check: .*$", readme, re.M)
    assert len(lines) == 3
    for line in lines:
        data = measuring.instinct(check=None).replace(b"\n---\n\n#", f"\n{line}\n---\n\n#".encode())
        assert grammar.read(markdown.parse(data).extra["check"]).on
