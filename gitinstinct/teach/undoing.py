"""`undo`: taking back what one run or command did, wherever it lies in the history."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from gitinstinct.errors import Found
from gitinstinct.git.blobs import Unreadable, blobs, merge_text
from gitinstinct.git.repo import Repo, diff_tree, resolve
from gitinstinct.instinct import ids, markdown
from gitinstinct.instinct.confidence import Fold
from gitinstinct.instinct.errors import Invalid
from gitinstinct.store import history, layout
from gitinstinct.store.checkout import blob
from gitinstinct.store.history import Logged
from gitinstinct.teach import account, acts, reversal
from gitinstinct.teach.acts import Acts
from gitinstinct.teach.commands import Command
from gitinstinct.teach.desk import Desk
from gitinstinct.teach.lesson import Lesson, Taught, message
from gitinstinct.teach.reversal import Versions

_LOG = "gitinstinct log shows the runs and commands, `log ID` those of one instinct"


@dataclass(frozen=True, slots=True)
class Target:
    """What is to be taken back: the commits as the person knows them, and those that carry their evidence now."""

    commits: tuple[Logged, ...]
    carriers: tuple[Logged, ...]


@dataclass(slots=True)
class _Work:
    """The files as they become, and what is told of each instinct."""

    command: Command
    repo: Repo
    text: str
    before: dict[str, Fold | None] = field(default_factory=dict)
    files: dict[str, bytes | None] = field(default_factory=dict)
    did: dict[str, list[str]] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)


def targets(repo: Repo, wanted: str | None) -> list[Target]:
    """What may be meant, the first choice first: what was named, or every run and command that still stands.

    Raises:
        Found: no run or commit of `main` goes by that name, or there is nothing at all.
    """
    known = Acts(history.log(repo))
    if wanted is None:
        found = [_target(known, [entry]) for entry in known.standing()]
        if not found:
            raise Found("there is nothing to take back: no run and no command stands", _LOG)
        return found
    named = known.named(wanted) or known.named(resolve(repo, wanted) or "")
    if not named:
        raise Found(f"no run and no commit of main is called {wanted}", _LOG)
    if not all(entry.parents for entry in named):
        raise Found("a store's first commit cannot be taken back", _LOG)
    return [_target(known, named)]


def _target(known: Acts, commits: Sequence[Logged]) -> Target:
    carriers = {one.commit: one for entry in commits for one in known.carriers(entry)}
    return Target(tuple(commits), tuple(carriers.values()))


def undo(command: Command, desk: Desk, repo: Repo, target: Target) -> Lesson:
    """Takes a run or command back. Nothing is left to do where that happened already.

    Args:
        command: the person's command.
        desk: the store as it stands.
        repo: its repository.
        target: what to take back.
    """
    one = target.commits[0]
    work = _Work(command, repo, command.why or f"undo of {acts.title(one)}")
    undone = [entry for entry in target.carriers if _take_back(work, desk, entry)]
    taught = tuple(_taught(work, name) for name in sorted(work.did))
    told = message("undo", taught, command.why, acts.undoes(undone))
    return Lesson(
        taught,
        work.files,
        replace(told, subject=f"undo: {acts.title(one)}: {one.subject}"),
        tuple(dict.fromkeys(work.left)),
    )


def _take_back(work: _Work, desk: Desk, entry: Logged) -> bool:
    """Takes one commit back. Returns whether anything changed."""
    changes = [change for change in diff_tree(work.repo, entry.parents[0], entry.commit)]
    paths = {change.path: name for change in changes if (name := ids.of_path(change.path))}
    work.left += [f"{change.path} stays as it is: it is no instinct" for change in changes if change.path not in paths]
    newest = desk.read(path for path in paths if path not in work.files) | work.files
    contents = blobs(work.repo, [oid for one in changes for oid in (one.old, one.new) if blob(oid)], layout.CAP)
    did = False
    for change in changes:
        if change.path in paths:
            sides = [contents[oid] if blob(oid) else None for oid in (change.old, change.new)]
            did |= _reverse(work, desk, paths[change.path], sides, newest.get(change.path))
    return did


def _reverse(
    work: _Work, desk: Desk, name: str, sides: Sequence[bytes | Unreadable | None], newest: bytes | None
) -> bool:
    before, after = sides
    if isinstance(before, Unreadable) or isinstance(after, Unreadable):
        work.left.append(f"{name}: its old content is missing or damaged in the repository")
        return False
    as_written = desk.as_written(name) if _is_unadopted(newest) else ""
    found = Versions(before, after, newest, as_written)
    done = reversal.reverse(name, found, work.command.at, work.text, lambda *texts: merge_text(work.repo, *texts))
    work.left += [f"{name}: {done.left}"] if done.left else []
    if done.data == newest:
        return False
    work.before.setdefault(name, _worth(newest, work.command.day, as_written))
    work.files[ids.path_of(name)] = done.data
    work.did.setdefault(name, []).extend(done.did)
    return True


def _is_unadopted(data: bytes | None) -> bool:
    try:
        return data is not None and not markdown.parse(data).adopted
    except Invalid:
        return False


def _worth(data: bytes | None, day: str, as_written: str) -> Fold | None:
    """What a file is worth; None if there is none, or it cannot be read."""
    try:
        return markdown.parse(data).fold(day, as_written or day) if data is not None else None
    except Invalid:
        return None


def _taught(work: _Work, name: str) -> Taught:
    before, after = work.before[name], _worth(work.files[ids.path_of(name)], work.command.day, "")
    follows = account.consequence(before, after, work.command.threshold)
    return Taught(name, "undone", before, after, account.joined(*dict.fromkeys(work.did[name]), follows))


def choose(command: Command, desk: Desk, repo: Repo, found: Sequence[Target]) -> Target:
    """The first target of which something is left to take back, or could not be; else the first of all.

    Plain git can have taken a run back without telling us; such a one is passed over.
    """
    if len(found) > 1:
        for target in found:
            lesson = undo(command, desk, repo, target)
            if lesson.files or lesson.notes:
                return target
    return found[0]
