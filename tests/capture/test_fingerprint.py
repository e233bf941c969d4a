"""What a file was when a tool touched it: a hash, only while effects are measured, and never at the price of a hang."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from gitinstinct import paths
from gitinstinct.capture import fingerprint
from tests.capture.support import call, kept, tool_event


@pytest.fixture
def measuring() -> None:
    """As after `measure on`."""
    file = Path(paths.measure("on"))
    file.parent.mkdir(parents=True)
    file.write_text("{}")


def told(file: Path | str, **more: object) -> list[object]:
    call(tool_event(tool_name="Edit", tool_input={"file_path": str(file)}, **more))
    return [record.get("file") for record in kept()]


def test_a_file_is_known_by_its_content(measuring: None, tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_bytes(b"x = 1\n")
    assert told(file) == [hashlib.sha256(b"x = 1\n").hexdigest()[:16]]
    assert b"x = 1" not in repr(kept()).encode()


def test_nothing_is_read_while_nothing_is_measured(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"x = 1\n")
    assert told(tmp_path / "a.py") == [None]


def test_what_is_not_there_is_told(measuring: None, tmp_path: Path) -> None:
    assert told(tmp_path / "new.py") == [fingerprint.ABSENT]


def test_what_is_no_plain_file_is_passed_over(measuring: None, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "large").write_bytes(b"x" * (1 << 20) + b"x")
    (tmp_path / "folder").mkdir()
    for name in ("pipe", "large", "folder", "a\0b"):
        assert fingerprint.of({"file_path": name}, str(tmp_path)) == ""
    for arguments in (None, "text", {}, {"file_path": 3}, {"file_path": ""}):
        assert fingerprint.of(arguments, str(tmp_path)) == ""


def test_a_path_is_taken_from_the_agents_folder(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"1")
    assert fingerprint.of({"path": "a.py"}, str(tmp_path)) == hashlib.sha256(b"1").hexdigest()[:16]
