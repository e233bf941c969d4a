"""`inject`: the text, and the reason for everything that is not in it."""

from __future__ import annotations

from pathlib import Path

from gitinstinct import paths
from gitinstinct.git.trailers import Message
from gitinstinct.store import commit
from gitinstinct.store.commit import Change
from gitinstinct.store.layout import About
from tests.cli.conftest import PROJECT_ID
from tests.support import files
from tests.support.program import Program
from tests.support.stores import NOW, new_store


def test_it_shows_the_text_and_what_is_left_out(project: Path, program: Program) -> None:
    assert program("inject").out == "Nothing would be injected.\n"
    store = new_store(about=About("project", PROJECT_ID, "my-api"))
    sure = files.made("sure").replace(b"observed 3", b"observed 12").replace(b"2026-11-08", b"2026-11-28")
    change = Change({"instincts/sure.md": sure, "instincts/prefer-rg.md": files.made()}, Message("observe: 2 new"))
    commit.write(store, lambda _: change, NOW)
    (store.path / "instincts" / "broken.md").write_text("<<<<<<< HEAD\n")
    out = program("inject").out
    assert "- when searching text: Use `rg`. [sure, project, 0.85]" in out
    assert "prefer-rg  below 0.70" in out
    found = program("inject", "--json").json
    assert [item["id"] for item in found["items"]] == ["sure"]
    assert found["text"].startswith("What earlier sessions showed here")
    assert found["left_out"] == [{"id": "prefer-rg", "scope": "project", "confidence": 0.44, "reason": "below 0.70"}]


def test_the_one_switch_turns_it_off(project: Path, program: Program) -> None:
    Path(paths.config_file()).parent.mkdir(parents=True)
    Path(paths.config_file()).write_text("enabled: false\n")
    store = new_store(about=About("project", PROJECT_ID, "my-api"))
    sure = files.made("sure").replace(b"observed 3", b"observed 12").replace(b"2026-11-08", b"2026-11-28")
    change = Change({"instincts/sure.md": sure}, Message("observe: 1 new"))
    commit.write(store, lambda _: change, NOW)
    assert "injection is switched off" in program("inject").out
