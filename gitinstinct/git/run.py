"""Starting git: one runner, with everything that could change git's behaviour taken away or fixed.

It stands on `subprocess`. GitPython's own runner decorates output, strips a final newline, and costs its import (about
90 ms) at every start of the program; `config` uses that library for what it is good at. Bytes go in and come out,
arguments are a list and never a shell's line, every call has a limit of time and of output, and a git that fails is a
`GitError` that says what git said.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import threading
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from gitinstinct.errors import EnvironmentFault
from gitinstinct.git import limits

SECONDS = 30.0
MOST = 64 * 1024 * 1024  # bytes of output
_ERROR_TEXT = 4096
_CHUNK = 65_536

# All GIT_* variables of the caller are dropped: inside a git hook they point at the hook's repository, and `git -C`
# does not override them. What we need is set again.
_ENVIRONMENT = {
    "LC_ALL": "C",  # the same words and the same order everywhere
    "GIT_TERMINAL_PROMPT": "0",  # nobody sits before a background run
    "GIT_ASKPASS": "true",  # the same for helpers with a window
    "SSH_ASKPASS": "true",
    "GIT_EDITOR": "false",  # an editor that opens is a bug: fail at once
    "GIT_PAGER": "cat",
    "GIT_OPTIONAL_LOCKS": "0",  # looking must not take index.lock from a person's own git
    "GIT_NO_REPLACE_OBJECTS": "1",  # replace refs and grafts would show another history than the one that is signed
    "GIT_GRAFT_FILE": f"{os.devnull}/none",  # a name that never exists
    "GIT_ADVICE": "0",  # an error is one sentence
    "GIT_ATTR_NOSYSTEM": "1",  # attributes are info/attributes' alone
    "GIT_LFS_SKIP_SMUDGE": "1",  # nothing is downloaded by a look at a file
    "GIT_PROTOCOL_FROM_USER": "0",  # no submodule or redirect picks a transport
    "GIT_ALLOW_PROTOCOL": "file:https:ssh",  # ext:: and fd:: run commands
}
# A person's settings (signing, hooks, aliases, an include of a missing file) have no say in how a store is written.
_IMPERSONAL = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}

# `-c` beats the repository's own config, which a person or a tool may have filled as well.
_OPTIONS = {
    "core.hooksPath": os.devnull,  # `update-ref` runs the reference-transaction hook
    "core.fsmonitor": "false",  # a program that `status` would start
    "core.attributesFile": os.devnull,  # see GIT_ATTR_NOSYSTEM
    "core.excludesFile": os.devnull,  # a person's `*.md` must not hide an instinct
    "core.autocrlf": "false",  # the work tree holds the blob's bytes
    "core.symlinks": "true",  # a link is seen as a link, so that it can be refused
    "core.quotePath": "false",
    "core.protectNTFS": "true",  # names that are dangerous elsewhere are dangerous for the teammate there
    "core.protectHFS": "true",
    "core.commentChar": "#",  # any letter could be set, and would hide trailers
    "core.fsync": "committed,reference",  # git's default may lose the newest commit in a power cut
    "core.logAllRefUpdates": "true",  # the reflog is the way back
    "trailer.separators": ":",
    "i18n.logOutputEncoding": "UTF-8",
    "format.pretty": "medium",  # an unknown name here is fatal, whatever --format says
    "log.showSignature": "false",  # would start gpg for each commit
    "log.mailmap": "false",  # .mailmap comes with a foreign tree
    "log.follow": "false",  # a file is its id; similarity is no identity
    "diff.renames": "false",  # the same for diffs
    "diff.orderFile": os.devnull,  # a missing one is fatal even for `status`
    "status.renames": "false",
    "status.relativePaths": "false",
    "color.ui": "false",
    "gc.auto": "0",  # housekeeping has its own place, see `store.history`
    "maintenance.auto": "false",
    "submodule.recurse": "false",
    "fetch.recurseSubmodules": "false",
    "fetch.fsckObjects": "true",
    "transfer.fsckObjects": "true",
    "protocol.ext.allow": "never",
    "safe.bareRepository": "explicit",
}
_FLAGS = tuple(part for name, value in _OPTIONS.items() for part in ("-c", f"{name}={value}"))

_HINT = "gitinstinct doctor looks for what is broken"
_REFUSED = re.compile(r"No space left|Out of diskspace|Permission denied|Read-only file system|File too large")
_CREDENTIALS = re.compile(r"(?<=://)[^/@\s]+@")
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]+")


class GitError(EnvironmentFault):
    """A git that could not be started, failed, or went beyond a limit.

    Attributes:
        argv: the arguments, without our fixed options and without credentials.
        exit_code: git's exit code; None if it was stopped or never started.
        stderr: what git said, as one printable line.
    """

    def __init__(self, argv: Sequence[str], exit_code: int | None, stderr: str, hint: str = "") -> None:
        self.argv = tuple(clean(part) for part in argv)
        self.exit_code = exit_code
        self.stderr = clean(stderr)
        what = f"git {self.argv[0]}" if self.argv else "git"
        said = self.stderr or (f"it ended with code {exit_code}" if exit_code is not None else "it was stopped")
        refused = "look at the room and the rights there" if _REFUSED.search(stderr) else _HINT
        super().__init__(f"{what} failed: {said}", hint or refused)


class Overflow(GitError):
    """More output than the caller allowed."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a git that ended said: exit code, standard output, standard error."""

    code: int
    out: bytes
    err: bytes


def clean(text: str) -> str:
    """Foreign text on one printable line, without the name and password of a URL, 500 characters at most."""
    return _UNPRINTABLE.sub(" ", _CREDENTIALS.sub("***@", text)).strip()[:500]


def run(
    arguments: Sequence[str],
    *,
    cwd: Path,
    stdin: bytes = b"",
    expect: Collection[int] = (0,),
    env: Mapping[str, str] | None = None,
    personal: bool = False,
    seconds: float = SECONDS,
    most: int = MOST,
    guarded: bool = False,
) -> Result:
    """Runs git and waits for its end.

    Args:
        arguments: what follows `git` and our fixed options; global options first.
        cwd: the folder to run in.
        stdin: the bytes to feed.
        expect: exit codes that are answers; any other is an error.
        env: further variables (identity, index file).
        personal: whether the person's own git settings count (reading an identity, network commands).
        seconds: wall time after which git and all that it started are killed.
        most: bytes of output after which they are killed.
        guarded: whether what it works on comes from outside; see `limits`.

    Raises:
        Overflow: more than `most` bytes came.
        GitError: git is missing, failed or took too long.
    """
    process = _start(arguments, cwd, _environment(env or {}, personal=personal), feed=bool(stdin))
    if guarded:
        limits.guard(process.pid)
    result, in_time = finish(process, stdin, most, seconds)
    _check(_shown(arguments), result, expect, most, None if in_time else seconds)
    return result


def finish(process: subprocess.Popen[bytes], stdin: bytes, most: int, seconds: float) -> tuple[Result, bool]:
    """Feeds, reads, waits; the result, and whether it came in time. Nothing of the process is left behind.

    The process must have pipes and a session of its own. What it says is read up to a little more than `most` bytes.
    """
    expired = threading.Event()
    timer = threading.Timer(seconds, _expire, (process, expired))
    timer.daemon = True
    timer.start()
    try:
        out, err = _converse(process, stdin, most)
        code = process.wait()
    except BaseException:  # Ctrl-C too: git has its own session and would live on
        _kill(process)
        process.wait()
        raise
    finally:
        timer.cancel()
        _close(process)
    return Result(code, out, err), not expired.is_set()


def _expire(process: subprocess.Popen[bytes], expired: threading.Event) -> None:
    expired.set()
    _kill(process)


def _check(argv: Sequence[str], result: Result, expect: Collection[int], most: int, expired: float | None) -> None:
    said = result.err.decode("utf-8", "replace")
    if len(result.out) > most:
        raise Overflow(argv, None, f"it gave more than {most:,} bytes")
    if expired is not None:
        raise GitError(argv, None, f"it did not end within {expired:g} seconds. {said}")
    if result.code not in expect:
        raise GitError(argv, result.code, said)


def start_detached(arguments: Sequence[str], *, cwd: Path) -> None:
    """Starts git in the background and does not wait: housekeeping that may fail without harm."""
    argv, env, nothing = ["git", *_FLAGS, *arguments], _environment({}, personal=False), subprocess.DEVNULL
    try:
        process = subprocess.Popen(
            argv, cwd=cwd, env=env, stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True
        )
    except OSError:
        return
    threading.Thread(target=process.wait, daemon=True).start()  # no zombie in a process that lives on


def _environment(further: Mapping[str, str], *, personal: bool) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.upper().startswith("GIT_")}
    return kept | _ENVIRONMENT | ({} if personal else _IMPERSONAL) | dict(further)


def _start(arguments: Sequence[str], cwd: Path, env: Mapping[str, str], *, feed: bool) -> subprocess.Popen[bytes]:
    argv = ["git", *_FLAGS, *arguments]
    source = subprocess.PIPE if feed else subprocess.DEVNULL
    pipe = subprocess.PIPE
    try:
        return subprocess.Popen(argv, cwd=cwd, env=env, stdin=source, stdout=pipe, stderr=pipe, start_new_session=True)
    except FileNotFoundError as error:
        if not cwd.is_dir():
            raise GitError(_shown(arguments), None, f"the folder {cwd} is gone") from error
        raise GitError((), None, "git is not on PATH", "install git 2.38 or newer") from error
    except (OSError, ValueError) as error:  # ValueError: a NUL in an argument
        raise GitError(_shown(arguments), None, str(error)) from error


def _shown(arguments: Sequence[str]) -> list[str]:
    """The arguments from the subcommand on: the global options are ours."""
    for index, part in enumerate(arguments):
        if not part.startswith("-") and (index == 0 or arguments[index - 1] not in ("-C", "-c")):
            return list(arguments[index:])
    return list(arguments)


def _converse(process: subprocess.Popen[bytes], stdin: bytes, most: int) -> tuple[bytes, bytes]:
    """Feeds and reads at the same time, so that no full pipe can block either side."""
    assert process.stdout is not None
    assert process.stderr is not None
    said = bytearray()
    helpers = [threading.Thread(target=_drain, args=(process.stderr, said), daemon=True)]
    if process.stdin is not None:
        helpers.append(threading.Thread(target=_feed, args=(process.stdin, stdin), daemon=True))
    for helper in helpers:
        helper.start()
    out = bytearray()
    while chunk := process.stdout.read1(_CHUNK):  # type: ignore[attr-defined]
        out += chunk
        if len(out) > most:
            _kill(process)
            break
    for helper in helpers:
        helper.join()
    return bytes(out), bytes(said)


def _feed(pipe: IO[bytes], data: bytes) -> None:
    try:
        pipe.write(data)
        pipe.close()
    except OSError:  # git ended early; its exit code says why
        return


def _drain(pipe: IO[bytes], into: bytearray) -> None:
    while chunk := pipe.read(_CHUNK):
        into += chunk[: _ERROR_TEXT - len(into)] if len(into) < _ERROR_TEXT else b""


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Ends git and what it started. Called only while git is not waited for, so the group's number is still its own."""
    if os.name != "posix":
        process.kill()
        return
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def _close(process: subprocess.Popen[bytes]) -> None:
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            try:
                pipe.close()
            except OSError:
                continue
