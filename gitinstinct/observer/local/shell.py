"""A command line as the programs it runs.

Agents write long lines: a change of folder, assignments, pipes, heredocs with a commit message, a wrapper shell. What
recurs is the program and its first words, so the line is cut into simple commands here, without running or expanding
anything. Text that no shell would accept yields fewer commands, never an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

Words = tuple[str, ...]

_LIMIT = 4_000
_DEEPEST = 2  # shells within shells

_HEREDOC = re.compile(r"<<-?[ \t]*(['\"]?)([A-Za-z_]\w*)\1.*?(?:\n[ \t]*\2\b|\Z)", re.S)
_TOKEN = re.compile(
    r"""(?:[ \t\r]|\\\n)*(?:
        (?P<end>\Z)
      | \#[^\n]*
      | (?P<operator>&&|\|\|?|;+|&(?!>)|\n|\(|\))
      | (?P<redirect>(?:\d*|&)(?:>>?|<)(?:&(?:\d+|-))?)
      | (?P<word>(?:[^\s;&|()<>'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+)
    )""",
    re.X | re.S,
)
_QUOTED = re.compile(r"""'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(\W)""", re.S)  # other backslashes are Windows paths
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=")

_KEYWORDS = frozenset("if then elif else while until do ! { } time".split())
_NO_COMMANDS = frozenset("for case select function fi done esac in [[ [ test".split())
_PREFIXES = frozenset("sudo doas env nohup nice command exec builtin stdbuf timeout xargs caffeinate cross-env".split())
_PREFIX_ARGUMENT = re.compile(r"-.*|\d+[smh]?|[A-Za-z_]\w*=.*|\{\}", re.S)
SHELLS = frozenset("bash sh zsh dash".split())
_RUN_TEXT = re.compile(r"-[a-z]*c")


def pipelines(text: str) -> list[list[Words]]:
    """The pipelines of a command line, each a list of simple commands in words without quotes.

    What follows `||` is left out: it runs only when something failed, and then mostly to hide that.
    """
    return list(_unwrapped(text[:_LIMIT], 0))


def _unwrapped(text: str, depth: int) -> Iterator[list[Words]]:
    for pipeline in _split(text):
        commands = [command for command in map(_bare, pipeline) if command]
        inner = _inner_text(commands[0]) if commands and depth < _DEEPEST else ""
        if inner:
            yield from _unwrapped(inner, depth + 1)
        elif commands:
            yield commands


def _split(text: str) -> Iterator[list[Words]]:
    """Cut at the operators; each item is a pipeline of simple commands, still with prefixes."""
    pipeline: list[Words] = []
    words: list[str] = []
    is_fallback = False
    for operator, word in _tokens(_HEREDOC.sub(" <<heredoc ", text)):
        if not operator:
            words.append(word)
            continue
        pipeline.append(tuple(words))
        words = []
        if operator == "|":
            continue
        if not is_fallback:
            yield pipeline
        pipeline, is_fallback = [], operator == "||"


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    """(operator, word) pairs, one of the two empty; a final newline closes the last command."""
    place, skip = 0, False
    while found := _TOKEN.match(text, place):
        if found["end"] is not None:
            break
        place = found.end()
        if found["operator"]:
            yield found["operator"], ""
        elif found["redirect"]:
            skip = not found["redirect"].endswith(tuple("0123456789-"))
            if found["redirect"] == "<":
                yield "", "<"
        elif found["word"]:
            if not skip:
                yield "", _QUOTED.sub(lambda quoted: quoted[1] or quoted[2] or quoted[3] or "", found["word"])
            skip = False
    yield "\n", ""


def _bare(words: Words) -> Words:
    """Without keywords, assignments and prefix programs; empty where nothing is left to run."""
    place = 0
    while place < len(words) and (words[place] in _KEYWORDS or _ASSIGNMENT.match(words[place])):
        place += 1
    words = words[place:]
    if not words or words[0] in _NO_COMMANDS:
        return ()
    if words[0] in _PREFIXES:
        place = 1
        while place < len(words) and _PREFIX_ARGUMENT.fullmatch(words[place]):
            place += 1
        return _bare(words[place:])
    return words


def _inner_text(words: Words) -> str:
    """The text that a shell is told to run: `bash -lc TEXT`."""
    is_shell = len(words) >= 3 and words[0].rpartition("/")[2] in SHELLS and _RUN_TEXT.fullmatch(words[1])
    return words[2] if is_shell else ""
