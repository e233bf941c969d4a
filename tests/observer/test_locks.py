"""Locks that the system frees, and notes that decide nothing."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gitinstinct import paths
from gitinstinct.observer import locks

NOW = datetime(2026, 11, 29, 10, tzinfo=UTC)


def note() -> Path:
    return Path(paths.lock("x")).with_suffix(".owner")


@contextmanager
def another_process() -> Iterator[int]:
    """Another process holds the lock; its number."""
    begin, ready = os.pipe()
    if (pid := os.fork()) == 0:
        with locks.held("x", "something", NOW):
            os.write(ready, b".")
            signal.pause()
    assert os.read(begin, 1) == b"."
    try:
        yield pid
    finally:
        os.close(begin)
        os.close(ready)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def test_who_holds_it_is_told() -> None:
    with locks.held("x", "something", NOW) as owner:
        assert owner is not None
        assert (owner.what, owner.pid, owner.since) == ("something", os.getpid(), NOW.isoformat())
        assert locks.owner("x") == owner
        assert locks.is_held("x")
        assert locks.busy("x") == f"something is at work, process {os.getpid()} since 2026-11-29 10:00"
        assert note().stat().st_mode & 0o777 == 0o600
    assert not locks.is_held("x")
    assert locks.busy("x") == ""
    assert locks.owner("x") is None


def test_only_one_holds_it() -> None:
    with another_process() as pid:
        with locks.held("x", "more", NOW, seconds=0) as owner:
            assert owner is None
        found = locks.owner("x")
        assert found is not None
        assert found.pid == pid, "the one that waited in vain has not touched the note"


def test_a_killed_process_keeps_nobody_out() -> None:
    with another_process():
        pass
    assert note().exists()
    assert not locks.is_held("x")
    with locks.held("x", "more", NOW, seconds=0) as owner:
        assert owner is not None
        assert locks.owner("x") == owner


def test_looking_keeps_nobody_out() -> None:
    """Whoever looks takes the lock for an instant where an old note lies; the next holder waits that long."""
    with another_process():
        pass
    looker = locks._acquired("x", 0)
    assert looker is not None
    pid = os.fork()
    if pid == 0:
        with locks.held("x", "more", NOW) as owner:
            os._exit(0 if owner else 1)
    looker.release()
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def test_one_who_looks_takes_no_other_for_a_holder(monkeypatch: pytest.MonkeyPatch) -> None:
    with another_process():
        pass
    monkeypatch.setattr(locks, "_GLANCE", 20.0)
    looker = locks._acquired("x", 0)
    assert looker is not None
    begin, ready = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.write(ready, b".")
        os._exit(1 if locks.is_held("x") else 0)
    assert os.read(begin, 1) == b"."
    time.sleep(0.1)
    looker.release()
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


@pytest.mark.parametrize("text", ["", "{", "[]", "7", '{"what": 1}', '{"what": "x", "pid": "many"}', "\0" * 9])
def test_a_note_that_cannot_be_read_hides_nothing(text: str) -> None:
    with locks.held("x", "something", NOW):
        note().write_text(text)
        assert locks.owner("x") is None
        assert locks.is_held("x")
        assert locks.busy("x") == "another run is at work"


def test_a_time_that_is_none_is_told_as_such() -> None:
    with locks.held("x", "something", NOW):
        found = json.loads(note().read_text())
        note().write_text(json.dumps({**found, "since": "soon"}))
        assert locks.busy("x").endswith("since an unknown time")


def test_it_holds_without_room_for_the_note(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(place: str, text: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("gitinstinct.observer.whole.write", full)
    with locks.held("x", "something", NOW) as owner:
        assert owner is not None
        with locks.held("x", "more", NOW, seconds=0) as second:
            assert second is None


def test_anothers_note_is_left_alone() -> None:
    """The folder was removed and made anew under our feet."""
    with locks.held("x", "something", NOW):
        note().write_text(json.dumps({"what": "y", "host": "h", "pid": 1, "since": "", "token": "t"}))
    assert note().exists()
