"""What measuring found of an instinct's words, or of those that it had before: it helps, harms, or does nothing."""

from __future__ import annotations

from dataclasses import dataclass

from gitinstinct.instinct import markdown
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.model import Instinct
from gitinstinct.measure import texts, verdicts
from gitinstinct.review.waiting import Case


@dataclass(frozen=True, slots=True)
class Effect:
    """A verdict: with which model, and whether it was found of the words before, not of these."""

    verdict: str
    model: str
    is_of_before: bool


def of(case: Case) -> tuple[Effect, ...]:
    """Every verdict on the words of a case, else on the words that were accepted before; of any store here."""
    found = on(case.item.instinct, is_of_before=False)
    before = case.origin.approved
    if found or before is None:
        return found
    try:
        return on(markdown.parse(before), is_of_before=True)
    except Invalid:
        return ()


def on(instinct: Instinct, *, is_of_before: bool = False) -> tuple[Effect, ...]:
    """Every verdict on the words of an instinct, of any store here."""
    said = texts.of(instinct)
    known = [one for one in verdicts.load() if one["instinct"] == instinct.id and texts.same(str(one["text"]), said)]
    return tuple(Effect(str(one["verdict"]), str(one["model"]), is_of_before) for one in known)
