"""What an edited text comes to, and when it does not count."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitinstinct.errors import Found
from gitinstinct.git.blobs import merge_text
from gitinstinct.instinct import edit, ids, markdown
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.model import Instinct
from gitinstinct.store import vetting
from gitinstinct.teach import editing
from gitinstinct.teach.desk import Desk
from gitinstinct.teach.editing import Draft
from gitinstinct.teach.lesson import Lesson
from tests.support import files
from tests.support.repos import repository
from tests.support.stores import NOW, new_store, newest
from tests.support.teaching import START, said, seen

GOOD = files.CANONICAL.encode()
CONFIRMED = edit.record(GOOD, [seen("s1", "confirmed", 1, START)], "")


class Editor:
    """Edits against a store that holds one file."""

    def __init__(self, folder: Path) -> None:
        self.repo = repository(folder)
        self.tree = newest(new_store())

    def __call__(self, given: bytes, text: bytes, now: bytes | None = None, name: str = "grep-before-edit") -> Lesson:
        desk = Desk(self.tree, "2026-11-14", {ids.path_of(name): now or given})
        command = said("edit", at=NOW.replace(day=14))
        return editing.edit(
            command, desk, Draft(name, given, text), vetting.reason, lambda *texts: merge_text(self.repo, *texts)
        )


@pytest.fixture
def editor(tmp_path: Path) -> Editor:
    return Editor(tmp_path / "repo")


def content(lesson: Lesson) -> bytes:
    [data] = lesson.files.values()
    assert data is not None
    return data


def parsed(lesson: Lesson) -> Instinct:
    return markdown.parse(content(lesson))


def test_words_change_and_nothing_else(editor: Editor) -> None:
    lesson = editor(GOOD, GOOD.replace(b"Grep, read", b"`rg`, read").replace(b"domain: workflow", b"domain: debugging"))
    assert content(lesson) == GOOD.replace(b"Grep, read", b"`rg`, read").replace(
        b"domain: workflow", b"domain: debugging"
    )
    assert lesson.taught[0].reason == "changed: action, domain"
    assert lesson.message.subject == "edit: grep-before-edit"
    assert lesson.notes == ()


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (b"id: grep", b"id: rg", "is not the file's name"),
        (b"confidence: 0.65", b"confidence: high", "not a number"),
        (b"---\n\n#", b"\n#", "does not end"),
        (b"trigger: when", b"# trigger: when", "no trigger"),
        (b"Find the", b"Use password=hunter2hunter2, find the", "looks like a secret (password)"),
        (b"Find the", b"Find\xe2\x80\xae the", "a sign that nobody sees"),
        (b"Find the exact place with Grep, read it, then edit.", b"TODO", "the action says nothing"),
    ],
)
def test_what_does_not_count(editor: Editor, old: bytes, new: bytes, reason: str) -> None:
    with pytest.raises(editing.Rejected) as rejected:
        editor(GOOD, GOOD.replace(old, new))
    assert reason in rejected.value.message
    assert "hunter2" not in rejected.value.message


def test_numbers_that_follow_from_the_evidence_are_put_right_and_that_is_said(editor: Editor) -> None:
    forged = GOOD.replace(b"confidence: 0.65", b"confidence: 0.95").replace(b"confirmations: 8", b"confirmations: 80")
    lesson = editor(GOOD, forged)
    assert lesson.files == {}
    assert lesson.notes == tuple(
        f"{name} follows from the evidence and was put right; `set` gives another confidence"
        for name in ("confidence", "confirmations")
    )
    assert content(editor(GOOD, forged.replace(b"Grep, read", b"rg, read"))) == GOOD.replace(b"Grep, read", b"rg, read")


def test_an_older_beginning_is_kept_and_a_younger_one_put_right(editor: Editor) -> None:
    older = GOOD.replace(b"created: 2026-11-08", b"created: 2025-01-01")
    assert (content(editor(GOOD, older)), editor(GOOD, older).notes) == (older, ())
    [note] = editor(GOOD, GOOD.replace(b"created: 2026-11-08", b"created: 2026-11-09")).notes
    assert note.startswith("created follows from the evidence and was put right")


def test_what_is_done_to_evidence_counts_and_is_said(editor: Editor) -> None:
    lines = GOOD.decode().splitlines(keepends=True)
    own = "- 2026-11-13 set 0.90: I know [mine-0000aaaa]\n"
    text = "".join(lines[:-2]) + own + "- 2026-11-13 confirmed many: oh [x]\n" + lines[-1]
    lesson = editor(GOOD, text.encode())
    assert parsed(lesson).written["confidence"] == 90
    assert lesson.notes == (
        f"you wrote evidence yourself, and it counts: {own.strip()}",
        f"you took evidence out, and it no longer counts: {lines[-2].strip()}",
        "this looks like evidence and is not, so it counts for nothing: - 2026-11-13 confirmed many: oh [x]",
    )
    assert lesson.taught[0].reason == ("changed: free lines of the evidence, evidence; from 0.70 on it is injected")


def test_a_free_bullet_is_no_evidence(editor: Editor) -> None:
    lesson = editor(GOOD, GOOD + b"- my own thought\n")
    assert content(lesson) == GOOD + b"- my own thought\n"
    assert lesson.taught[0].change == "0.65"


def test_a_file_without_a_ledger_gets_one(editor: Editor) -> None:
    given = files.UNADOPTED.encode()
    kept = editor(given, given.replace(b"Use `rg`.", b"Use `rg -n`."), name="prefer-rg")
    assert kept.taught[0].reason == "changed: action"
    assert parsed(kept).written["confidence"] == 80
    other = editor(given, given.replace(b'"0.8"', b'"0.4"'), name="prefer-rg")
    assert other.taught[0].reason == "changed: confidence; below 0.70 it is listed, no longer injected"
    assert [(entry.date, entry.amount) for entry in parsed(other).ledger] == [("2026-11-14", 40)]


def test_a_file_that_could_not_be_read_is_mended(editor: Editor) -> None:
    lesson = editor(GOOD.replace(b"0.65", b"high"), GOOD)
    assert content(lesson) == GOOD
    assert lesson.taught[0].reason == "changed: it can be read now"
    with pytest.raises(Invalid):
        markdown.parse(GOOD.replace(b"0.65", b"high"))


def test_what_a_run_wrote_meanwhile_stays(editor: Editor) -> None:
    text = GOOD.replace(b"Grep, read", b"rg, read").replace(b"trigger: when", b"trigger: whenever")
    lesson = editor(GOOD, text, now=CONFIRMED)
    assert content(lesson) == CONFIRMED.replace(b"Grep, read", b"rg, read").replace(
        b"trigger: when", b"trigger: whenever"
    )
    own = "- 2026-11-13 set 0.90: I know [mine-0000aaaa]"
    both = editor(GOOD, edit.with_ledger(GOOD, markdown.parse((GOOD.decode() + own).encode()).ledger), now=CONFIRMED)
    assert len(parsed(both).ledger) == len(markdown.parse(CONFIRMED).ledger) + 1
    with pytest.raises(editing.Rejected, match="was changed meanwhile, in the same lines"):
        editor(GOOD, text, now=GOOD.replace(b"Grep, read", b"ag, read"))


def test_one_that_is_gone_meanwhile(editor: Editor) -> None:
    desk = Desk(editor.tree, "2026-11-14")
    with pytest.raises(Found, match="no instinct is called grep-before-edit"):
        editing.edit(said("edit"), desk, Draft("grep-before-edit", GOOD, GOOD), vetting.reason, lambda *texts: None)
