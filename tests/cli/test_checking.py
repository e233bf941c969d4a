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
from tests.support.keys import key, needs_ssh_keygen
from tests.support.life import Lived
from tests.support.mates import GENESIS
from tests.support.program import Program, process
from tests.support.proposals import PATH as RG
from tests.support.proposals import START, Proposal, confirmed, proposal
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
                "commit": "",
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


# --- ranges


@pytest.fixture
def proposed(home: Path, monkeypatch: pytest.MonkeyPatch) -> Proposal:
    """A plain clone on a machine that has no stores, as a runner of a host makes one."""
    made = proposal(home / "clone")
    git(made.folder, "checkout", "-q", "--detach", "feature")
    monkeypatch.setenv("GITINSTINCT_HOME", str(home / "nothing"))
    monkeypatch.chdir(made.folder)
    return made


def forge(proposed: Proposal) -> str:
    """A branch with a forged number and a file that does not belong there."""
    git(proposed.folder, "checkout", "-q", "feature")
    forged = START.replace(b"confidence: 0.50", b"confidence: 0.90")
    commit = proposed.commit({RG: forged, "CLAUDE.md": "x\n"}, "observe: 1 new\n\nInstinct: run-tests new 0.50\n")
    git(proposed.folder, "checkout", "-q", "--detach")
    return commit


def test_a_range_for_people(proposed: Proposal, program: Program) -> None:
    commit = forge(proposed)
    result = program("check", "main...HEAD")
    assert result.code == 1
    assert result.out.splitlines() == [
        f"main...HEAD  what HEAD did since it parted from main, in {proposed.folder}",
        "CLAUDE.md",
        "        error    a file that does not belong in a store  [foreign-file]",
        "                 take it out of the store: git rm, then commit",
        RG,
        "     4  error    confidence is 0.90; the ledger gives 0.50  [derived-field]",
        "                 gitinstinct check --fix writes what the ledger gives; readers",
        "                 trust the ledger alone",
        f"commit {commit[:10]}",
        "        error    it says it is about run-tests, and changes prefer-rg",
        "                 [unnamed-change]",
        "                 make a commit of its own for it, or name it in an `Instinct:`",
        "                 line",
        "1 commit, 2 files checked: 3 errors; `gitinstinct check --fix FILE` mends 1 of them",
    ]
    assert not (proposed.folder.parent / "nothing").exists(), "nothing of ours is left on the machine"


def test_a_range_as_json(proposed: Proposal, program: Program) -> None:
    commit = forge(proposed)
    main = git(proposed.folder, "rev-parse", "main")
    found = program("check", "main..HEAD", "--json").json
    assert found["range"] == {"asked": "main..HEAD", "old": main, "new": commit, "bases": [main], "commits": 1}
    assert [(one["file"], one["rule"], one["commit"]) for one in found["findings"]] == [
        ("CLAUDE.md", "foreign-file", ""),
        (RG, "derived-field", ""),
        ("", "unnamed-change", commit),
    ]
    assert (found["checked"], found["promotions"], found["signatures"]) == (2, [], [])


def test_a_range_for_a_page_of_github(
    proposed: Proposal, program: Program, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forge(proposed)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(home / "step.md"))
    (home / "step.md").write_text("before\n")
    result = program("check", "--format", "github", "--summary", str(home / "comment.md"), "main...HEAD")
    assert result.code == 1
    *annotations, last = result.out.splitlines()
    assert [line.split("::")[1] for line in annotations] == [
        "error file=CLAUDE.md,title=gitinstinct%3A foreign-file",
        f"error file={RG},line=4,title=gitinstinct%3A derived-field",
        "error title=gitinstinct%3A unnamed-change",
    ]
    assert last == "1 commit, 2 files checked: 3 errors"
    comment = (home / "comment.md").read_text()
    assert (home / "step.md").read_text() == "before\n" + comment
    assert f"- **error** `{RG}`, line 4 (`derived-field`)" in comment
    assert program("check", "main...HEAD").code == 1
    assert (home / "step.md").read_text() == "before\n" + comment, "only where it was asked for"


def test_what_keeps_a_check_from_being_made_is_an_annotation_too(proposed: Proposal, program: Program) -> None:
    result = program("check", "--format", "github", "no%where...HEAD")
    assert result.code == 1
    assert result.out.startswith("::error title=gitinstinct::no%25where...HEAD is no range here")


def test_a_revision_and_a_clean_range(proposed: Proposal, program: Program) -> None:
    assert program("check", "main").out.splitlines()[-1] == "5 files checked: nothing found"
    result = program("check", "main...feature")
    assert (result.code, result.out.splitlines()[-1]) == (0, "0 commits, 0 files checked: nothing found")
    git(proposed.folder, "checkout", "-q", "feature")
    proposed.commit({RG: confirmed(START, 1)})
    assert program("check", "HEAD..feature~0", "--json").json["range"]["asked"] == "HEAD..feature~0"
    assert program("-C", str(proposed.folder / "instincts"), "check", "main...HEAD").code == 0


def test_what_our_own_commands_commit_is_honest(lived: Lived, program: Program, home: Path) -> None:
    for words in (
        ("learn", "when committing", "Run the tests first."), ("confirm", "run-the-tests-first"), ("undo",),
        ("archive", "run-the-tests-first"), ("restore", "run-the-tests-first"), ("contradict", "use-rg", "-m", "no"),
    ):  # fmt: skip
        assert program(*words).code == 0, words
    (home / "more.md").write_text(files.UNADOPTED)
    assert program("import", str(home / "more.md"), "--yes").code == 0
    result = program("check", f"{GENESIS}..main", "--json")
    found = [(one["rule"], one["why"]) for one in result.json["findings"] if one["rule"] in _OF_RANGES]
    assert (found, result.json["range"]["commits"] > 10) == ([], True)
    assert program("check", f"{GENESIS}..main").out.startswith("c1be5b3c76..main  what main does to c1be5b3c76, in ")


_OF_RANGES = set(list(RULES)[list(RULES).index("not-a-store") :])


def test_the_projects_own_store_where_the_clone_is_none(held: Store, program: Program) -> None:
    commit_all(held.path, {PATH: GOOD})
    commit_all(held.path, {PATH: FORGED})
    for arguments in (("main~1..main",), ("main~1..main", "--project", ".")):
        result = program("check", *arguments, "--json")
        assert result.code == 1
        assert {one["store"] for one in result.json["findings"]} == {str(held.path)}


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("nothing..HEAD",), 1, "nothing..HEAD is no range here: nothing is called nothing\n"),
        (("nothing..neither",), 1, "nothing..neither is no range here: nothing is called nothing or neither"),
        (("main...nothing",), 1, "main...nothing is no range here: nothing is called nothing\n"),
        (("nothing...main",), 1, "nothing...main is no range here: nothing is called nothing\n"),
        (("main..HEAD", "--format", "xml"), 2, "error: xml is no format\nhint: one of: human, json, github\n"),
        (("nothing",), 1, "neither a file nor a revision"),
        (("main..HEAD", "x.md"), 2, "a range, which is checked alone"),
        (("main..HEAD", "--fix"), 2, "a range, which is checked alone"),
        (("main..HEAD", "--all"), 2, "a range, which is checked alone"),
        (("a..b..c",), 2, "is no range"),
        (("...",), 2, "is no range"),
        (("...HEAD",), 2, "is no range"),
        (("main..HEAD", "--signed"), 2, "--signed needs a file"),
        (("main..HEAD", "--signers", "nowhere"), 2, "vouch for themselves"),
        (("main..HEAD", "--signers", "/nowhere/signers"), 2, "cannot be used: there is no such file"),
        (("HEAD", "--signed"), 2, "go with a range"),
        (("--signed",), 2, "signatures and approvals are a range's"),
        (("main..HEAD", "--json", "--format", "github"), 2, "exclude each other"),
    ],
)
def test_ranges_that_cannot_be_meant(
    arguments: tuple[str, ...], code: int, message: str, proposed: Proposal, program: Program
) -> None:
    result = program("check", *arguments)
    assert (result.code, message in result.err) == (code, True), result.err


def test_a_file_of_that_name_comes_before_a_revision(proposed: Proposal, program: Program) -> None:
    (proposed.folder / "main..feature").write_bytes(b"nothing")
    assert program("check", "main..feature").out.splitlines()[0] == "main..feature"
    assert program("check", "missing.md").out.splitlines()[0] == "missing.md"


def test_a_shallow_clone_is_refused(proposed: Proposal, program: Program, home: Path) -> None:
    git(home, "clone", "-q", "--depth=1", f"file://{proposed.folder}", "shallow")
    result = program("-C", str(home / "shallow"), "check", "HEAD~1..HEAD")
    assert result.code == 3
    assert "shallow clone" in result.err


@needs_ssh_keygen
def test_who_signed_is_shown_and_the_author_is_a_claim(proposed: Proposal, program: Program, home: Path) -> None:
    ann = key(home, "ann")
    (home / "signers").write_text(ann.line("ann@example.org"))
    ann.commit(proposed.folder, author="Eve <eve@evil.org>")
    config = Path(paths.config_file())
    config.parent.mkdir(parents=True)
    config.write_text(f"team: {{signers: {home / 'signers'}}}\n")
    result = program("check", "--signed", "main..HEAD")
    assert result.code == 0, result.out
    assert "  signed    1 commit by ann@example.org; author by claim: Eve <eve@evil.org>" in result.out
    (home / "revoked").write_text(ann.public + "\n")
    result = program("check", "--signed", "--revoked", str(home / "revoked"), "main..HEAD")
    assert result.code == 1
    assert "a key that is revoked" in result.out


def test_who_approved_must_not_have_written_it(proposed: Proposal, program: Program) -> None:
    git(proposed.folder, "commit", "-q", "--allow-empty", "-m", "x")
    assert program("check", "main..HEAD", "--author", "eve", "--approver", "eve", "--approver", "dora").code == 0
    for approvers in ((), ("--approver", "Ann"), ("--approver", "eve"), ("--approver", "")):
        result = program("check", "main..HEAD", "--author", "eve", *approvers)
        assert (result.code, "[approval]" in result.out) == (1, True)


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
