"""The list of trusted words: what counts in it, what makes it worthless, and that nothing of it is lost."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gitinstinct import paths
from gitinstinct.errors import EnvironmentFault
from gitinstinct.instinct import markdown, words
from gitinstinct.instinct.model import Instinct
from gitinstinct.trust import book, giving, repair, standing
from tests.support.files import CANONICAL, made

NOW = datetime(2026, 11, 29, 10, tzinfo=UTC)
HERE = markdown.parse(made(action="Use `rg`."))
HASH = words.content_hash(HERE)
OTHER = markdown.parse(made(name="other"))


def file() -> Path:
    return Path(paths.trust())


def put(text: str, mode: int = 0o600) -> None:
    paths.make_private(str(file().parent))
    file().write_text(text, "utf-8")
    file().chmod(mode)


# --- the hash


@pytest.mark.parametrize(
    "same",
    [
        CANONICAL.replace("\n", "\r\n"),
        CANONICAL.replace("confidence: 0.65", "confidence: 0.65 # a comment"),
        CANONICAL.replace("trigger: when modifying code in a file", "trigger: 'when modifying code in a file'"),
        CANONICAL.replace("domain: workflow\n", "").replace("---\n\n#", "domain: git\ntags: [a, b]\n---\n\n#"),
        CANONICAL.replace("- Observed 8 times in session abc123 (2026-02-08)\n", ""),
        CANONICAL + "\n## Notes\nMore.\n",
        "\ufeff" + CANONICAL,
    ],
)
def test_the_hash_knows_words_only(same: str) -> None:
    assert words.content_hash(markdown.parse(same.encode())) == words.content_hash(markdown.parse(CANONICAL.encode()))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Find the exact place", "Find the exact  place"),
        ("then edit.", "then edit!"),
        ("# Grep Before Edit", "# Grep before Edit"),
        ("when modifying", "When modifying"),
        ("id: grep-before-edit", "id: grep-before-edits"),
        ("domain: workflow", "domain: workflow\npaths: ['*.py']"),
        ("domain: workflow", "domain: workflow\ncheck: {on: Bash, bad: x}"),
        ("domain: workflow", "domain: workflow\nanchors: [Makefile]"),
    ],
)
def test_another_word_is_another_hash(old: str, new: str) -> None:  # P-02, P-03
    assert old in CANONICAL
    changed = words.content_hash(markdown.parse(CANONICAL.replace(old, new).encode()))
    assert changed != words.content_hash(markdown.parse(CANONICAL.encode()))


def test_the_order_of_a_list_or_map_is_no_word() -> None:
    one, other = ("paths: [a, b]\ncheck: {on: Bash, bad: x}", "check: {bad: x, on: Bash}\npaths: [b, a]")
    texts = [CANONICAL.replace("domain: workflow", f"domain: workflow\n{fields}").encode() for fields in (one, other)]
    assert len({words.content_hash(markdown.parse(text)) for text in texts}) == 1
    assert len(HASH) == 64


# --- the list


def test_nothing_is_trusted_at_first() -> None:
    assert not book.approved()
    assert not file().exists()


def test_the_last_word_counts() -> None:
    giving.approve([HERE, OTHER], "learn", NOW)
    assert {HASH, words.content_hash(OTHER)} <= book.approved()
    giving.reject([HERE], "review", NOW, "no \n good")
    assert HASH not in book.approved()
    assert HASH in book.read().rejected
    giving.revoke([HERE], "review", NOW)
    assert HASH not in book.approved() | book.read().rejected
    giving.approve([HERE], "review", NOW)
    assert HASH in book.approved()
    assert words.content_hash(OTHER) in book.approved()
    assert f"rejected {HASH} prefer-rg review 2026-11-29T10:00:00Z no good\n" in file().read_text("utf-8")


def test_the_list_is_private() -> None:
    giving.approve([HERE], "learn", NOW)
    assert file().stat().st_mode & 0o777 == 0o600
    assert file().parent.stat().st_mode & 0o777 == 0o700


def test_corrupt_lines_count_for_nothing_and_are_counted() -> None:
    put(f"{HASH} a learn t\n{HASH[:30]}\ngarbage \x00\xff\nrejected\n{'0' * 70} x y z\n")
    assert HASH in book.approved()
    assert book.corrupt() == 4
    assert not book.read().rejected


def test_a_torn_line_costs_itself_alone() -> None:
    put(HASH[:20])
    giving.approve([HERE], "learn", NOW)
    assert HASH in book.approved()
    assert book.corrupt() == 1


@pytest.mark.parametrize("wrong", ["link", "folder", "writable", "linked folder", "pipe"])
def test_a_list_that_others_could_have_made_vouches_for_nothing(wrong: str, tmp_path: Path) -> None:  # P-05, P-06
    put(f"{HASH} a learn t\n")
    elsewhere = tmp_path / "elsewhere"
    if wrong == "link":
        file().rename(elsewhere)
        file().symlink_to(elsewhere)
    elif wrong == "linked folder":
        file().parent.rename(elsewhere)
        file().parent.symlink_to(elsewhere)
    elif wrong == "writable":
        file().chmod(0o666)
    else:
        file().unlink()
        file().mkdir() if wrong == "folder" else os.mkfifo(file())
    assert not book.approved()
    assert book.read().problem
    with pytest.raises(EnvironmentFault, match=str(Path(paths.trust()).parent)):
        giving.approve([HERE], "learn", NOW)
    giving.landed([HERE], "learn", NOW)  # a command that landed does not fail by it
    aside = repair.repair()
    assert aside is not None
    assert os.path.lexists(aside)
    giving.approve([HERE], "learn", NOW)
    assert HASH in book.approved()


def test_repair_keeps_what_can_be_understood() -> None:
    assert repair.repair() is None
    put(f"{HASH} a learn t\nrubbish\n")
    aside = repair.repair()
    assert aside == f"{file()}.bad"
    assert "rubbish" in Path(aside).read_text("utf-8")
    assert book.approved() >= {HASH}
    assert book.corrupt() == 0
    put("rubbish\n")
    assert repair.repair() == f"{file()}.bad2"


def test_two_processes_lose_nothing(home: Path) -> None:
    script = (
        "import sys; from gitinstinct.trust import book\n"
        "for n in range(200): book.append([f'{sys.argv[1] * 60}{n:04x} id by t'])"
    )
    started = [subprocess.Popen([sys.executable, "-c", script, digit]) for digit in "ab"]
    assert [one.wait(60) for one in started] == [0, 0]
    assert len(book.approved() - {""}) == 400
    assert book.corrupt() == 0


def test_reading_needs_the_standard_library_alone() -> None:
    script = "from gitinstinct.trust import book; book.approved(); print(' '.join(sys.modules))"
    line = [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(Path.cwd())!r}); {script}"]
    out = subprocess.run(line, capture_output=True, text=True, check=True).stdout.split()
    assert not {"re", "yaml", "dataclasses", "pathlib", "gitinstinct.instinct"} & set(out)


# --- the one answer


@pytest.mark.parametrize(
    ("instinct", "policy", "held"),
    [
        (HERE, "review", "waiting"),
        (HERE, "all", None),
        (markdown.parse(made(action="a\u200bb c")), "all", "refused"),
        (OTHER, "review", None),
    ],
)
def test_held(instinct: Instinct, policy: str, held: str | None) -> None:
    giving.approve([OTHER], "learn", NOW)
    assert standing.held(instinct, book.read(), policy) == held


def test_rejected_stays_so_under_every_policy() -> None:
    giving.reject([HERE], "review", NOW)
    assert [standing.held(HERE, book.read(), policy) for policy in ("review", "all")] == ["rejected"] * 2
