"""The recordings are what a hook would have sent, hold no secret, and show each pattern often enough to be learned."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from gitinstinct import demo, shipped
from gitinstinct.harness.claude_code import CLAUDE_CODE

NOW = datetime(2026, 11, 29, 10, tzinfo=UTC)
FOLDER = Path("/tmp/demo/project")
RECORDINGS = {recording.project: recording for recording in demo.recordings()}
each = pytest.mark.parametrize("recording", RECORDINGS.values(), ids=list(RECORDINGS))

Payload = dict[str, Any]


def play(recording: demo.Recording) -> list[Payload]:
    return list(demo.payloads(recording, FOLDER, NOW))


def steps(recording: demo.Recording) -> Iterator[tuple[str, str, str]]:
    """(session, what, text): prompts, and tool calls when they are over; `failed` with the error's text behind it."""
    for payload in play(recording):
        session, given = payload["session_id"], payload.get("tool_input", {})
        text = given.get("command") or given.get("file_path") or ""
        match payload["hook_event_name"]:
            case "UserPromptSubmit":
                yield session, "prompt", payload["prompt"]
            case "PostToolUse" if "agent_id" not in payload:
                yield session, payload["tool_name"], text
            case "PostToolUseFailure":
                yield session, "failed", f"{text}\n{payload['error']}"


def test_there_are_two_projects_of_different_kinds() -> None:
    assert list(RECORDINGS) == ["orders-api", "storefront"]
    assert len({recording.remote for recording in RECORDINGS.values()}) == 2


@each
def test_every_line_is_a_payload_of_a_registered_event(recording: demo.Recording) -> None:
    needed = {
        "UserPromptSubmit": {"prompt"},
        "PreToolUse": {"tool_name", "tool_input", "tool_use_id"},
        "PostToolUse": {"tool_name", "tool_input", "tool_use_id", "tool_response"},
        "PostToolUseFailure": {"tool_name", "tool_input", "tool_use_id", "error"},
        "PermissionDenied": {"tool_name", "tool_input", "tool_use_id", "reason"},
        "SessionStart": {"source"},
        "SessionEnd": {"reason"},
    }
    for payload in play(recording):
        assert payload["hook_event_name"] in CLAUDE_CODE.events
        assert {"session_id", "transcript_path", "cwd", "timestamp"} <= set(payload)
        assert needed.get(payload["hook_event_name"], set()) <= set(payload)
        assert not {"session", "offset"} & set(payload)


@each
def test_it_happened_in_the_last_days_in_order(recording: demo.Recording) -> None:
    times = [datetime.fromisoformat(payload["timestamp"]) for payload in play(recording)]
    assert times == sorted(times)
    assert NOW - timedelta(days=7) < times[0] < NOW - timedelta(days=5)
    assert NOW - timedelta(hours=8) < times[-1] < NOW


@each
def test_sessions_are_whole_and_do_not_interleave(recording: demo.Recording) -> None:
    played = [[json.loads(line) for line in batch.splitlines()] for batch in demo.batches(recording, FOLDER, NOW)]
    assert [payload for session in played for payload in session] == play(recording)
    assert 5 <= len(played) <= 6
    assert len({session[0]["session_id"] for session in played}) == len(played)
    for session in played:
        kinds = [payload["hook_event_name"] for payload in session]
        assert (kinds[0], kinds[-1]) == ("SessionStart", "SessionEnd")
        assert (kinds.count("SessionStart"), kinds.count("SessionEnd")) == (1, 1)


@each
def test_every_tool_call_begins_once_and_ends_once(recording: demo.Recording) -> None:
    events = play(recording)
    begun = Counter(payload["tool_use_id"] for payload in events if payload["hook_event_name"] == "PreToolUse")
    over = Counter(
        payload["tool_use_id"]
        for payload in events
        if payload["hook_event_name"] != "PreToolUse" and "tool_use_id" in payload
    )
    assert begun == over
    assert set(begun.values()) == {1}


@each
def test_places_and_secrets_are_filled_in_and_none_stands_in_the_file(recording: demo.Recording) -> None:
    played = json.dumps(play(recording))
    assert "{root}" not in played
    assert "{secret}" not in played
    assert str(FOLDER) in played
    raw = (shipped.templates() / "demo" / f"{recording.project}.jsonl").read_text(encoding="utf-8")
    assert "{secret}" in raw
    assert not re.search(r"/home/|/Users/|[A-Z]:\\\\", raw)
    assert not re.findall(r"[A-Za-z0-9+=]{20,}", raw)


@each
def test_ordinary_life_is_in_it(recording: demo.Recording) -> None:
    kinds = {what for _, what, _ in steps(recording)}
    assert {"prompt", "failed", "Bash", "Edit", "Write", "Read"} <= kinds


def test_a_subagent_a_refusal_and_an_interruption_are_in_it() -> None:
    events = [payload for recording in RECORDINGS.values() for payload in play(recording)]
    assert [payload for payload in events if payload.get("agent_id")]
    assert [payload for payload in events if payload["hook_event_name"] == "PermissionDenied"]
    assert [payload for payload in events if payload.get("is_interrupt")]


CORRECTIONS = [("orders-api", "pip", "uv"), ("storefront", "npm", "pnpm")]


@pytest.mark.parametrize(("project", "wrong", "right"), CORRECTIONS)
def test_a_correction_recurs_in_three_sessions_and_is_followed(project: str, wrong: str, right: str) -> None:
    seen = list(steps(RECORDINGS[project]))
    corrected = set()
    for (session, what, did), (_, _, said), (_, _, then) in zip(seen, seen[1:], seen[2:], strict=False):
        words = set(re.findall(r"[\w-]+", said))
        if what == "Bash" and did.startswith(wrong + " ") and {wrong, right} <= words and then.startswith(right + " "):
            corrected.add(session)
    assert len(corrected) >= 3


ERRORS = [
    ("orders-api", "uv run alembic upgrade head", "OperationalError", "docker compose up -d postgres"),
    ("storefront", "pnpm tsc --noEmit", "TS2307", "pnpm run codegen"),
]


@pytest.mark.parametrize(("project", "command", "error", "fix"), ERRORS)
def test_an_error_is_mended_the_same_way_three_times(project: str, command: str, error: str, fix: str) -> None:
    seen = list(steps(RECORDINGS[project]))
    times = [
        failed
        for (_, what, failed), (_, _, then), (_, _, again) in zip(seen, seen[1:], seen[2:], strict=False)
        if what == "failed" and failed.startswith(command) and error in failed and (then, again) == (fix, command)
    ]
    assert len(times) >= 3


WORKFLOWS = [
    ("orders-api", ".py", ["uv run ruff format .", "uv run pytest -q"]),
    ("storefront", ".tsx", ["pnpm lint --fix", "pnpm vitest run"]),
]


@pytest.mark.parametrize(("project", "kind", "commands"), WORKFLOWS)
def test_a_workflow_recurs_thrice_at_once_and_then_in_every_session(
    project: str, kind: str, commands: list[str]
) -> None:
    waiting: dict[str, list[str]] = {}
    times: Counter[str] = Counter()
    for session, what, text in steps(RECORDINGS[project]):
        if what == "Edit" and text.endswith(kind):
            waiting[session] = list(commands)
        elif waiting.get(session) and text == waiting[session][0]:
            waiting[session].pop(0)
            times[session] += not waiting[session]
    assert next(iter(times.values())) >= 3
    assert len(times) == len({session for session, _, _ in steps(RECORDINGS[project])})


@pytest.mark.parametrize(("project", "program"), [("orders-api", "rg"), ("storefront", "gh")])
def test_a_preference_shows_in_eight_different_uses_and_three_sessions(project: str, program: str) -> None:
    uses = {
        (session, text)
        for session, what, text in steps(RECORDINGS[project])
        if what == "Bash" and text.startswith(program + " ")
    }
    assert len({text for _, text in uses}) >= 8
    assert len({session for session, _ in uses}) >= 3


def test_one_workflow_is_common_to_both_projects() -> None:
    for recording in RECORDINGS.values():
        pushes = {session for session, _, text in steps(recording) if text == "git push --force-with-lease"}
        assert len(pushes) >= 3


def test_prepare_writes_the_projects_and_hands_them_over(tmp_path: Path) -> None:
    made: list[tuple[Path, str]] = []
    prepared = demo.prepare(tmp_path, lambda folder, remote: made.append((folder, remote)))
    assert [(folder, recording.remote) for recording, folder in prepared] == made
    for recording, folder in prepared:
        written = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
        assert written == set(recording.files)
