"""A `gh` and a `glab` that write down how they were called, and answer as they are told."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.support.repos import script

_PROGRAM = """\
import json, os, sys, time
told = json.load(open({told!r}))
call = {{"argv": sys.argv[1:], "env": dict(os.environ), "cwd": os.getcwd(), "stdin": sys.stdin.read(), "files": {{}}}}
for part in sys.argv[1:]:
    name = part.partition("=")[2]
    if part.startswith(("--body-file=", "--input=")):
        call["files"][part.partition("=")[0]] = open(name, encoding="utf-8").read()
with open({calls!r}, "a") as log:
    log.write(json.dumps(call) + "\\n")
said = " ".join(sys.argv[1:])
for words, answer in told:
    if words in said:
        time.sleep(answer.get("sleep", 0))
        sys.stdout.write(answer.get("out", ""))
        sys.stderr.write(answer.get("err", ""))
        sys.exit(answer.get("code", 0))
sys.exit(99)
"""


@dataclass
class Fake:
    """One of them."""

    folder: Path

    def answers(self, *told: tuple[str, dict[str, Any]]) -> None:
        """What it answers to a call that contains these words; the first that fits counts."""
        (self.folder / "told.json").write_text(json.dumps(told))

    @property
    def calls(self) -> list[dict[str, Any]]:
        """How it was called."""
        log = self.folder / "calls.jsonl"
        return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


def install(name: str, place: Path, monkeypatch: pytest.MonkeyPatch) -> Fake:
    """Puts a fake of that name in front of everything on PATH."""
    folder = place / f"fake-{name}"
    folder.mkdir()
    file = folder / "program.py"
    file.write_text(_PROGRAM.format(told=str(folder / "told.json"), calls=str(folder / "calls.jsonl")))
    script(folder, name, f'exec {sys.executable} -I {file} "$@"')
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    fake = Fake(folder)
    fake.answers()
    return fake
