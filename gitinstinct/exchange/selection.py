"""What goes out: instincts that are live today, by id, domain, tag or confidence, as others may have them.

Only committed words go out. What belongs to this store alone stays here: which project it is, unless that is wanted,
and from where an instinct was imported.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gitinstinct.errors import Found
from gitinstinct.exchange import customs
from gitinstinct.instinct import edit, sheet
from gitinstinct.instinct.ids import slug
from gitinstinct.instinct.model import Instinct
from gitinstinct.instinct.shelf import Item
from gitinstinct.store import library
from gitinstinct.store.store import Store

_OURS = ("imported_from",)
_PROJECT = ("project_id", "project_name", "x_original_project_id", "x_original_project_name")
_NAMED = 5


@dataclass(frozen=True, slots=True)
class Choice:
    """Which instincts are wanted. Without ids all live ones; every further word narrows it.

    Attributes:
        least: hundredths of today.
        with_project: whether they may say which project they are of.
    """

    ids: tuple[str, ...] = ()
    domain: str = ""
    tag: str = ""
    least: int = 0
    with_project: bool = False

    @property
    def name(self) -> str:
        """A name for what was chosen: the same choice again continues the same export."""
        words = [*self.ids, self.domain, self.tag and f"tag {self.tag}", self.least and f"from {self.least}"]
        return slug(" ".join(str(word) for word in words if word)) or "all"


@dataclass(frozen=True, slots=True)
class Outgoing:
    """One instinct as it goes out."""

    id: str
    data: bytes
    instinct: Instinct

    @property
    def is_imported(self) -> bool:
        """Whether others' words came in with it."""
        return "imported_from" in self.instinct.extra


@dataclass(frozen=True, slots=True)
class Selection:
    """What was chosen, in the order of ids; and what had to be left out, each with its reason."""

    items: tuple[Outgoing, ...]
    left_out: tuple[tuple[str, str], ...]


def select(store: Store, choice: Choice, day: str) -> Selection:
    """The instincts of `main` that were chosen.

    Raises:
        Found: an id is unknown, nothing fits, or one holds what may not go out.
    """
    shelf = library.read(store)
    unknown = [name for name in choice.ids if name not in shelf.items]
    if unknown:
        raise Found(f"no instinct is called {' or '.join(unknown)}", "gitinstinct list shows the ids")
    wanted = [item for name, item in sorted(shelf.items.items()) if not choice.ids or name in choice.ids]
    fit = [(item, _unfit(item, day)) for item in wanted if _is_chosen(item, choice, day)]
    items = tuple(_outgoing(item, choice.with_project) for item, reason in fit if not reason)
    left_out = tuple((item.instinct.id, reason) for item, reason in fit if reason)
    _refuse(items)
    if not items:
        hint = "; ".join(f"{name} {reason}" for name, reason in left_out[:_NAMED])
        raise Found("there is nothing to export", hint or "gitinstinct list shows what there is")
    return Selection(items, left_out if choice.ids else tuple(one for one in left_out if one[1] == _HELD))


_HELD = "is held back until its conflict is resolved"


def _is_chosen(item: Item, choice: Choice, day: str) -> bool:
    instinct = item.instinct
    by_domain = not choice.domain or instinct.domain == choice.domain
    by_tag = not choice.tag or choice.tag in instinct.tags
    return by_domain and by_tag and item.fold(day).confidence >= choice.least


def _unfit(item: Item, day: str) -> str:
    """Why an instinct does not go out; empty if it does."""
    status = item.fold(day).status
    if status != "active":
        return f"is {status}"
    return _HELD if item.held else ""


def _outgoing(item: Item, with_project: bool) -> Outgoing:
    data = edit.adopt(item.data, item.as_written) if not item.instinct.adopted else item.data
    document = sheet.split(data)
    document = document._replace(head=document.head.removeprefix("\ufeff"))
    for name in _OURS if with_project else (*_OURS, *_PROJECT):
        document = sheet.without_field(document, name)
    return Outgoing(item.instinct.id, document.encode(), item.instinct)


def _refuse(items: Sequence[Outgoing]) -> None:
    """Nothing goes out while one holds a secret or a person's home: the others might follow unseen."""
    stopped = [(one.id, customs.judge(one.data, one.id).stopped) for one in items]
    named = [f"{name}: {reason}" for name, reason in stopped if reason]
    if named:
        more = f"; and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
        raise Found(f"nothing was exported: {'; '.join(named[:_NAMED])}{more}", "gitinstinct check tells more")
