"""`observe --backfill` and the question of `init`: what the past teaches, told and committed."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
import typer

from gitinstinct import paths
from gitinstinct.capture import reader
from gitinstinct.capture.project import identify
from gitinstinct.cli import output
from gitinstinct.store import homes, library
from tests.cli.conftest import PROJECT_ID
from tests.support.pasts import Rollout, Transcript, habits
from tests.support.program import Program
from tests.support.repos import git
from tests.support.work import tree_of

UV = "use-uv-instead-of-pip"


@pytest.fixture
def past(project: Path, home: Path) -> list[Transcript]:
    """Six sessions of October."""
    made = [habits(number, project) for number in range(6)]
    for one in made:
        one.write(home)
    return made


def proofs() -> set[tuple[str, str, str, frozenset[tuple[str, str]]]]:
    """Id, words and evidence of what was learned, without what depends on portions."""
    store = homes.find(identify(str(Path.cwd()), {}))
    held = library.read(store).items.values() if store else ()
    return {
        (one.instinct.id, one.instinct.trigger, one.instinct.action,
         frozenset((entry.date, entry.origin) for entry in one.instinct.ledger))
        for one in held
    }  # fmt: skip


def test_the_past_is_one_commit_with_the_dates_of_its_sessions(past: list[Transcript], program: Program) -> None:
    result = program("observe", "--backfill")
    assert result.code == 0, result.err
    assert result.out.startswith("The past: 6 sessions, ")
    assert "78 events of 6 sessions taken" in result.out
    assert "learned: 2 new" in result.out
    made = git(Path(paths.store(PROJECT_ID)), "log", "--format=%s", "main").splitlines()
    assert made == ["observe: 2 new", "init: my-api", "genesis"]
    dates = {date for _, _, _, entries in proofs() for date, _ in entries}
    assert dates == {one.at.date().isoformat() for one in past}
    again = program("observe", "--backfill")
    assert again.out == "The past: nothing new to read\nNothing new was captured.\n"


def test_what_was_learned_long_ago_is_learned_all_the_same(project: Path, home: Path, program: Program) -> None:
    """The tally remembers thirty days; what qualified in the beginning of a long past must not be lost."""
    for number in [*range(3), *range(100, 103)]:
        made = habits(number, project) if number < 3 else Transcript(number, project).says("hi").run(f"make t{number}")
        made.at -= timedelta(days=300)
        made.write(home)
    program("observe", "--backfill")
    assert UV in {found[0] for found in proofs()}


@pytest.mark.parametrize("size", [2, 5])
def test_read_in_slices_the_past_teaches_the_same(
    size: int, past: list[Transcript], home: Path, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    for one in past[3:]:
        one.write(home).unlink()
    program("observe", "--backfill")
    whole = proofs()
    assert UV in {found[0] for found in whole}
    monkeypatch.setenv("GITINSTINCT_HOME", str(home / "other"))
    for one in past[:3]:
        lines = one.lines
        for end in range(size, len(lines) + size, size):
            one.write(home).write_bytes(b"".join(lines[:end]))
            told = [value["timestamp"] for value in one.values[:end]]
            monkeypatch.setenv("GITINSTINCT_NOW", told[-1])
            assert program("observe", "--backfill").code == 0
    assert proofs() == whole


def test_a_rehearsal_writes_nothing(past: list[Transcript], program: Program, home: Path) -> None:
    before = tree_of(home)
    result = program("observe", "--backfill", "--dry-run")
    assert "78 events of 6 sessions would be taken" in result.out
    assert tree_of(home) == before
    assert program("observe", "--backfill", "-n", "--json").json["backfill"]["events"] == 78


def test_as_json(past: list[Transcript], program: Program) -> None:
    past[0].says("<command-name>/cost</command-name>")
    past[0].write(Path(paths.root("data")).parents[1])
    found = program("observe", "--backfill", "--json").json
    assert found["backfill"]["sessions"] == 6
    assert found["backfill"]["left_out"] == {"commands and their output": 1}
    assert {told["verb"] for told in found["learned"]} == {"new"}


def test_a_file_or_folder_can_be_given(project: Path, tmp_path: Path, program: Program) -> None:
    file = habits(1, project).write(tmp_path)
    Rollout(2, project).says("use uv").run("uv sync").write(tmp_path)
    assert "The past: 1 session, " in program("observe", "--from", str(file)).out
    assert "2 events of 1 session taken" in program("observe", "--from", str(tmp_path)).out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--from", "/not/there"), "is not there"),
        (("--backfill", "--global"), "belongs to a project"),
        (("--backfill", "--replay", "x"), "captured already"),
    ],
)
def test_what_cannot_be_read_is_said(arguments: tuple[str, ...], told: str, project: Path, program: Program) -> None:
    result = program("observe", *arguments)
    assert result.code == 2
    assert told in result.err


def test_nothing_is_read_while_switched_off(past: list[Transcript], program: Program) -> None:
    config = Path(paths.config_file())
    config.parent.mkdir(parents=True)
    config.write_text("enabled: false\n")
    assert program("observe", "--backfill").code == 2
    config.write_text("enabled: true\n")
    assert "78 events" in program("observe", "--backfill").out


def test_without_a_past_that_is_said(project: Path, program: Program) -> None:
    assert "no past sessions of this project were found" in program("observe", "--backfill").out
    result = program("observe", "--backfill", "--dry-run")
    assert (result.code, result.out) == (0, "The past: no past sessions of this project were found\n")


# --- init


def test_init_without_questions_reads_no_past(past: list[Transcript], program: Program) -> None:
    assert program("init", "--yes", "--no-hooks").code == 0
    assert list(reader.read(PROJECT_ID)) == []


def test_init_reads_the_past_when_told_to(past: list[Transcript], program: Program) -> None:
    result = program("init", "--yes", "--no-hooks", "--backfill")
    assert "78 events of 6 sessions taken" in result.out
    assert "learned  2 new" in result.out
    assert UV in {found[0] for found in proofs()}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The questions that are asked; every one is answered with yes."""
    questions: list[str] = []
    monkeypatch.setattr(output, "is_terminal", lambda: True)

    def answer(question: str, **_: object) -> bool:
        questions.append(question)
        return True

    monkeypatch.setattr(typer, "confirm", answer)
    return questions


def test_init_asks_once_and_says_how_much(past: list[Transcript], program: Program, asked: list[str]) -> None:
    program("init", "--no-hooks")
    [question] = [one for one in asked if "past" in one]
    assert "(6 sessions, " in question
    assert UV in {found[0] for found in proofs()}
    asked.clear()
    habits(9, Path.cwd()).write(Path(paths.root("data")).parents[1])
    program("init", "--no-hooks")
    assert [one for one in asked if "past" in one] == []


def test_init_asks_nothing_where_there_is_no_past_or_it_is_not_wanted(
    project: Path, home: Path, program: Program, asked: list[str]
) -> None:
    program("init", "--no-hooks", "--no-backfill")
    assert [one for one in asked if "past" in one] == []
    assert git(project, "status", "--porcelain") == ""
