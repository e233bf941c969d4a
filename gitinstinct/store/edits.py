"""What a person changed by hand: theirs, and committed as theirs before anything else is written.

A file is a person's edit if it differs from HEAD and, while index and files are behind, from the commit that they
still show. It is committed if it is an instinct that can be read and holds no secret; a file that is gone is their
deletion. Everything else stays exactly as it is and is *held*: named, with the reason.

Staged changes: a file that is staged as it lies in the work tree is an edit like any other. One that is staged in part
is the beginning of a commit of their own, and held. What is held stays staged. While a merge, cherry-pick or revert is
unfinished, what differs is its result and not an edit, so all of it is held.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from gitinstinct.git import status, worktrees
from gitinstinct.git.blobs import blob_id, merge_text
from gitinstinct.git.repo import Change, Repo
from gitinstinct.git.status import Dirty
from gitinstinct.git.trailers import Message
from gitinstinct.instinct import ids
from gitinstinct.store import checkout, files
from gitinstinct.store.checkout import blob
from gitinstinct.store.layout import Refusal

Vet = Callable[[str, bytes], str | None]
"""Judges an edited instinct by path and bytes: None, or why it cannot be committed."""

_NAMED = 20


@dataclass(frozen=True, slots=True)
class Survey:
    """What a person changed in a work tree.

    Attributes:
        edits: path to new content, None for a deletion: to be committed.
        held: what stays as it is, each with its reason.
        dirty: all paths where HEAD, index and work tree differ.
        behind: paths that index or files have not followed yet.
        crlf: path to HEAD's blob, where a file differs from it in line ends only: git's doing, and no edit.
        operation: the unfinished merge, cherry-pick or revert.
    """

    edits: Mapping[str, bytes | None] = field(default_factory=dict)
    held: tuple[Refusal, ...] = ()
    dirty: Mapping[str, Dirty] = field(default_factory=dict)
    behind: Mapping[str, Change] = field(default_factory=dict)
    crlf: Mapping[str, str] = field(default_factory=dict)
    operation: str | None = None

    def postponed(self, reason: str) -> Survey:
        """The same, but nothing is committed: what could be is held."""
        return replace(self, edits={}, held=(*self.held, *(Refusal(path, reason) for path in self.edits)))


def survey(desk: Repo, shown: str, tip: str, vet: Vet) -> Survey:
    """What differs in a work tree.

    Args:
        desk: the work tree; `main` is checked out there.
        shown: the commit that index and files show: the marker's, else `tip`.
        tip: the commit of `main`.
        vet: judges an edited instinct.
    """
    dirty, operation = status.dirty(desk), worktrees.operation(desk)
    behind = checkout.steps(desk, shown, tip)
    edits: dict[str, bytes | None] = {}
    held, crlf = [], {}
    for path, entry in sorted(dirty.items()):
        if not operation and path not in behind and (oid := _in_line_ends_only(desk, entry)):
            crlf[path] = oid
            continue
        try:
            reason = _unfit(entry, operation, path in behind) or _take(desk, entry, edits, vet)
        except files.NotPlain as error:
            reason = str(error)
        if reason and not (path in behind and _follows(desk, entry, behind[path])):
            held.append(Refusal(path, reason))
    return Survey(edits, tuple(held), dirty, behind, crlf, operation)


def _in_line_ends_only(desk: Repo, entry: Dirty) -> str | None:
    """HEAD's blob, if the file is that in CRLF."""
    if entry.head is None or entry.index != entry.head or entry.unmerged:
        return None
    try:
        content = _content(desk, entry)
    except files.NotPlain:
        return None
    is_it = content is not None and b"\r\n" in content and checkout.holds(content, entry.head)
    return entry.head if is_it else None


def _unfit(entry: Dirty, operation: str | None, behind: bool) -> str | None:
    """Why this path is not even looked at as an edit."""
    if entry.unmerged:
        return "an unfinished merge has not decided it"
    if operation:
        return f"a {operation} is unfinished"
    if behind:
        return "changed by hand while index and files had not followed the branch"
    if ids.of_path(entry.path) is None:
        return "no instinct; only instincts are committed for you"
    return None


def _take(desk: Repo, entry: Dirty, edits: dict[str, bytes | None], vet: Vet) -> str | None:
    """Takes the path among the edits, or says why not."""
    content = _content(desk, entry)
    here = None if content is None else blob_id(content, entry.head or entry.index or "")
    if entry.index not in (entry.head, here):
        return "staged in part; commit or unstage it"
    if here == entry.head:
        return "staged in part; commit or unstage it" if entry.index != entry.head else None
    reason = None if content is None else vet(entry.path, content)
    if reason is None:
        edits[entry.path] = content
    return reason


def _content(desk: Repo, entry: Dirty) -> bytes | None:
    """What lies there, also where git sees nothing: a folder or a pipe in the file's place is no deletion."""
    if not entry.regular:
        raise files.NotPlain("not a plain file of mode 100644")
    assert desk.work_tree is not None
    return files.read(desk.work_tree, entry.path)


def _follows(desk: Repo, entry: Dirty, step: Change) -> bool:
    """Whether nobody touched the path: index and file each show the old commit or the new one."""
    ours = (blob(step.old), blob(step.new))
    return not entry.unmerged and entry.index in ours and shows(desk, entry, step.new) in ours


def shows(desk: Repo, entry: Dirty, like: str) -> str | None:
    """The blob id of what lies in the work tree; None if nothing does, an empty id if it is no plain file."""
    try:
        content = _content(desk, entry)
    except files.NotPlain:
        return ""
    return None if content is None else blob_id(content, like)


def is_untouched(desk: Repo, found: Survey, path: str, oid: str | None) -> bool:
    """Whether nobody has anything of their own at this path; `oid` is its blob in the branch.

    Git does not tell of every edit: a file may be ignored or assumed unchanged. So the file itself is looked at. One
    that is not there and not missed by git is left out of a sparse checkout.
    """
    if path in found.dirty or path in found.behind:
        return False
    assert desk.work_tree is not None
    try:
        present = files.read(desk.work_tree, path)
    except files.NotPlain:
        return False
    return present is None or (oid is not None and checkout.holds(present, oid))


def hindrance(desk: Repo, found: Survey, path: str, old: bytes | None, new: bytes | None) -> str | None:
    """Why a change to this path must wait for the person; None if it may go in.

    Args:
        desk: the work tree.
        found: its survey.
        path: the path that is to change.
        old: its content in the branch.
        new: its content after the change.
    """
    entry, step = found.dirty.get(path), found.behind.get(path)
    if step is not None:  # still to follow: fine as long as it shows the old commit, whole
        ours = entry is not None and entry.index == blob(step.old) and shows(desk, entry, step.new) == blob(step.old)
        return None if ours else "index and files have not followed the branch yet"
    if entry is not None and (found.operation or entry.unmerged):
        return f"a {found.operation or 'merge'} is unfinished"
    if entry is not None and entry.index != entry.head:
        return "something else is staged"
    if _merges(desk, path, old, new):
        return None
    why = next((f" ({refusal.reason})" for refusal in found.held if refusal.path == path), "")
    return f"it is changed by hand and cannot be committed as it is{why}"


def _merges(desk: Repo, path: str, old: bytes | None, new: bytes | None) -> bool:
    assert desk.work_tree is not None
    try:
        present = files.read(desk.work_tree, path)
    except files.NotPlain:
        return False
    if present == old:
        return True
    if present is None or new is None:
        return present == new
    return merge_text(desk, present, old or b"", new) is not None


def message(edits: Mapping[str, bytes | None], before: Mapping[str, str]) -> Message:
    """The message of a commit of edits; `before` holds the paths that the branch has."""
    told = [(ids.of_path(path) or path, _verb(path, content, before)) for path, content in edits.items()]
    what = told[0][0] if len(told) == 1 else f"{len(told)} instincts"
    lines = "\n".join(f"{verb:<10} {name}" for name, verb in told[:_NAMED])
    return Message(f"edit: {what}", [lines], [("Instinct", f"{name} {verb}") for name, verb in told])


def _verb(path: str, content: bytes | None, before: Mapping[str, str]) -> str:
    if content is None:
        return "deleted"
    return "edited" if path in before else "added"
