"""A back-fill as a whole: nothing twice, nothing missed, whatever is cut, killed, repeated or full."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitinstinct import paths
from gitinstinct.backfill import lines, readers, recording, run, sources
from gitinstinct.backfill.event import Account
from gitinstinct.backfill.readers import Setting
from gitinstinct.capture import reader, spool
from gitinstinct.capture.project import Project
from gitinstinct.errors import EnvironmentFault
from gitinstinct.observer import locks
from tests.backfill.conftest import NOW, Fill, told
from tests.data.secret_samples import SAMPLES, fragments
from tests.support.pasts import START, Transcript, habits
from tests.support.work import hook, in_child, tree_of


def again_nothing(fill: Fill, project: Project) -> None:
    before = told(project)
    assert fill().events == 0
    assert told(project) == before


def test_the_second_time_there_is_nothing_to_do(work: Path, home: Path, project: Project, fill: Fill) -> None:
    for number in range(3):
        habits(number, work).write(home)
    assert fill().events == 39
    before = tree_of(Path(paths.spool(project.id)))
    second = fill()
    assert (second.files, second.events) == (0, 0)
    assert tree_of(Path(paths.spool(project.id))) == before


def test_a_project_that_no_hook_has_met_is_known_by_its_name(
    work: Path, home: Path, project: Project, fill: Fill
) -> None:
    fill()
    assert not Path(paths.spool(project.id)).exists()
    habits(1, work).write(home)
    fill()
    assert reader.about(project.id) == {
        "id": project.id, "name": "my-api", "root": str(work), "remote": project.remote,
    }  # fmt: skip


def test_what_is_added_is_read_and_no_more(work: Path, home: Path, project: Project, fill: Fill) -> None:
    made = habits(1, work)
    whole = made.lines
    file = made.write(home)
    file.write_bytes(b"".join(whole[:7]) + whole[7][:30])
    first = fill()
    file.write_bytes(b"".join(whole))
    second = fill()
    assert (first.events, second.events) == (4, 9)
    again_nothing(fill, project)
    ids = [one["id"] for one in told(project) if "id" in one]
    assert len(ids) == len(set(ids)) == 10


@pytest.mark.parametrize("cut", range(1, 23))
def test_wherever_a_file_is_cut_the_same_is_told(
    cut: int, work: Path, home: Path, project: Project, fill: Fill
) -> None:
    made = habits(1, work)
    file = made.write(home)
    now = made.at + timedelta(minutes=1)
    file.write_bytes(b"".join(made.lines[:cut]))
    fill(now=now)
    file.write_bytes(b"".join(made.lines))
    fill(now=now)
    ends = [one for one in told(project) if one["event"] != "tool_start"]
    assert [one["event"] for one in ends].count("prompt") == 3
    assert len(ends) == 13
    assert [one["at"] for one in ends] == sorted(one["at"] for one in ends)


def test_a_file_that_was_written_anew_adds_only_what_is_new(
    work: Path, home: Path, project: Project, fill: Fill
) -> None:
    made = habits(1, work)
    made.write(home)
    fill()
    made.values = made.values[6:]
    made.run("make lint").write(home)
    assert fill().events == 1
    again_nothing(fill, project)


def test_a_moved_file_adds_nothing(work: Path, home: Path, project: Project, fill: Fill) -> None:
    file = habits(1, work).write(home)
    fill()
    other = file.parent.parent / "-other"
    other.mkdir()
    file.rename(other / file.name)
    assert fill().left[recording.KNOWN] == 13
    again_nothing(fill, project)


def test_killed_in_the_middle_it_goes_on_where_it_was(
    work: Path, home: Path, project: Project, fill: Fill, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        habits(number, work).write(home)
    append, done = spool.append, 0

    def dying(*arguments: str) -> bool:
        nonlocal done
        done += 1
        if done > 25:
            os.kill(os.getpid(), signal.SIGKILL)
        return append(*arguments)

    with monkeypatch.context() as patched:
        patched.setattr(spool, "append", dying)
        assert in_child(fill) == -signal.SIGKILL
    assert 0 < len(told(project)) < 39
    fill()
    found = told(project)
    assert len(found) == len({one["past"] for one in found}) == 39
    assert [one["at"] for one in found] == sorted(one["at"] for one in found)


@pytest.mark.parametrize("calls", [520, 1000])
def test_killed_in_the_middle_of_a_long_file_it_goes_on_where_it_was(
    calls: int, work: Path, home: Path, project: Project, fill: Fill, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = Transcript(1, work).says("go on")
    session.run(*(f"ls part{number}" for number in range(calls))).write(home)
    append, note, done = spool.append, run._note, 0

    def counting(*arguments: str) -> bool:
        nonlocal done
        done += 1
        return append(*arguments)

    def dying(*arguments: Any, **chosen: Any) -> None:
        note(*arguments, **chosen)
        if done > calls - 500:
            os.kill(os.getpid(), signal.SIGKILL)

    with monkeypatch.context() as patched:
        patched.setattr(spool, "append", counting)
        patched.setattr(run, "_note", dying)
        assert in_child(fill) == -signal.SIGKILL
    assert 500 <= len(told(project)) <= calls
    assert fill().left[recording.KNOWN] == 0
    assert len(told(project)) == len({one["past"] for one in told(project)}) == calls + 1
    assert told(project, ["session_end"])
    again_nothing(fill, project)


def test_a_memory_that_is_lost_or_damaged_is_made_anew_from_the_spool(
    work: Path, home: Path, project: Project, fill: Fill
) -> None:
    habits(1, work).write(home)
    fill()
    Path(paths.backfill(project.id)).write_bytes(b"no database" * 1000)
    assert fill().left[recording.KNOWN] == 13
    Path(paths.backfill(project.id)).unlink()
    assert fill().left[recording.KNOWN] == 13
    assert len(told(project)) == 13


def test_a_full_disk_keeps_what_was_done(
    work: Path, home: Path, project: Project, fill: Fill, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        habits(number, work).write(home)
    room = iter([True] * 20)
    append: Callable[[str, str], bool] = spool.append
    monkeypatch.setattr(spool, "append", lambda *given: next(room, False) and append(*given))
    with pytest.raises(EnvironmentFault, match="disk"):
        fill()
    monkeypatch.setattr(spool, "append", append)
    fill()
    found = told(project)
    assert len(found) == len({one["past"] for one in found}) == 39


def test_a_rehearsal_tells_the_same_and_writes_nothing(work: Path, home: Path, project: Project, fill: Fill) -> None:
    habits(1, work).write(home)
    before = tree_of(home)
    assert fill(dry_run=True).events == 13
    assert tree_of(home) == before
    fill()
    habits(1, work).run("make").write(home)
    before = tree_of(home)
    assert fill(dry_run=True).events == 1
    assert tree_of(home) == before


def test_nothing_is_read_while_a_run_is_at_work(
    work: Path, home: Path, project: Project, fill: Fill, monkeypatch: pytest.MonkeyPatch
) -> None:
    habits(1, work).write(home)
    monkeypatch.setattr(run, "_PATIENCE", 0.05)
    with locks.held(locks.of_project(project.id), "a run", NOW), pytest.raises(EnvironmentFault, match="at work"):
        fill()
    assert told(project) == []


def test_a_file_that_goes_away_meanwhile_is_named_and_the_rest_is_read(
    work: Path, home: Path, project: Project
) -> None:
    gone, there = habits(1, work).write(home), habits(2, work).write(home)
    planned = run.plan(project, (), [sources.Candidate(gone), sources.Candidate(there)])
    gone.unlink()
    summary = run.backfill(planned, NOW, {})
    assert summary.failed == [(gone, "No such file or directory")]
    assert summary.events == 13


# --- beside the hooks


def as_hooks(made: Transcript, whole: list[Any]) -> list[dict[str, Any]]:
    """What the hooks would have sent at some lines of a transcript."""
    sent: list[dict[str, Any]] = []
    calls: dict[str, dict[str, Any]] = {}
    for value in whole:
        base = {"session_id": made.name, "cwd": value["cwd"], "timestamp": value["timestamp"]}
        content = value["message"]["content"]
        if isinstance(content, str):
            sent.append({"hook_event_name": "UserPromptSubmit", "prompt": content, **base})
            continue
        [block] = content
        if block["type"] == "tool_use":
            told_of = {"tool_name": block["name"], "tool_input": block["input"], "tool_use_id": block["id"], **base}
            calls[block["id"]] = told_of
            sent.append({"hook_event_name": "PreToolUse", **told_of})
        else:
            end = calls.get(block["tool_use_id"], {}) | base
            failed = {"hook_event_name": "PostToolUseFailure", "error": block["content"]}
            done = {"hook_event_name": "PostToolUse", "tool_response": value["toolUseResult"]}
            sent.append(end | {"tool_use_id": block["tool_use_id"]} | (failed if block.get("is_error") else done))
    return sent


def test_a_session_that_hooks_captured_whole_adds_nothing(work: Path, home: Path, project: Project, fill: Fill) -> None:
    made = habits(1, work)
    hook(*as_hooks(made, made.values), cwd=work)
    before = told(project)
    made.write(home)
    summary = fill()
    assert summary.events == 0
    assert summary.left == {recording.KNOWN: 13}
    assert told(project) == before
    assert told(project, ["stop", "session_end"]) == []


@pytest.mark.parametrize("begin", [2, 6, 12])
def test_of_a_session_that_hooks_captured_in_part_the_rest_is_added(
    begin: int, work: Path, home: Path, project: Project, fill: Fill
) -> None:
    made = habits(1, work)
    hook(*as_hooks(made, made.values[begin:]), cwd=work)
    made.write(home)
    fill()
    ends = [one for one in told(project) if one["event"] != "tool_start"]
    assert len(ends) == 13
    assert len({(one.get("id"), one["at"]) for one in ends}) == 13
    again_nothing(fill, project)


def test_doubles_are_known_however_far_apart(work: Path, home: Path, project: Project, fill: Fill) -> None:
    made = habits(1, work)
    hook(*as_hooks(made, made.values), cwd=work)
    other = Transcript(2, work)
    for number in range(300):
        other.run(f"make target-{number}")
    hook(*as_hooks(other, other.values), cwd=work)
    made.write(home)
    assert fill().events == 0


def test_the_same_words_twice_are_two_prompts(work: Path, home: Path, project: Project, fill: Fill) -> None:
    made = Transcript(1, work).says("continue").says("continue").says("continue")
    hook(*as_hooks(made, made.values[:1]), cwd=work)
    made.write(home)
    assert fill().events == 2
    again_nothing(fill, project)


def test_what_hooks_captured_and_was_deleted_since_is_not_told_again(
    work: Path, home: Path, project: Project, fill: Fill
) -> None:
    made = habits(1, work)
    hook(*as_hooks(made, made.values), cwd=work)
    first = Path(paths.spool(project.id)) / "000001.jsonl"
    hook(*as_hooks(habits(2, work), habits(2, work).values), cwd=work)
    half = first.read_bytes().splitlines(keepends=True)
    here = [line for line in half if made.name.encode() in line]
    first.write_bytes(b"".join(here))
    first.with_name("000002.jsonl").write_bytes(b"".join(line for line in half if line not in here))
    cursor = {segment.name: segment.size for segment in reader.segments(project.id)}
    reader.expire(project.id, cursor, NOW - timedelta(days=31))
    assert reader.expire(project.id, cursor, NOW) == ["000001.jsonl"]
    made.run("make later").write(home)
    made.values[-1]["timestamp"] = made.values[-2]["timestamp"] = "2026-11-01T00:00:00Z"
    made.write(home)
    assert fill().events == 1


# --- whatever a file holds


@pytest.mark.parametrize("sample", [one for one in SAMPLES if one.tier == 1], ids=lambda one: one.kind)
def test_no_secret_of_a_transcript_reaches_the_spool(
    sample: Any, work: Path, home: Path, project: Project, fill: Fill
) -> None:
    made = Transcript(1, work).says(sample.text).run(sample.text).run("env", error=sample.text)
    made.tool("Read", {"file_path": "a"}, text=sample.text).write(home)
    fill()
    kept = b"".join(path.read_bytes() for path in Path(paths.spool(project.id)).glob("*.jsonl")).decode()
    assert "tool_failed" in kept
    for secret in sample.secrets:
        assert not any(part in kept for part in (secret, *fragments(secret)))


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
KEYS = (
    "type message uuid timestamp sessionId cwd isSidechain toolUseResult payload event tool session input output raw"
    " sessionID args ts prompt project_id origin agentId content"
).split()
WORDS = (
    "user assistant session_meta response_item event_msg tool_start tool_complete parse_error tool prompt"
    " tool.execute.before tool.execute.after function_call message 2026-10-01T00:00:00Z 9999-12-31T23:59:59-23:00"
).split()
ODD = st.dictionaries(st.sampled_from(KEYS), VALUES | st.sampled_from(WORDS), max_size=12)


@given(values=st.lists(ODD, min_size=1, max_size=12))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
def test_no_line_however_odd_makes_it_fail(values: list[Any], home: Path, work: Path, project: Project) -> None:
    file = home / "odd.jsonl"
    file.write_bytes(b"".join(json.dumps(value).encode() + b"\n" for value in values))
    for kind in readers.KINDS:
        odd = kind.Reader(Setting(tuple(values)), Account())
        for line in lines.read(file):
            for value in line.values:
                list(odd.feed(value, line.offset))
        list(odd.finish(over=True))
    run.backfill(run.plan(project, (), sources.given(file)), NOW, {})


def test_times_that_cannot_be_are_left_out(work: Path, home: Path, project: Project, fill: Fill) -> None:
    made = Transcript(1, work, at=START.replace(year=2030)).run("ls")
    made.write(home)
    nowhen = Transcript(2, work).run("ls")
    for value in nowhen.values:
        del value["timestamp"]
    nowhen.write(home)
    summary = fill()
    assert summary.events == 0
    assert summary.left == {"events of a time to come": 1, "events without a time": 1}


def test_damaged_lines_are_told_by_file(work: Path, home: Path, project: Project, fill: Fill) -> None:
    made = habits(1, work)
    file = made.write(home)
    whole = made.lines
    file.write_bytes(b"".join([whole[0], whole[1][:40] + b"\n", b"\0" * 20 + b"\n", b"42\n", *whole[1:]]))
    summary = fill()
    assert summary.events == 13
    assert summary.damage == [(file, {"torn": 1, "nothing but NUL bytes": 1, "no object": 1})]
