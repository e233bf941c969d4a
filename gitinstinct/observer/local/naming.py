"""Short names for commands: what an id is made from.

A name is read in lists and typed, so it keeps the words that tell and drops the rest: wrappers, repeated programs and,
where nothing hangs on them, switches.
"""

from __future__ import annotations

from collections.abc import Iterable

from gitinstinct.observer.local import programs

_LONGEST = 48  # characters of an id; the store takes 56


def brief(command: str) -> str:
    """The command without its wrapper and its switches."""
    words = [word for word in unwrapped(command).split() if not word.startswith("-")]
    return " ".join(words) or command


def unwrapped(command: str) -> str:
    """The command without its wrapper: `uv run pytest` is `pytest`, `python -m build` is `build`."""
    words = command.split()
    if len(words) > 1 and words[0] in programs.INTERPRETERS:
        return " ".join(word for word in words[1:] if word != "-m")
    length = next((n for n in (3, 2, 1) if len(words) > n and " ".join(words[:n]) in programs.WRAPPERS), 0)
    return " ".join(words[length:])


def chained(commands: Iterable[str]) -> str:
    """Several commands in a row; a program is named once: `git fetch`, `git push` are `git fetch push`."""
    told: list[str] = []
    program = ""
    for command in map(brief, commands):
        first, _, rest = command.partition(" ")
        told.append(rest if first == program and rest else command)
        program = first
    return " ".join(told)


def shortest(*candidates: str) -> str:
    """The first candidate that is short enough, else the last."""
    return next((text for text in candidates if len(text) <= _LONGEST), candidates[-1])


def beginning(command: str, words: int) -> str:
    """The first words of a command."""
    return " ".join(command.split()[:words])
