"""What becomes of the recorded payloads, of broken ones, and of secrets in any field."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gitinstinct import paths
from gitinstinct.capture import hook, intake, observation, redact
from tests.capture import support
from tests.capture.support import call, claude, counts, kept, stored, tool_event
from tests.data.secret_samples import FIELDS, SAMPLES, body, carrier, fragments

EVENTS = {
    "session_start": range(1, 8),
    "prompt": [*range(8, 19), 102, 107, 108],
    "tool_start": [21, 60, 61],
    "tool_complete": [
        *range(22, 30),
        31,
        *range(37, 55),
        *range(56, 60),
        68,
        69,
        101,
        103,
        104,
        105,
        *range(109, 119),
        120,
    ],
    "tool_failed": [30, *range(32, 37), 55],
    "denied": [73],
    "stop": range(74, 79),
    "compact": range(79, 82),
    "session_end": range(83, 86),
    "unknown": [100, 106],
}
SKIPPED = {"event": [19, 20, 62, 70, 71, 72, 82, *range(86, 100)], "subagent": range(63, 68), "own-command": [119]}


@pytest.mark.parametrize(("event", "number"), [(event, number) for event, found in EVENTS.items() for number in found])
def test_every_recorded_payload_becomes_its_event(event: str, number: int) -> None:
    call(claude(number))
    assert [record["event"] for record in kept()] == [event]


@pytest.mark.parametrize(("why", "number"), [(why, number) for why, found in SKIPPED.items() for number in found])
def test_what_is_of_no_use_is_left_out_and_counted(why: str, number: int) -> None:
    call(claude(number))
    assert (kept(), counts()) == ([], {f"skipped.{why}": 1})


def test_every_recorded_payload_is_accounted_for() -> None:
    told = [number for found in (*EVENTS.values(), *SKIPPED.values()) for number in found]
    assert sorted(told) == list(range(1, 121))


def one(raw: bytes, **options: Any) -> dict[str, Any]:
    call(raw, **options)
    (record,) = kept()
    return record


@pytest.mark.parametrize(
    ("number", "field", "value"),
    [
        (7, "source", "teleport"),
        (14, "prompt", ""),
        (17, "source", "system"),
        (18, "source", "loop_wakeup"),
        (25, "interrupted", True),
        (34, "interrupted", True),
        (38, "edited", True),
        (53, "output", "graph is empty"),
        (58, "output", []),
        (73, "error", "[Data Exfiltration]"),
        (77, "error", "rate_limit"),
        (84, "source", "clear"),
        (100, "native", "PostDeploy"),
        (104, "output", True),
        (104, "session", "12345"),
        (105, "input", {"command": "ls"}),
        (107, "session", "x-56bfa7338a2dfd1d"),
        (110, "cwd", "\\\\server\\share\\demo"),
        (111, "output", {"stdout": "\ufffd broken \ufffd", "stderr": "", "interrupted": False}),
        (112, "tool", "Read"),
        (114, "input", {"command": "x", "n": 123456789012345678901234567890, "f": None}),
    ],
)
def test_what_is_kept_of_a_payload(number: int, field: str, value: Any) -> None:
    assert one(claude(number))[field] == value


def test_a_record_holds_nothing_but_what_is_named() -> None:
    assert one(claude(22)) == {
        "v": 1,
        "at": "2026-11-29T10:00:00.000Z",
        "harness": "claude-code",
        "project": "global",
        "event": "tool_complete",
        "session": "5d0c1e72-8f4b-4a7e-9b1d-2c6f7a3e9011",
        "id": "toolu_01Demo0001AbCdEfGhIjKl",
        "cwd": "/home/dev/work/demo-app",
        "tool": "Bash",
        "input": {
            "command": "uv run pytest -q tests/test_upload.py",
            "description": "Run upload tests",
            "timeout": 120000,
        },
        "output": {
            "stdout": "....\n4 passed in 0.42s",
            "stderr": "",
            "interrupted": False,
            "isImage": False,
            "noOutputExpected": False,
        },
    }


def test_qoder_is_read_like_claude() -> None:
    call(*support.lines("qoder.jsonl"), harness="qoder")
    assert [record["event"] for record in kept()] == (
        "session_start prompt tool_start tool_complete tool_complete tool_failed tool_complete stop session_end".split()
    )
    assert counts() == {"skipped.subagent": 1}


@pytest.mark.parametrize(
    ("given", "output"),
    [
        ({"tool_response": None, "tool_output": "old"}, "old"),
        ({"tool_response": "", "output": "old"}, ""),
        ({"output": {"a": 1}}, {"a": 1}),
        ({"tool_response": [{"type": "text", "text": "it's ok"}]}, [{"type": "text", "text": "it's ok"}]),
    ],
)
def test_null_falls_back_to_older_names_and_empty_is_a_value(given: dict[str, Any], output: Any) -> None:
    assert one(tool_event(**given))["output"] == output


@pytest.mark.parametrize(
    ("argument", "event"),
    [
        ("", "unknown"),
        ("PreToolUse", "tool_start"),
        ("pre", "tool_start"),
        ("post", "tool_complete"),
        ("denied", "denied"),
        ("x", "unknown"),
    ],
)
def test_the_event_comes_from_the_call_and_is_never_guessed(argument: str, event: str) -> None:
    assert one(claude(106), event=argument)["event"] == event


def test_the_words_of_the_call_come_before_the_payload() -> None:
    assert one(claude(22), event="PreToolUse")["event"] == "tool_start"


# --- broken payloads

KEPT = "bom crlf invalid-utf8 latin1 no-newline raw-control raw-nul trailing-garbage two-objects".split()
LOST = {"empty": "empty", "whitespace": "empty", "not-json": "json", "single-quotes": "json", "truncated": "json"}
LOST |= {"top-level-array": "object", "top-level-string": "object", "literal-null": "object", "utf16le": "encoding"}


@pytest.mark.parametrize("name", KEPT)
def test_a_damaged_payload_is_kept_where_it_can_be(name: str) -> None:
    record = one((support.PAYLOADS / "malformed" / f"{name}.bin").read_bytes())
    assert record["prompt"] in ("h\u00e9llo", "h\ufffdllo", "h\ufffd\ufffdllo")
    assert stored().isascii()
    assert counts() == ({"lost.trailing": 1} if name == "two-objects" else {})


@pytest.mark.parametrize("name", LOST)
def test_a_lost_payload_is_counted_and_nothing_of_it_is_stored(name: str) -> None:
    call((support.PAYLOADS / "malformed" / f"{name}.bin").read_bytes())
    assert (kept(), counts()) == ([], {f"lost.{LOST[name]}": 1})


def test_the_malformed_inputs_are_all_told() -> None:
    assert sorted([*KEPT, *LOST]) == sorted(path.stem for path in (support.PAYLOADS / "malformed").iterdir())


def test_nesting_does_no_harm() -> None:
    deep = json.loads("[" * 90 + "1" + "]" * 90)
    assert one(tool_event(tool_input={"n": deep}))["input"] == {"n": deep}


@pytest.mark.parametrize(("depth", "why"), [(400, ""), (10_000, "nesting"), (200_000, "nesting")])
def test_nesting_beyond_all_use_is_cut_off_or_counted(depth: int, why: str) -> None:
    raw = tool_event()[:-1] + b', "tool_input": {"n": ' + b"[" * depth + b"]" * depth + b"}}"
    record = one(raw)
    assert (record["event"], record["tool"]) == ("tool_complete", "Bash")
    assert counts() == ({f"lost.{why}": 1} if why else {})


def test_a_payload_beyond_the_cap_keeps_its_beginning() -> None:
    raw = tool_event(tool_response="x " * 100)[:-80]
    hook.run(["claude-code"], [intake.Payload(raw, dropped=5)], {})
    (record,) = kept()
    assert (record["tool"], record["cut"], "output" in record) == ("Bash", {"payload": 5}, False)


def test_an_unknown_harness_is_counted() -> None:
    assert call(claude(22), harness="no-such-agent") == ""
    assert (kept(), counts()) == ([], {"lost.harness": 1})


@pytest.mark.parametrize(
    ("harness", "answer"), [("claude-code", ""), ("qoder", ""), ("gemini", "{}"), ("cline", '{"cancel":false}')]
)
def test_the_silent_answer_of_every_harness(harness: str, answer: str) -> None:
    assert call(claude(1), harness=harness) == answer


# --- redaction of all that is stored


@pytest.mark.parametrize("field", FIELDS)
def test_no_field_lets_a_secret_through(field: str) -> None:
    for sample in SAMPLES:
        if sample.tier == 1:
            call(json.dumps(carrier(sample.text, field)).encode())
    lines = [json.dumps(record, ensure_ascii=False) for record in kept()]
    secrets = {
        piece
        for sample in SAMPLES
        if sample.tier == 1
        for secret in sample.secrets
        for piece in (secret, *fragments(secret))
    }
    assert {secret for secret in secrets if any(secret in line for line in lines)} == set()


@pytest.mark.parametrize("number", [116])
def test_the_recorded_secrets_are_gone(number: int) -> None:
    text = json.dumps(one(claude(number)))
    for secret in ("not-a-real-token-000000", "fake.fake.fake", "fakepass", "not-a-real-password"):
        assert secret not in text
    assert "API_TOKEN=" in text
    assert "example.invalid/x" in text


@pytest.mark.parametrize("offset", [-30, -2, -1, 0, 1, 30])
def test_no_piece_of_a_secret_survives_at_the_cut(offset: int) -> None:
    secret = "gl" + "pat-" + body("cut", 30)
    for start in (5_000, 5_000 + 4_096):
        call(tool_event(tool_response="y " * ((start + offset - len(secret)) // 2) + secret + " z" * 4_000))
    pieces = [secret[at : at + 8] for at in range(0, len(secret) - 8, 4)]
    assert [piece for piece in pieces if piece in stored()] == []


def test_secrets_that_shrink_the_text_do_not_draw_a_torn_one_into_it() -> None:
    token = "gl" + "pat-" + body("shrink", 3_000)
    secret = "gl" + "pat-" + body("torn", 60)
    text = (token + " ") * 3
    padding = "y" * (5_000 + 4_096 - len(text) - 10)
    call(tool_event(tool_response=text + padding + " " + secret))
    assert secret[6:14] not in stored()


def test_an_error_in_the_redactor_keeps_the_event_without_its_content(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> Any:
        raise RuntimeError("a bug")

    monkeypatch.setattr(redact, "redact_value", broken)
    record = one(claude(22))
    assert set(record) == {"v", "at", "harness", "project", "event"}
    assert counts() == {"lost.redaction": 1}


def test_values_of_the_environment_are_known() -> None:
    odd = "zq9" + body("env", 12)
    one(tool_event(tool_response=f"deploying with {odd}"), env={"CI_DEPLOY_TOKEN": odd})
    assert odd not in stored()


def test_images_are_kept_as_their_size() -> None:
    data = body("image", 40_000)
    record = one(
        tool_event(tool_response=[{"type": "image", "source": {"data": data, "url": "data:image/png;base64," + data}}])
    )
    assert record["output"][0]["source"] == {"data": "[blob 30000 bytes]", "url": "[blob 30016 bytes]"}


# --- what is left out, and when


@pytest.mark.parametrize(
    ("env", "why"), [({"GITINSTINCT_OFF": "1"}, "off"), ({"GITINSTINCT_OBSERVER": "1"}, "observer")]
)
def test_switches_of_the_environment(env: dict[str, str], why: str) -> None:
    call(claude(22), env=env)
    assert (kept(), counts()) == ([], {f"skipped.{why}": 1})


def test_our_own_folders_are_not_watched() -> None:
    call(tool_event(cwd=paths.store("a1b2c3d4e5f6")), tool_event(cwd=paths.root("state")))
    assert (kept(), counts()) == ([], {"skipped.own-folder": 2})


def test_a_replay_carries_its_own_times() -> None:
    events = [
        json.dumps(json.loads(tool_event()) | {"timestamp": at}).encode()
        for at in ("2026-01-02T03:04:05.678+01:00", "soon")
    ]
    hook.run(["claude-code", "--batch"], [intake.Payload(event) for event in events], {})
    assert [record["at"] for record in kept()] == ["2026-01-02T02:04:05.678Z"]
    assert counts() == {"lost.time": 1}


def test_the_stamp_of_a_time_has_milliseconds() -> None:
    assert observation.stamp(1_700_000_000.9996) == "2023-11-14T22:13:20.999Z"
    assert observation.stamp(-0.25) == "1969-12-31T23:59:59.750Z"
