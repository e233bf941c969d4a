"""A person's own words become an instinct, or are refused with a reason."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitinstinct.capture.redact import findings
from gitinstinct.errors import Found, UsageError
from gitinstinct.instinct import markdown
from gitinstinct.instinct.model import Instinct
from gitinstinct.store.layout import About
from gitinstinct.teach import words
from gitinstinct.teach.learning import Wish, learn
from gitinstinct.teach.lesson import Lesson
from tests.support import files
from tests.support.teaching import said
from tests.teach.test_commands import of

ABOUT = About("project", "a1b2c3d4e5f6", "my-api")
RG = of(files.made("prefer-rg", "when searching text", "Use `rg` instead of `grep`."))
ARCHIVED = of(files.made("prefer-rg", "when searching text", "Use `rg`.").replace(b"observed 3", b"set 0.05"))


def learned(wish: Wish, *known: object, taken: tuple[str, ...] = (), why: str = "", anyway: bool = False) -> Lesson:
    items = [one for one in (RG, ARCHIVED) if one in known]
    return learn(said("learn", why=why), wish, items, taken, ABOUT, findings, anyway=anyway)


def instinct(lesson: Lesson) -> Instinct:
    [(path, data)] = lesson.files.items()
    assert data is not None
    return markdown.parse(data, path.removeprefix("instincts/").removesuffix(".md"))


def test_what_it_looks_like() -> None:
    wish = Wish(
        "  writing\n a migration", "Write the way back, too.", domain="tooling", tags=("db",), paths=("*.{sql,py}",)
    )
    lesson = learned(wish, why="lost an evening")
    assert (lesson.files["instincts/write-the-way-back-too.md"] or b"").decode().splitlines() == [
        "---",
        "id: write-the-way-back-too",
        "trigger: when writing a migration",
        "confidence: 0.85",
        "domain: workflow",
        "source: manual",
        "scope: project",
        "project_id: a1b2c3d4e5f6",
        "project_name: my-api",
        "status: active",
        "created: 2026-11-21",
        "last_observed: 2026-11-21",
        "confirmations: 0",
        "contradictions: 0",
        "tags: [db]",
        'paths: ["*.{sql,py}"]',
        "---",
        "",
        "# Write the way back, too",
        "",
        "## Action",
        "Write the way back, too.",
        "",
        "## Evidence",
        f"- 2026-11-21 set 0.85: lost an evening [{instinct(lesson).ledger[0].key}]",
    ]
    assert lesson.message.subject == "learn: write-the-way-back-too 0.85"
    assert lesson.taught[0].reason == "written by hand; from 0.70 on it is injected"
    assert lesson.notes == ()


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("committing", "when committing"),
        ("When committing", "When committing"),
        ("before a push", "before a push"),
        ("format strings", "when format strings"),
        ("コードを書くとき", "コードを書くとき"),
        ("`make` fails", "when `make` fails"),
    ],
)
def test_the_trigger_may_leave_out_when(typed: str, kept: str) -> None:
    assert words.as_trigger(typed) == kept


@pytest.mark.parametrize(
    ("action", "title"),
    [
        ("Use `rg`. It is faster.", "Use rg"),
        ("Use v1.2 of it!", "Use v1.2 of it"),
        ("# Use it\n\nand so on", "Use it"),
        ("word " * 30, ("word " * 14).strip()),
        ("日本語で書く。", "日本語で書く。"),
        ("```sh\nmake\n```", "sh"),
    ],
)
def test_a_title_comes_from_the_first_sentence(action: str, title: str) -> None:
    assert words.as_title(action) == title


@pytest.mark.parametrize(
    ("wish", "why", "reason"),
    [
        (Wish("", "Do it."), "", "the trigger says nothing"),
        (Wish("committing", "todo"), "", "the action says nothing"),
        (Wish("committing", "undefined"), "", "the action says nothing"),
        (Wish("x" * 400, "Do it."), "", "the trigger has 405 characters; 300 is the most"),
        (Wish("committing", "x" * 2001), "", "the action has 2001 characters"),
        (Wish("committing", "Use password=hunter2hunter2 there."), "", "looks like a secret"),
        (Wish("committing", "Do it."), "password=hunter2hunter2", "the reason holds what looks like a secret"),
        (Wish("committing", "Do it.", tags=("password=hunter2hunter2",)), "", "looks like a secret"),
        (Wish("committing", "Do\u202e it."), "", "a sign that nobody sees: U+202E"),
        (Wish("committing", "Do \x1b[31mit."), "", "a sign that nobody sees: U+001B"),
        (Wish("committing\U000e0041", "Do it."), "", "a tag character"),
        (Wish("committing", f"Do it.\n\n## Evidence\n{RG.instinct.ledger[0].render()}"), "", "as they are written"),
        (Wish("committing", "Do it.", title="A title #"), "", "as they are written"),
        (Wish("committing", "```\nopen"), "", "as they are written"),
        (Wish("committing", "<<<<<<< mine"), "", "conflict marker"),
    ],
)  # fmt: skip
def test_what_is_refused(wish: Wish, why: str, reason: str) -> None:
    with pytest.raises(UsageError) as refused:
        learned(wish, why=why, anyway=True)
    assert reason in refused.value.message
    assert "hunter2" not in refused.value.message
    assert refused.value.hint


@pytest.mark.parametrize(
    ("wish", "remark"),
    [
        (Wish("committing", "Do it.", domain="cooking"), "'cooking' is none of the domains"),
        (Wish("always", "Do it."), "the trigger fits nearly everything"),
        (Wish("committing", "Do it well. " * 40), "short ones are followed more often"),
        (Wish("committing", "Run /home/ann/check."), "names a private path"),
    ],
)
def test_what_is_odd_is_said_and_taken(wish: Wish, remark: str) -> None:
    lesson = learned(wish)
    assert any(remark in note for note in lesson.notes)
    assert instinct(lesson).trigger


@pytest.mark.parametrize(
    "action", ["Say 👩‍🚒 and 1️⃣.", "می‌خواهم", "Deux points\u00a0: voilà.", "Run:\n\tmake\n\n    make test"]
)
def test_honest_writing_is_taken(action: str) -> None:
    assert instinct(learned(Wish("committing", action))).action == words.as_action(action)


def test_what_is_known_is_not_made_twice() -> None:
    same = Wish("searching text", "Use `rg` instead of `grep`.")
    with pytest.raises(Found, match=r"known as prefer-rg \(0\.48\)") as refused:
        learned(same, RG)
    assert refused.value.hint.startswith("gitinstinct confirm prefer-rg")
    with pytest.raises(Found, match="the contrary is known as prefer-rg"):
        learned(Wish("searching text", "Use `grep` instead of `rg`."), RG)
    with pytest.raises(Found, match="archived") as refused:
        learned(Wish("searching text", "Use `rg`."), ARCHIVED)
    assert refused.value.hint.startswith("gitinstinct restore prefer-rg")
    assert instinct(learned(same, RG, anyway=True)).trigger == "when searching text"


def test_an_id_that_is_taken_is_told_apart_by_the_words() -> None:
    wish = Wish("committing", "Do it.")
    name = instinct(learned(wish, taken=("do-it",))).id
    assert name.startswith("do-it-")
    with pytest.raises(Found, match=f"known as {name}"):
        learned(wish, taken=("do-it", name), anyway=True)
    assert instinct(learned(Wish("書くとき", "型を書く。"))).id.startswith("general-best-practices-")


@given(st.text(max_size=60), st.text(max_size=80), st.text(max_size=30))
def test_any_words_are_kept_as_they_are_or_refused(trigger: str, action: str, title: str) -> None:
    wish = Wish(trigger, action, title)
    try:
        found = instinct(learned(wish))
    except UsageError:
        return
    tidied = wish.tidied()
    assert (found.trigger, found.action, found.title) == (tidied.trigger, tidied.action, tidied.title)
    assert found.fold("2026-11-21", "").confidence == 85
