from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitinstinct import paths
from gitinstinct.instinct import markdown
from gitinstinct.trace import neighbours, wordbook
from gitinstinct.trace.neighbours import Crowd
from gitinstinct.trace.wordbook import Said
from tests.support import files
from tests.support.life import Life

SUBJECT = markdown.parse(files.made("use-uv", "when installing packages", "Use `uv` instead of `pip`."))
OTHERS = [
    ("project", Said("use-uv", "when installing packages", "Use `uv` instead of `pip`.")),
    ("project", Said("use-pip", "when installing", "Use `pip` instead of `uv`.")),
    ("project", Said("use-uv-too", "when installing a package", "Always use `uv` instead of `pip`.")),
    ("project", Said("use-fd", "when installing packages", "Use `fd` instead of `find`.")),
    ("global", Said("use-uv", "when making an environment", "Make it with `uv venv`.")),
]


def test_the_same_the_contrary_and_the_namesake() -> None:
    found = neighbours.find(SUBJECT, "project", OTHERS)
    assert [(one.relation, one.scope, one.said.id) for one in found] == [
        ("contrary", "project", "use-pip"), ("same", "project", "use-uv-too"), ("same id", "global", "use-uv"),
    ]  # fmt: skip


ACTIONS = [
    "Use `rg`.", "Do not use `rg`.", "Use `fd`.", "Use npm instead of pnpm.", "Use pnpm instead of npm.",
    "Run the tests.", "Run all the tests.", "Never run the tests.", "",
]  # fmt: skip
TRIGGERS = st.sampled_from(["when a", "when b `x`"])
SAYINGS = st.builds(Said, st.sampled_from("abcd"), TRIGGERS, st.sampled_from(ACTIONS))


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(["project", "global"]), SAYINGS), max_size=12, unique=True),
    TRIGGERS,
    st.sampled_from(ACTIONS[:-1]),
)
def test_a_crowd_tells_the_same_as_one_by_one(others: list[tuple[str, Said]], trigger: str, action: str) -> None:
    subject = markdown.parse(files.made("a", trigger=trigger, action=action))
    told = Crowd(others).around(subject, "project")
    assert set(told) == set(neighbours.find(subject, "project", others))


def test_everything_that_says_something_is_in_the_book(life: Life) -> None:
    life.by_hand("2026-11-10", {"a": files.made("a"), "b": files.made("b", action="Use `b`."), "broken": b"\xff"})
    said = [Said("a", "when searching text", "Use `rg`."), Said("b", "when searching text", "Use `b`.")]
    assert wordbook.read(life.store) == said
    assert wordbook.read(life.store) == said
    life.by_hand("2026-11-11", {"b": files.made("b", action="Use `c`.")})
    life.put("2026-11-12", "a", None)
    assert wordbook.read(life.store) == [Said("b", "when searching text", "Use `c`.")]


def _file(life: Life) -> Path:
    return Path(paths.root("cache")) / "words" / f"{life.store.name}.json"


def test_a_blob_is_read_once(life: Life, monkeypatch: pytest.MonkeyPatch) -> None:
    life.by_hand("2026-11-10", {"a": files.made("a")})
    before = wordbook.read(life.store)
    monkeypatch.setattr(wordbook, "blobs", lambda *_: pytest.fail("read again"))
    assert wordbook.read(life.store) == before
    assert list(json.loads(_file(life).read_text("utf-8"))["said"].values()) == [["when searching text", "Use `rg`."]]


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{}", '{"format": 2, "said": {}}', '{"format": 1, "said": {"x": [1]}}', '{"format": 1}', "\x00"],
)
def test_a_cache_of_another_make_is_made_anew(life: Life, content: str) -> None:
    life.by_hand("2026-11-10", {"a": files.made("a")})
    before = wordbook.read(life.store)
    _file(life).write_text(content)
    assert wordbook.read(life.store) == before


def test_without_a_cache_it_only_takes_longer(life: Life) -> None:
    life.by_hand("2026-11-10", {"a": files.made("a")})
    Path(paths.root("cache")).write_text("a file where a folder should be")
    assert [said.id for said in wordbook.read(life.store)] == ["a"]
