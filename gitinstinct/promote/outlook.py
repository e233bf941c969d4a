"""What a merge of each of many commits would bring to `main`, found by a fixed number of git processes.

A remote may hold five hundred branches of promotions, and asking git of each one by one takes longer than a person
waits. So the commits that `main` lacks come from one walk, which also tells from where each branch set out; the trees
are compared in one go and the files read in another. The merge itself is a function call.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from gitinstinct.git.blobs import Unreadable, blobs
from gitinstinct.git.repo import Change, Repo, merge_bases, text
from gitinstinct.store import filemerge, layout, tree
from gitinstinct.store.filemerge import Verdict
from gitinstinct.store.layout import BRANCH

_ABSENT = "000000"
_PLAIN = "100644"


@dataclass(frozen=True, slots=True)
class Brought:
    """One path that a commit changed since it parted from `main`.

    Attributes:
        path: where.
        mode: git's mode of the file there now; `000000` if the commit took it away.
        theirs, ours: the file there and on `main`.
        merged: what a merge makes of it.
    """

    path: str
    mode: str
    theirs: bytes | Unreadable | None
    ours: bytes | Unreadable | None
    merged: Verdict

    @property
    def is_file(self) -> bool:
        """Whether it is a file as a store may hold it."""
        return self.mode == _PLAIN and layout.is_known(self.path)

    @property
    def is_news(self) -> bool:
        """Whether a merge would change anything here, or cannot."""
        if not layout.is_known(self.path) or self.mode not in (_PLAIN, _ABSENT):
            return True
        return bool(self.merged.reason) or self.merged.data != self.ours


@dataclass(frozen=True, slots=True)
class Outlook:
    """A commit beside `main`.

    Attributes:
        commit: its id.
        bases: where the two parted; empty if they have no common beginning.
        own: its commits that `main` lacks, newest first, so itself first; of very many some.
        brought: what it changed since, of two bases since the first; nothing if `main` holds it.
    """

    commit: str
    bases: tuple[str, ...]
    own: tuple[str, ...] = ()
    brought: tuple[Brought, ...] = ()

    @property
    def has_landed(self) -> bool:
        """Whether `main` holds all that it brings: itself, or the same by another commit."""
        return bool(self.bases) and not any(one.is_news for one in self.brought)


def read(repo: Repo, commits: Iterable[str]) -> dict[str, Outlook]:
    """How each of these commits stands to `main`.

    Raises:
        GitError: `main` or one of the commits cannot be read.
    """
    wanted = list(dict.fromkeys(commits))
    if not wanted:
        return {}
    main = repo.ask("rev-parse", "--verify", BRANCH)
    missing = _missing(repo, wanted, main)
    order = {commit: at for at, commit in enumerate(missing)}
    lines = {commit: _line(missing, order, commit) for commit in wanted}
    bases = _bases(repo, {commit: points for commit, (_, points) in lines.items()}, main)
    pairs = {commit: (found[0], commit) for commit, found in bases.items() if found and found != (commit,)}
    changed = _changed(repo, pairs.values())
    contents = _Contents(repo, main, changed)
    brought = {commit: tuple(map(contents.of, changed[pair])) for commit, pair in pairs.items()}
    return {
        commit: Outlook(commit, found, lines[commit][0], brought.get(commit, ())) for commit, found in bases.items()
    }


# --- where they parted


def _missing(repo: Repo, commits: Sequence[str], main: str) -> dict[str, list[str]]:
    """Every commit that `main` lacks, with its parents; the newest first."""
    stdin = "".join(f"{commit}\n" for commit in commits) + f"^{main}\n"
    lines = repo.ask("rev-list", "--date-order", "--parents", "--stdin", stdin=stdin.encode()).splitlines()
    return {commit: above for commit, *above in (line.split(" ") for line in lines)}


def _bases(repo: Repo, forks: Mapping[str, Sequence[str]], main: str) -> dict[str, tuple[str, ...]]:
    """The best common ancestors of each commit and `main`, out of the places where its line meets that."""
    graph = _Graph(repo)
    found = {}
    for commit, points in forks.items():
        best = graph.best(points) if len(points) > 1 else tuple(points)
        # Two that are both best come of lines that crossed; then git tells which, and the first stands for them.
        found[commit] = best if len(best) < 2 else tuple(merge_bases(repo, main, commit))
    return found


def _line(
    missing: Mapping[str, Sequence[str]], order: Mapping[str, int], commit: str
) -> tuple[tuple[str, ...], list[str]]:
    """A commit's own line, and where that meets `main`: the commits of `main` that it was made on."""
    own, points, seen, waiting = list[str](), [], {commit}, [commit]
    while waiting:
        one = waiting.pop()
        if one not in missing:
            points.append(one)
            continue
        own += [one] if len(own) < _TOLD else []
        new = [above for above in missing[one] if above not in seen]
        seen.update(new)
        waiting += new
    return tuple(sorted(own, key=order.__getitem__)), points


_TOLD = 200


class _Graph:
    """The commits of `main`, read where a branch meets it more than once: after somebody merged `main` into it."""

    def __init__(self, repo: Repo) -> None:
        self._repo = repo

    @cached_property
    def _parents(self) -> dict[str, list[str]]:
        lines = self._repo.ask("rev-list", "--topo-order", "--parents", "--end-of-options", BRANCH).splitlines()
        return {commit: above for commit, *above in (line.split(" ") for line in lines)}

    @cached_property
    def _order(self) -> dict[str, int]:
        return {commit: at for at, commit in enumerate(self._parents)}

    def best(self, points: Collection[str]) -> tuple[str, ...]:
        """Those of some commits that none of the others holds."""
        left = sorted(points, key=lambda commit: self._order.get(commit, -1))
        kept: list[str] = []
        while left:
            first = left.pop(0)
            kept.append(first)
            below = self._below(first, self._order.get(left[-1], -1)) if left else set()
            left = [one for one in left if one not in below]
        return tuple(kept)

    def _below(self, commit: str, last: int) -> set[str]:
        """The ancestors of a commit, as far down as that place of the order."""
        seen, waiting = set[str](), [commit]
        while waiting:
            above = [one for one in self._parents.get(waiting.pop(), ()) if one not in seen]
            seen.update(above)
            waiting += [one for one in above if self._order.get(one, -1) < last]
        return seen


# --- what they changed


def _changed(repo: Repo, pairs: Iterable[tuple[str, str]]) -> dict[tuple[str, str], list[Change]]:
    """What differs between the two commits of each pair, without any guess at renames."""
    pairs = list(dict.fromkeys(pairs))
    if not pairs:
        return {}
    commits = list(dict.fromkeys(commit for pair in pairs for commit in pair))
    asked = "".join(f"{commit}^{{tree}}\n" for commit in commits).encode()
    trees = dict(zip(commits, repo.ask("cat-file", "--batch-check=%(objectname)", stdin=asked).split(), strict=True))
    flags = ("diff-tree", "--stdin", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", "--no-ext-diff")
    by_trees = {(trees[old], trees[new]) for old, new in pairs if trees[old] != trees[new]}
    lines = "".join(f"{old} {new}\n" for old, new in by_trees).encode()
    found = _by_trees(text(repo.run(*flags, "--no-textconv", stdin=lines).out)) if by_trees else {}
    return {(old, new): found.get((trees[old], trees[new]), []) for old, new in pairs}


def _by_trees(out: str) -> dict[tuple[str, str], list[Change]]:
    """Reads `OLD NEW` on a line, then a change and its path in turn, of each pair of trees."""
    found: dict[tuple[str, str], list[Change]] = defaultdict(list)
    pair = ("", "")
    fields = out.split("\0")
    for told, path in zip(fields[::2], fields[1::2], strict=False):
        heading, _, meta = told.rpartition("\n")
        if heading:
            one, _, two = heading.partition(" ")
            pair = (one, two)
        old_mode, new_mode, old, new, _ = meta.removeprefix(":").split(" ")
        found[pair].append(Change(path, old_mode, new_mode, old, new))
    return found


_Read = dict[str, bytes | Unreadable]


class _Contents:
    """Every file that a merge has to see, read by one process."""

    def __init__(self, repo: Repo, main: str, changed: Mapping[tuple[str, str], Sequence[Change]]) -> None:
        known = [one for changes in changed.values() for one in changes if layout.is_known(one.path)]
        self._main = tree.read(repo, main).files if known else {}
        names = [oid for one in known for oid in (one.old, one.new, self._main.get(one.path, "")) if oid.strip("0")]
        self._read: _Read = blobs(repo, names, layout.CAP) if names else {}

    def of(self, change: Change) -> Brought:
        """A changed path with its three versions and what they come to."""
        if not layout.is_known(change.path):
            return Brought(change.path, change.new_mode, None, None, Verdict(None))
        here = self._main.get(change.path, "")
        before, theirs, ours = map(self._read.get, (change.old, change.new, here))
        if here == change.old or (not here and change.old_mode == _ABSENT):  # only they changed it: that is no merge
            reason = theirs.reason if isinstance(theirs, Unreadable) else ""
            verdict = Verdict(theirs if isinstance(theirs, bytes) else None, reason=reason)
        else:
            verdict = filemerge.merge(change.path, before, ours, theirs)
        return Brought(change.path, change.new_mode, theirs, ours, verdict)
