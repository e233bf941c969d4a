"""Mending: what is mechanical goes, every other byte stays, and nothing is left that could be mended again."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitinstinct.check.inspection import inspect
from gitinstinct.check.mend import mended
from gitinstinct.check.subject import Home, Subject
from gitinstinct.instinct import markdown
from gitinstinct.instinct.errors import Invalid
from tests.support import files, needs_real_samples, real_samples

TODAY = "2026-11-29"
HOME = Home("project", "a1b2c3d4e5f6")
GOOD = files.CANONICAL


def mend(data: str, home: Home | None = HOME) -> tuple[str, list[str]]:
    after, done = mended(data.encode(), TODAY, home)
    return after.decode(), done


@pytest.mark.parametrize(
    ("broken", "mended_to", "done"),
    [
        ("confidence: 0.90", "confidence: 0.65", "derived fields written"),
        ("confidence: '0.90'   # sure", "confidence: '0.65'   # sure", "derived fields written"),
        ("domain: Git_Workflow  # vcs", "domain: git  # vcs", "domain's own word written"),
        ("scope: global", "scope: project", "scope and project of the store written"),
        ("project_id: ffffffffffff", "project_id: a1b2c3d4e5f6", "scope and project of the store written"),
        ("trigger: when\u00a0modifying\u200b code", "trigger: when modifying code", "hidden characters taken out"),
    ],
)
def test_one_field_changes_and_nothing_else(broken: str, mended_to: str, done: str) -> None:
    name = broken.partition(":")[0]
    lines = GOOD.splitlines(keepends=True)
    at = next(index for index, line in enumerate(lines) if line.startswith(f"{name}:"))
    before, after = [*lines], [*lines]
    before[at], after[at] = broken + "\n", mended_to + "\n"
    assert mend("".join(before)) == ("".join(after), [done])


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("end", [True, False])
def test_the_ledger_is_sorted_around_free_text(newline: str, end: bool) -> None:
    lines = GOOD.splitlines()
    (first, second, third, fourth), note = lines[-5:-1], [lines[-1], "  and more"]
    shuffled = newline.join([*lines[:-5], third, *note, first, fourth, second])
    ordered = newline.join([*lines[:-5], first, *note, second, third, fourth])
    last = newline if end else ""
    assert mend(shuffled + last) == (ordered + last, ["ledger sorted"])


def test_adoption_keeps_what_the_file_said() -> None:
    after, done = mend(files.UNADOPTED)
    assert done == ["ledger begun"]
    instinct = markdown.parse(after.encode())
    [entry] = instinct.ledger
    assert (entry.date, entry.amount) == (TODAY, 80)
    assert instinct.extra["x_original_status"] == "pending"
    assert "trigger: 'when searching text'" in after


@pytest.mark.parametrize(
    "data",
    [
        GOOD,
        GOOD.replace("\n", "\r\n"),
        "\ufeff" + GOOD,
        GOOD.replace("Find the", "Find\u202e the"),
        GOOD.replace("Find the", "Fi\u200b\u200bnd the"),
        GOOD.replace("same order", "same\u00a0order"),
        GOOD.replace("domain: workflow", "domain: openclaw"),
        GOOD.replace("[01m75k3j80-c05d9b13]", "[01m72cnze0-41b7e2aa]").replace("confirmations: 8", "confirmations: 7")
        .replace("0.65", "0.60"),
    ],
)  # fmt: skip
def test_words_and_evidence_are_never_touched(data: str) -> None:
    assert mend(data) == (data, [])


def test_what_cannot_be_read_is_not_mended() -> None:
    with pytest.raises(Invalid):
        mended(b"no instinct", TODAY, HOME)


def test_a_bare_file_keeps_its_scope_and_project() -> None:
    data = GOOD.replace("scope: project", "scope: global")
    assert mend(data, None) == (data, [])


_FAULTS = [
    ("confidence: 0.65", "confidence: 0.1"),
    ("confirmations: 8", "confirmations: 1"),
    ("status: active\n", ""),
    ("created: 2026-11-08\n", ""),
    ("domain: workflow", "domain: tests"),
    ("scope: project", "scope: x"),
    ("a1b2c3d4e5f6", "000000000000"),
    ("Find the", "Find\u00a0the"),
    ("read it", "re\u200bad it"),
    ("modifying", "modi\u00adfying"),
    ("same order", "same\u00a0order"),
    ("- 2026-11-10 confirmed", "- 2026-11-10 seen"),
    ("## Evidence\n", "## Evidence\n- 2026-11-28 confirmed 1: late [01m8mzkdsb-00000000]\n"),
]


@given(st.sets(st.sampled_from(_FAULTS)), st.sampled_from(["\n", "\r\n"]))
@settings(max_examples=80)
def test_afterwards_nothing_is_left_that_could_be_mended(pieces: set[tuple[str, str]], newline: str) -> None:
    data = GOOD
    for old, new in pieces:
        data = data.replace(old, new)
    before = Subject("x.md", data.replace("\n", newline).encode(), "grep-before-edit", HOME)
    fixable = [found for found in inspect(before, TODAY) if found.fixable]
    after, done = mended(before.data, TODAY, HOME)
    assert bool(done) == bool(fixable), "what is promised is done, and nothing else"
    left = inspect(Subject("x.md", after, "grep-before-edit", HOME), TODAY)
    assert not [found for found in left if found.fixable]
    assert mended(after, TODAY, HOME) == (after, [])


@needs_real_samples
@pytest.mark.parametrize("path", real_samples("instincts"), ids=lambda path: path.name)
def test_real_files_are_mended_once_and_keep_their_words(path: object) -> None:
    from pathlib import Path

    data = Path(str(path)).read_bytes()
    try:
        before = markdown.parse(data)
    except Invalid:
        return
    after, done = mended(data, TODAY, None)
    assert done
    now = markdown.parse(after)
    assert (now.trigger, now.action, now.title, now.notes) == (
        before.trigger,
        before.action,
        before.title,
        before.notes,
    )
    assert mended(after, TODAY, None) == (after, [])
