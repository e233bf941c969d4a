"""`learn`: an instinct in a person's own words."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from gitinstinct.errors import Found, UsageError
from gitinstinct.instinct import domains, ids, markdown, similar
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.ledger import command_origin, new_entry
from gitinstinct.instinct.shelf import Item
from gitinstinct.store.layout import About
from gitinstinct.teach import account, words
from gitinstinct.teach.commands import Command
from gitinstinct.teach.lesson import Lesson, Taught, message

SURE = 85
"""Hundredths that a person's own instinct begins with."""
SOURCE = "manual"
DOMAIN = "general-best-practices"


@dataclass(frozen=True, slots=True)
class Wish:
    """What a person wants to be known: words as they typed them."""

    trigger: str
    action: str
    title: str = ""
    domain: str = DOMAIN
    tags: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()

    def tidied(self) -> Wish:
        """The words as they are kept."""
        action = words.as_action(self.action)
        return replace(
            self,
            trigger=words.as_trigger(self.trigger),
            action=action,
            title=" ".join(self.title.split()) or words.as_title(action),
            domain=domains.canonical(self.domain),
        )


def learn(
    command: Command,
    wish: Wish,
    items: Iterable[Item],
    taken: Collection[str],
    about: About,
    secrets: words.Secrets,
    *,
    anyway: bool = False,
) -> Lesson:
    """Makes an instinct of a wish.

    Args:
        command: the person's command.
        wish: their words.
        items: what the store knows.
        taken: the ids of all its files, readable or not.
        about: the store.
        secrets: names the kinds of secret in a text.
        anyway: make it although the same or the contrary is known.

    Raises:
        UsageError: the words may not be kept.
        Found: the same or the contrary is known already.
    """
    wish = wish.tidied()
    texts = {"trigger": wish.trigger, "action": wish.action, "title": wish.title, "reason": command.why}
    words.refuse(texts | {"list of tags and paths": ", ".join(wish.tags + wish.paths)}, secrets)
    if not anyway:
        _refuse_known(wish, items, command.day)
    name = _name(wish, taken)
    data = _composed(command, name, wish, about)
    after = markdown.parse(data, name).fold(command.day, command.day)
    reason = account.joined("written by hand", account.consequence(None, after, command.threshold))
    taught = (Taught(name, "new", None, after, reason),)
    remarks = tuple(words.remarks(wish.trigger, wish.action, wish.domain))
    return Lesson(taught, {ids.path_of(name): data}, message("learn", taught, command.why), remarks, (name,))


def _name(wish: Wish, taken: Collection[str]) -> str:
    name = ids.instinct_id(wish.title, trigger=wish.trigger, action=wish.action, domain=wish.domain)
    if name in taken:
        name = ids.apart(name, trigger=wish.trigger, action=wish.action)
    if name in taken:
        raise Found(f"exactly this is known as {name}", f"look at it: gitinstinct show {name}")
    return name


def _refuse_known(wish: Wish, items: Iterable[Item], day: str) -> None:
    for item in items:
        instinct, today = item.instinct, item.fold(day)
        if similar.same(wish.trigger, wish.action, instinct.trigger, instinct.action):
            if today.status == "active":
                hint = f"gitinstinct confirm {instinct.id}; or --anyway, to have both"
            else:
                hint = f"gitinstinct restore {instinct.id}; or --anyway, to have both"
            raise Found(f"this is known as {_shown(item, day)}", hint)
        if today.status == "active" and similar.contrary(wish.action, instinct.action):
            hint = f"gitinstinct archive {instinct.id} first; or --anyway, to have both"
            raise Found(f"the contrary is known as {_shown(item, day)}", hint)


def _shown(item: Item, day: str) -> str:
    today = item.fold(day)
    state = "" if today.status == "active" else f", {today.status}"
    return f"{item.instinct.id} ({today.confidence / 100:.2f}{state})"


def _composed(command: Command, name: str, wish: Wish, about: About) -> bytes:
    """The file; what was written is read back before it counts."""
    fields: dict[str, object] = {
        "id": name, "trigger": wish.trigger, "domain": wish.domain, "source": SOURCE, "scope": about.scope,
    }  # fmt: skip
    if about.project_id:
        fields |= {"project_id": about.project_id, "project_name": about.name}
    fields |= {key: list(value) for key, value in (("tags", wish.tags), ("paths", wish.paths)) if value}
    text = command.why or "written by hand"
    entry = new_entry(command.at, "set", SURE, text, command_origin(command.nonce, "set"), [])
    data = markdown.compose(fields, wish.title, wish.action, [entry])
    if _read_back(data, name) != (wish.trigger, wish.action, wish.title, wish.tags, wish.paths, (entry,)):
        hint = "a heading (#) or an open code fence in the action ends it; leave that out"
        raise UsageError("the words would not be read as they are written", hint)
    return data


def _read_back(data: bytes, name: str) -> object:
    try:
        found = markdown.parse(data, name)
    except Invalid as error:
        raise UsageError(f"the words cannot be kept in a file: {error}", "say it in other words") from error
    return found.trigger, found.action, found.title, found.tags, found.paths, found.ledger
