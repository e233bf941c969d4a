"""The C cores give what the public modules give."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitinstinct.capture import codec, observation
from tests.capture import support
from tests.capture.test_redact import json_values

WAYS = {"private": codec._private(), "public": codec._public()}


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    for name, found in zip(("scan", "quote", "sha256"), WAYS[request.param], strict=True):
        monkeypatch.setattr(codec, name, found)
    return str(request.param)


def test_the_stored_lines_are_the_same_both_ways(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = {}
    for name, (scan, quote, sha256) in WAYS.items():
        monkeypatch.setenv("GITINSTINCT_HOME", str(tmp_path / name))
        for target, value in (("scan", scan), ("quote", quote), ("sha256", sha256)):
            monkeypatch.setattr(codec, target, value)
        support.call(*support.lines("claude-code.jsonl"))
        found[name] = support.stored()
    assert found["private"] == found["public"]
    assert len(found["public"].splitlines()) == 93


@given(json_values)
def test_a_value_is_written_so_that_it_reads_the_same(value: Any) -> None:
    text = codec.encode(value)
    assert json.loads(text) == value
    assert text.isascii()
    assert "\n" not in text


def test_numbers_that_json_does_not_know_are_null(way: str) -> None:
    value, end = codec.parse('{"a": NaN, "b": -Infinity, "c": 1e400, "d": ' + "9" * 5_000 + "} rest")
    assert codec.encode(value) == '{"a":null,"b":null,"c":null,"d":null}'
    assert end < 5_100


@pytest.mark.parametrize("text", ["", " ", "x", "{", '{"a"', '"', "[1,", "{'a': 1}"])
def test_no_value(way: str, text: str) -> None:
    with pytest.raises(ValueError, match=r"JSON|Expecting|Unterminated"):
        codec.parse(text)


@given(st.text(max_size=40))
def test_the_hash_takes_any_text(text: str) -> None:
    assert len(codec.short_hash(text + "\ud800", 16)) == 16


def test_records_are_written_in_one_line_of_ascii() -> None:
    line = codec.encode({"v": observation.VERSION, "prompt": "a\u2028b\x85c\nd\0"})
    assert line == '{"v":1,"prompt":"a\\u2028b\\u0085c\\nd\\u0000"}'


def test_without_json_loaded_broken_text_is_still_no_value() -> None:
    code = "import sys; sys.path.append(sys.argv[1]); from gitinstinct.capture import codec\n"
    code += "try: codec.parse('{')\nexcept ValueError: print('json' in sys.modules)"
    command = [sys.executable, "-I", "-S", "-c", code, str(support.ROOT)]
    assert subprocess.run(command, capture_output=True, check=True, text=True).stdout in ("False\n", "True\n")
