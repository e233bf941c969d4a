"""A store as a command finds it, and the way in which what it decides lands there.

A person's own edits of the files are committed before anything else is written. So a command decides on the newest
commit with those edits on top; that is also what a rehearsal (`--dry-run`) shows, and where an unknown id is refused
before a byte is written. When it lands, it decides once more on what is there by then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from gitinstinct.errors import EnvironmentFault, Found
from gitinstinct.instinct import ids, markdown, shelf
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.shelf import Item, Shelf
from gitinstinct.store import checkout, commit, edits, history, library, tree, vetting
from gitinstinct.store.commit import Change
from gitinstinct.store.layout import Refusal
from gitinstinct.store.store import Store, is_protected, way_back
from gitinstinct.store.tree import Tree
from gitinstinct.teach.lesson import Lesson
from gitinstinct.trust import giving

_ALIKE = 60  # per cent; ids that are less alike are no typing error
_SUGGESTED = 3


class Unknown(Found):
    """No instinct has one of these ids."""

    def __init__(self, names: Iterable[str], hint: str) -> None:
        self.names = tuple(names)
        super().__init__(f"no instinct is called {' or '.join(self.names)}", hint)


@dataclass(frozen=True)
class Desk:
    """The newest commit, and over it what a person changed by hand and will be committed first.

    `day` is today, from which an unadopted file counts that is not committed yet.
    """

    tree: Tree
    day: str
    edits: Mapping[str, bytes | None] = field(default_factory=dict)

    def names(self) -> list[str]:
        """The ids of all instinct files, readable or not."""
        paths = {*self.tree.files, *self.edits} - {path for path, content in self.edits.items() if content is None}
        return sorted(name for path in paths if (name := ids.of_path(path)))

    def read(self, paths: Iterable[str]) -> dict[str, bytes]:
        """The bytes of those files that are there and can be read."""
        wanted = set(paths)
        found, _ = self.tree.read_all(wanted - self.edits.keys())
        return found | {path: content for path in wanted & self.edits.keys() if (content := self.edits[path])}

    def items(self, names: Iterable[str]) -> dict[str, Item]:
        """The instincts of these ids.

        Raises:
            Unknown: one of them is not there.
            Found: one of them cannot be read.
        """
        return {name: self._item(name, data) for name, data in self.contents(names).items()}

    def contents(self, names: Iterable[str]) -> dict[str, bytes]:
        """The files of these ids, whether they can be read as instincts or not.

        Raises:
            Unknown: one of them is not there.
            Found: the content of one is missing.
        """
        wanted = list(dict.fromkeys(names))
        unknown = sorted(set(wanted) - set(self.names()))
        if unknown:
            raise Unknown(unknown, suggestion(unknown, self.names()))
        found = self.read(map(ids.path_of, wanted))
        for name in wanted:
            if ids.path_of(name) not in found:
                raise Found(
                    f"{ids.path_of(name)} is missing or damaged in the repository", "gitinstinct doctor tells more"
                )
        return {name: found[ids.path_of(name)] for name in wanted}

    def _item(self, name: str, data: bytes) -> Item:
        path = ids.path_of(name)
        try:
            instinct = markdown.parse(data, name)
        except Invalid as error:
            raise Found(f"{path} cannot be read: {error}", f"mend it: gitinstinct edit {name}") from error
        return Item(path, data, instinct, "" if instinct.adopted else self.as_written(name))

    def as_written(self, name: str) -> str:
        """The ISO day from which an unadopted file counts."""
        item = self.shelf.items.get(name)
        return item.as_written if item and item.as_written else self.day

    @cached_property
    def shelf(self) -> Shelf:
        """Every instinct, read. Costs more than `items`."""
        found = library.of_tree(self.tree)
        by_name = {name: content for path, content in self.edits.items() if (name := ids.of_path(path))}
        for name in by_name:
            found.items.pop(name, None)
        edited = shelf.read({name: content for name, content in by_name.items() if content}, lambda _: self.day)
        found.items.update(edited.items)
        found.problems = [one for one in found.problems if one.path not in self.edits]
        return found


def suggestion(unknown: Iterable[str], names: Iterable[str]) -> str:
    """The way out for a mistyped id: those that are nearest."""
    from rapidfuzz import process

    known = list(names)
    near = [
        match[0] for name in unknown for match in process.extract(name, known, limit=_SUGGESTED, score_cutoff=_ALIKE)
    ]
    listed = list(dict.fromkeys(near))[:_SUGGESTED]
    return f"did you mean {' or '.join(listed)}?" if listed else "gitinstinct list shows the ids"


def look(store: Store, now: datetime) -> Desk:
    """The store as it would be once a person's edits are committed.

    Raises:
        EnvironmentFault: the branch is missing or damaged.
        GitError: the index is damaged.
    """
    view, day = checkout.look(store.repo), now.date().isoformat()
    if view.main is None:
        raise EnvironmentFault(f"the branch main of {store.path} is missing or damaged", way_back(store.repo))
    newest = tree.read(store.repo, view.main.oid)
    if view.desk is None or not is_protected(view.desk):  # git would run the filters that the tree names
        return Desk(newest, day)
    found = edits.survey(view.desk, view.marker or view.main.oid, view.main.oid, vetting.reason)
    return Desk(newest, day, found.edits)


Decide = Callable[[Desk], Lesson]
"""A command: what it makes of the store. It may be called several times."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command did.

    Attributes:
        lesson: what it decided.
        commit: its commit; None if there was nothing to write, or it was a rehearsal.
        first: what a person had changed by hand and was committed first, as `id verb`.
        held: what a person changed and could not be committed.
        pending: why the files of the work tree could not follow yet; empty if they did.
    """

    lesson: Lesson
    commit: str | None = None
    first: tuple[str, ...] = ()
    held: tuple[Refusal, ...] = ()
    pending: str = ""


def carry_out(store: Store, decide: Decide, now: datetime, *, rehearse: bool = False) -> Outcome:
    """Lands what a command decides as one commit of the person's, their own edits before it.

    Args:
        store: where.
        decide: the command.
        now: the commit's time.
        rehearse: decide only, and write nothing.

    Raises:
        FatalError: the command refuses, or the store has to wait; nothing of the command was written.
    """
    lesson = decide(look(store, now))
    if rehearse or not lesson.files:
        return Outcome(lesson)
    landed = lesson

    def plan(newest: Tree) -> Change | None:
        nonlocal landed
        landed = decide(Desk(newest, now.date().isoformat()))
        return Change(landed.files, landed.message) if landed.files else None

    written = commit.write(store, plan, now)
    if written.commit and landed.spoken:
        _trust(landed, now)
    return Outcome(landed, written.commit, _told(store, written.edits), written.held, written.pending)


def _trust(lesson: Lesson, now: datetime) -> None:
    """A person's own words need nobody's consent. Only once they have landed, so that a crash makes them wait."""
    texts = (lesson.files.get(ids.path_of(name)) for name in lesson.spoken)
    by, _, _ = lesson.message.subject.partition(":")
    giving.landed((markdown.parse(data) for data in texts if data is not None), by, now, typed=True)


def _told(store: Store, commits: Iterable[str]) -> tuple[str, ...]:
    """What the commits of a person's edits say."""
    logged = (entry for oid in commits for entry in history.log(store.repo, revision=oid, limit=1))
    return tuple(told for entry in logged for told in entry.values("Instinct"))
