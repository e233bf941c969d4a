"""`observe --replay` and `observe --compare`: looking again at what was analysed, without counting it again."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import typer

from gitinstinct import paths
from gitinstinct.cli import output
from gitinstinct.observer import detectors
from gitinstinct.observer.detector import Detector, Spent
from gitinstinct.observer.events import Observation
from gitinstinct.observer.local.detector import LocalDetector
from gitinstinct.observer.pattern import Sighting
from tests.cli.conftest import PROJECT_ID
from tests.support.pasts import habits
from tests.support.program import Program
from tests.support.repos import git
from tests.support.work import tree_of

NOW = "2026-11-29T11:00:00Z"


class Blind(Detector):
    """A detector that learns nothing, as an earlier version may have."""

    name = "local/0"

    def feed(self, observation: Observation, *, is_new: bool = True) -> list[Sighting]:
        return []


class Paid(LocalDetector):
    """One that sees what the local one sees, and has a price."""

    name = "anthropic/test/1"
    spent = Spent(2, 1000, 100, 0, 0, 0.0125)


@pytest.fixture
def run(project: Path, home: Path, program: Program, monkeypatch: pytest.MonkeyPatch) -> str:
    """A run that saw six sessions; the clock goes on afterwards."""
    for number in range(6):
        habits(number, project).write(home)
    name = program("observe", "--backfill", "--json").json["run"]
    monkeypatch.setenv("GITINSTINCT_NOW", NOW)
    return str(name)


@pytest.fixture
def blind_run(project: Path, home: Path, program: Program, monkeypatch: pytest.MonkeyPatch) -> str:
    """A run that saw them and learned nothing from them."""
    program("init", "--yes", "--no-hooks")
    for number in range(6):
        habits(number, project).write(home)
    with monkeypatch.context() as patched:
        patched.setattr(detectors, "make", lambda *_: Blind())
        name = program("observe", "--backfill", "--json").json["run"]
    monkeypatch.setenv("GITINSTINCT_NOW", NOW)
    return str(name)


def kept() -> list[dict[str, bytes]]:
    """The store's refs, what was captured, and what detectors remember. A git that tidies up does not count."""
    state = Path(paths.root("state"))
    refs = {"refs": git(Path(paths.store(PROJECT_ID)), "for-each-ref").encode()}
    return [refs, tree_of(state / "spool"), tree_of(state / "tally")]


def head() -> str:
    return git(Path(paths.store(PROJECT_ID)), "rev-parse", "main")


def test_a_replay_of_what_is_known_adds_nothing(run: str, program: Program) -> None:
    before = head()
    result = program("observe", "--replay", run)
    assert result.code == 0, result.err
    assert "96 observations; learned: nothing new" in result.out
    assert head() == before
    assert program("observe", "--now").out == "Nothing new was captured.\n", "no cursor has moved"


def test_what_an_earlier_detector_missed_is_learned_and_named(blind_run: str, program: Program) -> None:
    assert "learned: 2 new" in program("observe", "--replay", blind_run).out
    store = Path(paths.store(PROJECT_ID))
    assert git(store, "log", "-1", "--format=%s", "main") == "observe: 2 new"
    assert git(store, "log", "-1", "--format=%(trailers:key=Replays,valueonly)", "main").strip() == blind_run
    before = head()
    assert "nothing new" in program("observe", "--replay", blind_run).out
    assert program("observe", "--now").out == "Nothing new was captured.\n"
    assert head() == before


def test_a_segment_can_be_replayed_and_a_replay_too(
    blind_run: str, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "would learn: 2 new" in program("observe", "--replay", "000001", "-n").out
    file = str(Path(paths.spool(PROJECT_ID)) / "000001.jsonl")
    assert "would learn: 2 new" in program("observe", "--replay", file, "-n").out
    found = program("observe", "--replay", "000001.jsonl", "--json").json
    assert len(found["learned"]) == 2
    monkeypatch.setenv("GITINSTINCT_NOW", "2026-11-29T12:00:00Z")
    assert "nothing new" in program("observe", "--replay", found["run"]).out


def test_only_what_the_run_saw_is_analysed(
    blind_run: str, project: Path, home: Path, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(7, 9):
        habits(number, project).write(home)
    program("observe", "--backfill")
    assert "96 observations" in program("observe", "--replay", blind_run).out


def test_what_is_gone_is_said(run: str, program: Program) -> None:
    shutil.rmtree(paths.spool(PROJECT_ID))
    result = program("observe", "--replay", run)
    assert result.code == 1
    assert f"the observations of {run} are gone" in result.err


@pytest.mark.parametrize("name", ["zzz", "000009"])
def test_an_unknown_run_is_said(name: str, run: str, program: Program) -> None:
    result = program("observe", "--replay", name)
    assert result.code == 1
    assert "there is neither a run nor a segment" in result.err


@pytest.mark.parametrize("chosen", ["flag", "settings"])
def test_a_replay_with_a_model_asks_before_it_is_paid(
    chosen: str, run: str, paid: None, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["observe", "--replay", run]
    if chosen == "flag":
        words += ["--detector", "anthropic"]
    else:
        Path(paths.config_file()).parent.mkdir(parents=True, exist_ok=True)
        Path(paths.config_file()).write_text("observer: {detector: anthropic}\n")
    refused = program(*words)
    assert (refused.code, "--yes" in refused.err) == (2, True)
    assert program(*words, "--dry-run").code == 2, "a rehearsal pays as well"
    before = kept()
    answers = iter([False, True])
    monkeypatch.setattr(output, "is_terminal", lambda: True)
    monkeypatch.setattr(typer, "confirm", lambda *_, **__: next(answers))
    declined = program(*words)
    assert (declined.code, declined.out, kept()) == (0, "", before)
    assert program(*words).out.startswith("96 observations")


def test_a_replay_that_was_agreed_to_asks_nothing(run: str, paid: None, program: Program) -> None:
    result = program("observe", "--replay", run, "--detector", "anthropic", "--yes")
    assert (result.code, "96 observations" in result.out) == (0, True)


# --- compare


@pytest.fixture
def paid(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = {"local": LocalDetector, "anthropic": Paid, "claude-cli": Blind}
    monkeypatch.setattr(detectors, "make", lambda name, *_: kinds[name]())


def test_two_detectors_side_by_side(run: str, paid: None, program: Program) -> None:
    before = kept()
    result = program("observe", "--compare", "local", "anthropic", "--replay", run, "--yes")
    assert result.code == 0, result.err
    assert "Both say" in result.out
    assert "6x in 6 | 6x in 6    Use `uv` instead of `pip`." in result.out
    assert "2 calls, 1100 tokens, $0.0125" in result.out
    assert "no cost" in result.out
    assert kept() == before


def test_what_one_alone_says(run: str, paid: None, program: Program) -> None:
    found = program("observe", "--compare", "local", "claude-cli", "--replay", run, "--yes", "--json").json["compare"]
    assert len(found["only_first"]) == 2
    assert found["only_second"] == found["both"] == found["contrary"] == []
    assert found["only_first"][0]["sessions"] == 6
    assert [one["name"] for one in found["detectors"]] == ["local/1", "local/0"]


def test_new_observations_are_compared_and_stay_new(
    project: Path, home: Path, paid: None, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    program("init", "--yes", "--no-hooks")
    for number in range(6):
        habits(number, project).write(home)
    from gitinstinct.cli import backfilling
    from gitinstinct.cli.target import project as chosen

    backfilling.read(backfilling.plan(chosen(None), None), dry_run=False, quiet=True)
    assert "Both say" in program("observe", "--compare", "local", "local").out
    assert "learned: 2 new" in program("observe", "--now").out
    assert "Nothing new was captured." in program("observe", "--compare", "local", "local").out


def test_nobody_pays_unasked(run: str, paid: None, program: Program) -> None:
    result = program("observe", "--compare", "local", "anthropic", "--replay", run)
    assert result.code == 2
    assert "--yes" in result.err


def test_an_unknown_detector_is_said(run: str, program: Program) -> None:
    result = program("observe", "--compare", "local", "oracle", "--replay", run)
    assert (result.code, "there is no detector" in result.err) == (2, True)
    assert program("observe", "--detector", "oracle").code == 2  # although the gates are shut
