"""`check`: what a person and a script see, and that no input makes it fail, hang or fall silent."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gitinstinct import paths
from gitinstinct.check.rules import RULES
from gitinstinct.store.layout import About
from gitinstinct.store.store import Store
from tests.cli.conftest import PROJECT_ID
from tests.support import files, needs_real_samples, real_samples
from tests.support.program import Program, process
from tests.support.repos import commit_all, git
from tests.support.stores import new_store

GOOD = files.CANONICAL.replace("a1b2c3d4e5f6", PROJECT_ID)
FORGED = GOOD.replace("confidence: 0.65", "confidence: 0.90")
PATH = "instincts/grep-before-edit.md"


@pytest.fixture
def held(project: Path) -> Store:
    """The project's store."""
    return new_store(about=About("project", PROJECT_ID, "my-api"))


def test_findings_are_for_people(held: Store, program: Program) -> None:
    commit_all(held.path, {PATH: FORGED.replace("domain: workflow", "domain: openclaw")})
    result = program("check")
    assert result.code == 1
    assert result.out.splitlines() == [
        f"my-api  {held.path}",
        PATH,
        "     4  error    confidence is 0.90; the ledger gives 0.65  [derived-field]",
        "                 gitinstinct check --fix writes what the ledger gives; readers",
        "                 trust the ledger alone",
        "     5  warning  'openclaw' is no domain  [unknown-domain]",
        "                 use one of: code-style, testing, git, debugging, workflow,",
        "                 file-patterns, security, general-best-practices",
        "1 file checked: 1 error, 1 warning; `gitinstinct check --fix` mends 1 of them",
    ]


def test_findings_as_json(held: Store, program: Program) -> None:
    commit_all(held.path, {PATH: FORGED})
    result = program("check", "--json")
    assert result.code == 1
    assert result.json == {
        "version": 1,
        "findings": [
            {
                "rule": "derived-field",
                "severity": "error",
                "file": PATH,
                "line": 4,
                "why": "confidence is 0.90; the ledger gives 0.65",
                "remedy": RULES["derived-field"].remedy,
                "fixable": True,
                "uncommitted": False,
                "store": str(held.path),
            }
        ],
        "checked": 1,
    }


def test_status_tells_that_there_is_something_to_check(held: Store, program: Program) -> None:
    commit_all(held.path, {PATH: FORGED})
    assert "! 1 instinct with numbers that the ledger does not give: gitinstinct check" in program("status").out
    commit_all(held.path, {PATH: GOOD})
    assert "gitinstinct check" not in program("status").out


def test_warnings_alone_are_no_failure(held: Store, program: Program) -> None:
    commit_all(held.path, {PATH: GOOD.replace("domain: workflow", "domain: openclaw")})
    assert program("check").code == 0
    commit_all(held.path, {PATH: GOOD})
    assert program("check").out == "1 file checked: nothing found\n"


def test_fix_says_what_it_did_and_what_is_left(held: Store, program: Program) -> None:
    commit_all(held.path, {PATH: FORGED, "instincts/broken.md": "nothing"})
    rehearsed = program("check", "--fix", "--dry-run")
    assert f"would mend  {PATH}  derived fields written" in rehearsed.out
    assert git(held.path, "log", "-1", "--format=%s") == "work"
    result = program("check", "--fix", "--json")
    assert result.code == 1
    assert result.json["fixed"] == [{"file": PATH, "what": ["derived fields written"], "store": str(held.path)}]
    assert [found["file"] for found in result.json["findings"]] == ["instincts/broken.md"]
    assert result.json["commits"] == [git(held.path, "rev-parse", "main")]
    assert program("check", "--fix", "--json").json["commits"] == []


def test_fix_says_that_your_changes_were_committed_first(held: Store, program: Program) -> None:
    commit_all(held.path, {PATH: GOOD})
    (held.path / PATH).write_text(FORGED)
    out = program("check", "--fix").out
    assert "your changes were committed first, as yours: " in out
    assert "1 file checked: nothing found" in out


def test_bare_files_are_mended_in_place(program: Program, tmp_path: Path) -> None:
    file, link = tmp_path / "grep-before-edit.md", tmp_path / "elsewhere" / "grep-before-edit.md"
    file.write_text(FORGED)
    file.chmod(0o640)
    link.parent.mkdir()
    link.symlink_to(file)
    assert program("check", str(link), "--fix", "--dry-run").code == 1
    assert file.read_text() == FORGED
    result = program("check", str(link), "--fix")
    assert result.code == 0
    assert f"mended  {link}  derived fields written" in result.out
    assert file.read_text() == GOOD
    assert link.is_symlink()
    assert file.stat().st_mode & 0o777 == 0o640
    assert {path.name for path in tmp_path.iterdir()} == {"elsewhere", "grep-before-edit.md", "home"}


def test_all_stores_and_one_that_cannot_be_used(held: Store, program: Program) -> None:
    everybody = new_store(Path(paths.store(paths.GLOBAL)), about=About("global", "", "global"))
    broken = new_store(Path(paths.store("ffffffffffff")), about=About("project", "ffffffffffff", "gone"))
    git(broken.path, "update-ref", "-d", "refs/heads/main")
    commit_all(everybody.path, {"instincts/prefer-rg.md": files.made(scope="global", project_id="")})
    commit_all(held.path, {PATH: FORGED})
    found = program("check", "--all", "--json").json["findings"]
    assert {(one["rule"], one["store"]) for one in found} == {
        ("derived-field", str(held.path)),
        ("unusable-store", str(broken.path)),
    }
    fixed = program("check", "--all", "--fix", "--json").json
    assert [one["rule"] for one in fixed["findings"]] == ["unusable-store"]


def test_the_global_store_and_no_store(project: Path, program: Program) -> None:
    assert program("check").code == 0
    assert "There is no store yet" in program("check").out
    assert program("check", "--json").json == {"version": 1, "findings": [], "checked": 0}
    everybody = new_store(Path(paths.store(paths.GLOBAL)), about=About("global", "", "global"))
    commit_all(everybody.path, {PATH: GOOD})
    assert {one["rule"] for one in program("check", "--global", "--json").json["findings"]} == {
        "wrong-scope",
        "project-in-global",
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("check", "a.md", "--all"), "exclude each other"),
        (("check", "a.md", "--global"), "exclude each other"),
        (("check", "--all", "--project", "."), "exclude each other"),
        (("check", "--dry-run"), "--dry-run goes with --fix"),
    ],
)
def test_what_cannot_be_meant_is_said(
    arguments: tuple[str, ...], message: str, project: Path, program: Program
) -> None:
    result = program(*arguments)
    assert result.code == 2
    assert message in result.err


# --- hostile files: one process, one generous limit of time for all of them

_BOMB = "a: &a [x]\n" + "".join(f"{chr(98 + n)}: &{chr(98 + n)} [{'*' + chr(97 + n) + ', '}]\n" for n in range(9))
_FIELDS = "id: x\ntrigger: when testing\nconfidence: 0.5\ndomain: testing\n"


def front(fields: str, body: str = "\n## Action\nRun the tests.\n") -> bytes:
    return f"---\n{fields}---\n{body}".encode("utf-8", "surrogatepass")


HOSTILE = {
    "bomb": front(_BOMB + _FIELDS),
    "cycle": front("a: &a [*a]\n" + _FIELDS),
    "anchors": front("".join(f"k{n}: &a{n} x\n" for n in range(1000)) + _FIELDS),
    "merge-key": front("<<: {id: evil}\n" + _FIELDS),
    "python-tag": front("a: !!python/object/apply:os.system ['id']\n" + _FIELDS),
    "binary-tag": front("a: !!binary aGk=\n" + _FIELDS),
    "directive": front("%YAML 1.2\n" + _FIELDS),
    "twice": front(_FIELDS + '"id": y\n'),
    "list": front("- a\n- b\n"),
    "number": front("5\n"),
    "empty": b"",
    "no-end": b"---\nid: x\n",
    "json": b'{"id": "x", "confidence": 0.5}',
    "toml": b"+++\nid = 'x'\n+++\n",
    "documents": front(_FIELDS + "...\nid: evil\n"),
    "utf-16": files.CANONICAL.encode("utf-16"),
    "latin-1": files.CANONICAL.replace("Find", "Fänd").encode("latin-1"),
    "surrogates": front(_FIELDS.replace("testing", "\ud800")),
    "bell": front(_FIELDS + "x: \x07\n"),
    "cr-only": files.CANONICAL.replace("\n", "\r").encode(),
    "deep": front("a: " + "[" * 8000 + "]" * 8000 + "\n"),
    "deep-indent": front("".join(" " * n + f"k{n}:\n" for n in range(170)) + _FIELDS),
    "keys": front("".join(f"k{n}: x\n" for n in range(100_000)) + _FIELDS),
    "items": front("a: [" + "x, " * 1_000_000 + "x]\n" + _FIELDS),
    "long-line": front(_FIELDS, "x" * 1_000_000),
    "long-value": front(f"a: {'x' * 15_000}\n" + _FIELDS),
    "line-of-64k": front(_FIELDS, "\n## Action\n" + "`use " * 13_000),
    "blanks": front(_FIELDS, "\n## Action\n" + " " * 64_000 + "\n"),
    "empty-lines": front(_FIELDS, "\n" * 64_000 + "x"),
    "bullets": front(_FIELDS, "\n## Evidence\n" + "- x\n" * 16_000),
    "brackets": front(_FIELDS, "\n## Evidence\n- 2026-11-12 confirmed 1: " + "[aaaaaa " * 8_000 + "\n"),
    "headings": front(_FIELDS, "## Action\n" * 6_000),
    "marks": front(_FIELDS, "a" + "\u0301" * 30_000),
    "joiners": front(_FIELDS, "\u200d\u200b" * 10_000),
    "name-content": front(_FIELDS + "content: x\nhandler: y\nmetadata: z\n__class__: q\nself: r\n"),
    "nan": front(_FIELDS.replace("0.5", ".nan")),
    "yes": front(_FIELDS.replace("0.5", "yes")),
    "digits": front(_FIELDS.replace("0.5", "0." + "1" * 15_000)),
    "bad-day": front(_FIELDS + "created: 2026-13-45\n"),
    "year-zero": front(_FIELDS + "created: 0000-01-01\n"),
    "ledger-of-years": front(_FIELDS, "\n## Evidence\n- 9999-12-31 confirmed 999999: x [zzzzzzzzzz-00000000]\n"),
    "far-key": front(_FIELDS, "\n## Evidence\n- 0001-01-01 set 0.95: x [0000000000-00000000]\n"),
    "nul": b"\0" * 5000,
}
READABLE = {"name-content", "long-value", "line-of-64k", "blanks", "bullets", "marks", "joiners", "headings"}


def test_no_file_makes_it_fail_hang_or_fall_silent(tmp_path: Path) -> None:
    for name, data in HOSTILE.items():
        (tmp_path / f"{name}.md").write_bytes(data)
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "folder.md").mkdir()
    (tmp_path / "dead.md").symlink_to("nowhere")
    (tmp_path / "loop.md").symlink_to("loop.md")
    named = [str(tmp_path / f"{name}.md") for name in (*HOSTILE, "pipe", "folder", "dead", "loop", "missing")]
    result = process("check", "--json", *named)  # has its limit of time
    assert result.code == 1, result.err
    assert result.err == ""
    found = result.json["findings"]
    assert {one["file"] for one in found} == set(named)
    assert all(one["why"].isprintable() for one in found)
    unreadable = {Path(one["file"]).stem for one in found if one["rule"] == "unreadable"}
    assert {"bomb", "cycle", "merge-key", "python-tag", "keys", "items", "pipe", "folder", "dead"} <= unreadable
    assert not unreadable & READABLE
    assert process("check", "--fix", *named).code == 1
    for name in unreadable & set(HOSTILE):
        assert (tmp_path / f"{name}.md").read_bytes() == HOSTILE[name], "what cannot be read is left as it is"


@needs_real_samples
def test_all_real_files_at_once(program: Program) -> None:
    named = real_samples("instincts")
    found = program("check", "--json", *map(str, named)).json
    assert found["checked"] == len(named)
    assert {one["file"] for one in found["findings"]} == set(map(str, named))


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_any_terminal_can_show_it(encoding: str, tmp_path: Path) -> None:
    file = tmp_path / "x.md"
    file.write_bytes(front('id: x\ntrigger: テスト\u202e\nconfidence: 0.5\ndomain: "テスト[red]\\e[31m"\n'))
    result = process("check", str(file), PYTHONIOENCODING=encoding)
    assert result.code == 1, result.err
    assert not {"\x1b", "\u202e"} & set(result.out)
    assert "RIGHT-TO-LEFT OVERRIDE" in result.out
