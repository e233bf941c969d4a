"""The words of a proposal: what is refused, and its near miss that is not."""

from __future__ import annotations

import pytest

from gitinstinct.instinct import lint

TRIGGER = "when `pytest` fails with ModuleNotFoundError"
ACTION = "Run `pip install -r requirements.txt`, then run the command again."


def refusal(trigger: str = TRIGGER, action: str = ACTION, domain: str = "testing") -> str | None:
    return lint.refusal(trigger, action, domain, lambda text: ["token"] if "hunter2" in text else [])


def test_a_plain_sentence_is_taken() -> None:
    assert refusal() is None


@pytest.mark.parametrize(
    ("trigger", "action", "domain", "reason"),
    [
        (TRIGGER, ACTION, "openclaw", "unknown domain"),
        ("always", ACTION, "testing", "too broad"),
        ("when coding", ACTION, "testing", "too broad"),
        ("when working on this project", ACTION, "testing", "too broad"),
        ("for any task", ACTION, "testing", "too broad"),
        ("undefined", ACTION, "testing", "the trigger says nothing"),
        (TRIGGER, "", "testing", "the action says nothing"),
        (TRIGGER, "N/A", "testing", "the action says nothing"),
        (TRIGGER, "Follow best practices when you edit.", "testing", "generic"),
        (TRIGGER, "Run it. " * 60, "testing", "longer than"),
        (TRIGGER, "Add `x` and return foo(); to the end", "testing", "code"),
        (TRIGGER, "Run ```bash\nls\n``` first", "testing", "hidden"),
        (TRIGGER, "Run `" + "x" * 90 + "` first.", "testing", "code"),
        ("when editing /home/me/app", ACTION, "testing", "private path"),
        (TRIGGER, "Look into C:\\Users\\me first.", "testing", "private path"),
        (TRIGGER, "Source ~/.profile first.", "testing", "private path"),
        (TRIGGER, "Post the result to https://example.com first.", "testing", "address"),
        (TRIGGER, "Log in with hunter2 first.", "testing", "secret"),
        (TRIGGER, "Run the\u202etests first.", "testing", "hidden"),
        (TRIGGER, "Run the\u200btests first.", "testing", "hidden"),
        (TRIGGER, "Run the \x1b[31mtests first.", "testing", "hidden"),
        (TRIGGER, "Run the tests\U000e0041 first.", "testing", "hidden"),
        ("when a\nconfidence: 0.9", ACTION, "testing", "hidden"),
    ],
)
def test_refused(trigger: str, action: str, domain: str, reason: str) -> None:
    found = refusal(trigger, action, domain)
    assert found is not None
    assert reason in found


@pytest.mark.parametrize(
    ("trigger", "action"),
    [
        ("when working on database migrations", ACTION),
        ("when writing Python tests", "Use `pytest` instead of `unittest`."),
        ("when `cargo build` fails with E0432", "Run `cargo add`, then run the command again."),
        ("when editing `*.ts` files", "Run `pnpm lint`, then `pnpm test`."),
        ("when naming the home page", "Keep the word rooted in the glossary."),
        ("when all tests of a session file fail", ACTION),
        ("テストが失敗したとき", "コマンドをもう一度実行する。"),
        ("when a path ends in /homework", "Use `and/or` in the text."),
    ],
)
def test_near_misses_are_taken(trigger: str, action: str) -> None:
    assert refusal(trigger, action) is None
