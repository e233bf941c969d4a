"""Rollouts of Codex: told as Codex' hooks tell their events."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gitinstinct.capture.project import Project
from tests.backfill.conftest import Fill, told
from tests.support.pasts import Rollout

EXEC = "Chunk ID: 1a\nWall time: 0.1 seconds\nProcess exited with code {}\nOriginal token count: 3\nOutput:\n{}"


def test_a_session_with_a_prompt_a_command_and_a_patch(work: Path, home: Path, project: Project, fill: Fill) -> None:
    made = Rollout(1, work).says("use ripgrep, not grep").run("rg todo", EXEC.format(0, "a.py"))
    patch = "*** Begin Patch\n*** Update File: src/a.py\n*** End Patch"
    made.put("response_item", {"type": "custom_tool_call", "name": "apply_patch", "input": patch, "call_id": "c9"})
    made.put("response_item", {"type": "custom_tool_call_output", "call_id": "c9", "output": "Success"})
    made.write(home)
    assert fill().events == 3
    prompt, command, edit = told(project)
    assert (prompt["event"], prompt["prompt"]) == ("prompt", "use ripgrep, not grep")
    assert (command["tool"], command["input"]) == ("Bash", {"command": "rg todo"})
    assert (edit["tool"], edit["input"]) == ("apply_patch", {"command": patch})
    assert {one["harness"] for one in (prompt, command, edit)} == {"codex"}
    assert {one["session"] for one in (prompt, command, edit)} == {made.name}


@pytest.mark.parametrize(
    ("output", "event"),
    [
        (EXEC.format(0, "Process exited with code 1"), "tool_complete"),
        (EXEC.format(127, "zsh: command not found"), "tool_failed"),
        ("Exit code: 2\nOutput:\nboom", "tool_failed"),
        (json.dumps({"output": "boom", "metadata": {"exit_code": 1}}), "tool_failed"),
        (json.dumps({"output": "fine", "metadata": {"exit_code": 0}}), "tool_complete"),
        ({"content": "fine", "success": True}, "tool_complete"),
        ([{"type": "input_text", "text": "fine"}], "tool_complete"),
        ("exec command rejected by user", "denied"),
        (None, "tool_complete"),
        ('{"cut', "tool_complete"),
    ],
)
def test_how_a_command_ended(output: Any, event: str, work: Path, home: Path, project: Project, fill: Fill) -> None:
    Rollout(1, work).run("make", output).write(home)
    fill()
    assert [one["event"] for one in told(project)] == [event]


@pytest.mark.parametrize(
    ("call", "tool", "command"),
    [
        ({"type": "function_call", "name": "shell", "arguments": '{"command":["bash","-lc","ls | x"]}'}, "Bash",
         "ls | x"),
        ({"type": "function_call", "name": "shell", "arguments": '{"command":["ls","a b"]}'}, "Bash", "ls 'a b'"),
        ({"type": "function_call", "name": "shell_command", "arguments": '{"command":"ls"}'}, "Bash", "ls"),
        ({"type": "local_shell_call", "action": {"type": "exec", "command": ["ls"]}}, "Bash", "ls"),
        ({"type": "function_call", "name": "shell", "arguments": '{"command":["apply_patch","*** Begin Patch\\n"]}'},
         "apply_patch", "*** Begin Patch\n"),
    ],
)  # fmt: skip
def test_every_shell_tool_is_one(
    call: dict[str, Any], tool: str, command: str, work: Path, home: Path, project: Project, fill: Fill
) -> None:
    made = Rollout(1, work).put("response_item", call | {"call_id": "c1"})
    made.put("response_item", {"type": "function_call_output", "call_id": "c1", "output": "ok"}).write(home)
    fill()
    [one] = told(project)
    assert (one["tool"], one["input"]) == (tool, {"command": command})


def test_context_scripts_and_subagents_are_no_persons(work: Path, home: Path, project: Project, fill: Fill) -> None:
    Rollout(1, work).says("<environment_context>here</environment_context>").run("ls").write(home)
    Rollout(2, work, originator="codex_exec").says("from a script").write(home)
    Rollout(3, work, source={"subagent": "review"}).says("review it").run("ls").write(home)
    found = fill()
    assert [one["event"] for one in told(project)] == ["tool_complete"]
    assert found.left["context that a program added"] == 2
    assert found.left["prompts that a program sent"] == 2
    assert found.left["texts for subagents"] == 2
    assert found.left["calls of subagents"] == 1


def test_a_fork_repeats_nothing(work: Path, home: Path, project: Project, fill: Fill) -> None:
    first = Rollout(1, work).says("use uv").run("uv sync").says("use uv")
    first.write(home)
    fork = Rollout(2, work, forked_from_id=first.name)
    fork.values += first.values[1:]
    fork.says("and now the tests").write(home)
    assert fill().events == 4
    assert [one["prompt"] for one in told(project, ["prompt"])] == ["use uv", "use uv", "and now the tests"]


def test_an_aborted_turn_interrupts_its_calls(work: Path, home: Path, project: Project, fill: Fill) -> None:
    made = Rollout(1, work)
    made.put("response_item", {"type": "function_call", "name": "shell", "arguments": "{}", "call_id": "c1"})
    made.put("event_msg", {"type": "turn_aborted", "reason": "interrupted"}).write(home)
    fill()
    [one] = told(project)
    assert (one["event"], one["interrupted"]) == ("tool_failed", True)


def test_a_session_that_grows_is_read_on(work: Path, home: Path, project: Project, fill: Fill) -> None:
    made = Rollout(1, work).says("use uv").run("uv sync")
    made.write(home)
    assert fill().events == 2
    made.says("use uv").run("pytest -q").write(home)
    assert fill().events == 2
    assert len(told(project)) == 4


def item(kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": "item_completed", "thread_id": "t", "turn_id": "u", "item": {"type": kind, **fields}}


def test_what_a_script_ran_is_told_and_not_the_script(work: Path, home: Path, project: Project, fill: Fill) -> None:
    made = Rollout(1, work)
    script = 'const r = await tools.exec_command({cmd: "pytest -q"});'
    made.put("response_item", {"type": "custom_tool_call", "name": "exec", "input": script, "call_id": "x1"})
    ran = {"command": ["/bin/bash", "-lc", "pytest -q"], "source": "agent", "cwd": "file:///work"}
    made.put(
        "event_msg",
        item("CommandExecution", id="i1", status="failed", exit_code=1, aggregated_output="1 failed", **ran),
    )
    made.put("event_msg", item("FileChange", id="i2", status="completed", changes={"src/a.py": {"type": "update"}}))
    made.put(
        "event_msg", item("McpToolCall", id="i3", server="docs", tool="find", arguments={"q": 1}, status="completed")
    )
    made.put("event_msg", item("CommandExecution", id="i4", status="completed", command=["ls"], source="user_shell"))
    made.put(
        "event_msg", item("CommandExecution", id="i5", status="inProgress", command=["sleep", "9"], source="agent")
    )
    made.put("event_msg", item("CommandExecution", id="i6", status="declined", command="rm a", source="agent"))
    output = [{"type": "input_text", "text": "Script completed"}]
    made.put("response_item", {"type": "custom_tool_call_output", "call_id": "x1", "output": output}).write(home)
    found = fill()
    assert [(one["event"], one["tool"], one["input"]) for one in told(project)] == [
        ("tool_failed", "Bash", {"command": "pytest -q"}),
        ("tool_complete", "apply_patch", {"command": "*** Begin Patch\n*** Update File: src/a.py\n*** End Patch"}),
        ("tool_complete", "mcp__docs__find", {"q": 1}),
        ("denied", "Bash", {"command": "rm a"}),
    ]
    assert found.left["scripts whose calls are told one by one"] == 1
    assert fill().events == 0


def test_a_call_that_is_an_item_as_well_is_told_once(work: Path, home: Path, project: Project, fill: Fill) -> None:
    made = Rollout(1, work).run("ls")
    call = made.values[-1]["payload"]["call_id"]
    made.values.insert(2, made.values[-1] | {"type": "event_msg", "payload": item(
        "CommandExecution", id=call, status="completed", command=["ls"], exit_code=0)})  # fmt: skip
    made.write(home)
    found = fill()
    assert (found.events, dict(found.left)) == (1, {})


def test_a_prompt_is_told_once_in_whatever_ways_it_stands_there(
    work: Path, home: Path, project: Project, fill: Fill
) -> None:
    made = Rollout(1, work)
    for _ in range(2):
        made.says("use uv").put("event_msg", item("UserMessage", id="m", content=[{"type": "text", "text": "use uv"}]))
    made.put("event_msg", item("UserMessage", id="m", content=[{"type": "text", "text": "and now the tests"}]))
    made.write(home)
    fill()
    assert [one["prompt"] for one in told(project, ["prompt"])] == ["use uv", "use uv", "and now the tests"]
