"""`log`, `blame` and `show ID@REV`: what people and scripts see of the past."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import files
from tests.support.life import Lived
from tests.support.program import Program, process
from tests.support.repos import git


def test_log_tells_the_runs_and_what_plain_git_made(lived: Lived, program: Program) -> None:
    out = program("log").out
    assert out.startswith(f"{lived.removed[:10]}  2026-11-20 10:00  prune: faded\n            faded deleted\n")
    assert "Say it better\n            by hand, Ann\n            use-rg edited\n" in out
    assert "Merge branch 'side'\n            use-rg merged\n" in out
    assert "            prefer-rg added\n" in out, "the global store, too"
    assert "genesis" not in out


def test_log_as_json(lived: Lived, program: Program) -> None:
    found = program("log", "--json", "--verb", "observe", "-n", "2").json
    assert set(found) == {"version", "commits"}
    entry = found["commits"][1]
    assert entry == {
        "commit": lived.confirmed, "date": "2026-11-10T10:00:00+00:00", "verb": "observe",
        "author": "gitinstinct observer <observer@localhost>", "subject": "observe: 2 confirmed",
        "run": "01bbbbbbbb", "detector": "local/1", "instincts": ["use-rg", "faded"],
    }  # fmt: skip


def test_log_of_one_instinct_has_its_curve(lived: Lived, program: Program) -> None:
    lines = program("log", "use-rg", "-n", "1").out.splitlines()
    assert lines == [
        "use-rg  project  6 versions, 2026-11-02 to 2026-11-16",
        "▅▅▅▅▅▆  0.50 → 0.63",
        "",
        f"{lived.merged[:10]}  2026-11-16 10:00  Merge branch 'side'",
        "            merged",
    ]
    found = program("log", "use-rg", "--json", "--run", "01bbbbbbbb").json
    assert [entry["commit"] for entry in found["commits"]] == [lived.confirmed]
    assert [point["confidence"] for point in found["curve"]] == [0.5, 0.53, 0.53, 0.58, 0.58, 0.63]
    assert found["problems"] == []


def test_log_of_what_is_gone_and_of_what_cannot_be_read(lived: Lived, program: Program) -> None:
    assert "faded  project  1 version, 2026-11-10 to 2026-11-20, gone now" in program("log", "faded").out
    bad = lived.put("2026-11-21", "use-rg", b"<<<<<<< ours\n")
    out = program("log", "use-rg").out
    assert f"version {bad[:10]} cannot be read: line 1: no frontmatter" in out
    assert program("log", "use-rg", "--json").json["problems"][0]["commit"] == bad


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (("--since", "2026-11-15", "--until", "2026-11-16"), 2),
        (("--since", "2 weeks ago"), 3),
        (("--since", "2 weeks ago", "use-rg"), 2),
        (("--until", "2026-11-02", "use-rg"), 1),
        (("--run", "01bbbbbbbb"), 1),
        (("--verb", "merge"), 1),
        (("--verb", "edit", "--global"), 1),
    ],
)
def test_log_can_be_narrowed(filters: tuple[str, ...], expected: int, lived: Lived, program: Program) -> None:
    result = program("log", "--json", *filters)
    assert (result.code, len(result.json["commits"])) == (0, expected)


def test_a_search_that_finds_nothing_is_told_from_a_store_without_a_past(lived: Lived, program: Program) -> None:
    assert program("log", "--run", "01zzzzzzzz").code == 1
    assert program("log", "use-rg", "--since", "yesterday", "--json").code == 1


def test_without_a_store_there_is_no_past(project: Path, program: Program) -> None:
    result = program("log", "--json")
    assert (result.code, result.json) == (0, {"version": 1, "commits": []})


def test_blame_tells_run_or_person_of_each_line(lived: Lived, program: Program) -> None:
    lines = program("blame", "use-rg").out.splitlines()
    assert lines[0] == f"{lived.made[:7]} 2026-11-02 observe 01aaaaaaaa  ---"
    assert lines[1] == " " * 38 + "id: use-rg"
    assert lines[2] == f"{lived.by_person[:7]} 2026-11-12 edit    Ann         trigger: when searching text"
    found = program("blame", "use-rg", "--json").json
    assert found["commit"] == git(lived.store.path, "rev-parse", "main")
    line = found["lines"][2]
    assert (line["line"], line["text"], line["commit"]) == (3, "trigger: when searching text", lived.by_person)
    assert (line["verb"], line["run"], line["author"]) == ("edit", None, "Ann <ann@example.org>")


def test_blame_of_an_older_version_and_of_what_is_gone(lived: Lived, program: Program) -> None:
    assert "when working on use-rg" in program("blame", "use-rg@01bbbbbbbb").out
    assert program("blame", "faded").out.startswith(f"gone from main; as it was in {lived.confirmed[:10]}\n")


@pytest.mark.parametrize(
    "rev", ["01bbbbbbbb", "2026-11-11", "@{2026-11-11}", "{commit}", "main~1^1~2", "@{2026-11-10T12:00:00Z}"]
)
def test_show_at_any_revision(rev: str, lived: Lived, program: Program) -> None:
    name = f"use-rg@{rev.replace('{commit}', lived.confirmed[:9])}"
    found = program("show", name, "--json").json["instinct"]
    assert (found["trigger"], found["effective"], len(found["ledger"])) == ("when working on use-rg", 0.53, 2)
    assert f"0.53  active, as of 2026-11-10, commit {lived.confirmed[:10]}" in program("show", name).out


def test_a_file_without_a_ledger_counts_from_its_own_commit(lived: Lived, program: Program) -> None:
    for day in ("2026-11-10", "2026-11-20"):
        lived.by_hand(day, {"prefer-fd": files.UNADOPTED.replace("prefer-rg", "prefer-fd").encode() + day.encode()})
    assert program("show", "prefer-fd", "--json").json["instinct"]["effective"] == 0.78
    assert program("show", "prefer-fd@2026-11-10", "--json").json["instinct"]["effective"] == 0.8


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("log", "no-such"), 1, "no instinct is called no-such"),
        (("log", "../x"), 1, "no instinct is called ../x"),
        (("log", "-n", "0"), 2, "greater than or equal to 1"),
        (("log", "--since", "soon"), 2, "'soon' is no time"),
        (("blame", "no-such"), 1, "no instinct is called no-such"),
        (("blame", "use-rg@nowhere"), 1, "nothing in this store is called nowhere"),
        (("blame", "faded@2026-11-03"), 1, "there was no faded at 2026-11-03"),
        (("show", "faded"), 1, "faded is gone"),
        (("show", "use-rg@"), 1, "nothing in this store is called"),
        (("show", "use-rg@2026-13-99"), 2, "is no time"),
        (("show", "no-such@main"), 1, "there was no no-such at main"),
    ],
)
def test_what_cannot_be_told_is_said_in_a_sentence(
    arguments: tuple[str, ...], code: int, message: str, lived: Lived, program: Program
) -> None:
    result = program(*arguments)
    assert (result.code, result.out) == (code, "")
    assert result.err.startswith("error: ")
    assert message in result.err


ASKING = [("log",), ("log", "use-rg"), ("blame", "use-rg"), ("why", "use-rg"), ("diff", "use-rg"), ("diff", "main~1..")]


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
@pytest.mark.parametrize("arguments", ASKING, ids=" ".join)
def test_any_terminal_can_show_any_past(arguments: tuple[str, ...], encoding: str, lived: Lived, project: Path) -> None:
    hostile = lived.data("use-rg").replace(b"Use `", "\x1b]0;owned\x07 \u202e テスト [red]`".encode())
    lived.by_hand("2026-11-21", {"use-rg": hostile}, "\u202e テスト [red]x[/red] \x1b[31m")
    result = process(*arguments, cwd=project, PYTHONIOENCODING=encoding)
    assert (result.code, result.err) == (0, "")
    assert not {"\x1b", "\x07", "\u202e"} & set(result.out)
    assert "[red]" in result.out


@pytest.mark.parametrize("arguments", ASKING, ids=" ".join)
def test_nobodys_hands_in_the_store_change_an_answer(
    arguments: tuple[str, ...], lived: Lived, program: Program
) -> None:
    path = lived.store.path
    before = program(*arguments)
    git(path, "checkout", "-q", "--detach", "main~2")
    git(path, "merge", "-q", "side", ok=False)
    assert program(*arguments) == before
    git(path, "checkout", "-q", "-f", "main")
    (path / "instincts/use-rg.md").write_bytes(b"half typed")
    (path / ".git/index.lock").write_bytes(b"")
    assert program(*arguments) == before


@pytest.mark.parametrize(
    ("arguments", "lazy"),
    [
        (("log", "use-rg"), {"deepdiff", "rapidfuzz", "snowballstemmer", "git", "anthropic"}),
        (("blame", "use-rg"), {"deepdiff", "rapidfuzz", "snowballstemmer", "git", "anthropic"}),
        (("why", "use-rg"), {"deepdiff", "git", "anthropic"}),
        (("diff", "use-rg"), {"rapidfuzz", "snowballstemmer", "git", "anthropic"}),
    ],
)
def test_asking_loads_only_what_it_needs(
    arguments: tuple[str, ...], lazy: set[str], lived: Lived, project: Path
) -> None:
    code = f"import sys; from gitinstinct.cli.app import run; run({arguments!r}); print(sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=project)
    assert not lazy & set(done.stdout.splitlines()[-1].strip("[]").replace("'", "").split(", "))
