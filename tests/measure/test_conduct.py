"""What a check finds in a session, and which signals of trouble there are."""

from __future__ import annotations

from datetime import timedelta

import pytest

from gitinstinct.measure import conduct, grammar, signals
from gitinstinct.measure.calls import Call, Conduct, Listener
from gitinstinct.measure.conduct import Share
from gitinstinct.observer.events import Observation, Outcome
from tests.support import planted
from tests.support.sessions import START, Script

PIP = {"on": "shell", "bad": r"\bpip install\b", "good": r"\buv add\b"}
FORCE = {"on": "Bash", "when": r"^git push\b", "bad": "--force(?!-)"}
AUTO = {"on": "shell", "when": r"\bpytest\b", "good": "-n auto"}
THEN = {"on": "edit", "paths": "*.py", "then": r"\bpytest\b", "within": "3"}
BEFORE = {"on": "edit", "before": "^(Read|Grep) ", "within": "3"}


def heard(script: Script) -> Conduct:
    listener = Listener()
    for observation in script.events:
        listener.feed(observation)
    return listener.found


def judged(check: dict[str, str], script: Script) -> tuple[int, int]:
    return conduct.judge(grammar.read(check), heard(script).calls)


@pytest.mark.parametrize(
    ("check", "commands", "share"),
    [
        (PIP, ["ls", "pip install x", "uv add x", "uv add y", "git push"], (3, 1)),
        (PIP, ["pip install x && uv add y"], (1, 1)),
        (PIP, ["ls"], (0, 0)),
        (PIP, [], (0, 0)),
        (FORCE, ["git push --force", "git push --force-with-lease", "ls --force"], (2, 1)),
        (AUTO, ["pytest", "pytest -n auto", "ls"], (2, 1)),
    ],
)
def test_each_call_by_itself(check: dict[str, str], commands: list[str], share: tuple[int, int]) -> None:
    assert judged(check, Script().run(*commands)) == share


@pytest.mark.parametrize(
    ("script", "share"),
    [
        (Script().edit("a.py").run("pytest"), (1, 0)),
        (Script().edit("a.py", "a.py", "b.py").run("ls", "pytest"), (1, 0)),  # one occasion, which the last opens
        (Script().edit("a.py").run("ls", "ls", "ls", "pytest"), (1, 1)),
        (Script().edit("a.py").run("pytest").edit("a.py").run("ls"), (2, 1)),
        (Script().edit("a.py"), (1, 1)),
        (Script().edit("a.md").run("pytest"), (0, 0)),
        (Script().edit("a.py").run("ls").edit("b.py").run("ls").edit("c.py").run("pytest"), (1, 0)),
        (Script().edit("a.py").run("ls", "ls", "ls").edit("a.py").run("pytest"), (2, 1)),
    ],
)
def test_what_has_to_follow(script: Script, share: tuple[int, int]) -> None:
    assert judged(THEN, script) == share


@pytest.mark.parametrize(
    ("script", "share"),
    [
        (Script().tool("Read", {"file_path": "a.py"}).edit("a.py"), (1, 0)),
        (Script().edit("a.py").edit("a.py").edit("b.py"), (1, 1)),
        (Script().tool("Grep", {"pattern": "x"}).run("ls", "ls", "ls").edit("a.py"), (1, 1)),
        (Script().edit("a.py").run("ls", "ls", "ls").tool("Read", {"file_path": "b"}).edit("b.py"), (2, 1)),
        (Script().run("echo Read this").edit("a.py"), (1, 1)),
    ],
)
def test_what_has_to_come_before(script: Script, share: tuple[int, int]) -> None:
    assert judged(BEFORE, script) == share


def test_the_file_of_a_call_that_edits_none() -> None:
    check = {"on": "Read", "paths": "*.lock", "bad": "."}
    script = Script().tool("Read", {"file_path": "/r/uv.lock"}).tool("Read", {"file_path": "/r/a.py"})
    assert judged(check, script) == (1, 1)


def test_subagents_and_machines_do_not_count() -> None:
    script = Script().put("tool_complete", tool="Bash", input={"command": "pip install x"}, agent="a1")
    script.says("use uv, not pip", agent="a1").says("<task-notification>use uv, not pip", source="system")
    found = heard(script)
    assert (found.calls, found.prompts) == ([], [])


def test_what_came_before_the_instinct_does_not_count() -> None:
    script = Script().run("pip install x").says("go on").run("uv add x")
    after = heard(script).since(START + timedelta(seconds=25))
    assert [call.text for call in after.calls] == ["uv add x"]
    assert len(after.prompts) == 1


def test_verbal_corrections_are_counted_apart() -> None:
    script = Script().run("pip install x").says("no, use uv instead of pip").run("uv add x").says("thanks")
    found = heard(script)
    assert (len(found.prompts), found.corrections) == (2, 1)
    assert signals.pooled(found.calls) == (2, 0)


@pytest.mark.parametrize(
    ("script", "share"),
    [
        (Script().run("ls", "ls"), (2, 0)),
        (Script().run("make", error="Exit code 2").run("ls"), (2, 1)),
        (Script().run("make all", error="Exit code 2").run("ls", "make all"), (3, 2)),  # the retry, too
        (Script().run("make all", error="Exit code 2").run("make  all"), (2, 2)),
        (Script().run("make all", error="x").run(*["ls"] * 5, "make all"), (7, 1)),  # too late to be one
        (Script().run("make", error="x").tool("Read", {"file_path": "make"}), (2, 1)),
        (Script().put("denied", tool="Bash", input={"command": "rm x"}), (1, 1)),
        (Script().put("tool_start", tool="Bash", input={"command": "x"}, id="1").says("no"), (1, 1)),
        (Script().tool("Bash", {"command": "x"}, interrupted=True), (1, 1)),
    ],
)
def test_signals_of_trouble(script: Script, share: tuple[int, int]) -> None:
    assert signals.pooled(heard(script).calls) == share


def test_an_edit_that_the_person_changed_is_one() -> None:
    listener = Listener()
    listener.feed(Observation.from_record({"event": "tool_complete", "tool": "Edit", "input": {}}, "1:0"), True)
    assert signals.pooled(listener.found.calls) == (1, 1)


def test_a_share_of_nothing_is_none() -> None:
    assert Share(0, 0).value is None
    assert Share(4, 1).value == 0.25
    assert signals.pooled([Call("Bash", "ls", "", Outcome.OK)]) == (1, 0)


@pytest.mark.parametrize("seed", range(3))
def test_recorded_work(seed: int) -> None:
    """Every check gives a share, whatever a session holds."""
    listener = Listener()
    for observation in planted.observations(planted.generator().play(seed, 4)):
        listener.feed(observation)
    calls = listener.found.calls
    assert calls
    for check in (PIP, FORCE, AUTO, THEN, BEFORE):
        eligible, bad = conduct.judge(grammar.read(check), calls)
        assert 0 <= bad <= eligible <= len(calls)


def edit(script: Script, before: str, after: str, name: str = "a.py", tool: str = "Edit") -> Script:
    """An edit, with what the file was before it and behind it."""
    given = {"file_path": name, "new_string": after}
    number = str(len(script.events))
    script.put("tool_start", tool=tool, input=given, id=number, file=before)
    return script.put("tool_complete", tool=tool, input=given, id=number, output={}, file=after)


@pytest.mark.parametrize(
    ("steps", "bad"),
    [
        ([("1", "2"), ("2", "3")], 0),
        ([("1", "2"), ("1", "3")], 1),  # taken back before the agent came again
        ([("1", "2"), ("4", "5")], 0),  # the person went on from there
        ([("absent", "2"), ("absent", "2")], 1),
        ([("1", "1"), ("1", "2")], 0),  # it changed nothing
        ([("", "2"), ("", "3")], 0),  # not measured then
        ([("1", "2")], 0),
        ([("1", "2"), ("2", "3"), ("1", "4")], 0),  # back to something older: nobody's undo of the last one
    ],
)
def test_an_edit_that_was_taken_back_is_one(steps: list[tuple[str, str]], bad: int) -> None:
    script = Script()
    for before, after in steps:
        edit(script, before, after)
    assert signals.pooled(heard(script).calls) == (len(steps), bad)


def test_another_file_says_nothing_of_an_edit() -> None:
    script = edit(edit(Script(), "1", "2"), "1", "2", name="b.py")
    assert signals.pooled(heard(script).calls) == (2, 0)
