"""The versions of one file as they follow from each other, so that a value can be traced to who wrote it.

Git prunes what did not touch the file and keeps the forks that did: the parents here are the nearest versions, in the
order of the commit's own parents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from gitinstinct.git.blobs import blobs
from gitinstinct.git.repo import Repo
from gitinstinct.instinct import ids
from gitinstinct.store import layout
from gitinstinct.store.layout import BRANCH

Test = Callable[[bytes | None], bool]
"""Whether a version is one of those that are looked for."""


@dataclass(frozen=True, slots=True)
class Lineage:
    """A file's versions.

    Attributes:
        parents: each commit, newest first, and the versions that it was made from.
        contents: commit to bytes; None where the file is gone or cannot be read from the repository.
    """

    parents: Mapping[str, tuple[str, ...]]
    contents: Mapping[str, bytes | None]

    @property
    def tip(self) -> str | None:
        """The commit of the newest version; None if there never was one."""
        return next(iter(self.parents), None)

    def origin(self, commit: str, test: Test) -> str:
        """The commit that made a version what it is: the eldest in line of which the test holds."""
        while True:
            elder = next((one for one in self.parents.get(commit, ()) if test(self.contents.get(one))), None)
            if elder is None:
                return commit
            commit = elder

    def beginnings(self, test: Test) -> Iterator[str]:
        """The commits since which the test holds, newest first."""
        for commit, parents in self.parents.items():
            if test(self.contents[commit]) and not any(test(self.contents.get(one)) for one in parents):
                yield commit


def read(repo: Repo, name: str, revision: str = BRANCH) -> Lineage:
    """The lineage of an instinct. Two processes.

    Raises:
        GitError: the revision cannot be read.
    """
    path = ids.path_of(name)
    lines = repo.ask(
        "rev-list", "--simplify-merges", "--parents", "--end-of-options", revision, "--", path
    ).splitlines()
    parents = {commit: tuple(others) for commit, *others in (line.split(" ") for line in lines)}
    found = blobs(repo, [f"{commit}:{path}" for commit in parents], layout.CAP) if parents else {}
    contents = {commit: found[f"{commit}:{path}"] for commit in parents}
    return Lineage(parents, {commit: data if isinstance(data, bytes) else None for commit, data in contents.items()})
