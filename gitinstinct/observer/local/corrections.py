"""Corrections: the person says that it is to be A and not B, after the agent did something.

The two terms come from the person, each one token; where the rule holds comes from what the agent had just done with B.
Without that, the choice between the two is all that can be said.
"""

from __future__ import annotations

import hashlib
from collections import deque
from typing import NamedTuple

from gitinstinct.observer.local import programs
from gitinstinct.observer.local.acts import Act, Found
from gitinstinct.observer.local.commands import Command
from gitinstinct.observer.local.needs import NEED_OF
from gitinstinct.observer.local.opposition import Pair, hints, is_technical, pairs, wanted_only
from gitinstinct.observer.local.redo import Redo
from gitinstinct.observer.local.safe import code
from gitinstinct.observer.pattern import CORRECTION, Pattern

_RECENT = 12  # acts that a correction may be about


class Refusal(NamedTuple):
    """What the person refused: the patterns, the terms, and the numbers of the steps that had used them."""

    found: list[Found]
    terms: list[str]
    steps: set[int]


_NOTHING = Refusal([], [], set())


class Corrections:
    """What the agent did in one session since the person last spoke."""

    def __init__(self) -> None:
        self._recent: deque[Act] = deque(maxlen=_RECENT)
        self._has_acted = False
        self._redo = Redo()
        self._asked: list[str] = []

    def feed(self, act: Act) -> Refusal:
        """Remember one act, whether it succeeded or not; the correction that it obeys, if that was not plain before."""
        self._recent.append(act)
        self._has_acted = True
        redone = self._redo.feed(act)
        if redone is None:
            return Refusal([], [], self._obeyed(act))
        found = Found(_pattern(redone.pair, redone.before, [act]), (redone.before.anchor, act.anchor))
        return Refusal([found], [redone.pair.unwanted], {redone.before.step.number, act.step.number})

    def _obeyed(self, act: Act) -> set[int]:
        """The step that does what was asked for; it is no habit of the agent's."""
        done = [term for term in self._asked if act.mentions(term)]
        self._asked = [term for term in self._asked if term not in done]
        return {act.step.number} if done else set()

    def hear(self, prompt: str, anchor: str) -> Refusal:
        """Take the person's words; what they correct. Before the agent has acted there is nothing to correct."""
        acts = list(self._recent)
        self._recent.clear()
        if not self._has_acted:
            return _NOTHING

        def was_used(term: str) -> bool:
            return _user_of(term, acts) is not None

        said = pairs(prompt, was_used)
        said = said or [pair for term in wanted_only(prompt) if (pair := _implied(term, acts))]
        said = said or hints(prompt)
        found, steps = [], set()
        for pair in said:
            about = _user_of(pair.unwanted, acts)
            ids = (about.anchor, anchor) if about else (anchor,)
            # The same text again and again is a recital; it counts only where something else speaks of tools.
            variant = "" if is_technical(pair, was_used) else _hash(prompt)
            found.append(Found(_pattern(pair, about, acts), ids, variant))
            steps |= {act.step.number for act in acts if act.mentions(pair.unwanted)}
        self._redo = Redo() if said else Redo(prompt, tuple(acts))
        self._asked = [pair.wanted for pair in said]
        return Refusal(found, [pair.unwanted for pair in said], steps)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:8]


def _user_of(term: str, acts: list[Act]) -> Act | None:
    """The last act that used the term."""
    return next((act for act in reversed(acts) if act.mentions(term)), None)


def _implied(wanted: str, acts: list[Act]) -> Pair | None:
    """The program that the wanted one is to replace: the last one used for the same need."""
    need = NEED_OF.get(wanted)
    if need is None:
        return None
    keys = (command.key for act in reversed(acts) for command in act.commands)
    other = next((key for key in keys if key in need.members | need.usual and " " not in key), "")
    return Pair(wanted, other) if other and other != wanted else None


def _pattern(pair: Pair, about: Act | None, acts: list[Act]) -> Pattern:
    wanted, unwanted = pair
    where = _where(unwanted, about) if about else ""
    both = " and ".join(code(term) for term in sorted(pair, key=str.casefold))
    return Pattern(
        signature=f"{CORRECTION}\0{wanted.casefold()}\0{unwanted.casefold()}",
        family=CORRECTION,
        trigger=where or f"when choosing between {both}",
        action=f"Use {code(wanted)} instead of {code(unwanted)}.",
        title=f"Use {wanted} instead of {unwanted}",
        name=f"use {wanted} instead of {unwanted}",
        domain=_domain(pair, about, acts),
        specific=bool(where),
    )


def _where(unwanted: str, act: Act) -> str:
    """Where the rule holds, from what the agent did with the unwanted thing."""
    if act.kind:
        return f"when editing {code(act.kind)}" + (" files" if "*" in act.kind else "")
    command = _user_command(unwanted, act)
    if command is None:
        return ""
    names = command.head.split()
    words = set(names) - {"run"}
    activity = next((told for told, said in programs.ACTIVITIES.items() if words & said), "")
    if activity and (activity != programs.STARTING or names[0] in programs.APPLICATION_STARTERS):
        return activity
    # Where the program itself is refused it does not matter what it was told to do.
    refused = next((place for place, name in enumerate(names) if name.casefold() == unwanted.casefold()), len(names))
    return f"when about to run {code(' '.join(names[: refused + 1]))}"


def _user_command(term: str, act: Act) -> Command | None:
    folded = term.casefold()
    using = (command for command in act.commands if any(folded in word.casefold() for word in command.raw))
    return next(using, None)


def _domain(pair: Pair, about: Act | None, acts: list[Act]) -> str:
    """Git and tests by their words, code by the file that was edited, anything else is a matter of workflow."""
    words = {word for command in about.commands for word in command.head.split()} if about else set()
    terms = {term.casefold() for term in pair}
    if (words | terms) & (programs.ACTIVITIES["when running tests"] | {"unittest"}):
        return "testing"
    if "git" in words | terms or terms & {"main", "master", "rebase", "merge", "squash"}:
        return "git"
    act = about or (acts[-1] if acts else None)
    return "code-style" if act and act.kind else "workflow"
