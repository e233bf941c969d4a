"""The log of who would get what: seeded, written before the text goes out, whole after every accident."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitinstinct import config, paths
from gitinstinct.measure import assigned, assignment, files, log, switch
from gitinstinct.measure.assignment import withheld
from tests.support import measuring
from tests.support.stores import PROJECT
from tests.support.work import ROOT, in_child

SEED = bytes(range(32))
SESSION = log.Session(PROJECT, "s1", "2026-11-29T10:00:00.000Z", "claude-code", "m1")
ONE = log.Eligible("use-uv", "0123456789abcdef", "project", True)


def path() -> Path:
    return Path(paths.measure(f"{PROJECT}.jsonl"))


# --- who goes without


def test_the_hash_is_what_is_documented() -> None:
    import hashlib

    digest = hashlib.sha256(b"\0".join([SEED, b"s1", b"use-uv", b"abcd"])).hexdigest()
    share = int(digest, 16) / 2**256
    assert withheld(SEED, "s1", "use-uv", "abcd", share + 1e-9)
    assert not withheld(SEED, "s1", "use-uv", "abcd", share - 1e-9)


@given(st.text(max_size=8), st.text(max_size=8), st.floats(0, 1), st.floats(0, 1))
def test_who_goes_without_at_a_share_does_at_a_larger_one(session: str, name: str, one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert withheld(SEED, session, name, "t", low) <= withheld(SEED, session, name, "t", high)
    assert not withheld(SEED, session, name, "t", 0.0)


def test_a_third_of_the_sessions_each_by_itself() -> None:
    draws = [[withheld(SEED, f"s{n}", name, "t", 0.33) for name in ("a", "b")] for n in range(3_000)]
    for place in (0, 1):
        assert 0.30 < sum(draw[place] for draw in draws) / 3_000 < 0.36
    assert 0.09 < sum(all(draw) for draw in draws) / 3_000 < 0.13


def test_the_seed_is_made_once_and_private() -> None:
    made = assignment.seed()
    assert made is not None
    assert len(made) == 32
    assert assignment.seed() == made
    place = Path(assignment.place())
    assert place.read_bytes() == made
    assert [item.name for item in place.parent.iterdir()] == ["seed"]
    if os.name == "posix":
        assert place.stat().st_mode & 0o777 == 0o600
        assert place.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("damaged", [b"", b"short", b"x" * 33])
def test_without_a_seed_nothing_is_withheld_or_logged(damaged: bytes) -> None:
    Path(assignment.place()).parent.mkdir(parents=True)
    Path(assignment.place()).write_bytes(damaged)
    assert assignment.seed() is None
    assert log.eligible(SESSION, [ONE], 0.5) == frozenset()
    assert not path().exists()


# --- on and off


def test_it_is_off_until_it_is_asked_for() -> None:
    assert switch.share() == 0.0
    switch.turn_on(33, "2026-11-29T10:00:00+00:00")
    assert switch.share() == 0.33
    assert switch.turn_off()
    assert not switch.turn_off()
    assert switch.share() == 0.0


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"share":0}', '{"share":99}', '{"share":"33"}', '{"share":null}', "\xff"]
)
def test_a_switch_that_cannot_be_read_is_off(text: str) -> None:
    files.replace(paths.measure("on"), text.encode("latin-1"))
    assert switch.share() == 0.0


def test_the_settings_keep_it_off() -> None:
    switch.turn_on(33, "2026-11-29T10:00:00+00:00")
    config.compile_for_hook(config.load("measure: {enabled: false}"))
    assert switch.share() == 0.0
    config.compile_for_hook(config.load(""))
    assert switch.share() == 0.33


# --- the log


def test_both_arms_are_logged_before_anything_is_withheld() -> None:
    items = [log.Eligible(f"i{number}", "0123456789abcdef", "project", True) for number in range(60)]
    without = log.eligible(SESSION, items, 0.5)
    assert 10 < len(without) < 50
    assert without == {item.id for item in items if log.goes_without(SESSION, item, 0.5)}
    lines = [json.loads(line) for line in path().read_text().splitlines()]
    assert [line["instinct"] for line in lines] == [item.id for item in items]
    assert {line["instinct"] for line in lines if line["arm"] == "withheld"} == without
    assert lines[0] == {
        "v": 1, "at": "2026-11-29T10:00:00.000Z", "session": "s1", "instinct": "i0", "text": "0123456789abcdef",
        "scope": "project", "model": "m1", "harness": "claude-code", "arm": lines[0]["arm"], "probation": True,
        "share": 0.5,
    }  # fmt: skip
    if os.name == "posix":
        assert path().stat().st_mode & 0o777 == 0o600


def test_a_session_that_asks_again_keeps_its_arm() -> None:
    items = [log.Eligible(f"i{number}", "0123456789abcdef", "project", True) for number in range(20)]
    assert log.eligible(SESSION, items, 0.33) == log.eligible(SESSION, items, 0.33)
    found = assigned.read(PROJECT)
    assert len(found.lines) == 20


def test_what_is_not_on_probation_is_logged_and_given() -> None:
    items = [log.Eligible(f"i{number}", "0123456789abcdef", "project", False) for number in range(20)]
    assert log.eligible(SESSION, items, 0.5) == frozenset()
    assert {line.withheld for line in assigned.read(PROJECT).lines} == {False}


@pytest.mark.parametrize("session", ["", None])
def test_without_a_session_nothing_is_withheld(session: str | None) -> None:
    nobody = log.Session(PROJECT, session or "", "2026-11-29T10:00:00.000Z", "claude-code")
    assert log.eligible(nobody, [ONE], 0.5) == frozenset()
    assert log.eligible(SESSION, [ONE], 0.0) == frozenset()
    assert log.eligible(SESSION, [], 0.5) == frozenset()
    assert not path().exists()


def test_what_cannot_be_logged_is_not_withheld() -> None:
    path().mkdir(parents=True)  # no file can be opened there
    items = [log.Eligible(f"i{number}", "0123456789abcdef", "project", True) for number in range(20)]
    assert log.eligible(SESSION, items, 0.5) == frozenset()


def test_of_a_session_the_first_line_counts() -> None:
    at = measuring.START
    lines = [
        measuring.line("s1", at, True),
        measuring.line("s1", at, False),
        measuring.line("s1", at, False, text="f" * 16),
    ]
    measuring.write_log(lines, PROJECT)
    [line] = assigned.read(PROJECT).lines
    assert line.withheld


@pytest.mark.parametrize(
    "change",
    [
        {"session": ""}, {"session": 7}, {"instinct": "Not An Id"}, {"text": "abc"}, {"at": "yesterday"},
        {"arm": "both"}, {"scope": "team"}, {"share": 0}, {"share": 2.0}, {"share": "0.33"}, {"share": float("nan")},
    ],
)  # fmt: skip
def test_a_line_that_says_nothing_is_counted(change: dict[str, object]) -> None:
    measuring.write_log([measuring.line("s1", measuring.START, True, **change)], PROJECT)
    assert assigned.read(PROJECT) == assigned.Log((), 1)


def test_torn_lines_cost_only_themselves() -> None:
    measuring.write_log([measuring.line("s1", measuring.START, True)], PROJECT)
    whole = path().read_bytes()
    path().write_bytes(whole + whole[: len(whole) // 2])  # a kill in the middle of a write
    log.eligible(log.Session(PROJECT, "s2", "2026-11-29T10:00:00Z", "claude-code"), [ONE], 0.33)
    with path().open("ab") as file:  # and one that lost its end, with a whole one behind it
        file.write(whole[:40] + whole.replace(b"s1", b"s3") + b"\x00\xff\n[]\n" + b"[" * 9_000 + b"\n")
    found = assigned.read(PROJECT)
    assert [line.session for line in found.lines] == ["s1", "s2", "s3"]
    assert found.broken == 5


def test_many_processes_append_at_once() -> None:
    def work() -> None:
        for number in range(100):
            session = log.Session(PROJECT, f"{os.getpid()}-{number}", "2026-11-29T10:00:00Z", "claude-code")
            log.eligible(session, [ONE, log.Eligible("other", "f" * 16, "global", True)], 0.33)

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda _: in_child(work), range(4))) == [0] * 4
    found = assigned.read(PROJECT)
    assert (len(found.lines), found.broken) == (800, 0)


def test_the_hook_s_part_needs_next_to_nothing() -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import gitinstinct.measure.log, gitinstinct.measure.switch;"
        "import gitinstinct.measure.verdicts; print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, str(ROOT)], capture_output=True, check=True, text=True
    )
    heavy = {"json", "hashlib", "re", "datetime", "pathlib", "dataclasses", "typing", "enum", "collections"}
    assert not heavy & set(done.stdout.split())
