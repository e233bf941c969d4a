"""`learn`, `confirm`, `contradict`, `set`, `archive`, `restore`, `undo`: what people and scripts see."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitinstinct import paths
from gitinstinct.store.layout import About
from gitinstinct.store.store import Store
from gitinstinct.store.store import open as opened
from tests.cli.conftest import PROJECT_ID
from tests.support import files
from tests.support.program import Program, process
from tests.support.repos import commit_all, git, snapshot
from tests.support.stores import new_store, subjects

FORGED = files.CANONICAL.replace("confidence: 0.65", "confidence: 0.95")
ACTION = "Find the exact place with Grep, read it, then edit."
VERBS = {
    "learn": ("committing", "Run the tests."),
    "confirm": ("grep-before-edit",),
    "contradict": ("grep-before-edit",),
    "set": ("grep-before-edit", "0.8"),
    "archive": ("grep-before-edit",),
    "restore": ("old", "0.5"),
    "undo": (),
}


@pytest.fixture
def held(project: Path) -> Store:
    """The project's store with two instincts, one of them archived; and a global one with another."""
    everybody = new_store(Path(paths.store(paths.GLOBAL)), about=About("global", "", "global"))
    commit_all(everybody.path, {"instincts/prefer-rg.md": files.made(scope="global")}, "learn: prefer-rg")
    store = new_store(about=About("project", PROJECT_ID, "my-api"))
    archived = files.CANONICAL.replace("id: grep-before-edit", "id: old") + (
        "- 2026-11-13 archived: done with it [01m7b1zk00-0000aaaa]\n"
    )
    contents = {"instincts/grep-before-edit.md": files.CANONICAL, "instincts/old.md": archived}
    commit_all(store.path, contents, "learn: two")
    return store


def told(store: Store) -> str:
    """What the newest commit says."""
    return git(store.path, "log", "-1", "--format=%an: %s%n%(trailers:key=Instinct,valueonly)", "main").strip()


SHOWN = [
    (
        ("confirm", "grep-before-edit"),
        "grep-before-edit  confirmed\n  ██████░░░░ 0.61 → ███████░░░ 0.66\n  one confirmation\ncommit ",
        "Ann: confirm: grep-before-edit 0.61 -> 0.66\ngrep-before-edit confirmed 0.61 -> 0.66",
    ),
    (
        ("contradict", "grep-before-edit", "-m", "not in generated files"),
        "grep-before-edit  contradicted\n  ██████░░░░ 0.61 → █████░░░░░ 0.51\n  one contradiction\ncommit ",
        "Ann: contradict: grep-before-edit 0.61 -> 0.51\ngrep-before-edit contradicted 0.61 -> 0.51",
    ),
    (
        ("set", "grep-before-edit", ".8"),
        "grep-before-edit  set\n  ██████░░░░ 0.61 → ████████░░ 0.80\n  set by hand; from 0.70 on it is injected\n",
        "Ann: set: grep-before-edit 0.61 -> 0.80\ngrep-before-edit set 0.61 -> 0.80",
    ),
    (
        ("archive", "grep-before-edit"),
        "grep-before-edit  archived\n  ██████░░░░ 0.61\n  archived by hand; it is neither injected nor listed\ncommit ",
        "Ann: archive: grep-before-edit 0.61\ngrep-before-edit archived 0.61",
    ),
    (
        ("restore", "old"),
        "old  restored\n  ██████░░░░ 0.61 → ███░░░░░░░ 0.30\n  restored at 0.30; from 0.30 on it is listed\ncommit ",
        "Ann: restore: old 0.61 -> 0.30\nold restored 0.61 -> 0.30",
    ),
    (
        ("restore", "old", "0.72"),
        "old  restored\n  ██████░░░░ 0.61 → ███████░░░ 0.72\n  restored at 0.72; from 0.70 on it is injected\ncommit ",
        "Ann: restore: old 0.61 -> 0.72\nold restored 0.61 -> 0.72",
    ),
    (
        ("learn", "committing", "Run the tests."),
        "for the project my-api\nrun-the-tests  new\n  ████████░░ 0.85\n  written by hand; from 0.70 on",
        "Ann: learn: run-the-tests 0.85\nrun-the-tests new 0.85",
    ),
]


@pytest.mark.parametrize(("arguments", "shown", "message"), SHOWN)
def test_each_shows_what_it_did_and_why(
    arguments: tuple[str, ...], shown: str, message: str, held: Store, program: Program
) -> None:
    result = program(*arguments)
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(shown)
    assert told(held) == message
    assert git(held.path, "status", "--porcelain") == ""


def test_undo_shows_what_it_takes_back(held: Store, program: Program) -> None:
    program("set", "grep-before-edit", "0.8")
    rehearsed = program("undo", "--dry-run")
    assert rehearsed.out.splitlines()[1:] == [
        "grep-before-edit  undone",
        "  ████████░░ 0.80 → ██████░░░░ 0.61",
        "  1 entry no longer counts; below 0.70 it is listed, no longer injected",
        "nothing was written: this is what it would do",
    ]
    assert program("undo").out.splitlines()[:4] == rehearsed.out.splitlines()[:4]
    commit = git(held.path, "rev-parse", "main~1")
    again = program("undo", commit[:10])
    assert again.code == 0
    assert again.out.endswith("It was taken back already; nothing of it counts.\n")
    assert len(subjects(held)) == 5


def test_undo_that_cannot_says_why(held: Store, program: Program) -> None:
    text = (held.path / "instincts/old.md").read_text()
    for number in (1, 2):
        commit_all(held.path, {"instincts/old.md": text.replace("Find the", f"Find {number} the")})
    result = program("undo", "main~1")
    assert result.code == 1
    assert result.err.startswith("error: nothing can be taken back: old: its words were changed again since")


def test_several_ids_are_one_commit(held: Store, program: Program) -> None:
    before = len(subjects(held))
    found = program("contradict", "old", "grep-before-edit", "old", "--json", "-m", "both").json
    assert [(one["id"], one["before"], one["after"], one["status"]) for one in found["instincts"]] == [
        ("old", 0.61, 0.51, "archived"), ("grep-before-edit", 0.61, 0.51, "active"),
    ]  # fmt: skip
    assert (found["version"], found["first"], found["notes"], found["held"], found["pending"]) == (1, [], [], [], None)
    assert len(subjects(held)) == before + 1
    assert found["commit"] == git(held.path, "rev-parse", "main")


def test_what_changes_nothing_is_said_and_not_committed(held: Store, program: Program) -> None:
    before = git(held.path, "rev-parse", "main")
    for arguments, reason in (
        (("archive", "old"), "archived already"),
        (("restore", "grep-before-edit"), "not archived"),
    ):
        result = program(*arguments)
        assert result.code == 0
        assert reason in result.out
        assert "commit" not in result.out
    assert git(held.path, "rev-parse", "main") == before


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("confirm", "grep-befor-edit"), 1, "called grep-befor-edit\nhint: did you mean grep-before-edit?"),
        (("confirm", "old", "zzz", "yyy"), 1, "no instinct is called yyy or zzz"),
        (("confirm", "prefer-rg"), 1, "it is in the global store: add --global"),
        (("confirm",), 2, "ID"),
        (("archive", "../x"), 1, "no instinct is called ../x"),
        (("set", "old", "1.5"), 2, "1.5 is no confidence"),
        (("set", "old", "0.96"), 2, "0.96 is out of bounds"),
        (("set", "old", "nan"), 2, "nan is no confidence"),
        (("set", "old", "-1"), 2, "-1"),
        (("set", "old", "0,7"), 2, "0,7 is no confidence"),
        (("set", "old", "0.123"), 2, "two decimals at most"),
        (("restore", "old", "0.1"), 2, "from 0.15 to 0.95"),
        (("restore", "old", "high"), 1, "no instinct is called high"),
        (("learn", "committing", "todo"), 2, "the action says nothing"),
        (("learn", "editing", "Use\u202e it."), 2, "a sign that nobody sees"),
        (("learn", "only one"), 2, "ACTION"),
        (("learn", "modifying code in a file", ACTION), 1, "known as grep-before-edit (0.61)"),
        (("confirm", "old", "-m", "password=hunter2hunter2"), 2, "the reason holds what looks like a secret"),
        (("undo", "nowhere"), 1, "no run and no commit of main is called nowhere"),
        (("undo", "grep-before-edit"), 1, "`log ID` those of one instinct"),
        (("confirm", "old", "--project", ".", "--global"), 2, "exclude each other"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_said_in_a_sentence(
    arguments: tuple[str, ...], code: int, message: str, held: Store, program: Program
) -> None:
    before = snapshot(held.path)
    result = program(*arguments)
    assert (result.code, result.out) == (code, "")
    assert result.err.startswith("error: ")
    assert message in result.err
    assert snapshot(held.path) == before


def test_a_broken_file_is_named_with_the_way_out(held: Store, program: Program) -> None:
    commit_all(
        held.path, {"instincts/old.md": FORGED.replace("0.95", "high").replace("id: grep-before-edit", "id: old")}
    )
    result = program("confirm", "old")
    assert result.code == 1
    assert "instincts/old.md cannot be read: confidence is 'high'" in result.err
    assert "hint: mend it: gitinstinct edit old" in result.err


def test_the_persons_own_change_is_committed_on_the_way_and_that_is_said(held: Store, program: Program) -> None:
    (held.path / "instincts/grep-before-edit.md").write_text(FORGED)
    (held.path / "instincts/mine.md").write_text("half typed")
    out = program("confirm", "grep-before-edit").out.splitlines()
    assert out[0] == "your own change was committed first: grep-before-edit edited"
    assert any(
        line.startswith("! your change of instincts/mine.md is not committed: line 1: no frontmatter") for line in out
    )
    assert "confidence: 0.66\n" in (held.path / "instincts/grep-before-edit.md").read_text()


@pytest.mark.parametrize("verb", [verb for verb in VERBS if verb not in ("learn", "undo")])
def test_the_global_store(verb: str, held: Store, program: Program) -> None:
    name = ("prefer-rg", "0.5") if verb == "set" else ("prefer-rg",)
    everybody = opened(Path(paths.store(paths.GLOBAL)))
    before = git(held.path, "rev-parse", "main")
    if verb == "restore":
        program("archive", "--global", "prefer-rg")
    assert program(verb, "--global", *name).code == 0
    assert told(everybody).startswith(f"Ann: {verb}: prefer-rg")
    assert program("undo", "--global").code == 0
    assert git(held.path, "rev-parse", "main") == before


def test_learning_makes_a_store_where_there_is_none(project: Path, program: Program) -> None:
    rehearsed = program("learn", "committing", "Run the tests.", "--dry-run")
    assert "nothing was written" in rehearsed.out
    assert program("learn", "committing", "todo").code == 2
    assert not Path(paths.store(PROJECT_ID)).exists()
    result = program(
        "learn", "committing", "Run the tests.", "--tags", "a, b", "--paths", "*.py", "--paths", "*.{ts,tsx}"
    )
    assert result.code == 0
    assert f"a store was made at {paths.store(PROJECT_ID)}" in result.err
    text = (Path(paths.store(PROJECT_ID)) / "instincts/run-the-tests.md").read_text()
    assert 'tags: [a, b]\npaths: ["*.py", "*.{ts,tsx}"]\n' in text
    assert "project_name: my-api\n" in text
    assert program("learn", "--global", "committing", "Run the tests.").code == 0
    assert "scope: global\n" in (Path(paths.store(paths.GLOBAL)) / "instincts/run-the-tests.md").read_text()


def test_what_is_odd_about_the_words_is_said(held: Store, program: Program) -> None:
    out = program("learn", "always", "Look into ~/notes.", "--domain", "cooking").out
    assert [line[:40] for line in out.splitlines() if line.startswith("!")] == [
        "! 'cooking' is none of the domains (code",
        "! the trigger fits nearly everything: an",
        "! the action names a private path, which",
    ]


@pytest.mark.parametrize("verb", [verb for verb in VERBS if verb != "learn"])
def test_without_a_store_there_is_nothing_to_change(verb: str, project: Path, program: Program) -> None:
    result = program(verb, *VERBS[verb])
    assert (result.code, result.out) == (1, "")
    assert "there is no store yet" in result.err
    assert not Path(paths.store(PROJECT_ID)).exists()


@pytest.mark.parametrize("verb", VERBS)
def test_a_rehearsal_writes_nothing(verb: str, held: Store, program: Program) -> None:
    before = snapshot(held.path)
    result = program(verb, *VERBS[verb], "--dry-run")
    assert result.code == 0
    assert result.out.endswith("nothing was written: this is what it would do\n")
    assert snapshot(held.path) == before


@pytest.mark.parametrize("verb", VERBS)
def test_a_store_that_is_being_rebased_waits(verb: str, held: Store, program: Program) -> None:
    rebase = held.path / ".git/rebase-merge"
    rebase.mkdir()
    (rebase / "head-name").write_text("refs/heads/main\n")
    before = git(held.path, "rev-parse", "main")
    result = program(verb, *VERBS[verb])
    assert result.code == 3
    assert result.err.startswith("error: main is being rewritten")
    assert git(held.path, "rev-parse", "main") == before


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_any_terminal_and_none(encoding: str, held: Store, project: Path) -> None:
    result = process("set", "grep-before-edit", "0.8", "-m", "テスト [red]", cwd=project, PYTHONIOENCODING=encoding)
    assert result.code == 0, result.err
    assert ("######.... 0.61 -> ########.. 0.80" in result.out) == (encoding != "utf-8")
    assert "\x1b" not in result.out
    assert process("undo", cwd=project, PYTHONIOENCODING=encoding).code == 0
    assert process("learn", "書くとき", "型を書く。[red]", cwd=project, PYTHONIOENCODING=encoding).code == 0
