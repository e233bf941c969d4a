"""`measure`: on, off, what it says, and how it says it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from gitinstinct import config, paths
from gitinstinct.measure import switch, verdicts
from gitinstinct.store.layout import About
from tests.cli.conftest import PROJECT_ID
from tests.support import measuring
from tests.support.life import fresh
from tests.support.measuring import NAME, trial
from tests.support.program import Program

HELPS = [(True, 1.0), (False, 0.0), (False, 0.0)] * 8
HARMS = [(True, 0.0), (False, 1.0), (False, 1.0)] * 8


@pytest.fixture
def store(project: Path) -> None:
    """The project's store with one instinct."""
    fresh(About("project", PROJECT_ID, "my-api")).by_hand("2026-11-02", {NAME: measuring.instinct()})


def test_it_is_off_and_knows_nothing(project: Path, program: Program) -> None:
    done = program("measure")
    assert (done.code, done.err) == (0, "")
    assert "Measuring is off" in done.out
    assert "Nothing was measured yet" in done.out
    assert program("measure", "--json").json == {
        "version": 1, "on": False, "share": None, "since": None,
        "lately": {"eligible": 0, "withheld": 0}, "broken_lines": 0, "newly_held": [], "instincts": [],
    }  # fmt: skip


def test_on_and_off(project: Path, program: Program) -> None:
    assert "33 % of the sessions" in program("measure", "on").out
    assert switch.share() == 0.33
    assert "on since 2026-11-29: 33 %" in program("measure").out
    assert program("measure", "on", "--share", "20", "--json").json["share"] == 0.2
    assert "off" in program("measure", "off").out
    assert switch.share() == 0.0


def test_the_settings_forbid_it(project: Path, program: Program) -> None:
    program("measure", "on")
    path = Path(paths.config_file())
    path.parent.mkdir(parents=True)
    path.write_text("measure: {enabled: false}\n")
    assert config.read().problems == ()
    done = program("measure", "on")
    assert (done.code, "config.yaml" in done.err) == (1, True)
    assert switch.share() == 0.0
    assert "Measuring is off" in program("measure").out
    assert path.read_text() == "measure: {enabled: false}\n"


@pytest.mark.parametrize(
    "arguments",
    [("nonsense",), ("release",), ("report", "x"), ("on", "--share", "90"), ("on", "--share", "x"), ("on", "x")],
)
def test_what_it_does_not_know(project: Path, program: Program, arguments: tuple[str, ...]) -> None:
    assert program("measure", *arguments).code == 2


def test_not_enough_data_is_the_usual_answer(store: None, program: Program) -> None:
    trial(HELPS[:6], PROJECT_ID)
    out = program("measure").out
    assert "NOT ENOUGH DATA" in out
    assert "0 % bad in 4 sessions with it, 100 % bad in 2 sessions without" in out
    assert "points" not in out, "no estimate that was not measured"
    assert "15 to 400 eligible sessions" in out
    [one] = program("measure", "--json").json["instincts"]
    assert (one["verdict"], one["difference"], one["interval"]) == ("NOT ENOUGH DATA", None, None)
    assert (one["injected"], one["withheld"]) == ({"sessions": 4, "bad": 0.0}, {"sessions": 2, "bad": 1.0})


def test_what_is_withheld_is_told(store: None, program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    trial(HELPS[:6], PROJECT_ID)
    monkeypatch.setenv("GITINSTINCT_NOW", "2026-11-03T10:00:00Z")
    assert "In the last 7 days 2 of 6 were withheld." in program("measure").out


def test_it_helps(store: None, program: Program) -> None:
    trial(HELPS, PROJECT_ID)
    out = program("measure").out
    assert "HELPS" in out
    assert re.search(r"\d\d points rarer with it \(90 %: \d\d to \d\d\), by its check", out)
    [one] = program("measure", "--json").json["instincts"]
    assert (one["verdict"], one["outcome"], one["held"], one["model"]) == ("HELPS", "check", None, "m1")
    assert one["holds_together"] in (True, False)


def test_it_harms_and_comes_back(store: None, program: Program) -> None:
    trial(HARMS, PROJECT_ID)
    out = program("measure").out
    assert f"! {NAME} harms, and is held back from now on" in out
    assert "points more frequent with it (90 %: " in out
    assert "held back: it harms" in out
    again = program("measure").out
    assert "! " not in again
    assert f"gitinstinct measure release {NAME}" in again
    assert list(verdicts.held_back(PROJECT_ID).values()) == ["quarantined"]
    assert NAME in program("measure", "release", NAME).out
    assert verdicts.held_back(PROJECT_ID) == {}
    assert program("measure", "release", NAME).code == 1
    assert "Nothing was measured yet" in program("measure").out


def test_verbal_corrections_are_called_an_estimate(store: None, program: Program) -> None:
    trial([(False, 0.0)], PROJECT_ID)
    program("measure")
    path = Path(paths.measure(f"outcomes/{PROJECT_ID}.jsonl"))
    path.write_text(json.dumps(json.loads(path.read_text()) | {"prompts": 4, "corrections": 1}) + "\n")
    assert "estimated: you corrected in 1 of 4 prompts with it, in 0 of 0 prompts without" in program("measure").out


def test_broken_lines_are_told(store: None, program: Program) -> None:
    trial(HELPS[:2], PROJECT_ID)
    with Path(paths.measure(f"{PROJECT_ID}.jsonl")).open("a") as file:
        file.write('{"v":1,"at":')
    assert "1 line of the log cannot be read" in program("measure").out


def test_former_words_are_shown_when_asked_for(store: None, program: Program) -> None:
    trial(HELPS[:3], PROJECT_ID)
    program("measure")
    trial([(False, 0.0)], PROJECT_ID, begin=3, text="f" * 16)
    assert "former words" not in program("measure").out
    assert "former words" in program("measure", "--all").out


def test_what_two_export_is_added_up(store: None, program: Program, tmp_path: Path) -> None:
    trial(HELPS[:9], PROJECT_ID)
    data = program("measure", "export").json
    assert data["format"] == "gitinstinct-measure/1"
    for number in range(3):
        (tmp_path / f"{number}.json").write_text(json.dumps(data | {"origin": f"mate-{number}"}))
    options = [word for number in range(3) for word in ("--pool", str(tmp_path / f"{number}.json"))]
    out = program("measure", "report", *options).out
    assert "3 exports of others" in out
    assert "4 machines" in out
    assert "HELPS" in out
    [one] = program("measure", *options, "--json").json["tests"]
    assert (one["machines"], one["withheld"]["sessions"], one["verdict"]) == (4, 12, "HELPS")
    assert program("measure", "--pool", str(tmp_path / "none")).code == 1


def test_the_selftest(store: None, program: Program) -> None:
    assert "Too little is known" in program("measure", "selftest").out
    assert program("measure", "selftest", "--json").json == {"version": 1, "selftest": None}
    trial([(number % 3 == 0, (number % 4) / 4) for number in range(24)], PROJECT_ID)
    program("measure")
    done = program("measure", "selftest")
    assert (done.code, "Sound" in done.out) == (0, True)


def test_check_finds_a_grammar_that_cannot_be_read(project: Path, program: Program, tmp_path: Path) -> None:
    path = tmp_path / f"{NAME}.md"
    path.write_bytes(measuring.instinct(check={"on": "shell", "bad": "(a+)+"}))
    done = program("check", str(path))
    assert done.code == 1
    assert "check-grammar" in done.out
    assert "`bad` repeats what can itself match" in done.out
    path.write_bytes(measuring.instinct())
    assert "check-grammar" not in program("check", str(path)).out
