"""The way back: a global instinct is put away there, and goes back to a project if no other has it any more.

Nothing is deleted. Its file and its evidence stay in the global store, and a later promotion stops at it until a person
restores it. A promotion that still waits has reached nobody, so there its branch goes away and that is all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from gitinstinct.errors import FatalError, Found
from gitinstinct.git.trailers import Message
from gitinstinct.instinct import edit, ids, sheet
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.ledger import command_origin, new_entry
from gitinstinct.instinct.shelf import Item
from gitinstinct.promote import branches, form, news, sources
from gitinstinct.promote.groups import is_same
from gitinstinct.promote.landscape import is_live
from gitinstinct.store import commit, library
from gitinstinct.store.commit import Change
from gitinstinct.store.layout import About, Refusal
from gitinstinct.store.store import Store
from gitinstinct.store.tree import Tree

VERB = "demote"


class Way(StrEnum):
    """What became of it."""

    WITHDRAWN = "withdrawn"  # its branch waited, and is gone
    ARCHIVED = "archived"
    NOTHING = "nothing"  # it was put away already


class Back(StrEnum):
    """What became of it in the project."""

    KEPT = "kept"  # a project has it anyway
    GIVEN = "given"
    PUT_AWAY = "put away"  # the project has it and put it away: its own decision
    NONE = "none"  # there is no project to give it to


@dataclass(frozen=True, slots=True)
class Demoted:
    """What a demotion did, or would do.

    Attributes:
        id: the instinct.
        way: what became of it globally.
        back: what became of it in projects.
        projects: names of the projects that have it.
        commits: what was written, by the store's name.
        problems: stores that could not be looked at, each with the reason.
        is_published: whether the remote has the branch of one that waits, which nobody takes away from here.
    """

    id: str
    way: Way
    back: Back = Back.NONE
    projects: tuple[str, ...] = ()
    commits: dict[str, str] = field(default_factory=dict)
    problems: tuple[Refusal, ...] = ()
    is_published: bool = False


@dataclass(frozen=True, slots=True)
class Word:
    """What a person said: why, the moment, and what nobody else has."""

    why: str
    at: datetime
    nonce: str


Home = Callable[[], Store | None]
"""The store of the project at hand, made on first need; None if there is no project."""


def demote(everybody: Store, name: str, word: Word, home: Home, about: About | None, *, rehearse: bool) -> Demoted:
    """Takes an instinct back from all projects.

    Args:
        everybody: the global store.
        name: the id there.
        word: the person's.
        home: where it may go back to.
        about: what that store is; None if there is no project.
        rehearse: tell what it would do, and write nothing.

    Raises:
        Found: the global store has no such instinct.
        Waiting: something that a person has begun is in the way.
    """
    found = next((one for one in branches.waiting(everybody.repo) if one.id == name), None)
    waits, is_published = bool(found and found.here), bool(found and found.there)
    item = library.read(everybody).items.get(name) if ids.is_id(name) else None
    if waits and (item is None or form.put_away(item.instinct.ledger)):
        if not rehearse:
            branches.close(everybody, name)
        return Demoted(name, Way.WITHDRAWN, is_published=is_published)
    if item is None:
        raise Found(f"the global store has no {name}", "gitinstinct list --global shows what it has")
    if item.instinct.forgotten or form.put_away(item.instinct.ledger):
        return Demoted(name, Way.NOTHING)
    problems: list[Refusal] = []
    having = _having(item, word.at.date().isoformat(), problems)
    given = _given(item, about) if about is not None and not having else None
    back = Back.KEPT if having else Back.NONE
    made = Demoted(name, Way.ARCHIVED, back, tuple(having), {}, tuple(problems), is_published)
    if rehearse:
        return replace(made, back=Back.GIVEN) if given else made
    return _carried_out(made, everybody, word, home, given, waits=waits)


def _carried_out(
    made: Demoted, everybody: Store, word: Word, home: Home, given: bytes | None, *, waits: bool
) -> Demoted:
    """The project first: a crash in between leaves it in two places and not in none."""
    held = home() if given else None
    back, commits = made.back, dict(made.commits)
    if given and held:
        back, landed = _give(held, made.id, given, word)
        commits |= {held.about.name: landed} if landed else {}
    if waits:
        branches.close(everybody, made.id)
    landed = _archive(everybody, made.id, word)
    news.drop(made.id)
    return replace(made, back=back, commits=commits | ({everybody.about.name: landed} if landed else {}))


def _having(item: Item, day: str, problems: list[Refusal]) -> list[str]:
    """The projects on this machine in which it is live, under whatever id."""
    found = []
    for held in sources.projects(problems):
        try:
            items = library.read(held).items.values()
        except FatalError as fault:
            problems.append(Refusal(str(held.path), fault.message))
            continue
        if any(is_live(one, day) and (one.instinct.id == item.instinct.id or is_same(one, item)) for one in items):
            found.append(held.about.name)
    return found


def _archive(everybody: Store, name: str, word: Word) -> str | None:
    text = f"demoted: {word.why}" if word.why else "demoted"

    def plan(newest: Tree) -> Change | None:
        item = library.of_tree(newest).items.get(name)
        if item is None or form.put_away(item.instinct.ledger):
            return None
        origin = command_origin(word.nonce, "archived")
        entry = new_entry(word.at, "archived", None, text, origin, form.evidence(item))
        try:
            data = edit.record(item.data, [entry], item.as_written)
        except Invalid as error:
            raise Found(f"{item.path} takes no more evidence: {error}", f"gitinstinct edit {name} --global") from error
        return Change({item.path: data}, _message(name, word.why, "archived"))

    return commit.write(everybody, plan, word.at).commit


def _message(name: str, why: str, verb: str) -> Message:
    return Message(f"{VERB}: {name}", [why], [("Instinct", f"{name} {verb}")])


# --- back to the project


def _given(item: Item, about: About) -> bytes:
    """The file as the project would have it, evidence and all. The words are the same, and so is the consent."""
    document = sheet.with_field(sheet.split(item.data), "scope", "project")
    document = sheet.with_field(document, "project_id", about.project_id)
    return sheet.with_field(document, "project_name", about.name).encode()


def _give(held: Store, name: str, data: bytes, word: Word) -> tuple[Back, str | None]:
    def plan(newest: Tree) -> Change | None:
        path = ids.path_of(name)
        return None if path in newest.files else Change({path: data}, _message(name, word.why, "new"))

    landed = commit.write(held, plan, word.at).commit
    if landed is None:
        return Back.PUT_AWAY, None
    return Back.GIVEN, landed
