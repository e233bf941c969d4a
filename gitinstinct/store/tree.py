"""One commit of a store as a value: which known files it holds, and what was refused.

Reading takes two processes however many instincts there are: one `ls-tree`, one `cat-file --batch`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from gitinstinct.git.blobs import Unreadable, blobs
from gitinstinct.git.repo import Repo, ls_tree
from gitinstinct.instinct import ids
from gitinstinct.store import layout
from gitinstinct.store.layout import Refusal


@dataclass(frozen=True, slots=True)
class Tree:
    """A commit's files.

    Attributes:
        commit: the commit's id.
        files: path to blob id, known files of plain mode only.
        refusals: what else the tree holds.
    """

    commit: str
    files: Mapping[str, str]
    refusals: tuple[Refusal, ...]
    repo: Repo = field(repr=False, compare=False)

    def read(self, path: str) -> bytes | None:
        """A file's bytes; None if the commit has no such file, or it cannot be read (`read_all` says why)."""
        return self.read_all([path])[0].get(path)

    def read_all(self, paths: Iterable[str]) -> tuple[dict[str, bytes], list[Refusal]]:
        """The bytes of several files by one process, and those that cannot be read, each with its reason."""
        wanted = {path: self.files[path] for path in paths if path in self.files}
        found = blobs(self.repo, list(wanted.values()), layout.CAP) if wanted else {}
        contents, faults = {}, []
        for path, oid in wanted.items():
            content = found[oid]
            if isinstance(content, Unreadable):
                faults.append(Refusal(path, content.reason))
            else:
                contents[path] = content
        return contents, faults

    def instincts(self) -> tuple[dict[str, bytes], list[Refusal]]:
        """Every instinct's id and bytes, in the order of ids, and all that is refused in this commit."""
        paths = {path: name for path in self.files if (name := ids.of_path(path))}
        contents, faults = self.read_all(paths)
        return {paths[path]: data for path, data in contents.items()}, [*self.refusals, *faults]


def read(repo: Repo, commit: str) -> Tree:
    """The tree of a commit, given by its id.

    Raises:
        GitError: there is no such commit, or its tree is damaged or without end.
    """
    entries = ls_tree(repo, commit, recursive=True)
    refused = layout.refusals(entries)
    names = {refusal.path for refusal in refused}
    files = {entry.path: entry.oid for entry in entries if entry.path not in names}
    return Tree(commit, files, tuple(refused), repo)
