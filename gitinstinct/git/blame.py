"""Which commit each line of a file is from, by `git blame`.

Asked by name alone: without `--no-follow` git would take lines of a file that looks alike for this one's past. Nothing
that the repository's config says (commits to ignore, a program that converts the text) has a say.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gitinstinct.git.repo import Repo, is_object_id


@dataclass(frozen=True, slots=True)
class Line:
    """A line's bytes, its end included as far as git tells it (`\\r`, not `\\n`), and the commit that it is from."""

    commit: str
    content: bytes


def lines(repo: Repo, path: str, commit: str) -> list[Line]:
    """The lines of a file in a commit, in order.

    Raises:
        GitError: there is no such commit, or it has no such file.
    """
    flags = ("-c", "blame.ignoreRevsFile=", "blame", "--porcelain", "--no-follow", "--no-textconv")
    return list(_parsed(repo.run(*flags, commit, "--", path).out))


def _parsed(out: bytes) -> Iterator[Line]:
    """Each line is `commit old new [count]`, then what is told of the commit, then a tab and the content."""
    commit = ""
    for line in out.split(b"\n"):
        if line.startswith(b"\t"):
            yield Line(commit, line[1:])
        elif is_object_id(first := line.partition(b" ")[0].decode("ascii", "replace")):
            commit = first
