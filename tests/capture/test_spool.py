"""Lines go in whole and private; what could not be stored leaves a trace; what is torn harms nothing else."""

from __future__ import annotations

import errno
import json
import os
import stat
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from gitinstinct import clock, paths
from gitinstinct.capture import gone, project, reader, spool
from gitinstinct.capture.doubles import Seen

ID = "a1b2c3d4e5f6"
NOW = datetime(2026, 11, 29, 10, tzinfo=UTC)


def line(number: int, **fields: Any) -> str:
    return json.dumps({"v": 1, "at": "2026-11-29T10:00:00.000Z", "event": "stop", "session": f"s{number}"} | fields)


def segment(number: int = 1) -> Path:
    return Path(paths.spool(ID)) / f"{number:06d}.jsonl"


def sessions(reading: reader.Reading) -> list[str]:
    return [record["session"] for _, record in reading]


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int], None]]:
    """A disk that takes so many bytes of each write, and then none."""
    write = os.write

    def take(room: int) -> None:
        def short(descriptor: int, data: bytes) -> int:
            if room == 0:
                raise OSError(errno.ENOSPC, "No space left on device")
            return write(descriptor, data[:room])

        monkeypatch.setattr(os, "write", short)

    yield take
    monkeypatch.undo()


def test_lines_come_back_in_order_with_their_places() -> None:
    for number in range(3):
        assert spool.append(ID, line(number))
    found = list(reader.read(ID))
    size = len(line(0)) + 1
    assert [position for position, _ in found] == [
        ("000001.jsonl", 0),
        ("000001.jsonl", size),
        ("000001.jsonl", 2 * size),
    ]
    assert [position.id for position, _ in found] == ["1:0", f"1:{size}", f"1:{2 * size}"]


def test_a_full_segment_is_followed_by_the_next_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "SEGMENT_BYTES", 150)
    for number in range(5):
        spool.append(ID, line(number))
    assert [found.name for found in reader.segments(ID)] == ["000001.jsonl", "000002.jsonl", "000003.jsonl"]
    assert sessions(reader.read(ID)) == [f"s{number}" for number in range(5)]


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077, 0o277])
def test_nobody_else_may_read(umask: int) -> None:
    before = os.umask(umask)
    try:
        spool.append(ID, line(1))
        spool.count("lost.json")
        spool.introduce(project.Project(ID, "shop"))
    finally:
        os.umask(before)
    state = Path(paths.root("state"))
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in [state, *state.rglob("*")]}
    assert {name: mode for name, mode in modes.items() if mode not in (0o700, 0o600)} == {}


def test_wrong_modes_are_put_right() -> None:
    spool.append(ID, line(1))
    segment().chmod(0o644)
    segment().parent.chmod(0o755)
    spool.append(ID, line(2))
    assert stat.S_IMODE(segment().stat().st_mode) == 0o600
    assert stat.S_IMODE(segment().parent.stat().st_mode) == 0o700


@pytest.mark.parametrize("room", [0, 1, 20])
def test_a_full_disk_loses_at_most_the_line_and_leaves_a_trace(full: Callable[[int], None], room: int) -> None:
    spool.append(ID, line(1))
    assert reader.counts() == []
    full(room)
    assert not spool.append(ID, line(2))
    (lost,) = reader.counts()
    assert lost.reason == "lost.disk"
    assert lost.last > NOW - timedelta(days=36_500)


@pytest.mark.parametrize("torn", [b'{"v": 1, "at', b'{"v": 1}', b"\0" * 4_096])
def test_a_torn_line_harms_no_other(torn: bytes) -> None:
    spool.append(ID, line(1))
    with segment().open("ab") as file:
        file.write(torn)
    spool.append(ID, line(2))
    reading = reader.read(ID)
    assert sessions(reading) == ["s1", "s2"]
    assert [(problem.segment, problem.line) for problem in reading.problems] == [("000001.jsonl", 2)]


def test_a_state_that_is_a_file_is_no_reason_to_raise(home: Path) -> None:
    (home / "gitinstinct").write_text("")
    assert not spool.append(ID, line(1))
    spool.introduce(project.Project(ID, "shop"))
    spool.count("lost.json")
    assert (reader.segments(ID), reader.projects(), reader.counts()) == ([], [], [])


def test_counters_count() -> None:
    for _ in range(3):
        spool.count("skipped.tool")
    spool.count("lost.json")
    assert [(found.reason, found.number) for found in reader.counts()] == [("lost.json", 1), ("skipped.tool", 3)]


def test_a_project_is_introduced_once() -> None:
    spool.append(ID, line(1))
    spool.introduce(project.Project(ID, "shop", "/work/shop", "h/shop"))
    spool.introduce(project.Project(ID, "other"))
    assert reader.about(ID) == {"id": ID, "name": "shop", "root": "/work/shop", "remote": "h/shop"}
    assert reader.projects() == [ID]
    (Path(paths.spool(ID)) / "about.json").write_text("{")
    assert reader.about(ID) == {}


# --- reading


def test_reading_goes_on_where_it_stopped_and_waits_for_whole_lines() -> None:
    spool.append(ID, line(1))
    spool.append(ID, line(2))
    reading = reader.read(ID)
    assert next(iter(reading))[1]["session"] == "s1"
    rest = reader.read(ID, reading.cursor)
    assert sessions(rest) == ["s2"]
    with segment().open("a") as file:
        file.write(line(3))
    half = reader.read(ID, rest.cursor)
    assert sessions(half) == []
    with segment().open("a") as file:
        file.write("\n")
    assert sessions(reader.read(ID, half.cursor)) == ["s3"]


def test_a_cursor_behind_the_end_begins_again() -> None:
    spool.append(ID, line(1))
    assert sessions(reader.read(ID, {"000001.jsonl": 10_000})) == ["s1"]


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (b"hello\n", "is torn"),
        (b"[1]\n", "is torn"),
        (b'{"v": 1}\n', "is torn"),
        (b"\xff\xfe\n", "is torn"),
        (b"[" * 100_000 + b"\n", "is torn"),
        (b"\0\0\0\n", "holds nothing but NUL bytes"),
        (b"x" * 1_200_000 + b"\n", "is too long"),
    ],
)
def test_what_is_no_record_is_named_and_the_rest_goes_on(bad: bytes, reason: str) -> None:
    spool.append(ID, line(1))
    with segment().open("ab") as file:
        file.write(b"\n" + bad)
    spool.append(ID, line(2))
    reading = reader.read(ID)
    assert sessions(reading) == ["s1", "s2"]
    assert reading.problems == [reader.Problem("000001.jsonl", 3, reason)]
    assert reading.cursor == {"000001.jsonl": segment().stat().st_size}


def test_problems_are_listed_only_so_far() -> None:
    segment().parent.mkdir(parents=True)
    segment().write_text("x\n" * 500)
    reading = reader.read(ID)
    assert list(reading) == []
    assert (len(reading.problems), reading.broken) == (100, 500)


def test_a_segment_that_goes_away_while_reading_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    spool.append(ID, line(1))
    there = reader.segments(ID)
    segment().unlink()
    monkeypatch.setattr(reader, "segments", lambda _: there)
    assert list(reader.read(ID)) == []


# --- doubles


@pytest.mark.parametrize(
    ("first", "second", "again"),
    [
        ({"id": "t1"}, {"id": "t1", "at": "2026-11-29T11:00:00.000Z"}, True),
        ({"id": "t1"}, {"id": "t1", "event": "tool_start"}, False),
        ({"id": "t1"}, {"id": "t1", "harness": "qoder"}, False),
        ({"id": "t1"}, {"id": "t2"}, False),
        ({"prompt": "x"}, {"prompt": "x", "at": "2026-11-29T10:00:01.900Z"}, True),
        ({"prompt": "x"}, {"prompt": "x", "at": "2026-11-29T10:00:02.100Z"}, False),
        ({"prompt": "x"}, {"prompt": "y"}, False),
        ({"prompt": "x"}, {"prompt": "x", "session": "s2"}, False),
    ],
)
def test_which_events_are_the_same(first: dict[str, Any], second: dict[str, Any], again: bool) -> None:
    seen = Seen()
    assert not seen.again(json.loads(line(1, **first)))
    assert seen.again(json.loads(line(1, **second))) is again


def test_doubles_are_dropped_and_counted_also_across_two_readings() -> None:
    for _ in range(3):
        spool.append(ID, line(1, id="t1"))
    reading = reader.read(ID)
    assert sessions(reading) == ["s1"]
    assert reading.doubles == 2
    spool.append(ID, line(1, id="t1"))
    again = reader.read(ID, reading.cursor)
    assert sessions(again) == []
    assert again.doubles == 1


# --- expiry


def test_a_segment_goes_thirty_days_after_the_cursor_has_passed_it() -> None:
    for number in (1, 2, 3):
        segment(number).parent.mkdir(parents=True, exist_ok=True)
        segment(number).write_text(line(number) + "\n")
    size = segment().stat().st_size
    passed = {"000001.jsonl": size, "000002.jsonl": size - 1, "000003.jsonl": size}
    assert reader.expire(ID, passed, NOW) == []
    assert reader.expire(ID, passed, NOW + timedelta(days=29, hours=23)) == []
    assert reader.expire(ID, passed, NOW - timedelta(days=20_000)) == []
    assert reader.expire(ID, passed, NOW + timedelta(days=30)) == ["000001.jsonl"]
    assert [one.name for one in reader.segments(ID)] == ["000002.jsonl", "000003.jsonl"]


def test_of_what_goes_the_sessions_and_their_time_are_noted() -> None:
    records = [line(1, session="a"), line(2, session="b"), line(3, session="a", past="transcript:x")]
    for number in (1, 2):
        segment(number).parent.mkdir(parents=True, exist_ok=True)
        segment(number).write_text("".join(record + "\n" for record in records))
    passed = {"000001.jsonl": segment().stat().st_size}
    reader.expire(ID, passed, NOW)
    reader.expire(ID, passed, NOW + timedelta(days=31))
    first = json.loads(records[0])
    assert [(session, begin, end) for _, session, begin, end in gone.sessions(ID)] == [
        (name, clock.parse(first["at"]), clock.parse(first["at"])) for name in ("a", "b")
    ]
    with (segment().parent / gone.NAME).open("a") as file:
        file.write("not json\n[1]\n")
    assert len(list(gone.sessions(ID))) == 2


def test_a_lost_cursor_keeps_what_it_had_passed() -> None:
    for number in (1, 2):
        segment(number).parent.mkdir(parents=True, exist_ok=True)
        segment(number).write_text(line(number) + "\n")
    reader.expire(ID, {"000001.jsonl": segment().stat().st_size}, NOW)
    assert reader.expire(ID, {}, NOW + timedelta(days=60)) == []
    assert reader.expire(ID, {"000001.jsonl": segment().stat().st_size}, NOW + timedelta(days=60)) == []
