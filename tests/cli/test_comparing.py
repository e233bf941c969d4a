"""`diff`: field by field, for people and scripts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import files
from tests.support.life import Lived
from tests.support.program import Program
from tests.support.repos import git
from tests.support.work import tree_of


def ids(found: dict[str, list[dict[str, str]]]) -> list[tuple[str, str]]:
    return [(one["id"], one["change"]) for one in found["instincts"]]


def test_diff_tells_words_evidence_and_what_follows(lived: Lived, program: Program) -> None:
    out = program("diff", "01aaaaaaaa..main", "use-rg").out.splitlines()
    tip = git(lived.store.path, "rev-parse", "main")
    assert out[0] == f"{lived.made[:10]} (2026-11-02) → {tip[:10]} (2026-11-20)"
    assert out[2:] == [
        "use-rg  changed  0.50 → 0.63",
        "  trigger  when working on use-rg → when searching text",
        "  + 2026-11-10 confirmed 1: used again",
        "  + 2026-11-14 confirmed 1: on main",
        "  + 2026-11-15 confirmed 1: on the side",
        "  follows  confidence 0.50 → 0.58, last_observed 2026-11-02 → 2026-11-14,",
        "           confirmations 5 → 7",
        "  the file says confidence 0.58; its evidence gives 0.63",
    ]


def test_diff_as_json(lived: Lived, program: Program) -> None:
    found = program("diff", "--json", lived.made + "..01bbbbbbbb", "use-rg").json
    [one] = found["instincts"]
    assert (one["id"], one["change"], one["fields"], one["forged"]) == ("use-rg", "changed", [], None)
    assert one["confidence"] == {"old": 0.5, "new": 0.53}
    [added] = one["ledger"]["added"]
    assert (added["kind"], added["text"], added["live"]) == ("confirmed", "used again", True)
    assert {"field": "confirmations", "old": "5", "new": "6"} in one["numbers"]
    assert (found["others"], found["problems"]) == ([], [])


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((), [("faded", "gone")]),
        (("use-rg",), [("use-rg", "changed")]),
        (("faded",), [("faded", "gone")]),
        (("01bbbbbbbb",), [("faded", "new"), ("use-rg", "changed")]),
        (("01bbbbbbbb", "faded"), [("faded", "new")]),
        (("main~1..",), [("faded", "gone")]),
        (("..2026-11-11",), [("faded", "new"), ("use-rg", "changed")]),
        (("side...main",), [("faded", "gone"), ("use-rg", "changed")]),
        (("main..main",), []),
        (("--global",), [("prefer-rg", "new")]),
        (("--with", "global"), [("prefer-rg", "gone"), ("use-rg", "new")]),
        (("--with", "global", "use-rg"), [("use-rg", "new")]),
        (("--with", "."), []),
    ],
)
def test_what_is_compared(
    arguments: tuple[str, ...], expected: list[tuple[str, str]], lived: Lived, program: Program
) -> None:
    result = program("diff", "--json", *arguments)
    assert (result.code, ids(result.json)) == (0, expected)


def test_a_clone_of_the_store_can_be_compared(lived: Lived, program: Program, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", str(lived.store.path), "theirs")
    lived.put("2026-11-21", "use-rg", lived.data("use-rg").replace(b"searching", b"finding"))
    out = program("diff", "--with", str(tmp_path / "theirs")).out
    assert "trigger  when searching text → when finding text" in out


def test_two_bare_files(program: Program, tmp_path: Path) -> None:
    old, new = tmp_path / "a.md", tmp_path / "b.md"
    old.write_text(files.CANONICAL)
    new.write_text(files.CANONICAL.replace("then edit.", "then edit, and look at what became of it."))
    out = program("diff", "--files", str(old), str(new)).out
    assert "  action\n    - Find the exact place with Grep, read it, then edit.\n    + Find" in out
    assert "no instinct differs" in program("diff", "--files", str(old), str(old)).out
    new.write_text(files.CANONICAL.replace("domain: workflow", "domain: 'workflow'"))
    assert "only its form" in program("diff", "--files", str(old), str(new)).out


def test_what_cannot_be_compared_is_named_and_the_rest_is(lived: Lived, program: Program) -> None:
    lived.put("2026-11-21", "use-rg", b"half a file")
    result = program("diff", "main~2..main")
    assert result.code == 1
    assert "faded  gone  0.30" in result.out
    assert "cannot be compared: instincts/use-rg.md in " in result.out


def test_a_retraction_says_what_no_longer_counts(lived: Lived, program: Program) -> None:
    key = lived.data("use-rg").decode().split("[")[1].split("]")[0]
    line = f"- 2026-11-21 retracted {key}: not so [01kcsqrs00-0badc0de]\n"
    lived.put("2026-11-21", "use-rg", lived.data("use-rg") + line.encode())
    out = program("diff", "use-rg").out
    assert "  + 2026-11-21 retracted" in out
    assert "  x 2026-11-02 observed 5: used 5 times  no longer counts\n" in out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("no-such",), 1, "nothing in this store is called no-such"),
        (("main~1..", "no-such"), 1, "there is no no-such in main~1.."),
        (("nope..main",), 1, "nothing in this store is called nope"),
        (("a", "b", "c"), 2, "too much to compare"),
        (("--with", "global", "no-such"), 1, "no instinct is called no-such"),
        (("--with", "nowhere"), 2, "neither a folder nor a project's id"),
        (("--with", "global", "a", "b"), 2, "too much to compare"),
        (("--files", "a.md", "b.md"), 2, "a.md: No such file"),
        (("--files", "a.md", "b.md", "use-rg"), 2, "two files and nothing else"),
    ],
)
def test_what_cannot_be_compared_is_said(
    arguments: tuple[str, ...], code: int, message: str, lived: Lived, program: Program
) -> None:
    result = program("diff", *arguments)
    assert (result.code, result.out) == (code, "")
    assert message in result.err


def test_without_a_store_there_is_nothing_to_compare(project: Path, program: Program) -> None:
    result = program("diff")
    assert (result.code, result.err.splitlines()[0]) == (1, "error: there is no store yet")


def test_a_file_that_cannot_be_read_is_no_side(program: Program, tmp_path: Path) -> None:
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text("no frontmatter")
    result = program("diff", "--files", str(tmp_path / "a.md"), str(tmp_path / "b.md"))
    assert result.code == 1
    assert "no frontmatter" in result.err


def test_asking_changes_nothing_in_the_store(lived: Lived, program: Program) -> None:
    before = tree_of(lived.store.path)
    for arguments in (("why", "use-rg"), ("log", "use-rg"), ("blame", "use-rg"), ("diff", "main~3..main")):
        assert program(*arguments).code == 0
    assert tree_of(lived.store.path) == before
