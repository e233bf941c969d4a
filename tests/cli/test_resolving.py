"""`resolve`: what is shown, what is settled, and what plain git can still do."""

from __future__ import annotations

import re
import shlex
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import typer

from gitinstinct.cli import output
from gitinstinct.instinct import markdown
from gitinstinct.store.layout import About
from tests.cli.conftest import PROJECT_ID
from tests.support.disputes import BASE, NAME, PATH, Quarrel, disagreed, parted, quarrel
from tests.support.program import Program, process
from tests.support.repos import git, script, snapshot
from tests.support.stores import assert_sound

ABOUT = About("project", PROJECT_ID, "my-api")
ANN, BOB = "Use `rg -n`.", "Use `git grep`\nin a repository."


@pytest.fixture
def held(project: Path) -> Quarrel:
    """The project's store, where Ann (main) and Bob (bob) disagree; not merged yet."""
    return parted(ABOUT)


@pytest.fixture
def open_(project: Path) -> Quarrel:
    """The same, merged, so that action and trigger are in conflict."""
    return disagreed(ABOUT)


def action(held: Quarrel) -> str:
    return markdown.parse(held.committed()).action


def conflicts(held: Quarrel) -> list[object]:
    return [conflict["field"] for conflict in markdown.parse(held.committed()).conflicts]


# --- looking


def test_nothing(project: Path, program: Program) -> None:
    result = program("resolve")
    assert (result.code, result.out) == (0, "Nothing is in conflict.\n")
    quarrel(about=ABOUT)
    result = program("resolve")
    assert (result.code, result.out) == (0, "Nothing is in conflict.\n")
    assert program("resolve", "--json").json == {"version": 1, "open": [], "marked": [], "unfinished": []}
    assert program("resolve", NAME, "--ours").out == "Nothing is in conflict.\n"


def test_who_says_what(open_: Quarrel, program: Program) -> None:
    result = program("resolve")
    assert result.code == 1
    shown = re.sub(r"\b[0-9a-f]{10}\b", "COMMIT", result.out)
    assert shown.startswith(
        """\
prefer-rg  action  1 of 2
base      Use `rg`.
2 ours    Use `rg -n`.
          0.44, no evidence since the base
          written 2026-11-21  COMMIT  edit: by hand, by Ann
1 theirs  Use `git grep`
          in a repository.
          0.44, no evidence since the base
          written 2026-11-22  COMMIT  edit: bob, by Ann
since     2026-11-29  COMMIT  merge: bob
prefer-rg  trigger  2 of 2
"""
    )
    assert shown.endswith(
        "\n2 conflicts\nsettle them: gitinstinct resolve ID --ours, --theirs, --newest or --value N\n"
    )


def test_the_same_for_scripts(open_: Quarrel, program: Program) -> None:
    result = program("resolve", "--json")
    assert result.code == 1
    one = result.json["open"][0]
    assert (one["id"], one["field"], one["standing"], one["base"]) == (NAME, "action", BOB, "Use `rg`.")
    assert one["values"] == [BOB, ANN]
    assert (one["ours"]["value"], one["theirs"]["value"], one["newest"]) == (ANN, BOB, BOB)
    assert one["theirs"]["written"]["subject"] == "edit: bob"
    assert one["merge"]["subject"] == "merge: bob"


def test_a_value_may_hold_anything(held: Quarrel, program: Program) -> None:
    held.says({"note: kept": r'note: "a \e[31m b [bold] \u202e c"'})
    held.elsewhere("eve", {"note: kept": "note: x"}, start="main~1")
    held.merged("eve")
    out = program("resolve").out
    assert r"a \x1b[31m b [bold] \u202e c" in out
    assert "\x1b" not in out


# --- settling


@pytest.mark.parametrize(
    ("flags", "text", "label"),
    [
        (["--ours"], ANN, "ours"),
        (["--theirs"], BOB, "theirs"),
        (["--newest"], BOB, "newest"),
    ],
)
def test_one_commit_settles(flags: list[str], text: str, label: str, open_: Quarrel, program: Program) -> None:
    result = program("resolve", NAME, *flags, "-m", "it is shorter")
    assert result.code == 0, result.err
    assert f"action settled ({label}); trigger settled ({label}); it is no longer held back" in " ".join(
        result.out.split()
    )
    assert (action(open_), conflicts(open_)) == (text, [])
    assert open_.git("log", "-1", "--format=%an|%s|%b").splitlines() == [
        "Ann|resolve: prefer-rg: action, trigger|  it is shorter",
        "",
        "  resolved     prefer-rg                 0.44",
        "",
        "Instinct: prefer-rg resolved 0.44",
        f"Settled: prefer-rg action {label}",
        f"Settled: prefer-rg trigger {label}",
    ]
    assert_sound(open_.store)
    assert program("resolve").code == 0
    assert open_.git("diff", "--stat", "HEAD~1").count(PATH) == 1


def test_field_by_field(open_: Quarrel, program: Program) -> None:
    result = program("resolve", NAME, "--field", "action", "--value", "2")
    assert (result.code, action(open_), conflicts(open_)) == (0, ANN, ["trigger"])
    assert "still held back, in conflict: trigger" in result.out
    assert program("resolve", "--all", "--theirs", "--field", "title").code == 0
    assert conflicts(open_) == ["trigger"]
    assert program("resolve", "--all", "--theirs").code == 0
    assert (markdown.parse(open_.committed()).trigger, conflicts(open_)) == ("when grepping", [])


def test_undo_opens_it_again(open_: Quarrel, program: Program) -> None:
    before = open_.committed()
    program("resolve", NAME, "--ours")
    assert program("undo").code == 0
    assert open_.committed() == before


def test_a_rehearsal_writes_nothing(open_: Quarrel, program: Program) -> None:
    before = snapshot(open_.store.path)
    result = program("resolve", NAME, "--ours", "--dry-run")
    assert (result.code, result.out.splitlines()[-1]) == (0, "nothing was written: this is what it would do")
    assert snapshot(open_.store.path) == before
    told = program("resolve", NAME, "--ours", "-n", "--json").json
    assert (told["commit"], told["instincts"][0]["verb"], told["unfinished"]) == (None, "resolved", [])


def test_what_cannot_be_done(open_: Quarrel, program: Program) -> None:
    before = snapshot(open_.store.path)
    for arguments, code, message in [
        (["--ours"], 2, "--ours of what?"),
        (["--ours", "--theirs", "--all"], 2, "one choice at a time"),
        (["--value", "1"], 2, "--value counts the values of one instinct"),
        (["--value", "1", NAME], 2, "has several conflicts: action, trigger"),
        (["--all", NAME], 2, "exclude each other"),
        (["--value", "0", "--field", "action", NAME], 1, "has no value 0"),
        (["--value", "3", "--field", "action", NAME], 1, "has no value 3"),
        (["--ours", "--field", "title", NAME], 1, "has no conflict in title"),
        (["--ours", "prefer-rq"], 1, "no instinct is called prefer-rq"),
        (["--ours", NAME, "-m", "password=hunter2hunter2"], 2, "looks like a secret"),
    ]:
        result = program("resolve", *arguments)
        assert (result.code, message in result.err) == (code, True), arguments
    assert snapshot(open_.store.path) == before


def test_where_history_does_not_tell_nothing_is_guessed(held: Quarrel, program: Program) -> None:
    held.git("cherry-pick", "bob", ok=False)
    held.git("commit", "-q", "-a", "-m", "picked")
    result = program("resolve")
    assert "history does not tell which value is ours and which theirs; each has a number" in result.out
    for side in ("--ours", "--theirs", "--newest"):
        result = program("resolve", NAME, side)
        assert (result.code, conflicts(held)) == (1, ["action", "trigger"])
        assert "pick by number: gitinstinct resolve prefer-rg --field action --value N" in result.err
    assert program("resolve", NAME, "--field", "action", "--value", "1").code == 0
    assert action(held) == BOB


@pytest.mark.parametrize(("flag", "stays"), [("--ours", True), ("--theirs", False)])
def test_a_file_that_one_side_deleted(flag: str, stays: bool, project: Path, program: Program) -> None:
    held = quarrel(about=ABOUT)
    held.removed_elsewhere("bob")
    held.says({"Use `rg`.": ANN})
    edited = held.committed()
    held.merged("bob")
    assert program("resolve", NAME, flag).code == 0
    assert held.file.exists() == stays
    assert not stays or held.committed() == edited
    assert_sound(held.store)


def test_settled_here_is_settled_there(open_: Quarrel, program: Program, tmp_path: Path) -> None:
    """Two clones: one settles, the other only learns more, then both settle: alike, and differently."""
    open_.git("branch", "there")
    program("resolve", NAME, "--field", "action", "--ours")
    open_.elsewhere("there", {"domain: workflow": "domain: git"}, start="there")
    assert open_.merged("there").merging.conflicts == {NAME: ("trigger",)}
    assert (action(open_), conflicts(open_)) == (ANN, ["trigger"])
    open_.git("branch", "alike")
    program("resolve", NAME, "--theirs")
    words = {
        "conflicts:\n  - field: trigger\n    values:\n      - when grepping\n      - when looking for a word\n": ""
    }
    open_.elsewhere("alike", words, start="alike")
    assert open_.merged("alike").merging.conflicts == {}
    open_.elsewhere("otherwise", words | {"trigger: when grepping": "trigger: when looking for a word"}, start="main~2")
    assert open_.merged("otherwise").merging.conflicts == {NAME: ("trigger",)}


def test_a_change_by_hand_comes_first(open_: Quarrel, program: Program) -> None:
    open_.file.write_bytes(open_.file.read_bytes().replace(b"domain: workflow", b"domain: git"))
    result = program("resolve", NAME, "--ours")
    assert result.out.startswith("your own change was committed first: prefer-rg edited\n")
    found = markdown.parse(open_.committed())
    assert (found.domain, found.action, found.conflicts) == ("git", ANN, [])


# --- on a terminal


class Terminal:
    """A person who types these answers, one for each question."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.monkeypatch = monkeypatch
        self.asked: list[str] = []

    def types(self, *answers: str) -> None:
        given: Iterator[str] = iter(answers)

        def prompt(question: str, **_: object) -> str:
            self.asked.append(question)
            return next(given)

        self.monkeypatch.setattr(typer, "prompt", prompt)
        self.monkeypatch.setattr(output, "is_terminal", lambda: True)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    return Terminal(monkeypatch)


def test_each_is_asked_for(open_: Quarrel, program: Program, terminal: Terminal) -> None:
    terminal.types("?", "x", "o", "1")
    result = program("resolve")
    assert result.code == 0
    assert terminal.asked == ["Settle action [1,2,o,t,e,s,q,?]"] * 3 + ["Settle trigger [1,2,o,t,e,s,q,?]"]
    assert "o  take ours\n" in result.out
    found = markdown.parse(open_.committed())
    assert (found.action, found.trigger, found.conflicts) == (ANN, "when grepping", [])
    assert open_.git("log", "-1", "--format=%s") == "resolve: prefer-rg: action, trigger"


@pytest.mark.parametrize(("answers", "left"), [(["s", "t"], ["action"]), (["t", "q"], ["trigger"]), (["q"], None)])
def test_skip_and_quit(
    answers: list[str], left: list[str] | None, open_: Quarrel, program: Program, terminal: Terminal
) -> None:
    before = open_.git("rev-parse", "main")
    terminal.types(*answers)
    assert program("resolve", NAME).code == 1
    assert conflicts(open_) == (left or ["action", "trigger"])
    assert (open_.git("rev-parse", "main") == before) == (left is None)


@pytest.fixture
def edits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """An editor that runs a piece of shell on the file, `$1`."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def does(body: str) -> None:
        monkeypatch.setenv("GIT_EDITOR", shlex.quote(str(script(tmp_path, "editor", body))))

    return does


def test_in_words_of_ones_own(
    open_: Quarrel, program: Program, terminal: Terminal, edits: Callable[[str], None], tmp_path: Path
) -> None:
    edits('cp "$1" "$HOME/seen"; sed -i "s/^Use .git grep.$/Use both/; /^in a repository.$/d" "$1"')
    terminal.types("e", "o")
    result = program("resolve", "-m", "both are good")
    assert result.code == 0, result.err
    seen = (Path.home() / "seen").read_text()
    assert seen.startswith("---\n#| Write what action shall be.")
    assert "#| base:\n#|   Use `rg`.\n#| theirs:\n#|   Use `git grep`\n#|   in a repository.\n#| ours:\n" in seen
    assert "action\n    values" not in seen
    assert "  - field: trigger" in seen
    found = markdown.parse(open_.committed())
    assert (found.action, found.trigger, found.conflicts) == ("Use both", "when looking for a word", [])
    assert b"#|" not in open_.committed()
    assert open_.git("log", "-2", "--format=%s", "main").splitlines() == [
        "resolve: prefer-rg: trigger",
        "resolve: prefer-rg: action",
    ]
    assert not [*tmp_path.glob("gitinstinct-resolve-*")]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("true", ""),
        (': > "$1"', ""),
        ("false", "the editor"),
        ('sed -i "s/^id: .*/id: other/" "$1"', "is not the file's name"),
        ('sed -i "s/^Use .*/password=hunter2hunter2/" "$1"', "looks like a secret"),
    ],
)
def test_what_does_not_count_settles_nothing(
    body: str, said: str, open_: Quarrel, program: Program, terminal: Terminal, edits: Callable[[str], None]
) -> None:
    before = open_.git("rev-parse", "main")
    edits(body)
    terminal.types("e", "q")
    result = program("resolve")
    assert (result.code, open_.git("rev-parse", "main")) == (1, before)
    assert said in result.err
    if said:
        kept = re.search(r"your text is in (\S+)", result.err)
        assert kept
        assert Path(kept[1]).is_file()
    else:
        assert "Nothing was changed." in result.out


def test_without_a_terminal_nobody_is_asked(open_: Quarrel, project: Path) -> None:
    result = process("resolve", cwd=project)
    assert (result.code, result.err) == (1, "")
    assert "2 conflicts" in result.out


# --- with plain git


def test_an_unfinished_merge_with_the_driver(held: Quarrel, program: Program) -> None:
    held.git("merge", "-q", "bob", ok=False)
    listed = program("resolve", "--json").json["unfinished"]
    assert [(one["path"], [dispute["field"] for dispute in one["open"]]) for one in listed] == [
        (PATH, ["action", "trigger"])
    ]
    assert listed[0]["open"][0]["theirs"]["written"]["subject"] == "edit: bob"
    result = program("resolve", NAME, "--newest")
    assert result.code == 0, result.err
    assert f"Finish with: git -C {held.store.path} merge --continue" in result.out
    assert held.git("status", "--porcelain") == f"M  {PATH}"
    held.git("-c", "core.editor=true", "merge", "--continue")
    assert (action(held), conflicts(held)) == (BOB, [])
    assert len(held.git("rev-list", "--parents", "-1", "main").split()) == 3
    assert program("resolve").code == 0


def test_an_unfinished_merge_without_the_driver(held: Quarrel, program: Program) -> None:
    held.without_driver()
    held.git("merge", "-q", "bob", ok=False)
    marked = held.file.read_bytes()
    assert b"<<<<<<<" in marked
    rehearsed = program("resolve", NAME, "-n")
    assert "still in conflict, as data in the file: action, trigger" in rehearsed.out
    assert held.file.read_bytes() == marked
    result = program("resolve", NAME)
    assert result.code == 1
    kept = re.search(r"kept for a while as the object ([0-9a-f]{10})", result.out)
    assert kept
    assert held.git("cat-file", "-p", kept[1]).encode() + b"\n" == marked
    held.git("-c", "core.editor=true", "merge", "--continue")
    assert conflicts(held) == ["action", "trigger"]
    assert program("resolve", NAME, "--theirs").code == 0
    assert action(held) == BOB


@pytest.mark.parametrize("how", ["rebase", "cherry-pick", "stash pop"])
def test_whatever_left_the_stages(how: str, held: Quarrel, program: Program) -> None:
    if how == "rebase":
        held.git("checkout", "-q", "bob")
        held.git("rebase", "main", ok=False)
    elif how == "cherry-pick":
        held.git("cherry-pick", "bob", ok=False)
    else:
        held.git("checkout", "-q", "bob~1")
        held.file.write_bytes(BASE.replace(b"Use `rg`.", BOB.encode()))
        held.git("stash", "-q")
        held.git("checkout", "-q", "main")
        held.git("stash", "pop", "-q", ok=False)
    result = program("resolve", NAME, "--theirs")
    assert result.code == 0, result.err
    assert BOB.encode() in held.file.read_bytes()
    assert held.git("diff", "--name-only", "--diff-filter=U") == ""
    assert ("Finish with" in result.out) == (how != "stash pop")


@pytest.mark.parametrize(("flag", "stays"), [("--ours", True), ("--theirs", False)])
def test_modify_and_delete_in_an_unfinished_merge(flag: str, stays: bool, project: Path, program: Program) -> None:
    held = quarrel(about=ABOUT)
    held.removed_elsewhere("bob")
    held.says({"Use `rg`.": ANN})
    held.git("merge", "-q", "bob", ok=False)
    assert program("resolve", NAME, flag).code == 0
    held.git("-c", "core.editor=true", "merge", "--continue")
    assert held.file.exists() == stays
    assert_sound(held.store)


def test_a_text_by_hand_is_not_overwritten(held: Quarrel, program: Program) -> None:
    held.git("merge", "-q", "bob", ok=False)
    mine = BASE.replace(b"Use `rg`.", b"My own.")
    held.file.write_bytes(mine)
    result = program("resolve", NAME, "--ours")
    assert result.code == 1
    assert f"it was changed by hand: take that with git -C {held.store.path} add {PATH}" in result.err
    assert held.file.read_bytes() == mine


def test_files_that_are_no_instincts(held: Quarrel, program: Program) -> None:
    held.git("checkout", "-q", "bob")
    for name in ("README.md", "notes.txt"):
        (held.store.path / name).write_text("theirs\n")
    held.git("add", "-A")
    held.git("commit", "-q", "-m", "other files")
    held.git("checkout", "-q", "main")
    for name in ("README.md", "notes.txt"):
        (held.store.path / name).write_text("ours\n")
    held.git("add", "-A")
    held.git("commit", "-q", "-m", "other files")
    held.git("merge", "-q", "bob", ok=False)
    result = program("resolve", "--all", "--ours")
    assert result.code == 1
    assert "! notes.txt: no file of a store; only plain git can settle it" in result.out
    assert (held.store.path / "README.md").read_text() == "ours\n"
    assert held.git("diff", "--name-only", "--diff-filter=U") == "notes.txt"


def test_markers_that_were_committed(held: Quarrel, program: Program) -> None:
    held.without_driver()
    held.git("merge", "-q", "bob", ok=False)
    held.git("commit", "-q", "-a", "-m", "in a hurry")
    assert "holds the markers of a text merge" in program("resolve").out
    assert [one["can_be_merged"] for one in program("resolve", "--json").json["marked"]] == [True]
    result = program("resolve", NAME)
    assert result.code == 1
    assert "merged anew from its two sides; still held back" in " ".join(result.out.split())
    assert conflicts(held) == ["action", "trigger"]
    held.git("reset", "-q", "--hard", "HEAD~1")
    assert program("resolve", NAME, "--ours").code == 0
    assert (action(held), conflicts(held)) == (ANN, [])


@pytest.mark.parametrize("how", ["squashed", "changed since"])
def test_markers_of_which_nobody_knows_the_sides(how: str, held: Quarrel, program: Program) -> None:
    held.without_driver()
    held.git("merge", "-q", *(["--squash"] if how == "squashed" else []), "bob", ok=False)
    held.git("commit", "-q", "-a", "-m", "in a hurry")
    if how != "squashed":
        held.says({"domain: workflow": "domain: git"})
    before = held.committed()
    result = program("resolve", NAME, "--ours")
    assert (result.code, held.committed()) == (1, before)
    assert "history does not tell of which versions" in result.err
    assert "gitinstinct edit prefer-rg mends it by hand" in result.err


@pytest.mark.parametrize("side", ["ours", "theirs"])
def test_checkout_of_a_side_keeps_working(side: str, held: Quarrel, program: Program) -> None:
    held.git("merge", "-q", "bob", ok=False)
    held.git("checkout", "-q", f"--{side}", PATH)
    held.git("add", PATH)
    held.git("-c", "core.editor=true", "merge", "--continue")
    assert held.committed() == held.committed("bob" if side == "theirs" else "main^1")
    assert program("resolve").code == 0


def test_abort_keeps_working(held: Quarrel, program: Program) -> None:
    before = held.file.read_bytes()
    for settle in (False, True):
        held.git("merge", "-q", "bob", ok=False)
        if settle:
            program("resolve", NAME, "--theirs")
        held.git("merge", "--abort")
        assert held.file.read_bytes() == before
        assert_sound(held.store)


def test_mergetool_keeps_working(held: Quarrel, program: Program, tmp_path: Path) -> None:
    tool = script(tmp_path, "tool", 'cp "$2" "$4"')
    held.git("config", "mergetool.mine.cmd", f'{shlex.quote(str(tool))} "$BASE" "$REMOTE" "$LOCAL" "$MERGED"')
    held.git("config", "mergetool.mine.trustExitCode", "true")
    held.git("config", "mergetool.keepBackup", "false")
    held.git("merge", "-q", "bob", ok=False)
    held.git("mergetool", "--no-prompt", "--tool=mine")
    held.git("-c", "core.editor=true", "merge", "--continue")
    assert held.committed() == held.committed("bob")
    assert program("resolve").code == 0


def test_the_global_store(project: Path, program: Program) -> None:
    held = disagreed(About("global", "", "global"))
    assert program("resolve").code == 0
    assert program("resolve", "--global").code == 1
    assert program("resolve", NAME, "--global", "--ours").code == 0
    assert git(held.store.path, "log", "-1", "--format=%s", "main") == "resolve: prefer-rg: action, trigger"
