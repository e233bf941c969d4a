"""Why an instinct is kept back on this machine: no part of its file, and told alike by every command."""

from __future__ import annotations

from collections.abc import Callable

from gitinstinct import config
from gitinstinct.inject import rules
from gitinstinct.instinct import words
from gitinstinct.instinct.shelf import Item
from gitinstinct.measure import texts
from gitinstinct.review import waiting

Judge = Callable[[Item], str | None]
"""`conflicted`, `refused`, `rejected`, `waiting`, `quarantined`, `inert`, or None."""


def judge(project: str) -> Judge:
    """Tells of an instinct why no session of a project gets it although its evidence would do."""
    found = rules.read(config.read(), project)
    consent = waiting.Rules(found.book, found.policy)

    def held(item: Item) -> str | None:
        why = waiting.held(item, consent)
        verdicts = found.held_back.get(item.instinct.id, ())
        if why or not verdicts:
            return why
        said = words.content_hash(item.instinct)
        return next((verdict for text, verdict in verdicts if texts.same(text, said)), None)

    return held
