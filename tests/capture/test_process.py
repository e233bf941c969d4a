"""The hook as agents start it: a process of its own, in odd surroundings, killed, on a full disk, many at once."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gitinstinct.capture import reader
from tests.capture.support import ROOT, SHIM, claude, counts, kept, process, tool_event

HEAVY = "re json subprocess site typer git yaml typing dataclasses collections pathlib contextlib hashlib".split()


def silent(done: subprocess.CompletedProcess[bytes]) -> bool:
    return (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_it_stores_one_line_and_says_nothing() -> None:
    assert silent(process(claude(22), "claude-code"))
    assert [record["event"] for record in kept()] == ["tool_complete"]


@pytest.mark.parametrize("arguments", [(), ("claude-code",), ("nobody", "x", "y"), ("--batch",)])
@pytest.mark.parametrize("raw", [b"", b"\xff\xfe{", b"{" * 100, b"null"])
def test_it_succeeds_whatever_it_is_given(arguments: tuple[str, ...], raw: bytes) -> None:
    assert silent(process(raw, *(arguments or ("",))))


def test_a_quiet_event_loads_nothing_heavy() -> None:
    done = process(claude(22), python=("-X", "importtime", "-I", "-S"), env={"GITINSTINCT_NOW": ""})
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.decode().splitlines()}
    assert "gitinstinct.capture.hook" in loaded
    assert loaded & set(HEAVY) == set()


def test_a_replay_takes_a_payload_a_line() -> None:
    raw = b"\n\r\n".join([claude(8), claude(22), b"{", claude(86)]) + b"\n"
    assert silent(process(raw, "claude-code", "--batch"))
    assert [record["event"] for record in kept()] == ["prompt", "tool_complete"]
    assert counts() == {"lost.json": 1, "skipped.event": 1}


@pytest.mark.parametrize("layout", ["checkout", "wheel"])
def test_it_finds_the_package_beside_it(tmp_path: Path, layout: str) -> None:
    package = tmp_path / "lib" / "gitinstinct"
    shutil.copytree(ROOT / "gitinstinct", package, ignore=shutil.ignore_patterns("__pycache__"))
    hooks = package.parent / "hooks" if layout == "checkout" else package / "hooks"
    hooks.mkdir()
    shutil.copy(SHIM, hooks)
    command = [sys.executable, "-I", "-S", str(hooks / "hook.py"), "claude-code"]
    subprocess.run(command, input=claude(22), check=True, timeout=60)
    assert len(kept()) == 1
    assert (package / "capture" / "__pycache__").is_dir() is not sys.flags.dont_write_bytecode


# --- surroundings


def test_modules_of_a_hostile_project_are_never_loaded(tmp_path: Path) -> None:
    for name in ("json", "re", "os", "gitinstinct", "_json", "encodings"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('the project was loaded')\n")
    secret = tool_event(tool_response="export API_TOKEN=x9Kd8sLq2Mx9Kd8sLq2M")
    assert silent(process(secret, cwd=tmp_path, env={"PYTHONPATH": str(tmp_path), "PYTHONHOME": str(tmp_path)}))
    assert kept()[0]["output"] == "export API_TOKEN=[REDACTED:token]"


@pytest.mark.parametrize("given", [{}, {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}, {"HOME": ""}])
def test_it_needs_next_to_no_environment(tmp_path: Path, given: dict[str, str]) -> None:
    env = {
        "PATH": os.environ["PATH"],
        "GITINSTINCT_AUTO": "0",
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "HOME": str(tmp_path),
    } | given
    command = [sys.executable, "-I", "-S", str(SHIM), "claude-code"]
    done = subprocess.run(command, input=claude(11), env=env, capture_output=True, check=True, timeout=60)
    assert silent(done)
    (found,) = (tmp_path / "state" / "gitinstinct" / "spool").rglob("*.jsonl")
    assert json.loads(found.read_text())["prompt"].startswith("いや")


def test_a_deleted_working_directory_and_closed_streams() -> None:
    script = f'mkdir gone && cd gone && rmdir ../gone && exec {sys.executable} -I -S {SHIM} claude-code "$@"'
    for closing in ("", " >&-", " 2>&-", " >&- 2>&-"):
        done = subprocess.run(
            ["sh", "-c", script + closing], input=claude(102), capture_output=True, timeout=60, check=False
        )
        assert silent(done)
    assert [record["prompt"] for record in kept()] == ["hello"] * 4


def test_no_stdin_at_all() -> None:
    done = subprocess.run(
        ["sh", "-c", f"{sys.executable} -I -S {SHIM} claude-code <&-"], capture_output=True, timeout=60, check=False
    )
    assert silent(done)
    assert counts() == {"lost.empty": 1}


def test_an_answer_to_nobody_is_no_error() -> None:
    command = f"{sys.executable} -I -S {SHIM} gemini >&- </dev/null"
    assert subprocess.run(["sh", "-c", command], check=False, timeout=60).returncode == 0


# --- time


@pytest.mark.parametrize("raw", [claude(22), claude(22)[:100], b""], ids=["whole", "half", "none"])
def test_a_stdin_that_never_closes_does_not_hold_the_agent(raw: bytes) -> None:
    read, write = os.pipe()
    try:
        os.write(write, raw)
        with subprocess.Popen([sys.executable, "-I", "-S", str(SHIM), "claude-code"], stdin=read) as hook:
            assert hook.wait(timeout=30) == 0
    finally:
        os.close(write)
        os.close(read)
    assert len(kept()) == (raw == claude(22))


def test_a_hanging_disk_does_not_hold_the_agent() -> None:
    code = "import sys, time; sys.path.append(sys.argv[1]); from gitinstinct.capture import hook, spool\n"
    code += "spool.append = lambda *_: time.sleep(60); hook.main(['claude-code'])"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, str(ROOT)], input=claude(22), check=False, timeout=30
    )
    assert done.returncode == 0


@pytest.mark.slow
def test_a_huge_stdin_is_read_to_its_end_and_cut() -> None:
    raw = tool_event()[:-1] + b', "tool_response": "' + b"word " * 8_000_000
    assert silent(process(raw))
    (record,) = kept()
    assert (record["tool"], record["cut"]) == ("Bash", {"payload": len(raw) - 16_000_000})


# --- many at once


def test_fifty_hooks_at_once_tear_nothing() -> None:
    sizes = (200, 5_000, 60_000)
    events = [tool_event(tool_use_id=f"t{number}", tool_response="w " * sizes[number % 3]) for number in range(50)]
    with ThreadPoolExecutor(50) as pool:
        assert all(silent(done) for done in pool.map(process, events))
    reading = reader.read("global")
    assert {record["id"] for _, record in reading} == {f"t{number}" for number in range(50)}
    assert (reading.problems, reading.doubles, counts()) == ([], 0, {})


def test_hooks_at_once_in_one_new_repository_agree_on_its_id(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q"], check=True)
    with ThreadPoolExecutor(12) as pool:
        assert all(silent(done) for done in pool.map(process, [tool_event(cwd=str(tmp_path))] * 12))
    assert len({record["project"] for record in kept()}) == 1


# --- disks


def limited(raw: bytes, size: int) -> subprocess.CompletedProcess[bytes]:
    """The hook with so many blocks of 512 bytes for a file."""
    command = f"ulimit -f {size}; exec {sys.executable} -I -S {SHIM} claude-code"
    return subprocess.run(["sh", "-c", command], input=raw, capture_output=True, timeout=60, check=False)


def test_a_limit_in_the_middle_of_a_line_loses_this_line_only() -> None:
    process(claude(22))
    assert silent(limited(tool_event(tool_response="w " * 4_000), 4))
    assert counts() == {"lost.disk": 1}
    process(claude(23))
    reading = reader.read("global")
    assert [record["id"][8:16] for _, record in reading] == ["Demo0001", "Demo0002"]
    assert len(reading.problems) == 1


def _fill(ballast: Path) -> None:
    with contextlib.suppress(OSError), ballast.open("wb", buffering=0) as file:
        while file.write(b"x" * 512) == 512:
            pass


def test_a_full_disk_in_a_mount_of_its_own(tmp_path: Path) -> None:
    place = tmp_path / "small"
    place.mkdir()
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(place)], capture_output=True, check=False
    ).returncode:
        pytest.skip("no right to mount a tmpfs here")
    try:
        env = {"GITINSTINCT_HOME": str(place)}
        process(claude(22), env=env)
        ballast = place / "ballast"
        _fill(ballast)
        assert all(silent(process(tool_event(tool_response="w " * 4_000), env=env)) for _ in range(3))
        ballast.unlink()
        process(claude(23), env=env)
        (found,) = (place / "state" / "spool" / "global").glob("*.jsonl")
        lines = found.read_bytes().splitlines()
        assert (json.loads(lines[0])["id"], json.loads(lines[-1])["id"]) != (None, None)
        assert (place / "state" / "counts" / "lost.disk").stat().st_mtime > 0
    finally:
        subprocess.run(["umount", str(place)], check=True)


def test_a_home_that_cannot_be_written(tmp_path: Path) -> None:
    folder = tmp_path / "theirs"
    folder.mkdir(mode=0o555)
    before = ("setpriv", "--reuid=65534", "--clear-groups") if os.getuid() == 0 and shutil.which("setpriv") else ()
    if os.getuid() == 0 and not (
        before and subprocess.run([*before, sys.executable, "-c", ""], capture_output=True, check=False).returncode == 0
    ):
        pytest.skip("root may write anywhere, and no other user can start this interpreter")
    assert silent(process(claude(22), env={"GITINSTINCT_HOME": str(folder)}, before=before))
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("place", ["a file", "/dev/full/x", "no\nsuch", "ü" * 1_000])
def test_a_home_that_is_none(tmp_path: Path, place: str) -> None:
    (tmp_path / "a file").write_text("")
    target = place if place.startswith("/") else str(tmp_path / place)
    assert silent(process(claude(22), env={"GITINSTINCT_HOME": target}))


# --- kills


@pytest.mark.slow
def test_a_kill_at_any_system_call_costs_at_most_this_event(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not _can_trace():
        pytest.skip("strace is missing or may not trace here")
    subprocess.run(["git", "init", "-q"], check=True)
    raw = tool_event(cwd=str(tmp_path))

    def traced(*words: str) -> int:
        return process(raw, before=("strace", "-f", *words)).returncode

    def afresh(name: str) -> None:
        monkeypatch.setenv("GITINSTINCT_HOME", str(tmp_path / name))
        for path in (tmp_path / ".git").glob("gitinstinct-id*"):
            path.unlink()

    afresh("warm")
    process(raw)
    afresh("first")
    assert traced("-o", "trace") == 0
    calls = _calls_of_ours(Path("trace"))
    assert {"write", "link", "mkdir", "rename"} <= {name for name, _ in calls}
    for name, nth in calls:
        afresh(f"{name}-{nth}")
        assert traced("-o", os.devnull, "-e", f"inject={name}:signal=KILL:when={nth}") != 0
        before = len(kept())
        assert silent(process(raw))
        assert before <= 1
        assert len(kept()) == before + 1, f"after a kill at {name} {nth}"
        assert len({record["project"] for record in kept()}) == 1
        assert reader.about(kept()[0]["project"])["name"] == tmp_path.name


def _can_trace() -> bool:
    found = shutil.which("strace")
    return (
        bool(found)
        and subprocess.run(["strace", "-o", os.devnull, "true"], capture_output=True, check=False).returncode == 0
    )


def _calls_of_ours(log: Path) -> list[tuple[str, int]]:
    """(name, how manieth of this name) of the calls once our code runs: those on our files, and all writes."""
    counted: dict[str, int] = {}
    found = []
    for text in log.read_text(errors="replace").splitlines():
        name = re.match(r"\d+ +(\w+)\(", text)
        if name:
            counted[name[1]] = counted.get(name[1], 0) + 1
            if "/first/" in text or "gitinstinct-id" in text or name[1] == "write":
                found.append((name[1], counted[name[1]]))
    return found
