"""Which instincts each commit touched, without ever unfolding a tree.

`git log --name-only` goes down into whatever folders a tree has, and a few small objects are enough for a tree that
never ends. Instincts lie side by side in one folder. So only that folder's own entries are compared, for all commits by
one process.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gitinstinct.git.repo import Repo, is_object_id, text
from gitinstinct.instinct import ids
from gitinstinct.store.history import Logged

_Pair = tuple[str, str]


def touched(repo: Repo, entries: Sequence[Logged]) -> dict[str, set[str]]:
    """The ids whose files each commit changed; of a merge those that differ from all its sides.

    Raises:
        GitError: a commit cannot be read.
    """
    commits = dict.fromkeys(commit for entry in entries for commit in (entry.commit, *entry.parents))
    folders = _folders(repo, commits)
    pairs = {entry.commit: [(folders[parent], folders[entry.commit]) for parent in entry.parents] for entry in entries}
    differ = _differing(repo, dict.fromkeys(pair for some in pairs.values() for pair in some if pair[0] != pair[1]))
    return {
        commit: set.intersection(*(differ.get(pair, set()) for pair in some)) if some else set()
        for commit, some in pairs.items()
    }


def _folders(repo: Repo, commits: Iterable[str]) -> dict[str, str]:
    """The id of each commit's folder of instincts; of the empty tree where there is none."""
    listed = list(commits)
    if not listed:
        return {}
    empty = repo.ask("mktree", "-z", stdin=b"")
    stdin = "".join(f"{commit}:{ids.FOLDER.rstrip('/')}\n" for commit in listed).encode()
    out = text(repo.run("cat-file", "--buffer", "--batch-check=%(objectname) %(objecttype)", stdin=stdin).out)
    found = (line.split(" ") for line in out.splitlines())
    return {
        commit: one[0] if one[-1] == "tree" and is_object_id(one[0]) else empty
        for commit, one in zip(listed, found, strict=True)
    }


def _differing(repo: Repo, pairs: Iterable[_Pair]) -> dict[_Pair, set[str]]:
    """The ids at which two folders differ. Git answers with the pair on a line of its own, then the names."""
    stdin = "".join(f"{old} {new}\n" for old, new in pairs).encode()
    if not stdin:
        return {}
    out = text(repo.run("diff-tree", "--stdin", "-z", "--name-only", "--no-renames", stdin=stdin).out)
    found: dict[_Pair, set[str]] = {}
    names: set[str] = set()
    for item in out.split("\0"):
        heads, _, last = item.rpartition("\n")
        if heads:
            old, _, new = heads.rpartition("\n")[2].partition(" ")
            names = found.setdefault((old, new), set())
        if name := ids.of_path(ids.FOLDER + last):
            names.add(name)
    return found
