"""`review` on a terminal: each case is shown and asked for, like the hunks of `git add -p`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import typer

from gitinstinct import clock, paths
from gitinstinct.cli import editor, output, reviewed
from gitinstinct.cli.output import say
from gitinstinct.errors import ExitCode, FatalError
from gitinstinct.instinct import words
from gitinstinct.instinct.shelf import Item
from gitinstinct.review import verdict
from gitinstinct.review.waiting import Case
from gitinstinct.trace import single
from gitinstinct.trust import book

_HELP = {
    "y": "accept: an agent may be told",
    "n": "reject: never, and do not ask again",
    "s": "skip: it goes on waiting",
    "e": "write it yourself, in your editor",
    "a": "accept this and all that follow, where nothing is odd",
    "q": "quit: this and all that follow go on waiting",
}


@dataclass(slots=True)
class _Answers:
    """What a person answered so far."""

    accepted: list[Case]
    skipped: int = 0
    rest: bool = False
    quit: bool = False


def ask(cases: Sequence[Case], project: str | None) -> int:
    """Asks for each case; what is answered counts at once."""
    answers = _Answers([])
    for number, case in enumerate(cases, 1):
        if answers.quit or (answers.rest and case.findings):
            answers.skipped += 1
        elif answers.rest:
            _accept(answers, case, "")
        else:
            output.blank()
            say((f"{number} of {len(cases)}", "dim"))
            reviewed.shown(case)
            _decide(answers, case, project)
    reviewed.preview(answers.accepted)
    if answers.skipped:
        output.blank()
        say(f"{output.counted(answers.skipped, 'instinct')} still to decide on")
    return ExitCode.FOUND if answers.skipped else ExitCode.DONE


def _decide(answers: _Answers, case: Case, project: str | None) -> None:
    objection = verdict.objection(case, "given below")
    if objection:
        say((objection, "red"))
    keys = "nseq" if objection else "ynseaq"
    while True:
        try:
            if _answered(answers, case, _answer(keys), project):
                return
        except FatalError as error:  # an answer that does not do is asked for again
            output.complain(error.message, error.hint)


def _answered(answers: _Answers, case: Case, answer: str, project: str | None) -> bool:
    """Does what was answered. Returns whether that settles the case."""
    if answer == "e":
        return _edited(case, project)
    if answer == "n":
        verdict.reject([case], clock.now(), _reason("Why (may be empty)"))
    elif answer in "sq":
        answers.skipped, answers.quit = answers.skipped + 1, answer == "q"
    elif answer == "a" and case.findings:
        say(("something is odd about this one: answer for it alone", "yellow"))
        return False
    else:
        answers.rest = answer == "a"
        why = _reason("Something is odd about it. Why is it right all the same") if case.needs_reason else ""
        if case.needs_reason and not why:
            return False
        _accept(answers, case, why)
    return True


def _accept(answers: _Answers, case: Case, why: str) -> None:
    verdict.accept([case], clock.now(), why)
    answers.accepted.append(case)


def _edited(case: Case, project: str | None) -> bool:
    """Whether the person wrote it anew; their own words wait for nobody."""
    is_global = case.scope == paths.GLOBAL
    editor.edit(case.id, project=None if is_global else project, only_global=is_global)
    now = single.read(case.store.repo, case.id)
    return isinstance(now, Item) and words.content_hash(now.instinct) in book.approved()


def _reason(question: str) -> str:
    return " ".join(str(typer.prompt(question, default="", show_default=False)).split())


def _answer(keys: str) -> str:
    while True:
        given = typer.prompt(f"Accept [{','.join(keys)},?]", prompt_suffix=": ").strip().lower()[:1]
        if given and given in keys:
            return str(given)
        for key in keys:
            say(f"{key}  {_HELP[key]}")
