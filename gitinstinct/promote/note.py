"""What a project is told of its promotion: a line in its ledger, once for each commit that the global store has taken.

Whether it has, its evidence tells: every entry of the promotion stands in the file on the global `main`, or was taken
back there. The line's origin is made from the promotion commit, so that two clones of a project that both write it
have written the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from gitinstinct.errors import FatalError, Found
from gitinstinct.git.blobs import blobs
from gitinstinct.git.trailers import Message
from gitinstinct.instinct import edit, ids, ledger, markdown, words
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.ledger import Entry, command_origin, new_entry
from gitinstinct.instinct.model import Instinct
from gitinstinct.instinct.shelf import Item
from gitinstinct.promote import news, origin, sources
from gitinstinct.promote.origin import Promoted
from gitinstinct.store import commit, homes, layout, library
from gitinstinct.store.commit import Change
from gitinstinct.store.layout import Refusal
from gitinstinct.store.store import Store
from gitinstinct.store.tree import Tree
from gitinstinct.trust import book, giving

KIND = "promoted"
VERB = "promoted"
"""Of the commit: it brings nothing from elsewhere, as a `promote` in the global store does, and is nothing to undo."""
KNOWN_AS = "Known-As"
"""Trailer of a promotion commit: the id that the project knows it by, where that is another one."""


def write(everybody: Store, now: datetime) -> tuple[list[str], list[Refusal]]:
    """Writes what projects do not know yet of their promotions.

    Args:
        everybody: the global store.
        now: the moment.

    Returns:
        The ids that are news, and the stores that could not be used, each with the reason.
    """
    told: dict[str, None] = {}
    problems: list[Refusal] = []
    taken = library.newest(everybody)
    for held in sources.projects(problems):
        try:
            told |= dict.fromkeys(_write(held, taken, now))
        except FatalError as fault:
            problems.append(Refusal(str(held.path), fault.message))
    news.add(list(told))
    return list(told), problems


def _write(held: Store, taken: Tree, now: datetime) -> list[str]:
    """Brings one project up to date; the ids that are news to it."""
    known = origin.promoted(held.repo)
    if not known:
        return []
    names = {tag for project in (held.name, *homes.aliases(held.name)) for tag in origin.tags(project)}
    landed = [(one, there) for one, there in _landed(held, known, taken) if one.tag in names]
    return [one.id for one, there in landed if _told(held, one, there, now)]


def _landed(held: Store, known: Sequence[Promoted], taken: Tree) -> list[tuple[Promoted, Instinct]]:
    """The promotions of a project that the global `main` has, each with the instinct there."""
    files, _ = taken.read_all(ids.path_of(one.id) for one in known)
    names = {one: f"{one.commit}:{ids.path_of(one.id)}" for one in known}
    brought = blobs(held.repo, list(names.values()), layout.CAP)
    found = []
    for one in known:
        there, here = files.get(ids.path_of(one.id)), brought[names[one]]
        instinct = readable(there, one.id) if there is not None else None
        mine = readable(here, one.id) if isinstance(here, bytes) else None
        if instinct and mine and not instinct.forgotten and holds(instinct.ledger, mine.ledger):
            found.append((one, instinct))
    return found


def holds(there: Iterable[Entry], mine: Iterable[Entry]) -> bool:
    """Whether a ledger has all the evidence of another, live or taken back."""
    return ledger.origins(mine) <= ledger.origins(there)


def readable(data: bytes, name: str) -> Instinct | None:
    """The instinct of a file of this id; None if it cannot be read."""
    try:
        return markdown.parse(data, name)
    except Invalid:
        return None


def unsettled(data: bytes | None, name: str) -> tuple[str, ...]:
    """The fields of a file of this id that a merge left in conflict; none if it cannot be read."""
    instinct = readable(data, name) if data is not None else None
    return tuple(str(one.get("field")) for one in instinct.conflicts) if instinct else ()


def _told(held: Store, one: Promoted, there: Instinct, now: datetime) -> bool:
    """Whether the project did not know it, and does now."""
    said = _known_as(held, one)
    before: Item | None = None

    def plan(newest: Tree) -> Change | None:
        nonlocal before
        before = library.of_tree(newest).items.get(said) if ids.path_of(said) in newest.files else None
        if before is None or before.instinct.forgotten:
            return None
        data = _recorded(before, one, now)
        return None if data == before.data else Change({before.path: data}, _message(said, one))

    if _is_told(held, said, one):
        return False
    if not commit.write(held, plan, now).commit or before is None:
        return False
    consent(before.instinct, there, now)
    return True


def _is_told(held: Store, said: str, one: Promoted) -> bool:
    """Looked at without a lock: mostly there is nothing to do."""
    data = library.newest(held).read(ids.path_of(said))
    instinct = readable(data, said) if data is not None else None
    return instinct is None or _origin(one) in ledger.origins(instinct.ledger)


def _origin(one: Promoted) -> str:
    return command_origin(one.commit, KIND)


def _recorded(item: Item, one: Promoted, now: datetime) -> bytes:
    text = f"to the global store, {one.commit[:10]}"
    entry = new_entry(now, KIND, None, text, _origin(one), item.instinct.ledger)
    try:
        return edit.record(item.data, [entry], item.as_written)
    except Invalid as error:
        raise Found(f"{item.path} takes no more evidence: {error}", "gitinstinct edit makes room") from error


def _message(said: str, one: Promoted) -> Message:
    lines = f"the global store has {one.id} with the evidence of {one.commit[:10]}"
    return Message(f"{VERB}: {said} is global now", [lines], [("Instinct", f"{said} {KIND}")])


def _known_as(held: Store, one: Promoted) -> str:
    """The id in the project. A name that is no id counts for nothing."""
    form = f"--format=%(trailers:key={KNOWN_AS},valueonly,unfold)"
    said = held.repo.ask("log", "-1", "--no-walk", form, "--end-of-options", one.commit).strip()
    return said if ids.is_id(said) else one.id


def consent(mine: Instinct, there: Instinct, now: datetime) -> None:
    """Who trusts an instinct in its project trusts the same words as all projects have them.

    Only what promotion itself turns may differ: the id, and files of the project. Words that somebody wrote meanwhile
    wait like all others.
    """
    decided = book.read()
    if words.content_hash(mine) in decided.approved and _essence(mine) == _essence(there):
        giving.landed([there], "promote", now)


def _essence(instinct: Instinct) -> words.Words:
    return words.of(instinct)._replace(id="", paths="", anchors="")
