"""Settings: a broken key keeps its default and is named; the rest counts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitinstinct import config, paths
from gitinstinct.config import Config


def test_without_a_file_the_defaults_hold(home: Path) -> None:
    assert config.read() == Config()


def test_what_is_said_counts() -> None:
    found = config.load("observer: {minimum: 5}\ncapture:\n  skip_paths: [' /a ', '']\n  skip_tools: Bash\n")
    assert (found.observer.minimum, found.observer.project_cooldown) == (5, 300)
    assert (found.capture.skip_paths, found.capture.skip_tools) == (("/a",), ("Bash",))
    assert found.problems == ()


def test_a_model_its_ceilings_and_its_prices_can_be_chosen() -> None:
    found = config.load(
        "observer: {detector: anthropic, model: m, daily_dollars: 1, prices: {m: {input: 1, output: 2.5}}}"
    )
    assert (found.observer.detector, found.observer.model, found.observer.daily_dollars) == ("anthropic", "m", 1.0)
    assert found.observer.prices == {"m": {"input": 1.0, "output": 2.5}}
    assert found.problems == ()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("enabled: maybe", "enabled is not true or false"),
        ("observer: {minimum: -1}", "observer.minimum is not a whole number"),
        ("observer: {minimum: true}", "observer.minimum"),
        ("observer: {hours: 25-26}", "observer.hours is not active hours such as '08-23'"),
        ("observer: 7", "observer is not a map"),
        ("capture: {skip_tools: [1]}", "capture.skip_tools is not a list"),
        ("observer: {detector: gpt}", "observer.detector is not local or anthropic or claude-cli"),
        ("observer: {daily_dollars: -0.1}", "observer.daily_dollars is not a number of 0 or more"),
        ("observer: {daily_dollars: .inf}", "observer.daily_dollars is not a number"),
        ("observer: {daily_dollars: true}", "observer.daily_dollars is not a number"),
        ("observer: {prices: 3}", "observer.prices is not a map of models"),
        ("observer: {prices: {m: {input: 1}}}", "observer.prices is not a map of models"),
        ("observer: {prices: {m: {input: 1, output: x}}}", "observer.prices is not a map of models"),
        ("observer: {prices: {m: {input: 1, output: 1, thinking: 1}}}", "observer.prices is not a map of models"),
        ("observr: {}", "observr is no setting"),
        ("observer: {minimun: 3}", "observer.minimun is no setting"),
        ("[1, 2]", "not a map"),
        ("a: b: c", "not YAML"),
        ("a: 2026-99-99", "not YAML"),
    ],
)
def test_a_key_that_cannot_be_used_is_named(text: str, problem: str) -> None:
    found = config.load(text + "\n")
    assert len(found.problems) == 1
    assert problem in found.problems[0]
    assert found == Config(problems=found.problems)


@given(st.text(max_size=60))
def test_no_text_raises(text: str) -> None:
    assert isinstance(config.load(text), Config)


def test_the_file_is_named_and_never_rewritten(home: Path) -> None:
    path = Path(paths.config_file())
    path.parent.mkdir(parents=True)
    path.write_bytes(b"enabled: \xff")
    assert str(path) in config.read().problems[0]
    path.write_text("enabled: 3")
    assert config.read().problems[0].startswith(str(path))
    assert path.read_text() == "enabled: 3"


def test_the_hook_gets_its_part_as_json(home: Path) -> None:
    path = Path(paths.hook_settings())
    config.compile_for_hook(Config())
    assert not path.exists()
    config.compile_for_hook(config.load("enabled: false\ncapture: {skip_paths: ['~/x']}"))
    assert json.loads(path.read_text()) == {
        "enabled": False, "auto": True, "pause": 300, "subagents": False, "skip_paths": [str(home / "x")],
        "skip_tools": [], "measure": True,
    }  # fmt: skip
    config.compile_for_hook(Config())
    assert json.loads(path.read_text())["enabled"] is True
