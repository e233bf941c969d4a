"""Running the program: in this process for speed, or as a person would, as a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from gitinstinct.cli.app import run


@dataclass(frozen=True)
class Result:
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Its output, read as JSON."""
        return json.loads(self.out)


class Program:
    """`gitinstinct` in this process; the output is caught."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, *arguments: str) -> Result:
        """Runs one command."""
        self.capsys.readouterr()
        code = run(arguments)
        out, err = self.capsys.readouterr()
        return Result(code, out, err)


def process(*arguments: str, stdin: bytes = b"", cwd: Path | None = None, **env: str) -> Result:
    """Runs the program as a process of its own, without a terminal."""
    done = subprocess.run(
        [sys.executable, "-m", "gitinstinct", *arguments],
        input=stdin, capture_output=True, cwd=cwd, env={**os.environ, **env}, timeout=120, check=False,
    )  # fmt: skip
    return Result(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))
