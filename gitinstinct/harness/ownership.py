"""Which hook entries are ours, whoever wrote them and however.

An entry is known by what it runs, not by a mark: entries are copied by hand, written by older versions and rewritten by
other tools. It is ours only if *all* it does is to call our hook: `gitinstinct hook NAME` or the shim `hooks/hook.py
NAME`, from any path, as a string or as a program with arguments, in any shell wrapper. An entry that calls us among
other things is the person's; see `mentions`.
"""

from __future__ import annotations

import re
import shlex

_PROGRAMS = {"gitinstinct", "git-instinct"}
_SHELLS = {"sh", "bash", "zsh", "dash", "cmd", "powershell", "pwsh"}
_SHELL_FLAG = re.compile(r"-[a-z]*c|/c|-command", re.IGNORECASE)
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_RUNNERS = {"uv", "uvx", "pipx"}
_PYTHON = re.compile(r"(python|pypy)[0-9.]*w?|py")
_SHIM = re.compile(r"(.*[/\\])?hooks[/\\]hook\.py")
_HARMLESS = re.compile(r"\|\||;|&|true|exit|0|2?>|(2?>)?/dev/null|2>&1|--batch")
_EVENT = re.compile(r"[A-Z][A-Za-z]+")
_MENTION = re.compile(r"\bgit-?\s?instinct(\.exe)?[\"']?\s+hook\b")


def is_ours(handler: object, harness: str) -> bool:
    """Whether this hook entry does nothing but call our hook for this harness."""
    return any(_calls_us(_unwrap(words), harness) for words in _readings(handler))


def mentions(handler: object) -> bool:
    """Whether this hook entry names our hook anywhere."""
    return any(_MENTION.search(" ".join(words)) for words in _readings(handler))


def _readings(handler: object) -> list[list[str]]:
    """The words of the command. A string has two readings: a backslash quotes in a shell and parts a Windows path."""
    command = handler.get("command") if isinstance(handler, dict) else None
    if not isinstance(command, str):
        return []
    args = handler.get("args") if isinstance(handler, dict) else None
    if isinstance(args, list):
        return [[command, *(str(word) for word in args)]]
    return [_split(command, "\\"), _split(command, "")]


def _split(command: str, escape: str) -> list[str]:
    lexer = shlex.shlex(command, posix=True)
    lexer.whitespace_split, lexer.commenters, lexer.escape = True, "", escape
    try:
        return list(lexer)
    except ValueError:  # an open quote
        return command.split()


def _unwrap(words: list[str]) -> list[str]:
    """Without `sh -c`, `cmd /c`, `exec` and the like around the call, however deep."""
    while words:
        name = _name(words[0])
        if name in _SHELLS:
            words = _after_flag(words)
        elif name in {"exec", "env"} or _ASSIGNMENT.match(words[0]):
            words = words[1:]
        elif name in _RUNNERS and _PROGRAMS & {_name(word) for word in words}:
            words = words[next(at for at, word in enumerate(words) if _name(word) in _PROGRAMS) :]
        else:
            break
    return words


def _after_flag(words: list[str]) -> list[str]:
    for at, word in enumerate(words[1:], 2):
        if _SHELL_FLAG.fullmatch(word):
            return _split(words[at], "\\") if len(words) == at + 1 else words[at:]
    return []


def _calls_us(words: list[str], harness: str) -> bool:
    call = _our_arguments(words)
    if call[:2] != ["hook", harness]:
        return False
    rest = call[2:]
    if rest and _EVENT.fullmatch(rest[0]):
        rest = rest[1:]
    return all(_HARMLESS.fullmatch(word) for word in rest)


def _our_arguments(words: list[str]) -> list[str]:
    """What our command line gets, `hook` first; empty if the words start something else."""
    name = _name(words[0]) if words else ""
    if name in _PROGRAMS:
        return words[1:]
    if name == "git" and words[1:2] == ["instinct"]:
        return words[2:]
    return _python_arguments(words[1:]) if _PYTHON.fullmatch(name) else []


def _python_arguments(words: list[str]) -> list[str]:
    options = 0
    while options < len(words) and words[options].startswith("-") and words[options] != "-m":
        options += 1
    flags, rest = words[:options], words[options:]
    if rest[:2] == ["-m", "gitinstinct"]:
        return rest[2:]
    if rest and _SHIM.fullmatch(rest[0]) and ({"-I", "-S"} <= set(flags) or "gitinstinct" in rest[0]):
        return ["hook", *rest[1:]]
    return rest[1:] if rest and _name(rest[0]) in _PROGRAMS else []


def _name(word: str) -> str:
    """A program's bare name: without folders and `.exe`."""
    return re.split(r"[/\\]", word)[-1].lower().removesuffix(".exe").removesuffix(".cmd")
