"""The words of an instinct as a value: what an agent is told, and the hash by which a person's consent is kept.

Evidence, derived fields, domain and tags are no words: they change with every session, and nobody should be asked
again for that. Whatever reaches the agent, or decides when it does, is.
"""

from __future__ import annotations

import json
from typing import NamedTuple

from gitinstinct.instinct import ids
from gitinstinct.instinct.dialect import Value
from gitinstinct.instinct.model import Instinct

HASH_LENGTH = 64


class Words(NamedTuple):
    """Each word of an instinct as canonical text; lists and maps as JSON, since their order says nothing."""

    id: str
    trigger: str
    action: str
    title: str
    paths: str
    check: str
    anchors: str

    @property
    def hash(self) -> str:
        """SHA-256 over the fields, as 64 hex digits."""
        return ids.short_hash(*self, digits=HASH_LENGTH)


def of(instinct: Instinct) -> Words:
    """The words of an instinct."""
    return Words(
        instinct.id,
        _lines(instinct.trigger),
        _lines(instinct.action),
        _lines(instinct.title),
        _canonical(list(instinct.paths)),
        _canonical(instinct.extra.get("check", "")),
        _canonical(instinct.extra.get("anchors", "")),
    )


def content_hash(instinct: Instinct) -> str:
    """The hash by which an instinct is trusted: equal for files that say the same, whatever speaks for it."""
    return of(instinct).hash


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n")


def _canonical(value: Value) -> str:
    """A list or map as JSON; nothing at all for an empty one."""
    if isinstance(value, list):
        value = sorted(value, key=_plain)
    return _plain(value) if value else ""


def _plain(value: Value) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
