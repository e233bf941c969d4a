"""A simple command reduced to what recurs: program, sub-command, the switches that change what it does.

Arguments vary and are the person's; they are left out, except where the tool itself prescribes the name
(`requirements.txt`). Whatever is not plainly a word of a tool is left out too, so that no secret, path or text can get
into an instinct this way.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise

from gitinstinct.instinct.ids import short_hash
from gitinstinct.observer.local import programs
from gitinstinct.observer.local.needs import NEED_OF
from gitinstinct.observer.local.safe import is_word
from gitinstinct.observer.local.shell import SHELLS, Words, pipelines

_PROGRAM = re.compile(
    r"@?[A-Za-z_][\w.+-]*(?:/[\w.+-]+)?|\./(?:[\w+-][\w.+-]*/){0,2}[\w+-][\w.+-]*|(?:bin|scripts?|tools)/[\w.+-]+"
)
_SUBCOMMAND = re.compile(r"[a-z][a-z0-9]*(?:[-:][a-z0-9]+)*")
_TASK = re.compile(r":?[A-Za-z][\w.-]*(?::[\w.-]+)*")
_SWITCH = re.compile(r"--?[a-z][a-z]+(?:-[a-z]+)*|--[a-z]+[A-Z][a-z]+")
_SCRIPT = re.compile(r"[\w./-]+\.sh")
_EXECUTABLE = re.compile(r"\.(?:exe|cmd|bat|ps1)$")
_VERSION = re.compile(r"(?<=[a-z])\d\.\d+$")
_ASKS = frozenset({"--version", "--help"})
_ASKS_ALONE = frozenset({"-h", "-V", "-v"})  # with other words they are a host, a volume …
_EXACT_WORD = re.compile(r"[\w.+/:=@#,%-]{1,40}")
_PRIVATE = re.compile(r"pass|secret|token|key|login|auth|cred|user|account", re.I)
_LONGEST_EXACT = 60
_MAX_SWITCHES = 2
_MAX_COMMANDS = 8


class Role(Enum):
    """What a command is good for: to look, to help in passing, to do something."""

    READER = 1
    UTILITY = 2
    TOOL = 3


@dataclass(frozen=True, slots=True)
class Command:
    """One simple command. `head` is wrapper, program and sub-commands; `shown` has switches too; `raw` is all of it.

    `key` is the entry of the needs table that it falls under ("" if none); `is_open` says that arguments were left out.
    """

    head: str
    shown: str
    raw: Words
    role: Role
    wrapper: str = ""
    key: str = ""
    is_open: bool = False

    @property
    def variant(self) -> str:
        """A short hash of all its words: equal only for uses with the same arguments."""
        return short_hash(*self.raw)

    @property
    def exact(self) -> str:
        """All its words, for a command that never varies; "" where they are too many, or could tell something private.

        Where a word speaks of credentials, what follows may be one: then only sub-commands are told.
        """
        text = " ".join(self.raw)
        is_private = _PRIVATE.search(text) is not None and not all(map(_SUBCOMMAND.fullmatch, self.raw))
        return "" if is_private or len(text) > _LONGEST_EXACT or not all(map(_is_exact, self.raw)) else text


def _is_exact(word: str) -> bool:
    return _EXACT_WORD.fullmatch(word) is not None and "://" not in word and is_word(word.replace("...", "") or ".")


def parse(text: str) -> tuple[Command, ...]:
    """The commands of a command line, at most eight: of each pipeline the first that does more than look."""
    found = []
    for pipeline in pipelines(text):
        stages = [command for command in map(_command, pipeline) if command]
        if stages:
            found.append(next((stage for stage in stages if stage.role is not Role.READER), stages[0]))
    return tuple(found[:_MAX_COMMANDS])


def _command(words: Words) -> Command | None:
    program = _program(words[0])
    if not program:
        return None
    words = (program, *words[1:])
    if program in SHELLS and len(words) > 1 and _SCRIPT.fullmatch(words[1]):
        return _command(words[1:])
    length = _wrapper_length(words)
    if length:
        return _wrapped(words, length)
    names, rest = _names(words)
    switches = _switches(rest)
    manifests = _manifests(rest)
    return Command(
        head=" ".join(names),
        shown=" ".join((*names, *switches, *manifests)),
        raw=words,
        role=_role(names, words),
        key=_key(names),
        is_open=any(not word.startswith("-") for word in rest) and not manifests,
    )


def _program(word: str) -> str:
    """The program's name as people say it; "" where it is none."""
    name = word.replace("\\", "/")
    if name.startswith(("/", "~")) or re.match(r"(?:\./)?(?:[\w.-]*venv|node_modules|vendor|[A-Za-z]:)/", name):
        name = name.rpartition("/")[2]
    name = _VERSION.sub("", _EXECUTABLE.sub("", name))
    return name if _PROGRAM.fullmatch(name) and is_word(name) else ""


def _wrapper_length(words: Words) -> int:
    """How many words the wrapper has that these begin with; 0 for none."""
    return next((n for n in (3, 2, 1) if len(words) > n and " ".join(words[:n]) in programs.WRAPPERS), 0)


def _wrapped(words: Words, length: int) -> Command | None:
    wrapper = " ".join(words[:length])
    place = _past_flags(words, length)
    if wrapper in programs.PLACED_WRAPPERS:
        place = _past_flags(words, place + 1)
    inner = _inner(words[place:]) if place < len(words) else None
    if inner is None:
        role = Role.UTILITY if place < len(words) else Role.READER
        return Command(wrapper, wrapper, words, role, wrapper, _key((wrapper,)), is_open=True)
    return Command(
        head=f"{wrapper} {inner.head}",
        shown=f"{wrapper} {inner.shown}",
        raw=words,
        role=inner.role,
        wrapper=wrapper,
        key=wrapper if wrapper in NEED_OF else inner.key,
        is_open=inner.is_open,
    )


def _inner(words: Words) -> Command | None:
    """What a wrapper runs. It knows no shell's own commands: `pdm run test` is the project's task `test`."""
    command = _command(words)
    is_task = command is not None and command.head in programs.SHELL_WORDS
    return replace(command, role=Role.TOOL) if command and is_task else command


def _past_flags(words: Words, place: int) -> int:
    while place < len(words) and words[place].startswith("-"):
        place += 2 if words[place] in programs.VALUE_FLAGS else 1
    return place


def _past_values(words: Words, place: int) -> int:
    """Past flags with a value between two sub-commands: `docker compose -f FILE up`."""
    while place + 2 < len(words) and words[place] in programs.VALUE_FLAGS:
        place += 2
    return place


def _names(words: Words) -> tuple[Words, Words]:
    """(program and sub-commands, the rest)."""
    program = words[0]
    if program in programs.INTERPRETERS:
        return _interpreted(words)
    if len(words) > 1 and words[1] in programs.MODES.get(program, ()):
        return words[:2], words[2:]
    if program in programs.ARGUMENTS_ONLY:
        return words[:1], words[1:]
    names = [program]
    place = _past_flags(words, 1)
    while place < len(words) and len(names) <= _depth(names) and _is_name(names, words[place]):
        names.append(words[place])
        place = _past_values(words, place + 1)
    if place < len(words) and words[place] in programs.MODES.get(" ".join(names), ()):
        names.append(words[place])
        place += 1
    rest = words[1:] if len(names) == 1 else words[place:]
    return tuple(names), rest


def _interpreted(words: Words) -> tuple[Words, Words]:
    """An interpreter's words: the module or the tool's own script counts as the program, other scripts do not."""
    if len(words) > 2 and words[1] == "-m" and _TASK.fullmatch(words[2]) and is_word(words[2]):
        inner, rest = _names(words[2:]) if words[2] in programs.MODULES_WITH_COMMANDS else (words[2:3], words[3:])
        return (*words[:2], *inner), rest
    if len(words) > 1 and words[1] in programs.TOOL_SCRIPTS:
        has_task = len(words) > 2 and _TASK.fullmatch(words[2]) is not None and is_word(words[2])
        return (words[:3], words[3:]) if has_task else (words[:2], words[2:])
    if words[0] in ("deno", "bun") and len(words) > 1 and _SUBCOMMAND.fullmatch(words[1]):
        depth = 3 if len(words) > 2 and words[1] in ("run", "task") and _TASK.fullmatch(words[2]) else 2
        return words[:depth], words[depth:]
    return words[:1], words[1:]


def _depth(names: list[str]) -> int:
    """How many sub-commands there may be after what has been read."""
    known = [programs.SUBCOMMANDS.get(" ".join(names[:n]), 0) for n in range(1, len(names) + 1)]
    return max(*known, 2 if names[0] in programs.TASK_RUNNERS else 1)


def _is_name(names: list[str], word: str) -> bool:
    is_task = (
        names[0] in programs.TASK_RUNNERS
        or names[0] in programs.SHORT_TASK_RUNNERS
        or " ".join(names) in programs.TASKS_AFTER
    )
    pattern = _TASK if is_task else _SUBCOMMAND
    is_folder = word in programs.FOLDERS and not is_task and " ".join((*names, word)) not in programs.SUBCOMMANDS
    return pattern.fullmatch(word) is not None and is_word(word) and not is_folder


def _switches(rest: Words) -> Words:
    """The flags without value that change what is done: known ones, and long ones that no value can follow."""
    rest = rest[: rest.index("--")] if "--" in rest else rest
    found: list[str] = []
    for word, following in zip(rest, (*rest[1:], "-"), strict=False):
        is_plain = word in programs.SWITCHES or following.startswith("-")
        if is_plain and _SWITCH.fullmatch(word) and is_word(word) and word not in programs.NOISE_FLAGS:
            found.append(word)
    return tuple(dict.fromkeys(found))[:_MAX_SWITCHES]


def _manifests(rest: Words) -> Words:
    """A flag with a file that the tool prescribes: `-r requirements.txt`."""
    return next(
        ((flag, name) for flag, name in pairwise(rest) if name in programs.MANIFESTS and re.fullmatch(r"-[a-z]", flag)),
        (),
    )


def _role(names: Words, words: Words) -> Role:
    if names[0].lower() in programs.READERS or _asks(words):
        return Role.READER
    if names[0] in programs.INTERPRETERS and len(names) == 1:
        return Role.READER if len(words) > 1 and words[1] in ("-c", "-e", "-", "-p", "<") else Role.UTILITY
    if names[0] in programs.UTILITIES and len(names) == 1:
        return Role.UTILITY
    is_task = names[0] in programs.TASK_RUNNERS or " ".join(names[:2]) in programs.TASKS_AFTER
    is_bump = names[-1] == "version" and words[-1] != "version" and not words[-1].startswith("-")
    is_reading = (names[-1] in programs.READING_WORDS and not is_bump) or (
        " ".join(names[:2]) in programs.READING_PHRASES
    )
    if not is_task and len(names) > 1 and is_reading:
        return Role.READER
    return Role.READER if len(words) == 1 and names[0].endswith("-version") else Role.TOOL


def _asks(words: Words) -> bool:
    return not _ASKS.isdisjoint(words) or (len(words) == 2 and words[1] in _ASKS_ALONE)


def _key(names: Words) -> str:
    """The longest beginning that stands in the needs table."""
    return next((key for n in (3, 2, 1) if (key := " ".join(names[:n])) in NEED_OF), "")
