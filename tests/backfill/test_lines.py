"""Lines of other programs: whatever they hold, reading goes on and says what was wrong."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitinstinct.backfill import lines


def read(place: Path, data: bytes, start: int = 0) -> list[lines.Line]:
    file = place / "f.jsonl"
    file.write_bytes(data)
    return list(lines.read(file, start, longest=200))


@pytest.mark.parametrize(
    ("data", "values", "damage"),
    [
        (b'{"a":1}\n', [{"a": 1}], ""),
        (b'\xef\xbb\xbf{"a":1}\r\n', [{"a": 1}], ""),
        (b'{"a":1}{"b":2}\n', [{"a": 1}, {"b": 2}], ""),
        (b'{"a":1} {"b":\n', [{"a": 1}], lines.TORN),
        (b'le","x":2}{"b":2}\n', [{"b": 2}], lines.TORN),
        (b'\0\0\0{"a":1}\n', [{"a": 1}], ""),
        (b"\0\0\0\0\n", [], lines.NUL),
        (b"42\n", [], lines.NO_OBJECT),
        (b"[1]\n", [], lines.NO_OBJECT),
        (b"null\n", [], lines.NO_OBJECT),
        (b'"text"\n', [], lines.NO_OBJECT),
        (b'{"a":"' + b"x" * 300 + b'"}\n', [], lines.TOO_LONG),
        (b'{"a":"\\ud83d"}\n', [{"a": "\ud83d"}], ""),
        (b'{"a":"\xff"}\n', [{"a": "\ufffd"}], ""),
        (b'{"a":"tab\there"}\n', [{"a": "tab\there"}], ""),
    ],
)
def test_what_can_be_read_is_read_and_the_rest_has_a_name(
    data: bytes, values: list[object], damage: str, tmp_path: Path
) -> None:
    found = read(tmp_path, data + b'{"next":1}\n')
    assert [value for line in found for value in line.values] == [*values, {"next": 1}]
    assert found[0].damage == damage
    assert found[-1].offset == len(data)


def test_a_last_line_that_is_still_being_written_waits(tmp_path: Path) -> None:
    [line] = read(tmp_path, b'{"a":1}\n{"b":"not yet wh')
    assert line.end == 8
    [line] = read(tmp_path, b'{"a":1}\n{"b":"now it is"}\n', start=8)
    assert line.values == ({"b": "now it is"},)


def test_a_last_line_that_is_whole_counts_without_its_newline(tmp_path: Path) -> None:
    assert [line.values for line in read(tmp_path, b'{"a":1}')] == [({"a": 1},)]


@pytest.mark.parametrize("deep", [b"[" * 150, b'{"a":' * 30])
def test_deep_nests_are_damage_and_no_crash(deep: bytes, tmp_path: Path) -> None:
    assert read(tmp_path, deep + b"\n")[0].damage


@given(data=st.binary(max_size=600), start=st.integers(0, 40))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_can_be_read_from_any_place(data: bytes, start: int, tmp_path: Path) -> None:
    found = read(tmp_path, data, start)
    for line, after in pairwise(found):
        assert line.offset < line.end <= after.offset
