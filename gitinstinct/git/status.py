"""What a person has changed: HEAD, index and work tree, path by path, from one `git status`.

It is safe in a store, whose `info/attributes` switches every filter off, and only there: in a foreign repository
`git status` runs that repository's programs.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass

from gitinstinct.git.repo import Repo
from gitinstinct.git.run import GitError

_ZERO = "0"


@dataclass(frozen=True, slots=True)
class Dirty:
    """A path where HEAD, index and work tree do not agree.

    Attributes:
        path: the path from the top of the work tree.
        head: the blob that HEAD has; None if it has none.
        index: the blob that is staged; None if there is none.
        differs: whether the work tree differs from the index.
        unmerged: whether a merge left it undecided.
        regular: whether what lies in the work tree is a plain file, as far as git can tell.
    """

    path: str
    head: str | None
    index: str | None
    differs: bool
    unmerged: bool
    regular: bool


def dirty(repo: Repo) -> dict[str, Dirty]:
    """All paths of the work tree that are not as HEAD has them, untracked ones included, ignored ones not.

    Where the index holds nothing and the file is there (`git rm --cached`), git tells of one path twice; they come out
    as one.

    Raises:
        GitError: git cannot tell; where the index is damaged, with the way to make it anew.
    """
    flags = ("--porcelain=v2", "-z", "--untracked-files=all", "--ignore-submodules=all", "--no-renames")
    try:
        out = repo.ask("status", *flags)
    except GitError as error:
        raise (_explained(repo, error) if "index file" in error.stderr else error) from error
    found: dict[str, Dirty] = {}
    for entry in _entries(out):
        before = found.get(entry.path)
        found[entry.path] = _joined(before, entry) if before else entry
    return found


def _explained(repo: Repo, error: GitError) -> GitError:
    """The index holds nothing that the branch and the files do not hold as well."""
    index = shlex.quote(str(repo.git_dir / "index"))
    return GitError(error.argv, error.exit_code, error.stderr, f"make it anew: rm {index}; {repo.by_hand('reset')}")


def _entries(out: str) -> Iterator[Dirty]:
    for line in out.split("\0"):
        if line.startswith("? "):
            yield Dirty(line[2:], None, None, differs=True, unmerged=False, regular=not line.endswith("/"))
        elif line.startswith("1 "):
            yield _changed(line)
        elif line.startswith("u "):
            path = line.split(" ", 10)[10]
            yield Dirty(path, None, None, differs=True, unmerged=True, regular=True)


def _changed(line: str) -> Dirty:
    _, code, _, _, _, mode, head, index, path = line.split(" ", 8)
    return Dirty(
        path,
        head=head if head.strip(_ZERO) else None,
        index=index if index.strip(_ZERO) else None,
        differs=code[1] != ".",
        unmerged=False,
        regular=mode in ("100644", "000000"),
    )


def _joined(one: Dirty, other: Dirty) -> Dirty:
    """A staged deletion and the untracked file at its place."""
    return Dirty(one.path, one.head or other.head, None, differs=True, unmerged=False, regular=True)
