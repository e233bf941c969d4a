"""Workflows: steps that follow each other again and again, with other steps between.

A window slides over the steps that do something; looking, reading and searching leave no trace in it. When a step
leaves the window, or a turn ends, all short sequences that begin with it are named, the longest first, so that a part
of a workflow is never counted before the whole. How often each step ran at all is counted as well: a sequence is a
workflow only if the step that it is told from mostly comes with it.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from gitinstinct.observer.local import programs
from gitinstinct.observer.local.acts import Act, Found
from gitinstinct.observer.local.commands import Command, Role
from gitinstinct.observer.local.naming import brief, chained, shortest
from gitinstinct.observer.local.safe import code, is_word, listed
from gitinstinct.observer.pattern import BASE, EDIT, STEP, WORKFLOW, Pattern

_WINDOW = 7  # steps, so that a sequence of five may have two others in it
_GAPS = {2: 2, 3: 2, 4: 1, 5: 1}  # how many other steps a sequence of that length may hold
_FOREIGN = "mcp__"
_FOREIGN_TOOL = re.compile(rf"{_FOREIGN}[\w.-]{{1,59}}")


@dataclass(slots=True)
class _Place:
    """A step in the window, with the sequences that begin with it and were named already."""

    token: str
    number: int
    anchor: str
    named: set[tuple[str, ...]] = field(default_factory=set)

    @property
    def is_edit(self) -> bool:
        return self.token.startswith(EDIT)


class Workflows:
    """The last steps of one session that did something."""

    def __init__(self) -> None:
        self._window: deque[_Place] = deque()

    def feed(self, act: Act) -> list[Found]:
        """Take one successful act; the sequences that begin with steps which left the window by it."""
        found: list[Found] = []
        for token in _tokens(act):
            if self._window and self._window[-1].token == token:
                self._window[-1].anchor = act.anchor
                continue
            self._window.append(_Place(token, act.step.number, act.anchor))
            if len(self._window) > _WINDOW:
                found += self._name(0, act.anchor)
                self._window.popleft()
        return found

    def forget(self, steps: set[int]) -> None:
        """Take steps out that turned out to be something else: an episode of repair, or what the person refused."""
        self._window = deque(place for place in self._window if place.number not in steps)

    def flush(self, anchor: str) -> list[Found]:
        """A turn or the session ended: name what stands in the window and was not named yet."""
        return [found for start in range(len(self._window)) for found in self._name(start, anchor)]

    def _name(self, start: int, anchor: str) -> list[Found]:
        first, *rest = list(self._window)[start:]
        found = [] if first.named else [Found(Pattern(_occasion(first.token), BASE), (first.anchor, anchor))]
        first.named.add((first.token,))
        for places in _sequences(first, rest):
            tokens = tuple(place.token for place in places)
            if tokens not in first.named:
                first.named.add(tokens)
                ids = dict.fromkeys(place.anchor for place in places) | {anchor: None}
                found.append(Found(_pattern(tokens), tuple(ids)))
        return found


def _sequences(first: _Place, rest: list[_Place]) -> Iterator[list[_Place]]:
    """The sequences that begin with a step, the longest first, those with fewer gaps before others."""
    for length in sorted(_GAPS, reverse=True):
        yield from (places for places in _chosen([first], rest, length, _GAPS[length]) if _is_workflow(places))


def _chosen(taken: list[_Place], rest: list[_Place], length: int, gaps: int) -> Iterator[list[_Place]]:
    if len(taken) == length:
        yield taken
        return
    for skipped in range(min(gaps + 1, len(rest))):
        yield from _chosen([*taken, rest[skipped]], rest[skipped + 1 :], length, gaps - skipped)
        if taken[0].is_edit and rest[skipped].is_edit:
            return  # what follows belongs to the nearer edit


def _is_workflow(places: list[_Place]) -> bool:
    """Distinct steps, an edit at most as the first, a command besides the everyday of git, and one task only."""
    first, *others = tokens = [place.token for place in places]
    commands = {token for token in tokens if not token.startswith((EDIT, _FOREIGN))}
    return (
        len(set(map(_without_switches, tokens))) == len(tokens)
        and not any(token.startswith(EDIT) for token in others)
        and not commands <= programs.PLAIN_GIT
        and (first.startswith(EDIT) or len(commands) == len(tokens))
        and _is_one_task(tokens)
    )


def _without_switches(token: str) -> str:
    return token.partition(" -")[0]


def _is_one_task(tokens: list[str]) -> bool:
    """After a commit or a push only what brings the work out still belongs to it."""
    ends = [place for place, token in enumerate(tokens) if token.startswith(("git commit", "git push"))]
    return not ends or all(_is_final(token) for token in tokens[ends[0] :])


def _is_final(token: str) -> bool:
    return not programs.BRINGING_OUT.isdisjoint(token.replace(":", " ").split())


def _tokens(act: Act) -> list[str]:
    if act.kind:
        return [] if act.kind in programs.DOCUMENTS else [EDIT + act.kind]
    if _FOREIGN_TOOL.fullmatch(act.step.tool) and is_word(act.step.tool.replace("_", "-")):
        return [act.step.tool]
    return [command.shown for command in act.commands if _is_step(command)]


def _is_step(command: Command) -> bool:
    return command.role is Role.TOOL and command.head != "git add"


def _occasion(token: str) -> str:
    return f"{STEP}\0{token}"


@lru_cache(maxsize=4096)
def _pattern(tokens: tuple[str, ...]) -> Pattern:
    trigger, action = _sentences(tokens)
    return Pattern(
        signature="\0".join((WORKFLOW, *tokens)),
        family=WORKFLOW,
        trigger=trigger,
        action=action,
        title=_title(tokens),
        name=_name(tokens),
        domain=_domain(tokens),
        occasions=(_occasion(tokens[0] if not _is_before(tokens) else tokens[-1]),),
    )


def _sentences(tokens: tuple[str, ...]) -> tuple[str, str]:
    first, *others = tokens
    if first.startswith(EDIT):
        what = code(first.removeprefix(EDIT))
        subject = f"{what} files have" if "*" in what else f"{what} has"
        return f"when {subject} been edited", _run(others)
    if _is_before(tokens):
        before = listed([code(token) for token in tokens[:-1]], "and then")
        return f"when about to run {code(tokens[-1])}", f"Run {before} first."
    return f"when {code(first)} has been run", _run(others)


def _title(tokens: tuple[str, ...]) -> str:
    first, *others = tokens
    if first.startswith(EDIT):
        return f"{listed(others)} after editing {first.removeprefix(EDIT)}"
    if _is_before(tokens):
        return f"{listed(list(tokens[:-1]))} before {tokens[-1]}"
    return f"{listed(others)} after {first}"


def _name(tokens: tuple[str, ...]) -> str:
    """Short enough to be read in a list: with all steps if that is possible, else with the ends."""
    first, *others = tokens
    if _is_before(tokens):
        before = f"before {brief(tokens[-1])}"
        return shortest(f"{chained(tokens[:-1])} {before}", f"{brief(first)} {before}")
    after = f"{first.removeprefix(EDIT)} edits" if first.startswith(EDIT) else brief(first)
    return shortest(f"{chained(others)} after {after}", f"{brief(others[-1])} after {after}")


def _is_before(tokens: tuple[str, ...]) -> bool:
    """Whether it is told from its end: what brings work out is the moment that everything before leads to."""
    return not tokens[0].startswith(EDIT) and _is_final(tokens[-1])


def _run(tokens: list[str]) -> str:
    return f"Run {', then '.join(code(token) for token in tokens)}."


def _domain(tokens: tuple[str, ...]) -> str:
    if all(token.startswith("git ") for token in tokens):
        return "git"
    return "workflow"
