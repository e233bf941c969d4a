"""The files of a commit from elsewhere. Names and sizes come first, and contents only of what may hold an instinct."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from gitinstinct.errors import Found
from gitinstinct.exchange import readers
from gitinstinct.exchange.draft import File, Refused
from gitinstinct.exchange.sources.source import MOST_BYTES, MOST_FILES
from gitinstinct.git.blobs import Unreadable, blobs
from gitinstinct.git.repo import Entry, Repo, ls_tree
from gitinstinct.git.run import GitError, run
from gitinstinct.instinct import ids

_PREFERRED = ("instincts", "main", "master")
_HINT = "give a branch behind the address: ADDRESS#BRANCH"


def scratch(folder: Path, *, sha256: bool = False) -> Repo:
    """An empty bare repository to fetch into."""
    folder.mkdir()
    hashed = ["--object-format=sha256"] if sha256 else []
    run(["init", "--quiet", "--bare", "--template=", *hashed, "--", str(folder)], cwd=folder)
    return Repo(folder)


def chosen(branches: Iterable[str], where: str, wanted: str = "") -> str:
    """The branch to read: the one wanted, else a store's own, else the only one.

    Raises:
        Found: there is no such branch, or nothing tells which.
    """
    names = sorted(branches)
    if wanted:
        if f"refs/heads/{wanted}" in names:
            return f"refs/heads/{wanted}"
        raise Found(f"{where} has no branch {wanted}", f"it has {_listed(names)}")
    best = next((name for short in _PREFERRED if (name := f"refs/heads/{short}") in names), None)
    if best is None and len(names) != 1:
        raise Found(f"{where} has {_listed(names)}, and nothing tells which", _HINT if names else "is it empty?")
    return best or names[0]


def _listed(names: list[str]) -> str:
    short = [name.removeprefix("refs/heads/") for name in names]
    return f"{len(short)} branches ({', '.join(short[:5])}{', …' if len(short) > 5 else ''})" if short else "no branch"


def files(repo: Repo, revision: str) -> tuple[tuple[File, ...], tuple[Refused, ...]]:
    """The files of a commit that may hold instincts: a store's own, else all of a fitting name.

    Raises:
        Found: there are too many, or the tree cannot be read.
    """
    wanted, refused = _wanted(_entries(repo, revision))
    if len(wanted) > MOST_FILES:
        raise Found(f"there are more than {MOST_FILES:,} files to read", "import a folder of it")
    contents = blobs(repo, [entry.oid for entry in wanted], readers.LENGTH)
    found: list[File] = []
    for entry in wanted:
        content = contents[entry.oid]
        if isinstance(content, Unreadable):
            refused.append(Refused(entry.path, "", content.reason))
        else:
            found.append(File(entry.path, content))
    if sum(len(file.data) for file in found) > MOST_BYTES:
        raise Found(f"the files have more than {MOST_BYTES:,} bytes", "import a folder of it")
    return tuple(found), tuple(refused)


def _entries(repo: Repo, revision: str) -> list[Entry]:
    try:
        top = ls_tree(repo, revision)
        if any(entry.path == "instincts" and entry.kind == "tree" for entry in top):
            return ls_tree(repo, revision, ids.FOLDER)
        return ls_tree(repo, revision, recursive=True)
    except GitError as error:
        raise Found(
            f"its tree cannot be read: {error.stderr}", "the git that made it can tell more: git fsck"
        ) from error


def _wanted(entries: Iterable[Entry]) -> tuple[list[Entry], list[Refused]]:
    wanted: list[Entry] = []
    refused: list[Refused] = []
    for entry in entries:
        if PurePosixPath(entry.path).suffix.lower() not in readers.SUFFIXES:
            continue
        if entry.kind != "blob" or entry.mode == "120000":
            refused.append(Refused(entry.path, "", "a symbolic link" if entry.kind == "blob" else "no plain file"))
        else:
            wanted.append(entry)
    return wanted, refused
