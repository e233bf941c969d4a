"""Injection as agents get it: the hook as a process of its own, which has prepared what is not prepared yet."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

import pytest

from gitinstinct import paths
from gitinstinct.capture import reader
from gitinstinct.inject import begin, ready
from gitinstinct.store.store import Store
from tests.capture.support import process
from tests.inject.support import PROJECT, got, made, put

HEAVY = "re json subprocess site typer git yaml typing dataclasses collections pathlib contextlib hashlib".split()
UV = made("uv-not-pip", 80, "Use `uv add` instead of `pip`.", trigger="when installing a Python package")


def payload(folder: Path, event: str = "SessionStart", **fields: str) -> bytes:
    return json.dumps({"session_id": "s-1", "cwd": str(folder), "hook_event_name": event, **fields}).encode()


def prepared(kind: str = ready.WORDS) -> bool:
    """Whether it is in the cache, after a while at most."""
    for _ in range(1_500):
        if Path(ready.path(PROJECT, kind)).exists():
            return True
        time.sleep(0.02)
    return False


def test_the_first_session_has_it_prepared_and_the_next_one_starts_nothing(folder: Path, store: Store) -> None:
    put(store, UV)
    first = process(payload(folder, source="startup"), env={"GITINSTINCT_NOW": ""})
    assert (first.returncode, first.stderr) == (0, b"")
    assert prepared()
    start = payload(folder, source="clear", session_id="s-2")
    done = process(start, python=("-X", "importtime", "-I", "-S"), env={"GITINSTINCT_NOW": "", "PATH": ""})
    assert got(done.stdout.decode()) == ["uv-not-pip"]
    assert len(done.stdout.splitlines()) == 1
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.decode().splitlines()}
    assert "gitinstinct.inject.answer" in loaded
    assert loaded & set(HEAVY) == set()
    asked = payload(folder, "UserPromptSubmit", prompt="install the httpx package", session_id="s-3")
    done = process(asked, python=("-X", "importtime", "-I", "-S"), env={"GITINSTINCT_NOW": "", "PATH": ""})
    assert got(done.stdout.decode()) == ["uv-not-pip"]
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.decode().splitlines()}
    assert loaded & set(HEAVY) == set()


def test_a_tool_call_loads_nothing_of_it(folder: Path, store: Store) -> None:
    put(store, UV)
    done = process(payload(folder, "PostToolUse"), python=("-X", "importtime", "-I", "-S"))
    assert done.stdout == b""
    assert b"gitinstinct.inject" not in done.stderr


def test_a_reminder_needs_nothing_but_the_standard_library(folder: Path, store: Store) -> None:
    Path(paths.config_file()).parent.mkdir(parents=True)
    Path(paths.config_file()).write_text("inject: {remind: true}\n")
    put(store, made("uv-not-pip", 80, "Use `uv add`.", check={"on": "shell", "bad": r"\bpip install\b"}))
    process(payload(folder, source="startup"))
    assert prepared(ready.CHECKS)
    call = json.loads(payload(folder, "PreToolUse")) | {"tool_name": "Bash", "tool_input": {"command": "pip install x"}}
    assert got(process(json.dumps(call).encode()).stdout.decode()) == ["uv-not-pip"]


def test_what_takes_too_long_goes_on_without_the_hook(
    folder: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store, UV)
    monkeypatch.setattr(begin, "SECONDS", {"session_start": 0.0})
    read = lambda: None  # noqa: E731
    assert begin.awaited("session_start", PROJECT, "a state", read, dict(os.environ)) is None
    assert prepared()


def test_what_was_learned_is_prepared_ahead(folder: Path, store: Store) -> None:
    put(store, UV)
    begin.ahead(PROJECT, dict(os.environ))
    assert not Path(ready.path(PROJECT, ready.START)).exists()  # nothing may run in the background here
    begin.ahead(PROJECT, dict(os.environ) | {"GITINSTINCT_AUTO": ""})
    assert prepared()


def test_one_process_a_state(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(begin, "SECONDS", {"prompt": 0.01})
    started: list[str] = []

    def start(project: str, _: object) -> int:
        started.append(project)
        return 0

    monkeypatch.setattr(begin, "_start", start)
    for state in ("one", "one", "two", "two"):
        begin.awaited("prompt", PROJECT, state, lambda: None, {})
    assert started == [PROJECT, PROJECT]


def test_a_process_that_fails_is_not_waited_for(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(begin, "SECONDS", {"prompt": 60.0})
    monkeypatch.setattr(begin, "_CODE", "raise SystemExit(3)")
    assert begin.awaited("prompt", PROJECT, "a state", lambda: None, dict(os.environ)) is None
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    assert begin.awaited("prompt", PROJECT, "another", lambda: None, dict(os.environ)) is None


def test_late_is_counted_and_silent(folder: Path, store: Store) -> None:
    put(store, UV)
    (Path(paths.root("cache"))).parent.mkdir(parents=True, exist_ok=True)
    Path(paths.root("cache")).write_text("no folder")  # nothing can be prepared
    done = process(payload(folder, source="startup"))
    assert (done.returncode, done.stdout) == (0, b"")
    assert {count.reason for count in reader.counts()} == {"lost.inject-late"}
