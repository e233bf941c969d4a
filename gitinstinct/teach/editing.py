"""`edit`: a person's new text of a file, judged before it counts.

It must be readable, keep its id and hold no secret. The numbers that follow from the evidence are put right; what the
person did to lines of the evidence counts, and is said. What a run changed meanwhile stays.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from gitinstinct.errors import Found, UsageError
from gitinstinct.instinct import edit as files
from gitinstinct.instinct import fields, ids, markdown
from gitinstinct.instinct import words as sayings
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.model import Instinct
from gitinstinct.teach import account, replay, words
from gitinstinct.teach.commands import Command
from gitinstinct.teach.desk import Desk
from gitinstinct.teach.lesson import Lesson, Taught, message
from gitinstinct.teach.replay import Merge

_LIKE_EVIDENCE = re.compile(r"[-*+] \d{4}-\d\d-\d\d ")
_WORDS = ("trigger", "title", "action")
_FIELDS = (*_WORDS, "domain", "source", "scope", "project_id", "project_name", "tags", "paths", "extra", "notes")


class Rejected(Found):
    """The text does not count as it is; nothing was written."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A person's text of the instinct `name`: what they were given, and what they made of it."""

    name: str
    given: bytes
    text: bytes


def edit(command: Command, desk: Desk, draft: Draft, vet: Callable[[str, bytes], str | None], merge: Merge) -> Lesson:
    """Judges a draft and makes it the instinct's new version.

    Args:
        command: the person's command.
        desk: the store as it stands.
        draft: their text.
        vet: why a file may not be committed, or None.
        merge: git's merge of texts.

    Raises:
        Rejected: the text does not count as it is.
        Found: the instinct is gone.
    """
    path, newest = ids.path_of(draft.name), desk.contents([draft.name])[draft.name]
    reason = vet(path, draft.text)
    if reason is not None:
        raise Rejected(f"the new text of {draft.name} does not count: {reason}")
    old, new = _read(newest), markdown.parse(draft.text)
    _refuse_words(old, new)
    merged = _on_newest(draft, newest, merge)
    data = _finished(command, desk, draft.name, merged, old)
    if data == newest:
        return Lesson((), {}, message("edit", (), command.why), tuple(_put_back(old, new, new)))
    final = markdown.parse(data)
    before = old.fold(command.day, desk.as_written(draft.name)) if old else None
    after = final.fold(command.day, command.day)
    what = ", ".join(_changed(old, markdown.parse(merged))) or "its text"
    follows = account.consequence(before, after, command.threshold) if old else ""
    taught = (Taught(draft.name, "edited", before, after, account.joined(f"changed: {what}", follows)),)
    told = replace(message("edit", taught, command.why), subject=f"edit: {draft.name}")
    return Lesson(taught, {path: data}, told, tuple(_notes(old, new, final)), _spoken(old, new, final))


def _spoken(old: Instinct | None, new: Instinct, final: Instinct) -> tuple[str, ...]:
    """The id, if the person gave it other words, and what lands is what they had before their eyes."""
    before = sayings.content_hash(old) if old else ""
    return (final.id,) if before != sayings.content_hash(new) == sayings.content_hash(final) else ()


def _read(data: bytes) -> Instinct | None:
    """What the file said; None for one that could not be read and is being mended."""
    try:
        return markdown.parse(data)
    except Invalid:
        return None


def _refuse_words(old: Instinct | None, new: Instinct) -> None:
    """Words that were there already are not the editor's."""
    from gitinstinct.capture import redact

    changed = {name: getattr(new, name) for name in _WORDS if getattr(new, name) != getattr(old, name, None)}
    try:
        words.refuse({name: text for name, text in changed.items() if text or name != "title"}, redact.findings)
    except UsageError as error:
        raise Rejected(f"the new text of {new.id} does not count: {error.message}") from error


def _on_newest(draft: Draft, newest: bytes, merge: Merge) -> bytes:
    """The draft, with what was committed while the person wrote."""
    if newest in (draft.given, draft.text):
        return draft.text
    given, now, new = _read(draft.given), _read(newest), _read(draft.text)
    data = None
    if given and now and new:
        ledger = replay.ledger(now.ledger, given.ledger, new.ledger)
        data = replay.words(newest, draft.given, draft.text, ledger, merge)
    if data is None:
        raise Rejected(f"{draft.name} was changed meanwhile, in the same lines")
    return data


def _finished(command: Command, desk: Desk, name: str, data: bytes, old: Instinct | None) -> bytes:
    """With a ledger, and with the numbers that it gives."""
    new = markdown.parse(data)
    if new.adopted:
        return files.rederived(data)
    same = old is not None and old.written.get("confidence") == new.written["confidence"]
    return files.adopt(data, desk.as_written(name) if same else command.day)


def _changed(old: Instinct | None, new: Instinct) -> list[str]:
    """The names of what a person changed."""
    if old is None:
        return ["it can be read now"]
    found = [name for name in _FIELDS if getattr(old, name) != getattr(new, name)]
    found += ["evidence"] if set(old.ledger) != set(new.ledger) else []
    found += ["confidence"] if not new.adopted and old.written != new.written else []
    return [{"extra": "other fields", "notes": "free lines of the evidence"}.get(name, name) for name in found]


def _notes(old: Instinct | None, new: Instinct, final: Instinct) -> Iterator[str]:
    """What the person should know of their text."""
    if old is not None:
        yield from _of_evidence(old, new)
        yield from _put_back(old, new, final)
    known = words.remarks(old.trigger, old.action, old.domain) if old else []
    yield from (remark for remark in words.remarks(new.trigger, new.action, new.domain) if remark not in known)


def _of_evidence(old: Instinct, new: Instinct) -> Iterator[str]:
    for entry in new.ledger:
        if entry not in old.ledger:
            yield f"you wrote evidence yourself, and it counts: {entry.render()}"
    for entry in old.ledger:
        if entry not in new.ledger:
            yield f"you took evidence out, and it no longer counts: {entry.render()}"
    for line in new.notes:
        if line not in old.notes and _LIKE_EVIDENCE.match(line):
            yield f"this looks like evidence and is not, so it counts for nothing: {line}"


def _put_back(old: Instinct | None, new: Instinct, final: Instinct) -> Iterator[str]:
    """Numbers that a person changed although the evidence gives them."""
    if old is None or not new.adopted:
        return
    right = fields.derived(fields.derive(final.ledger, final.source, final.written.get("created")))
    for name in fields.DERIVED:
        if new.written.get(name) != old.written.get(name) and new.written.get(name) != right.get(name):
            yield f"{name} follows from the evidence and was put right; `set` gives another confidence"
