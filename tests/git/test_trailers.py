from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitinstinct.git.objects import Commit, write
from gitinstinct.git.repo import Repo
from gitinstinct.git.trailers import Message, one_line, parse
from tests.support.repos import ANN, git, repository

RUN_MESSAGE = """\
observe: 1 new, 1 confirmed

  new        run-tests-before-commit   0.50
      pytest ran before 4 commits in 2 sessions
  confirmed  grep-before-edit          0.60 -> 0.65
      same order in another session

Instinct: run-tests-before-commit new 0.50
Instinct: grep-before-edit confirmed 0.60 -> 0.65
Run: 01m77pxbv0
Detector: local/1
Observations: 43
"""


def test_the_message_of_an_observer_run() -> None:
    body = (
        "new        run-tests-before-commit   0.50\n    pytest ran before 4 commits in 2 sessions\n"
        "confirmed  grep-before-edit          0.60 -> 0.65\n    same order in another session"
    )
    trailers = [
        ("Instinct", "run-tests-before-commit new 0.50"),
        ("Instinct", "grep-before-edit confirmed 0.60 -> 0.65"),
        ("Run", "01m77pxbv0"),
        ("Detector", "local/1"),
        ("Observations", "43"),
    ]
    assert Message("observe: 1 new, 1 confirmed", [body], trailers).render().decode() == RUN_MESSAGE


@pytest.mark.parametrize(
    ("subject", "trailers"), [("", []), (" \n\t ", []), ("x", [("no key", "v")]), ("x", [("A\nB", "v")])]
)
def test_what_makes_no_message_is_refused(subject: str, trailers: list[tuple[str, str]]) -> None:
    with pytest.raises(ValueError, match=r"subject|trailer"):
        Message(subject, trailers=trailers).render()


def test_lines_are_cut_and_cleaned() -> None:
    assert one_line("a\x1b[31m\u202eb\tc\r\nd", 80) == "a [31m b c  d"
    assert one_line("x" * 200, 10) == "x" * 9 + "…"


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    made = repository(tmp_path_factory.mktemp("trailers"))
    hostile = {"trailer.separators": "=:", "trailer.run.ifexists": "replace", "core.commentChar": "R"}
    for key, value in hostile.items():
        git(Path(str(made.work_tree)), "config", key, value)
    return made


def _read_back(repo: Repo, message: bytes) -> tuple[tuple[str, str], ...]:
    [oid] = write(repo, [Commit(message, ANN, ANN, 1, [])])
    return parse(repo.ask("log", "-1", "--format=%(trailers:only,unfold)", oid))


FORGED = [
    "Run: forged",
    "\n\nRun: forged\n",
    "---\nRun: forged",
    "(cherry picked from commit x)",
    "# Run: x",
    "a\rRun: y",
]


@pytest.mark.parametrize("text", FORGED)
def test_no_text_forges_a_trailer(repo: Repo, text: str) -> None:
    real = [("Instinct", text), ("Run", "01m")]
    found = _read_back(repo, Message(f"observe: {text}", [text, f"line\n{text}"], real).render())
    assert found == (("Instinct", one_line(text, 300)), ("Run", "01m"))
    assert _read_back(repo, Message(text, [text]).render()) == ()


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    subject=st.text(min_size=1).filter(lambda text: one_line(text, 100)),
    body=st.lists(st.text(alphabet=st.sampled_from("aR:u n\n-#(=\t\x85\u2028\x1c")), max_size=3),
    values=st.lists(st.text(), max_size=3),
)
def test_git_reads_back_what_was_written(repo: Repo, subject: str, body: list[str], values: list[str]) -> None:
    message = Message(subject, body, [("Run", value) for value in values])
    kept = tuple(("Run", line) for value in values if (line := one_line(value, 300)))
    assert _read_back(repo, message.render()) == kept
