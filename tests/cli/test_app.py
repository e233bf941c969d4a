"""The program as a whole: its verbs, and what each of them loads."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from gitinstinct.cli import verbs
from tests.support.program import Program


@pytest.mark.parametrize("module", verbs.MODULES)
def test_the_table_of_verbs_is_true(module: str) -> None:
    expected = verbs.MODULES[module]
    assert tuple(verbs.load(expected[0])) == expected
    assert set(verbs.load()) >= set(expected)


@pytest.mark.parametrize(
    ("line", "expected"),
    [("log -n 1", "log"), ("-C . log", "log"), ("-C/tmp why x", "why"), ("--version", None), ("-C", None), ("", None)],
)
def test_the_verb_of_a_command_line(line: str, expected: str | None) -> None:
    assert verbs.asked(line.split()) == expected


def test_a_command_loads_its_own_module_and_no_other(project: Path) -> None:
    code = "import sys; from gitinstinct.cli.app import run; run(['-C', '.', 'log']); print(sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=project)
    loaded = {name for name in verbs.MODULES if f"'gitinstinct.cli.{name}'" in done.stdout}
    assert loaded == {"tracing"}


def test_the_help_names_every_verb(program: Program) -> None:
    for arguments in (["--help"], []):
        out = program(*arguments).out + program(*arguments).err
        assert all(f"  {verb}  " in out for names in verbs.MODULES.values() for verb in names)


def test_a_word_that_is_no_verb_is_misuse(program: Program) -> None:
    result = program("nonsense")
    assert (result.code, result.out) == (2, "")
    assert "nonsense" in result.err
