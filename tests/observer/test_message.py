"""What a run's commit says, to the letter."""

from __future__ import annotations

from gitinstinct.observer.message import message, subject
from gitinstinct.observer.reconcile import Learned

NEW = Learned("run-tests-before-commit", "new", None, 50, "pytest ran before 4 commits in 2 sessions", ())
AGAIN = Learned("grep-before-edit", "confirmed", 60, 65, "same order in another session", ())


def test_the_message_of_a_run() -> None:
    told = message([NEW, AGAIN], [], run="01m77pxbv0", detector="local/1", observations=43)
    assert told.render().decode() == (
        "observe: 1 new, 1 confirmed\n"
        "\n"
        "  new          run-tests-before-commit  0.50\n"
        "      pytest ran before 4 commits in 2 sessions\n"
        "  confirmed    grep-before-edit         0.60 -> 0.65\n"
        "      same order in another session\n"
        "\n"
        "Instinct: run-tests-before-commit new 0.50\n"
        "Instinct: grep-before-edit confirmed 0.60 -> 0.65\n"
        "Run: 01m77pxbv0\n"
        "Detector: local/1\n"
        "Observations: 43\n"
    )


def test_refusals_stand_with_their_reason() -> None:
    told = message([], [("notes", "a private path in the action")], run="r", detector="local/1", observations=1)
    assert "  refused      notes  a private path in the action\n" in told.render().decode()
    assert subject([]) == "nothing new"
