"""Whether a commit from elsewhere may be merged into a store: looked at before a byte of its files is used.

Git's own check of what it receives lets much through: links, odd modes, two names that are one where case does not
count, a tree of ten levels that unfolds without end, a blob of a gigabyte. So a tree is listed level by level where a
store may have something, names and sizes alone, and only as far as a store may be large. Of the history only the
commits are looked at, how many and how large; their trees are never read.

One entry that does not belong there, and the whole commit is refused: half of a foreign tree is nobody's state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from gitinstinct.errors import Found
from gitinstinct.git import run
from gitinstinct.git.blobs import Unreadable, blobs
from gitinstinct.git.repo import Entry, Repo, merge_bases, text
from gitinstinct.git.run import Overflow
from gitinstinct.store import layout
from gitinstinct.store.layout import ABOUT, BRANCH, Refusal
from gitinstinct.store.store import Store

FILES = 20_000
BYTES = 64 * 1024 * 1024  # of all files
COMMITS = 100_000  # that are new
COMMIT = 65_536  # bytes of one: its message and its parents
PARENTS = 16
_FOLDERS = 200  # below evolved/
_LEVELS = 5
_LINE = 400  # bytes of a listed entry
_NAMED = 5
_THEIRS = "it must be taken out there, in a new commit; nothing has changed here"


@dataclass(frozen=True, slots=True)
class Sized:
    """An entry of a tree and the size of its blob; None for what is no blob, or is not there."""

    entry: Entry
    size: int | None


def check(store: Store, theirs: str) -> None:
    """Refuses a commit that may not be merged into this store. Its objects must be there.

    Raises:
        Found: it belongs to another project, has no common beginning with this store, is too large, or holds what
            does not belong into a store; each reason is named.
        EnvironmentFault: its format is newer than this program, or git cannot read it.
    """
    bases = merge_bases(store.repo, BRANCH, theirs)
    if not bases:
        raise Found(
            "what came has no common beginning with this store: it is no store of gitinstinct",
            "every store begins with the same commit; see: gitinstinct remote",
        )
    if theirs in bases:  # it came before, and nothing of it is looked at again
        return
    reason = oversized(store.repo, theirs, BRANCH)
    if reason:
        raise Found(f"what came is not taken: {reason}", "nothing has changed; ask who keeps it")
    refuse(refusals(store.repo, theirs), "what came is not taken")
    _same_project(store, theirs)
    for base in bases:
        _within_limits(store.repo, base)


def refuse(found: Sequence[Refusal], what: str, hint: str = _THEIRS) -> None:
    """Raises what was refused as one sentence that names the first few.

    Raises:
        Found: there is something.
    """
    if found:
        named = "; ".join(f"{shown(refusal.path)}: {refusal.reason}" for refusal in found[:_NAMED])
        more = f"; and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
        raise Found(f"{what}: {named}{more}", hint)


def shown(path: str) -> str:
    """A path of a foreign tree for people: escaped where it is not printable."""
    return path if path.isprintable() else ascii(path)


def _same_project(store: Store, theirs: str) -> None:
    name = f"{theirs}:{ABOUT}"
    data = blobs(store.repo, [name], layout.CAP)[name]
    if isinstance(data, Unreadable):
        raise Found(f"what came is not taken: it has no {ABOUT}", "only a store can be merged into a store")
    about = layout.read_about(data, "what came")
    ours = store.about
    if (about.scope, about.project_id) != (ours.scope, ours.project_id):
        theirs_is, ours_is = (
            f"{run.clean(one.name)} ({run.clean(one.project_id) or one.scope})" for one in (about, ours)
        )
        raise Found(
            f"what came belongs to {theirs_is}, this store to {ours_is}",
            "gitinstinct import takes instincts over from another store",
        )


# --- the tree


def refusals(repo: Repo, commit: str) -> list[Refusal]:
    """What no store may hold in a commit's tree, by path; limits that it breaks by the path that breaks them.

    Raises:
        GitError: the commit cannot be read.
    """
    return list(judged(repo, commit).refusals)


@dataclass(frozen=True, slots=True)
class Judged:
    """A tree that was looked at: the files that a store may have, path to blob id, and what is refused.

    Where the tree goes beyond a limit, it is boundless: that is the only refusal, and no file is named.
    """

    files: Mapping[str, str]
    refusals: tuple[Refusal, ...]
    is_boundless: bool = False


def judged(repo: Repo, commit: str) -> Judged:
    """What a commit's tree holds, as far as a store may be large; see `refusals`.

    Raises:
        GitError: the commit cannot be read.
    """
    try:
        listed = list(_listed(repo, commit))
    except _TooMuch as limit:
        return Judged({}, (limit.refusal,), is_boundless=True)
    found = _refused(listed)
    named = {refusal.path for refusal in found}
    return Judged({one.entry.path: one.entry.oid for one in listed if one.entry.path not in named}, tuple(found))


def _refused(listed: Sequence[Sized]) -> list[Refusal]:
    entries = [one.entry for one in listed]
    found = layout.refusals(entries)
    named = {refusal.path for refusal in found}
    found += [refusal for one in listed if one.entry.path not in named and (refusal := _oversized(one))]
    found += _twins(entries)
    total = sum(one.size or 0 for one in listed)
    if total > BYTES and not found:
        found.append(Refusal("instincts", f"{total:,} bytes in all files; {BYTES:,} are the most"))
    return found


def _oversized(one: Sized) -> Refusal | None:
    if one.size is None:
        return Refusal(one.entry.path, "its content is missing or damaged")
    if one.size > layout.CAP:
        return Refusal(one.entry.path, f"{one.size:,} bytes; {layout.CAP:,} is the most for one file")
    return None


def _twins(entries: Iterable[Entry]) -> list[Refusal]:
    """Names that are one where case does not count. Names of instincts have none; those below evolved/ may."""
    first: dict[str, str] = {}
    found = []
    for entry in entries:
        other = first.setdefault(entry.path.lower(), entry.path)
        if other != entry.path:
            found.append(Refusal(entry.path, f"the same name as {other} where case does not count"))
    return found


class _TooMuch(Exception):
    """A tree is larger than a store may be."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(reason)
        self.refusal = Refusal(path, reason)


def _within_limits(repo: Repo, commit: str) -> None:
    """For a tree that is only compared with: what a person once put there is no fault, a bomb is."""
    try:
        list(_listed(repo, commit))
    except _TooMuch as limit:
        refuse([limit.refusal], f"what came builds on {commit[:10]}, which is not read")


def _listed(repo: Repo, commit: str) -> Iterator[Sized]:
    """Every entry of a tree that a store might have, and those beside it; of a foreign folder the folder alone."""
    top = _level(repo, commit, [], FILES)
    yield from (one for one in top if not _is_folder(one))
    for one in top:
        if _is_folder(one):
            yield from _below(repo, commit, one, FILES - len(top))


def _is_folder(one: Sized) -> bool:
    return one.entry.kind == "tree"


def _below(repo: Repo, commit: str, folder: Sized, room: int) -> Iterator[Sized]:
    if folder.entry.path == "instincts":
        yield from (_as_leaf(one) for one in _level(repo, commit, ["instincts/"], room))
    elif folder.entry.path == "evolved":
        yield from _evolved(repo, commit, room)
    elif folder.entry.path == _WORKFLOWS[0]:
        yield from _workflows(repo, commit, room)
    else:
        yield _as_leaf(folder)


def _workflows(repo: Repo, commit: str, room: int) -> Iterator[Sized]:
    """What lies beside the one file that is known there; no other folder is looked into."""
    outer, inner = _WORKFLOWS
    for one in _level(repo, commit, [f"{outer}/"], room):
        if _is_folder(one) and one.entry.path == inner:
            yield from map(_as_leaf, _level(repo, commit, [f"{inner}/"], room))
        else:
            yield _as_leaf(one)


_WORKFLOWS = (".github", ".github/workflows")


def _as_leaf(one: Sized) -> Sized:
    """A folder where none may be is refused by its own name; what it holds is not looked at."""
    return Sized(one.entry, 0) if _is_folder(one) else one


def _evolved(repo: Repo, commit: str, room: int) -> Iterator[Sized]:
    folders = ["evolved/"]
    for _ in range(_LEVELS):
        level = _level(repo, commit, folders, room)
        room -= len(level)
        yield from (one for one in level if not _is_folder(one))
        deeper = [one for one in level if _is_folder(one)]
        folders = [f"{one.entry.path}/" for one in deeper]
        if len(folders) > _FOLDERS:
            raise _TooMuch("evolved", f"more than {_FOLDERS} folders on one level")
        if not folders:
            return
    yield from map(_as_leaf, deeper)


def _level(repo: Repo, commit: str, folders: Sequence[str], room: int) -> list[Sized]:
    """The entries of some folders, or of the top, by one `ls-tree`, which reads no blob and goes no deeper."""
    what = folders[0].rstrip("/") if folders else "the top folder"
    flags = ("ls-tree", "-z", "-l", "--full-tree", "--end-of-options")
    try:
        out = repo.run(*flags, commit, *folders, most=FILES * _LINE).out
    except Overflow as error:
        raise _TooMuch(what, f"more than {FILES:,} files, which are the most") from error
    lines = text(out).split("\0")[:-1]
    if len(lines) > room:
        raise _TooMuch(what, f"more than {FILES:,} files, which are the most")
    return [_sized(line) for line in lines]


def _sized(line: str) -> Sized:
    meta, path = line.split("\t", 1)
    mode, kind, oid, size = meta.split()
    return Sized(Entry(mode, kind, oid, path), int(size) if size.isdigit() else 0 if kind != "blob" else None)


# --- the history


def oversized(repo: Repo, theirs: str, ours: str) -> str | None:
    """Why the commits that are new are too many or too large; None if they are not.

    Raises:
        GitError: the history cannot be read within git's limits.
    """
    flags = ("rev-list", "--parents", f"--max-count={COMMITS + 1}")
    lines = repo.run(*flags, "--end-of-options", theirs, f"^{ours}", most=_HISTORY).out.splitlines()
    if len(lines) > COMMITS:
        return f"more than {COMMITS:,} new commits, which are the most"
    for line in lines:
        commit, *parents = line.split(b" ")
        if len(parents) > PARENTS:
            return f"commit {commit.decode()[:10]} has {len(parents):,} parents; {PARENTS} are the most"
    return _large(repo, [line.split(b" ")[0] for line in lines])


_HISTORY = COMMITS * 65 * 4


def _large(repo: Repo, commits: Sequence[bytes]) -> str | None:
    if not commits:
        return None
    sizes = repo.run("cat-file", "--batch-check=%(objectname) %(objectsize)", stdin=b"\n".join(commits) + b"\n").out
    for line in sizes.splitlines():
        commit, size = line.decode().split(" ")
        if int(size) > COMMIT:
            return f"commit {commit[:10]} has {int(size):,} bytes; {COMMIT:,} are the most"
    return None
