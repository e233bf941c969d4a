"""A store under the eye: what is committed, what a person has changed since, and what does not belong there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from gitinstinct.check import merges
from gitinstinct.check.inspection import inspect_all
from gitinstinct.check.mend import mended
from gitinstinct.check.rules import Finding, Found, told
from gitinstinct.check.subject import Home, Subject
from gitinstinct.errors import EnvironmentFault
from gitinstinct.git.repo import Entry, Repo
from gitinstinct.git.trailers import Message
from gitinstinct.instinct import ids, markdown, shelf, words
from gitinstinct.instinct.model import Instinct
from gitinstinct.instinct.shelf import Item
from gitinstinct.store import checkout, commit, edits, files, layout, library, store, vetting
from gitinstinct.store.commit import Change
from gitinstinct.store.edits import Survey
from gitinstinct.store.store import Store
from gitinstinct.store.tree import Tree
from gitinstinct.trust import book, giving

_NAMED = 20


@dataclass(frozen=True, slots=True)
class Checked:
    """What was found in a store, and how many files were looked at."""

    findings: tuple[Finding, ...]
    number: int


@dataclass(frozen=True, slots=True)
class Mended:
    """What was done: path → in a few words each; the commit, or None if nothing was to be done or nothing written."""

    done: dict[str, list[str]]
    commit: str | None = None
    edits: tuple[str, ...] = ()


def check(held: Store, day: str, everybody: Store | None = None) -> Checked:
    """Looks through a store.

    Args:
        held: the store.
        day: today, as an ISO day.
        everybody: the global store, to compare a project's instincts with.

    Raises:
        GitError: git cannot read the branch.
    """
    newest = library.newest(held)
    committed, faults = _committed(held, newest)
    changed, strays = _uncommitted(held)
    elsewhere = _elsewhere(held, everybody)
    subjects = [*committed, *changed]
    found = inspect_all(subjects, day, elsewhere)
    merged = [one.finding for one in merges.look(newest, held.name)]
    findings = sorted([*faults, *found, *strays, *merged], key=lambda one: (one.file, one.uncommitted))
    return Checked(tuple(findings), len({subject.file for subject in subjects}) + len(faults))


def unusable(path: Path, fault: EnvironmentFault) -> Finding:
    """What is told of a store that cannot be opened or written now."""
    finding = told(Found("unusable-store", None, fault.message), str(path))
    return replace(finding, remedy=fault.hint or finding.remedy)


def _elsewhere(held: Store, everybody: Store | None) -> list[Subject]:
    if everybody is None or everybody.path == held.path:
        return []
    return _committed(everybody, library.newest(everybody))[0]


def _committed(held: Store, found: Tree) -> tuple[list[Subject], list[Finding]]:
    home = _home(held)
    contents, refused = found.instincts()
    foreign = set(found.refusals)
    subjects = [Subject(ids.path_of(name), data, name, home) for name, data in contents.items()]
    rules = [("foreign-file" if one in foreign else "unreadable", one) for one in refused]
    return subjects, [told(Found(rule, None, one.reason), one.path) for rule, one in rules]


def _home(held: Store) -> Home:
    return Home(held.about.scope, held.about.project_id)


def _uncommitted(held: Store) -> tuple[list[Subject], list[Finding]]:
    """Changed and new instincts of the work tree, and what else lies there."""
    if not store.is_protected(held.repo):
        why = "what is not committed was not looked at: info/attributes is not ours"
        return [], [told(Found("unseen-work-tree", None, why), ".", uncommitted=True)]
    desk, survey = _surveyed(held)
    if desk is None:
        return [], []
    here = [e for path, e in survey.dirty.items() if _lies(desk, path) and path not in survey.behind]
    looked = [_looked_at(desk, entry.path, entry.regular, _home(held)) for entry in here]
    subjects = [one for one in looked if isinstance(one, Subject)]
    return subjects, [one for one in looked if isinstance(one, Finding)]


def _lies(desk: Repo, path: str) -> bool:
    """Whether something lies there, be it a dead link."""
    place = (desk.work_tree or desk.git_dir) / path
    return place.is_symlink() or place.exists()


def _surveyed(held: Store) -> tuple[Repo | None, Survey]:
    """The work tree where `main` is checked out, and what differs there; None if there is none."""
    view = checkout.look(held.repo)
    if view.desk is None or view.main is None:
        return None, Survey()
    return view.desk, edits.survey(view.desk, view.marker or view.main.oid, view.main.oid, vetting.reason)


def _looked_at(desk: Repo, path: str, regular: bool, home: Home) -> Subject | Finding:
    name = ids.of_path(path)
    if name is None:
        refused = layout.refusals([Entry("100644", "blob", "", path)])
        why = refused[0].reason if refused else "changed, and no instinct"
        return told(Found("stray-file", None, why), path, uncommitted=True)
    assert desk.work_tree is not None
    try:
        if not regular:
            raise files.NotPlain("not a plain file of mode 100644")
        return Subject(path, files.read(desk.work_tree, path) or b"", name, home, uncommitted=True)
    except files.NotPlain as error:
        return told(Found("unreadable", None, str(error)), path, uncommitted=True)


# --- mending


def mend(held: Store, now: datetime) -> Mended:
    """Mends what is mechanical, as one commit by the person; their own edits are committed first, as theirs.

    Raises:
        Waiting: something that a person has begun is in the way; nothing was written.
        GitError: git could not write.
    """
    done: dict[str, list[str]] = {}
    same: list[Instinct] = []

    def plan(newest: Tree) -> Change | None:
        healed = _healed(held, newest)
        items = library.of_tree(newest).items | _items(healed, now.date().isoformat())
        changes = _mended(items.values(), _home(held), healed)
        done.clear()
        done.update({path: what for path, (_, what) in changes.items()})
        same[:] = _still_trusted(items, changes)
        return Change({path: data for path, (data, _) in changes.items()}, _message(done)) if changes else None

    written = commit.write(held, plan, now)
    if written.commit:
        giving.landed(same, "check", now)
    return Mended(done, written.commit, written.edits)


def _still_trusted(items: Mapping[str, Item], changes: Changes) -> list[Instinct]:
    """What says the same as trusted words, but for signs that nobody sees."""
    approved = book.approved()
    now = {ids.of_path(path) or path: markdown.parse(data) for path, (data, _) in changes.items()}
    known = {name: words.content_hash(items[name].instinct) for name in now if name in items}
    return [now[name] for name, said in known.items() if said in approved and words.content_hash(now[name]) != said]


def rehearse(held: Store, day: str) -> Mended:
    """What `mend` would do now, a person's edits included; nothing is written."""
    newest = library.newest(held)
    changed = _surveyed(held)[1].edits if store.is_protected(held.repo) else {}
    healed = _healed(held, newest, changed)
    mine = {ids.of_path(path) or path: data for path, data in changed.items()}
    items = library.of_tree(newest).items
    items |= shelf.read({name: data for name, data in mine.items() if data is not None}, lambda _: day).items
    items |= _items(healed, day)
    left = [item for name, item in items.items() if mine.get(name, b"") is not None]
    return Mended({path: what for path, (_, what) in _mended(left, _home(held), healed).items()})


Changes = dict[str, tuple[bytes, list[str]]]
"""Path → its new content, and what was done."""


def _healed(held: Store, newest: Tree, edits: Mapping[str, bytes | None] | None = None) -> Changes:
    """What merges by plain git left wrong; where there were several, the last one's healing holds all."""
    healed: Changes = {}
    for one in merges.look(newest, held.name, edits):
        done = healed.get(one.path, (b"", []))[1]
        healed[one.path] = (one.wound.healed, [*done, f"merge {one.commit[:10]} made good"])
    return healed


def _items(healed: Changes, day: str) -> dict[str, Item]:
    return shelf.read({ids.of_path(path) or path: data for path, (data, _) in healed.items()}, lambda _: day).items


def _mended(items: Iterable[Item], home: Home, healed: Changes) -> Changes:
    found = dict(healed)
    for item in items:
        data, what = mended(item.data, item.as_written, home)
        if what:
            found[item.path] = (data, [*found.get(item.path, (b"", []))[1], *what])
    return found


def _message(done: dict[str, list[str]]) -> Message:
    names = {ids.of_path(path) or path: what for path, what in done.items()}
    subject = next(iter(names)) if len(names) == 1 else f"{len(names)} instincts"
    lines = "\n".join(f"{name}  {', '.join(what)}" for name, what in list(names.items())[:_NAMED])
    return Message(f"check: {subject} mended", [lines], [("Instinct", f"{name} mended") for name in names])
