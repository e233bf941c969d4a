"""`review` on a terminal: each case is shown and asked for, like the hunks of `git add -p`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import typer

from gitinstinct import clock, paths
from gitinstinct.cli import deciding, editor, output, reviewed, screened
from gitinstinct.cli.output import say
from gitinstinct.errors import ExitCode, FatalError
from gitinstinct.promote import landing
from gitinstinct.review import kinds, verdict
from gitinstinct.review.table import Table
from gitinstinct.review.waiting import Case
from gitinstinct.trust import book

_HELP = {
    "y": "accept: an agent may be told",
    "n": "reject: never, and do not ask again",
    "e": "write it yourself, in your editor: your words are accepted",
    "r": "resolve: choose between the two sides",
    "s": "skip: it goes on waiting",
    "q": "quit: this and all that follow go on waiting",
    "a": "accept this and all that follow of its kind, where nothing is odd",
    "d": "skip this and all that follow of its kind",
    "w": "show the whole file",
}


@dataclass(slots=True)
class _Answers:
    """What a person answered so far; `taken` and `passed` are the kinds of which all the rest is answered for."""

    table: Table
    project: str | None
    accepted: list[Case] = field(default_factory=list)
    skipped: int = 0
    taken: set[str] = field(default_factory=set)
    passed: set[str] = field(default_factory=set)
    quit: bool = False


def ask(cases: Sequence[Case], table: Table, project: str | None) -> int:
    """Asks for each case; what is answered counts at once."""
    answers = _Answers(table, project)
    reviewed.head(cases)
    for number, case in enumerate(cases, 1):
        if answers.quit or case.kind in answers.passed:
            answers.skipped += 1
        elif case.kind in answers.taken:
            _take(answers, case)
        else:
            output.blank()
            say((f"{number} of {len(cases)}  {case.kind}", "dim"))
            screened.shown(case, table)
            _decide(answers, case)
    reviewed.preview(answers.accepted)
    if answers.skipped:
        output.blank()
        say(f"{answers.skipped} still to decide on")
    deciding.tell_how_to_share(answers.accepted)
    return ExitCode.FOUND if answers.skipped else ExitCode.DONE


def _take(answers: _Answers, case: Case) -> None:
    """Accepts one of the rest, if nothing is odd about it; else it goes on waiting."""
    try:
        if not (verdict.objection(case) or verdict.oddity(case)):
            _accept(answers, case, "")
            return
    except FatalError as error:
        output.complain(f"{case.name}: {error.message}", error.hint)
    answers.skipped += 1


def _decide(answers: _Answers, case: Case) -> None:
    objection = verdict.objection(case, "given below")
    if objection and case.kind != kinds.CONFLICT:  # that is settled here, by `r`
        say((objection, "red"))
    keys = "rsedwq" if case.kind == kinds.CONFLICT else "nseadwq" if objection else "ynseadwq"
    keys = keys.replace("e", "").replace("a", "") if objection and case.promotion else keys
    while True:
        try:
            if _answered(answers, case, _answer(keys)):
                return
        except FatalError as error:  # an answer that does not do is asked for again
            output.complain(error.message, error.hint)


def _answered(answers: _Answers, case: Case, answer: str) -> bool:
    """Does what was answered. Returns whether that settles the case."""
    if answer in "sdq":
        answers.skipped, answers.quit = answers.skipped + 1, answer == "q"
        answers.passed |= {case.kind} if answer == "d" else set()
    elif answer == "w":
        screened.raw([case])
        return False
    elif answer in "er":
        return _by_hand(answers, case, answer)
    elif answer == "n":
        verdict.reject([case], clock.now(), _reason("Why (may be empty)"))
    else:
        return _consented(answers, case, answer)
    return True


def _consented(answers: _Answers, case: Case, answer: str) -> bool:
    if answer == "a" and (odd := verdict.objection(case) or verdict.oddity(case)):
        say((f"{odd}; answer for it alone", "yellow"))
        return False
    why = _reason("Something is odd about it. Why is it right all the same") if case.needs_reason else ""
    if case.needs_reason and not why:
        return False
    _accept(answers, case, why)
    answers.taken |= {case.kind} if answer == "a" else set()
    return True


def _accept(answers: _Answers, case: Case, why: str) -> None:
    taken = verdict.accept([case], clock.now(), why)
    for _, error in taken.failed:
        raise error
    reviewed.landed(taken.landed, taken.problems)
    answers.accepted.append(case)


# --- what a person writes or chooses themselves


def _by_hand(answers: _Answers, case: Case, answer: str) -> bool:
    """Whether it is settled then; if not, it is shown as it stands now and asked for again."""
    is_global = case.scope == paths.GLOBAL
    project = None if is_global else answers.project
    if answer == "r":
        from gitinstinct.cli import resolving

        resolving.resolve([case.id], project=project, only_global=is_global)
    elif case.promotion:
        return _rewritten(answers, case)
    else:
        editor.edit(case.id, project=project, only_global=is_global)
    now = answers.table.anew(case)
    if now is None or (now.key in book.approved() and now.held != "conflicted"):
        answers.accepted += [now] if now else []
        return True
    if answer == "r" and now.held != case.held:
        screened.shown(now, answers.table)
        _decide(answers, now)
        return True
    return False


def _rewritten(answers: _Answers, case: Case) -> bool:
    """The person's own version of a promotion: it lands, and their words go on top of it."""
    promotion = case.promotion
    assert promotion is not None
    with editor.rewriting(case.store, case.id, case.item.data) as draft:
        if draft is None:
            return False
        landed = landing.land(case.store, promotion.waiting, clock.now())
        editor.commit(case.store, draft)
        reviewed.landed([landed], landing.settle(clock.now()).problems)
    now = answers.table.anew(case)
    answers.accepted += [replace(now, promotion=promotion)] if now else []
    return True


def _reason(question: str) -> str:
    """A person's reason; a secret in it would be kept with the decision."""
    from gitinstinct.capture.redact import findings
    from gitinstinct.teach import words

    given = " ".join(str(typer.prompt(question, default="", show_default=False)).split())
    words.refuse({"reason": given}, findings)
    return given


def _answer(keys: str) -> str:
    question = "Accept" if "y" in keys else "Decide"
    while True:
        given = typer.prompt(f"{question} [{','.join(keys)},?]", prompt_suffix=": ").strip().lower()[:1]
        if given and given in keys:
            return str(given)
        for key in keys:
            say(f"{key}  {_HELP[key]}")
