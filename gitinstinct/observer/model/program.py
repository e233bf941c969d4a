"""Running another agent's program: bounded in time and output, and never left behind.

It gets a group of its own, so that all that it starts can be ended with it: on POSIX by the group's signal, on Windows
by `taskkill` over the tree. Nothing goes through a shell.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

MOST = 4_000_000
"""Bytes of output."""

_CHUNK = 65_536
_GRACE = 5.0  # seconds
_APART = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0) | getattr(subprocess, "CREATE_NO_WINDOW", 0)


@dataclass(frozen=True, slots=True)
class Ended:
    """How a program ended: its exit code (None if it was stopped), what it said, and why it was stopped."""

    code: int | None
    out: bytes
    err: bytes
    stopped: str = ""


def run(
    command: Sequence[str], *, stdin: bytes, cwd: Path, env: Mapping[str, str], seconds: float, most: int = MOST
) -> Ended:
    """Runs a program and waits for its end, or ends it.

    Args:
        command: the program and its arguments.
        stdin: what it is fed.
        cwd: where it runs.
        env: its whole environment.
        seconds: wall time after which it and all that it started are killed.
        most: bytes of output after which they are.

    Raises:
        OSError: it cannot be started.
    """
    process = subprocess.Popen(
        list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd, env=dict(env),
        start_new_session=os.name != "nt", creationflags=_APART,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    streams = [_Stream(process, process.stdout, most), _Stream(process, process.stderr, most)]
    feeder = threading.Thread(target=_feed, args=(process.stdin, stdin), daemon=True)
    try:
        for thread in (feeder, *streams):
            thread.start()
        stopped = _waited(process, streams, seconds)
    finally:
        end(process)
    for stream in streams:
        stream.join(_GRACE)
    out, err = (bytes(stream.data[:most]) for stream in streams)
    return Ended(None if stopped else process.returncode, out, err, stopped)


def end(process: subprocess.Popen[bytes]) -> None:
    """Kills a program with all that it started. What it left running behind it goes as well."""
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        if os.name == "nt":
            if process.poll() is None:
                tree = ["taskkill", "/F", "/T", "/PID", str(process.pid)]
                subprocess.run(tree, capture_output=True, timeout=_GRACE, check=False)
        else:
            os.killpg(process.pid, signal.SIGKILL)
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        process.kill()
        process.wait(_GRACE)


def _waited(process: subprocess.Popen[bytes], streams: Sequence[_Stream], seconds: float) -> str:
    """Waits for the end; why it has to be brought about, or ""."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return f"did not end within {seconds:g} s"
    for stream in streams:
        stream.join(_GRACE)
    return "said too much" if any(stream.is_over for stream in streams) else ""


class _Stream(threading.Thread):
    """What a program says on one stream. One that says too much is ended."""

    def __init__(self, process: subprocess.Popen[bytes], stream: IO[bytes], most: int) -> None:
        super().__init__(daemon=True)
        self._process, self._stream, self._most = process, stream, most
        self.data = bytearray()
        self.is_over = False

    def run(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            while chunk := os.read(self._stream.fileno(), _CHUNK):
                self.data += chunk
                if len(self.data) > self._most:
                    self.is_over = True
                    end(self._process)
                    return


def _feed(stream: IO[bytes], data: bytes) -> None:
    """A program that does not read to the end is its own affair."""
    with contextlib.suppress(OSError, ValueError), stream:
        stream.write(data)
