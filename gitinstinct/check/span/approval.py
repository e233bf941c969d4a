"""Whether somebody approved a range who had no hand in it. Pure.

A host knows who reviewed; here it is only compared with who wrote. Somebody is known by name, by mail, and by the login
in a host's no-reply address (`12345+ann@users.noreply.github.com`), whatever the case.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from gitinstinct.check.rules import Finding, Found, told
from gitinstinct.instinct.fields import shown

_PERSON = re.compile(r"\s*(.*?)\s*<([^<>]*)>\s*")
_LOGIN = re.compile(r"(?:\d+[+-])?([^@+]+)@(?:users\.)?noreply\..+")


def look(approvers: Sequence[str], author: str, people: Iterable[str], commit: str) -> list[Finding]:
    """What is wrong with who approved; nothing if one of them had no hand in it.

    Args:
        approvers: who approved, by name, mail or login.
        author: who proposes it, the same way; may be empty.
        people: who made the commits, each as `name <mail>`.
        commit: the newest commit of the range.
    """
    involved = {name for person in people for name in _names(person)} | set(_names(author))
    given = [one for one in (_plain(one) for one in approvers) if one]
    if any(not involved & set(_names(one)) for one in given):
        return []
    why = f"approved only by who wrote it: {', '.join(map(shown, given))}" if given else "nobody approved it"
    return [told(Found("approval", None, why, commit=commit), "")]


def _names(person: str) -> Iterator[str]:
    """All that somebody is known by, of what is given."""
    found = _PERSON.fullmatch(person)
    for one in filter(None, map(_plain, found.groups() if found else (person,))):
        yield one
        login = _LOGIN.fullmatch(one)
        if login:
            yield login[1]


def _plain(name: str) -> str:
    return " ".join(name.split()).casefold().removeprefix("@")
