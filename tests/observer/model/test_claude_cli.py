"""The person's own `claude`, in all the ways in which it can answer or fail."""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from gitinstinct import paths
from gitinstinct.config import Config, Observer
from gitinstinct.errors import EnvironmentFault
from gitinstinct.observer import state
from gitinstinct.observer.model import spending
from gitinstinct.observer.model.asking import Unanswered
from gitinstinct.observer.model.claude_cli import ClaudeCli
from gitinstinct.observer.model.prompt import Prompt
from gitinstinct.observer.run import Outcome, observe
from tests.support.models import claim, program, result
from tests.support.talk import Talk
from tests.support.work import PROJECT

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the fake program starts by its first line")

NOW = datetime(2026, 11, 29, 10, tzinfo=UTC)
CONFIG = Config(observer=replace(Observer(), detector="claude-cli"))
PATTERNS = {"patterns": [claim(["e1"], ["e2"], ["e3"])]}
ASKED = Prompt("how", "what")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where `claude` is; the only such folder on the PATH."""
    place = tmp_path / "bin"
    monkeypatch.setenv("PATH", f"{place}{os.pathsep}{os.environ['PATH']}")
    return place


def talk() -> None:
    Talk().say("a", "pnpm").say("b", "pnpm").say("c", "pnpm").spool()


def go() -> Outcome:
    return observe(PROJECT, NOW, CONFIG, skip_gates=True)


def says(answer: dict[str, Any]) -> str:
    return f"print(json.dumps({answer!r}))"


@pytest.mark.parametrize(
    "answer",
    [result("done", structured_output=PATTERNS), result(json.dumps(PATTERNS))],
    ids=["structured", "text"],
)
def test_it_learns_and_tells_what_it_cost(answer: dict[str, Any], folder: Path) -> None:
    program(folder, says(answer))
    talk()
    outcome = go()
    assert [told.verb for told in outcome.learned] == ["new"]
    assert (outcome.detector, outcome.spent.tokens, outcome.spent.dollars) == (
        "claude-cli/claude-haiku-5-5/1", 1000, 0.0123,
    )  # fmt: skip
    assert [call.spent.dollars for call in spending.calls()] == [0.0123]
    assert go().observations == 0


def test_it_can_do_nothing_but_answer(folder: Path, tmp_path: Path) -> None:
    note = tmp_path / "note"
    told = "{'arguments': arguments, 'given': given, 'cwd': os.getcwd(), 'env': dict(os.environ)}"
    program(
        folder, f"open({str(note)!r}, 'w').write(json.dumps({told}))\n" + says(result("x", structured_output=PATTERNS))
    )
    env = dict(os.environ) | {
        "CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "s", "CLAUDE_PROJECT_DIR": "/p", "CLAUDE_CODE_USE_BEDROCK": "1",
    }  # fmt: skip
    ClaudeCli(CONFIG.observer, "", env).ask(ASKED)
    seen = json.loads(note.read_text())
    options = seen["arguments"]
    assert options[options.index("--tools") + 1] == ""
    assert options[options.index("--setting-sources") + 1] == ""
    assert json.loads(options[options.index("--settings") + 1]) == {"disableAllHooks": True}
    assert {"--print", "--strict-mcp-config", "--no-session-persistence"} <= set(options)
    assert "what" not in " ".join(options)
    assert "$ref" not in options[options.index("--json-schema") + 1]
    assert seen["given"] == "how\n\nwhat\n"
    assert seen["env"]["GITINSTINCT_OBSERVER"] == "1"
    assert seen["env"]["CLAUDE_CODE_USE_BEDROCK"] == "1"
    assert not {"CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_PROJECT_DIR"} & set(seen["env"])
    assert Path(seen["cwd"]).is_relative_to(paths.root("state"))


FAILURES = {
    "exit": "print('usage limit reached', file=sys.stderr); sys.exit(1)",
    "signal": "os.kill(os.getpid(), 9)",
    "nothing": "pass",
    "prose": "print('I could not find the file, sorry.')",
    "prose in json": says(result("I need permission to read the file. May I?")),
    "turns": says(result("", subtype="error_max_turns")),
    "turns as success": says(result("Reached max turns (1)")),
    "error": says(result("", is_error=True)),
    "no word of success": "print(json.dumps({'result': '{\"patterns\": []}'}))",
    "list": "print('[]')",
    "broken": 'print(\'{"type": "result",\')',
    "schema": says(result("x", structured_output={"patterns": [{"kind": "x"}]})),
    "null": says(result("x", structured_output=[])),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_whatever_else_it_says_is_a_failure_that_consumes_nothing(failure: str, folder: Path) -> None:
    program(folder, FAILURES[failure])
    talk()
    with pytest.raises(EnvironmentFault) as caught:
        go()
    memory = state.load(PROJECT.id, "claude-cli")
    assert (memory.cursor, memory.failure["reason"], caught.value.code) == ({}, caught.value.message, 3)
    assert "again" in memory.failure
    program(folder, says(result("x", structured_output=PATTERNS)))
    assert len(go().learned) == 1


def test_a_key_that_it_repeats_is_not_shown(folder: Path) -> None:
    key = "sk-ant-api03-" + "Ab1" * 30
    program(folder, says(result(f"401 {key}", is_error=True)))
    talk()
    with pytest.raises(EnvironmentFault, match="401") as caught:
        go()
    assert key[:30] not in caught.value.message


def test_an_answer_that_does_not_say_what_it_cost_counts_as_the_most(folder: Path) -> None:
    told = result("x", structured_output=PATTERNS)
    program(folder, says({key: value for key, value in told.items() if key not in ("usage", "total_cost_usd")}))
    talk()
    assert go().spent.tokens > 8_000
    assert [call.is_open for call in spending.calls()] == [True]


def test_one_that_is_not_there_is_told_with_a_way_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", os.pathsep.join(one for one in os.environ["PATH"].split(os.pathsep) if not _has(one)))
    talk()
    with pytest.raises(EnvironmentFault, match="no program claude on the PATH"):
        go()
    assert spending.calls() == []


def _has(folder: str) -> bool:
    return (Path(folder) / "claude").exists()


def test_one_of_the_project_itself_is_not_started(tmp_path: Path) -> None:
    program(tmp_path / "project" / "bin", "open('started', 'w')")
    with pytest.raises(Unanswered, match="no program"):
        ClaudeCli(CONFIG.observer, str(tmp_path / "project"), {"PATH": f"{tmp_path / 'project' / 'bin'}:bin:."})


def test_one_that_hangs_is_ended_with_all_that_it_started(folder: Path, tmp_path: Path) -> None:
    note = tmp_path / "child"
    program(
        folder,
        f"child = subprocess.Popen([{sys.executable!r}, '-c', 'import time; time.sleep(60)'])\n"
        f"open({str(note)!r}, 'w').write(str(child.pid)); time.sleep(60)",
    )
    with pytest.raises(Unanswered, match="did not end within") as caught:
        ClaudeCli(CONFIG.observer, "", os.environ, seconds=2.0).ask(ASKED)
    assert caught.value.spent is None
    assert _is_gone(int(note.read_text()))


def test_what_it_leaves_running_goes_too(folder: Path, tmp_path: Path) -> None:
    note = tmp_path / "child"
    program(
        folder,
        f"child = subprocess.Popen([{sys.executable!r}, '-c', 'import time; time.sleep(60)'], stdout=-3, stderr=-3)\n"
        f"open({str(note)!r}, 'w').write(str(child.pid))\n" + says(result("x", structured_output=PATTERNS)),
    )
    assert ClaudeCli(CONFIG.observer, "", os.environ).ask(ASKED).text
    assert _is_gone(int(note.read_text()))


def _is_gone(pid: int) -> bool:
    for _ in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        if _is_zombie(pid):
            return True
        time.sleep(0.05)
    return False


def _is_zombie(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def test_one_that_talks_without_end_is_ended(folder: Path) -> None:
    program(folder, "while True: sys.stdout.write('x' * 65536)")
    with pytest.raises(Unanswered, match="said too much"):
        ClaudeCli(CONFIG.observer, "", os.environ).ask(ASKED)


def test_one_that_does_not_read_its_input_is_heard_all_the_same(folder: Path) -> None:
    made = program(folder, "")
    made.write_text(f"#!{sys.executable}\nimport json\n{says(result('x', structured_output=PATTERNS))}\n")
    assert ClaudeCli(CONFIG.observer, "", os.environ).ask(Prompt("how", "x" * 500_000)).text


def test_an_address_of_the_project_is_not_followed(folder: Path, tmp_path: Path) -> None:
    program(folder, says(result("x", structured_output=PATTERNS)))
    (tmp_path / ".env").write_text("ANTHROPIC_BASE_URL=http://evil")
    env = dict(os.environ) | {"ANTHROPIC_BASE_URL": "http://evil"}
    with pytest.raises(Unanswered, match="ANTHROPIC_BASE_URL may come from"):
        ClaudeCli(CONFIG.observer, str(tmp_path), env)
