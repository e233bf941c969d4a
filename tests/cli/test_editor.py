"""`edit`: the person's editor on a copy that counts only when it is sound."""

from __future__ import annotations

import re
import shlex
import tempfile
from pathlib import Path

import pytest

from gitinstinct.store.layout import About
from gitinstinct.store.store import Store
from tests.cli.conftest import PROJECT_ID
from tests.support import files
from tests.support.program import Program, Result, process
from tests.support.repos import commit_all, git, script, snapshot
from tests.support.stores import new_store, subjects


@pytest.fixture
def held(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """The project's store with one instinct; copies that are kept stay in the test's own folder."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    store = new_store(about=About("project", PROJECT_ID, "my-api"))
    commit_all(store.path, {"instincts/grep-before-edit.md": files.CANONICAL}, "learn: one")
    return store


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Editor:
    return Editor(tmp_path, monkeypatch)


class Editor:
    """An editor that runs a piece of shell on the file, `$1`."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.monkeypatch = folder, monkeypatch

    def does(self, body: str, variable: str = "GIT_EDITOR") -> None:
        file = script(self.folder, f"my {variable}", body)
        self.monkeypatch.setenv(variable, shlex.quote(str(file)))


def kept(result: Result) -> Path:
    found = re.search(r"--from (\S+)", result.err)
    assert found
    return Path(found[1])


def text(store: Store) -> str:
    return git(store.path, "show", "main:instincts/grep-before-edit.md") + "\n"


def test_the_new_words_are_one_commit_of_the_persons(held: Store, editor: Editor, program: Program) -> None:
    editor.does('ls -ld "$(dirname "$1")" | cut -c1-10 > "$HOME/mode"; sed -i "s/with Grep/with rg/" "$1"')
    result = program("edit", "grep-before-edit", "-m", "we use rg")
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("grep-before-edit  edited\n  ██████░░░░ 0.61\n  changed: action\ncommit ")
    assert text(held) == files.CANONICAL.replace("with Grep", "with rg")
    assert git(held.path, "log", "-1", "--format=%an: %s|%b", "main").startswith(
        "Ann: edit: grep-before-edit|  we use rg"
    )
    assert (Path.home() / "mode").read_text() == "drwx------\n"
    assert git(held.path, "status", "--porcelain") == ""


@pytest.mark.parametrize("body", ["true", ': > "$1"'], ids=["unchanged", "emptied"])
def test_nothing_changed_is_nothing(body: str, held: Store, editor: Editor, program: Program) -> None:
    editor.does(body)
    result = program("edit", "grep-before-edit")
    assert (result.code, result.out) == (0, "Nothing was changed.\n")
    assert subjects(held)[0] == "learn: one"


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("s/^id: .*/id: other/", "is not the file's name"),
        ("s/0.65/very/", "confidence is 'very'"),
        ("s/with Grep/with password=hunter2hunter2/", "looks like a secret"),
    ],
)
def test_what_does_not_count_is_kept_and_can_be_taken_up_again(
    command: str, reason: str, held: Store, editor: Editor, program: Program
) -> None:
    editor.does(f'sed -i "{command}; s/then edit/then change/" "$1"')
    before = snapshot(held.path)
    result = program("edit", "grep-before-edit")
    assert result.code == 1
    assert reason in result.err
    assert snapshot(held.path) == before
    copy = kept(result)
    assert copy.stat().st_mode & 0o077 == 0 or copy.parent.stat().st_mode & 0o077 == 0
    copy.write_text(files.CANONICAL.replace("then edit", "then change"))
    commit_all(held.path, {"instincts/grep-before-edit.md": files.CANONICAL.replace("when modifying", "when changing")})
    assert program("edit", "grep-before-edit", "--from", str(copy)).code == 0
    wanted = files.CANONICAL.replace("then edit", "then change").replace("when modifying", "when changing")
    assert text(held) == wanted, "what was committed meanwhile stays"


def test_forged_numbers_are_put_right(held: Store, editor: Editor, program: Program) -> None:
    editor.does('sed -i "s/confidence: 0.65/confidence: 0.95/" "$1"')
    result = program("edit", "grep-before-edit")
    assert result.code == 0
    assert "! confidence follows from the evidence and was put right" in result.out
    assert subjects(held)[0] == "learn: one"


def test_a_file_that_cannot_be_read_can_be_mended(held: Store, editor: Editor, program: Program) -> None:
    commit_all(held.path, {"instincts/grep-before-edit.md": files.CANONICAL.replace("0.65", "high")})
    editor.does('sed -i "s/high/0.65/" "$1"')
    result = program("edit", "grep-before-edit")
    assert result.code == 0, result.err
    assert text(held) == files.CANONICAL


def test_an_editor_that_fails_changes_nothing(held: Store, editor: Editor, program: Program) -> None:
    editor.does('echo more >> "$1"; exit 7')
    result = program("edit", "grep-before-edit")
    assert result.code == 3
    assert "ended with code 7; nothing was changed" in result.err
    assert kept(result).read_text() == files.CANONICAL + "more\n"
    editor.does("exit 7")
    assert "--from" not in program("edit", "grep-before-edit").err


def test_the_editor_is_the_one_that_git_would_open(held: Store, editor: Editor, program: Program, home: Path) -> None:
    """Each setting beats those before it."""
    for setting in ("EDITOR", "VISUAL", "config", "GIT_EDITOR"):
        if setting == "config":
            (home / ".gitconfig").write_text("[core]\n\teditor = \"sed -i 's/^# .*/# config/'\"\n")
        else:
            editor.does(f'sed -i "s/^# .*/# {setting}/" "$1"', setting)
        assert program("edit", "grep-before-edit").code == 0
        assert f"# {setting}\n" in text(held)


def test_without_a_terminal_and_an_editor_it_says_what_to_do(held: Store, project: Path) -> None:
    result = process("edit", "grep-before-edit", cwd=project)
    assert result.code == 2
    assert "needs a terminal" in result.err
    assert process("edit", "nowhere", cwd=project).code == 1


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("grep-befor-edit",), 1, "did you mean grep-before-edit?"),
        (("grep-before-edit", "--from", "missing.md"), 2, "missing.md is no file"),
        (("grep-before-edit", "-m", "password=hunter2hunter2"), 2, "looks like a secret"),
        (("grep-before-edit", "--global"), 1, "there is no store yet"),
    ],
)
def test_what_cannot_be_done(
    arguments: tuple[str, ...], code: int, message: str, held: Store, program: Program
) -> None:
    result = program("edit", *arguments)
    assert result.code == code
    assert message in result.err


def test_a_rehearsal_shows_and_writes_nothing(held: Store, editor: Editor, program: Program) -> None:
    editor.does('sed -i "s/with Grep/with rg/" "$1"')
    before = snapshot(held.path)
    result = program("edit", "grep-before-edit", "--dry-run", "--json")
    assert result.json["instincts"][0]["reason"] == "changed: action"
    assert snapshot(held.path) == before
