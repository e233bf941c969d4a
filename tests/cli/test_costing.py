"""`cost`, and what `observe` and `status` say of a model."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from gitinstinct import paths
from gitinstinct.config import Observer
from gitinstinct.inject import log
from gitinstinct.observer.detector import Spent
from gitinstinct.observer.model import spending
from tests.cli.conftest import PROJECT_ID
from tests.support.models import Api, error
from tests.support.program import Program
from tests.support.talk import Talk

DEAR = Observer(daily_dollars=100.0)


def spent(day: int, dollars: float | None, project: str = PROJECT_ID, *, settled: bool = True) -> None:
    at = datetime(2026, 11, day, 9, tzinfo=UTC)
    call = spending.new(at, project, "anthropic", "claude-haiku-5-5", Spent(1, 900, 100, dollars=dollars))
    spending.reserve(call, DEAR)
    if settled:
        spending.settle(call, call.spent)


@pytest.fixture
def api(httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> Api:
    """A model that the settings lead to."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test-key")
    made = Api(httpserver)
    file = Path(paths.config_file())
    file.parent.mkdir(parents=True)
    file.write_text(f"observer: {{detector: anthropic, address: '{made.address}'}}\n")
    return made


def test_nothing_was_spent(project: Path, program: Program) -> None:
    result = program("cost")
    assert (result.code, result.out) == (0, "No model was asked.\n\nNo session was told anything.\n")


def test_by_day_project_and_model_with_the_sum(project: Path, program: Program) -> None:
    spent(27, 0.01)
    spent(28, 0.02)
    spent(28, 0.03)
    spent(29, 0.04, "aaaaaaaaaaaa", settled=False)
    lines = program("cost").out.splitlines()
    assert [line.split() for line in lines[1:5]] == [
        ["2026-11-27", PROJECT_ID, "anthropic", "claude-haiku-5-5", "1", "1,000", "0.0100"],
        ["2026-11-28", PROJECT_ID, "anthropic", "claude-haiku-5-5", "2", "2,000", "0.0500"],
        ["2026-11-29", "aaaaaaaaaaaa", "anthropic", "claude-haiku-5-5", "1", "1,000", "0.0400"],
        ["together", "4", "4,000", "0.1000"],
    ]
    assert lines[5] == "1 call did not tell the cost: counted with the most that could be"
    assert lines[6] == "today $0.0400 of $0.10, 1,000 of 1,000,000 tokens"
    assert max(map(len, lines)) <= 80


def test_some_of_it(project: Path, program: Program) -> None:
    spent(1, 0.01)
    spent(28, 0.02)
    spent(29, 0.04, "aaaaaaaaaaaa")
    assert program("cost", "--since", "2026-11-20", "--json").json["total"]["dollars"] == pytest.approx(0.06)
    assert program("cost", "--project", str(project), "--json").json["total"]["calls"] == 2


def test_a_price_that_is_not_known_is_said_to_be_unknown(project: Path, program: Program) -> None:
    spent(29, None)
    assert "unknown" in program("cost").out
    assert "observer.prices" in program("cost").out
    assert program("cost", "--json").json["total"]["dollars"] is None


def test_what_sessions_were_told_is_estimated_and_says_so(project: Path, program: Program) -> None:
    items = [["x", "project", "0" * 64]]
    log.append(PROJECT_ID, {"at": "2026-11-28T10:00:00.000Z", "session": "a", "event": "startup", "items": items})
    result = program("cost")
    assert "tokens a session" in result.out
    assert "in 1 session\n" in result.out
    assert "estimated" in result.out
    [told] = program("cost", "--json").json["injected"]
    assert (told["project"], told["sessions"], told["estimated"]) == (PROJECT_ID, 1, True)


def test_observe_tells_what_it_cost_and_status_what_may_be_spent(project: Path, api: Api, program: Program) -> None:
    Talk(project=PROJECT_ID).say("a", "pnpm").say("b", "pnpm").say("c", "pnpm").spool()
    out = program("observe", "--now").out
    assert "anthropic/claude-haiku-5-5/1: 1,250 tokens, $0.0002" in out
    status = program("status").out
    assert "detector     anthropic, claude-haiku-5-5\n" in status
    assert f"models at    {api.address.removeprefix('http://')}\n" in status
    assert "$0.0002 of $0.10, 1,250 of 1,000,000 tokens" in status
    found = program("status", "--json").json["observer"]["detector"]
    assert (found["name"], found["today"]["tokens"], found["today"]["daily_dollars"]) == ("anthropic", 1250, 0.1)


def test_an_address_from_the_environment_is_said_not_to_be_followed(
    project: Path, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = Path(paths.config_file())
    file.parent.mkdir(parents=True)
    file.write_text("observer: {detector: anthropic}\n")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "https://evil.example")
    status = program("status").out
    assert "ANTHROPIC_BASE_URL is not followed" in status
    assert "evil" not in status


def test_a_failure_is_one_sentence_and_status_says_when_it_tries_again(
    project: Path, api: Api, program: Program
) -> None:
    Talk(project=PROJECT_ID).say("a", "pnpm").spool()
    api.answers = [error(529, "overloaded_error", retry_after="7200")]
    result = program("observe", "--now")
    assert result.code == 3
    assert "overloaded (529)" in result.err
    assert "Traceback" not in result.err
    status = program("status").out
    assert "overloaded (529)" in status
    assert "the detector rests after a failure" in status
    assert "12:00" in status
    assert program("cost").out.startswith("No model was asked.")


def test_the_ceiling_stops_what_now_would_start(project: Path, api: Api, program: Program) -> None:
    spent(29, 0.0999, "aaaaaaaaaaaa")
    Talk(project=PROJECT_ID).say("a", "pnpm").spool()
    result = program("observe", "--now")
    assert (result.code, api.asked, api.counted) == (3, [], 0)
    assert "ceiling of $0.10" in result.err


def test_a_detector_that_does_not_exist_is_a_mistake(project: Path, program: Program) -> None:
    Talk(project=PROJECT_ID).say("a", "pnpm").spool()
    result = program("observe", "--now", "--detector", "oracle")
    assert result.code == 2
    assert "choose one of local, anthropic, claude-cli" in result.err


def test_typed_by_hand_without_a_key_it_says_how(project: Path, program: Program) -> None:
    Talk(project=PROJECT_ID).say("a", "pnpm").spool()
    result = program("observe", "--now", "--detector", "anthropic")
    assert result.code == 3
    assert "there is no key" in result.err
    assert "observer.key_file" in result.err
