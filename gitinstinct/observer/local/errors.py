"""Error → fix: a command fails, something else succeeds, then the same command succeeds.

An episode is open from the failure until the command works again. What succeeded in between may be the cure; whether it
is one shows by recurring, in at least half of the episodes of that failure. The occasions are therefore counted too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from gitinstinct.observer.events import Outcome
from gitinstinct.observer.local import programs
from gitinstinct.observer.local.acts import Act, Found
from gitinstinct.observer.local.commands import Command, Role
from gitinstinct.observer.local.failures import classify
from gitinstinct.observer.local.naming import beginning, brief, shortest, unwrapped
from gitinstinct.observer.local.safe import code
from gitinstinct.observer.pattern import BASE, ERROR_FIX, Pattern

_OPEN = 8  # failures that are under repair at once
_BETWEEN = 12
_PATIENCE = 40  # steps after which a failure is given up
_CURES = 3  # the nearest before the success
_PARTS = 2  # commands in one failing line

_AFTERWARDS = frozenset({"commit", "check", "tsc"}).union(
    *(
        programs.ACTIVITIES[activity]
        for activity in ("when linting", "when formatting code", "when running tests", "when checking types")
    )
)
_INSTALLING = frozenset("install add get require i".split())
_IN_PASSING = {
    "mkdir": "Create the missing folder with `mkdir`",
    "chmod": "Set the permissions with `chmod`",
    "kill": "Stop the process that is in the way with `kill`",
    "pkill": "Stop the process that is in the way with `pkill`",
    "rm": "Remove what is in the way with `rm`",
}


@dataclass(slots=True)
class _Failure:
    key: str
    identity: tuple[tuple[str, ...], ...]
    shown: str
    cause: str
    number: int
    anchor: str
    between: list[Act] = field(default_factory=list)
    is_past: bool = False  # the command failed otherwise since: what helped against this is complete


class Episode:
    """What ended: the cures that were seen, and the numbers of the steps that belong to it."""

    def __init__(self) -> None:
        self.found: list[Found] = []
        self.steps: set[int] = set()


class Errors:
    """The failures of one session that are under repair."""

    def __init__(self) -> None:
        self._open: list[_Failure] = []

    def feed(self, act: Act) -> Episode:
        """Take one act; what it ended."""
        self._open = [failure for failure in self._open if act.step.number - failure.number <= _PATIENCE]
        episode = Episode()
        if act.step.outcome is Outcome.FAILED:
            self._fail(act)
        elif act.is_ok:
            same = [failure for failure in self._open if _is_retry(failure, act)]
            for failure in same:
                _close(failure, act, episode)
            self._open = [failure for failure in self._open if failure not in same]
            self._note(act)
        return episode

    def _fail(self, act: Act) -> None:
        parts = _parts(act)
        if not 0 < len(parts) <= _PARTS:
            return
        key = " && ".join(part.head for part in parts)
        cause = classify(act.step.error)
        for failure in self._open:
            if failure.key == key and not failure.is_past:
                if failure.cause == cause:
                    failure.between.clear()  # it did not help
                    failure.anchor = act.anchor
                    return
                failure.is_past = True
        self._open.append(_Failure(key, _identity(act), _shown(parts), cause, act.step.number, act.anchor))
        del self._open[:-_OPEN]

    def _note(self, act: Act) -> None:
        for failure in self._open:
            if not failure.is_past:
                failure.between.append(act)
                del failure.between[:-_BETWEEN]


def _identity(act: Act) -> tuple[tuple[str, ...], ...]:
    return tuple(command.raw for command in _parts(act))


def _parts(act: Act) -> tuple[Command, ...]:
    """What can fail and be mended: doing something, or asking a service (`kubectl get`), but not a look at files."""
    return act.doings or tuple(item for item in act.commands if item.head.split()[0] not in programs.READERS)


def _is_retry(failure: _Failure, act: Act) -> bool:
    """The same words, or the same command with other arguments; with another switch it is a cure, not a retry."""
    parts = _parts(act)
    if _identity(act) == failure.identity:
        return True
    if " && ".join(part.head for part in parts) != failure.key or failure.key in programs.INTERPRETERS:
        return False
    return _shown(parts) == failure.shown


def _close(failure: _Failure, retry: Act, episode: Episode) -> None:
    occasion = f"failure\0{failure.key}\0{failure.cause}"
    ids = (failure.anchor, retry.anchor)
    episode.found.append(Found(Pattern(occasion, BASE), ids))
    cures = _cures(failure)
    if cures:
        episode.steps |= {failure.number, retry.step.number, *cures.values()}
    episode.found += [Found(_by_commands(failure, cure, occasion), ids, _variant(cure)) for cure in cures]
    kinds = {act.kind for act in failure.between if act.kind}
    if not cures and len(kinds) == 1 and failure.cause and _is_config(next(iter(kinds))):
        episode.found.append(Found(_by_edit(failure, next(iter(kinds)), occasion), ids))


def _cures(failure: _Failure) -> dict[tuple[Command, ...], int]:
    """The command lines that may have helped, with their step's number: the last three before the success."""
    edits = {act.kind for act in failure.between if act.kind and act.kind not in programs.DOCUMENTS}
    is_coding = any(not _is_config(kind) for kind in edits)
    found: dict[str, tuple[tuple[Command, ...], int]] = {}
    for act in failure.between:
        line = tuple(command for command in act.doings if _is_cure(command, failure.key, is_coding))
        # What only prepares the ground (`rm -r node_modules && npm ci`) is no part of the advice.
        line = tuple(command for command in line if command.role is Role.TOOL) or line
        if line and _shown(line) != failure.shown:
            found[_shown(line)] = (line[:_PARTS], act.step.number)
    return dict(list(found.values())[-_CURES:])


def _shown(commands: tuple[Command, ...]) -> str:
    return " && ".join(command.shown for command in commands)


def _is_cure(command: Command, failing: str, is_coding: bool) -> bool:
    """After edits of source, a formatter or a test run is what one does anyway; `git add` cures only a commit."""
    if command.role is Role.UTILITY:
        return command.head in _IN_PASSING
    is_afterwards = is_coding and not _AFTERWARDS.isdisjoint(command.head.split())
    return not is_afterwards and (command.head != "git add" or failing == "git commit")


def _is_config(kind: str) -> bool:
    return kind in programs.MANIFESTS or kind.removeprefix("*.") in programs.CONFIG_KINDS


def _by_commands(failure: _Failure, cure: tuple[Command, ...], occasion: str) -> Pattern:
    first = cure[0]
    advice = _run(command.shown for command in cure)
    if len(cure) == 1 and first.is_open and first.head.split()[-1] in _INSTALLING:
        advice = f"Install what is missing with {code(first.shown)}"
    exact = [command.exact for command in cure]
    is_told = all(exact) and first.head not in _IN_PASSING
    advice = _IN_PASSING.get(first.head, advice)
    return _pattern(failure, advice, _shown(cure), occasion, _run(exact) if is_told else "")


def _run(commands: Iterable[str]) -> str:
    return f"Run {', then '.join(map(code, commands))}"


def _variant(cure: tuple[Command, ...]) -> str:
    return "".join(command.variant for command in cure)


def _by_edit(failure: _Failure, kind: str, occasion: str) -> Pattern:
    what = f"the {code(kind)} file" if kind.startswith("*") else code(kind)
    return _pattern(failure, f"Correct {what}", f"edit {kind}", occasion)


def _pattern(failure: _Failure, advice: str, cure: str, occasion: str, exact: str = "") -> Pattern:
    """`exact` is the advice where it was the very same command each time."""
    when = f"when {code(failure.key)} fails" + (f" with {_told(failure.cause)}" if failure.cause else "")
    return Pattern(
        signature=f"{ERROR_FIX}\0{failure.key}\0{failure.cause}\0{cure}",
        family=ERROR_FIX,
        trigger=when,
        action=_again(advice),
        title=_heading(advice, when),
        name=_name(failure.key, cure),
        domain="git" if failure.key.startswith("git ") else "debugging",
        occasions=(occasion,),
        exact=(_again(exact), _heading(exact, when)) if exact else (),
    )


def _again(advice: str) -> str:
    return f"{advice}, then run the command again."


def _heading(advice: str, when: str) -> str:
    return f"{advice} {when}".replace('"', "").replace("`", "")


def _name(failing: str, cure: str) -> str:
    cure, failing = unwrapped(cure), brief(failing)
    plain = brief(cure)
    return shortest(
        f"{cure} when {failing} fails",
        f"{plain} when {failing} fails",
        f"{cure} when {beginning(failing, 2)} fails",
        f"{cure} when {beginning(failing, 1)} fails",
        f"{beginning(cure, 2)} when {beginning(failing, 1)} fails",
    )


def _told(cause: str) -> str:
    """Messages in words are quoted; codes and classes speak for themselves."""
    is_message = (
        cause.islower() and (" " in cause or cause.isalpha()) and not cause.startswith(("error ", "exit code "))
    )
    return f'"{cause}"' if is_message else cause
