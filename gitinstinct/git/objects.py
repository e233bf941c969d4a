"""Writing commits: contents, trees and commits by one `fast-import`, which touches no index, no hook and no signature.

`fast-import` moves a ref for each branch in its stream. Ours ends by resetting that branch to nothing, so the commits
are written and no ref is made: moving refs is `refs`' business alone, by compare and swap. The stream is made here and
never taken from anywhere else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from gitinstinct.git.identity import FALLBACK, Actor
from gitinstinct.git.repo import Repo

GENESIS_TIME = 946_684_800  # 2000-01-01: the same in every store, so that any two share an ancestor
_NO_REF = b"refs/gitinstinct/unborn"


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit to be written.

    Attributes:
        message: the whole message.
        author: who made the change; `committer`: who recorded it.
        time: Unix seconds, for both.
        parents: commit ids, the first being the one whose tree is changed; or `:1` for the first commit of the same
            call, `:2` for the second.
        files: path to new content, or None to remove the path. All files are plain (mode 100644).
        empty: whether to start from an empty tree and not from the first parent's.
    """

    message: bytes
    author: Actor
    committer: Actor
    time: int
    parents: Sequence[str] = ()
    files: Mapping[str, bytes | None] = field(default_factory=dict)
    empty: bool = False


def write(repo: Repo, commits: Sequence[Commit]) -> list[str]:
    """Writes commits that no ref holds yet, and makes them durable.

    Returns:
        Their ids, in order.

    Raises:
        GitError: git could not write them; nothing points at what it may have written.
    """
    if not commits:
        return []
    # One pack a run would pile up; below this number of objects git stores them singly.
    options = ("-c", "fastimport.unpackLimit=100", "fast-import", "--quiet", "--done", "--date-format=raw")
    return repo.ask(*options, stdin=b"".join(_stream(commits, _width(repo, commits)))).split()


def _width(repo: Repo, commits: Sequence[Commit]) -> int:
    """The number of hex digits of an id here: 64 in a SHA-256 repository."""
    known = next((parent for commit in commits for parent in commit.parents if not parent.startswith(":")), None)
    if known is not None:
        return len(known)
    return 64 if repo.ask("rev-parse", "--show-object-format") == "sha256" else 40


def _stream(commits: Sequence[Commit], width: int) -> Iterator[bytes]:
    for number, commit in enumerate(commits, 1):
        yield from _commit(number, commit)
        yield b"get-mark :%d\n" % number
    yield b"reset %s\nfrom %s\n\ndone\n" % (_NO_REF, b"0" * width)


def _commit(number: int, commit: Commit) -> Iterator[bytes]:
    if not commit.parents:  # a branch that the stream has made already would become the parent
        yield b"reset %s\n\n" % _NO_REF
    yield b"commit %s\nmark :%d\n" % (_NO_REF, number)
    yield b"author %s\ncommitter %s\n" % (commit.author.line(commit.time), commit.committer.line(commit.time))
    yield _data(commit.message)
    for index, parent in enumerate(commit.parents):
        yield b"%s %s\n" % (b"merge" if index else b"from", parent.encode())
    if commit.empty:
        yield b"deleteall\n"
    for path, content in commit.files.items():
        yield from _file(path, content)
    yield b"\n"


def _file(path: str, content: bytes | None) -> Iterator[bytes]:
    name = path.encode()
    if not name or name.startswith(b'"') or b"\n" in name:
        raise ValueError(f"{path!r} is no path that may be written")
    if content is None:
        yield b"D %s\n" % name
    else:
        yield b"M 100644 inline %s\n" % name
        yield _data(content)


def _data(content: bytes) -> bytes:
    return b"data %d\n%s\n" % (len(content), content)


def write_genesis(repo: Repo) -> str:
    """Writes the commit that every store begins with, and returns its id.

    It is `c1be5b3c76d2198213cc424d4f37b1b6c4f3d43a` in every SHA-1 repository.
    """
    tree = repo.ask("mktree", "-z", stdin=b"")
    line = FALLBACK.line(GENESIS_TIME)
    body = b"tree %s\nauthor %s\ncommitter %s\n\ngenesis\n" % (tree.encode(), line, line)
    return repo.ask("hash-object", "-t", "commit", "-w", "--stdin", stdin=body)
