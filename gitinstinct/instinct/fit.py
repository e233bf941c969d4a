"""What an agent may never be told, whoever vouches for it: what hides, what is without end, what could end our block.

A person may consent to any words that they can read. To these nobody can: they show a reader something other than an
agent gets, or break out of the place where an agent reads them. What merely sounds as if it wanted to steer an agent is
another question (`steering`), and a person's to decide.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from gitinstinct.instinct import hidden
from gitinstinct.instinct.dialect import Value
from gitinstinct.instinct.fields import shown
from gitinstinct.instinct.model import Instinct

TITLE, TRIGGER, ACTION, LINE = 120, 200, 1_000, 2_000
"""Characters; an action of more takes a quarter of what a session start may bring."""

BLANK_LINES, BLANKS = 20, 100
"""Behind so many a reader no longer looks."""

PATHS, GLOB = 20, 200
"""Globs of one instinct, and characters of one."""

REFUSED, WARNING, REMARK = "refused", "warning", "remark"
"""Never injected · needs a reason to be accepted · worth a look."""


class Finding(NamedTuple):
    """What is wrong with an instinct's words: how much, of which family, in which field, in one phrase."""

    level: str
    family: str
    field: str
    why: str


def refusal(instinct: Instinct) -> str | None:
    """Why no agent may be told of it, as a phrase; None if one may."""
    found = next(refusals(instinct), None)
    return f"{found.why} in the {found.field}" if found else None


def refusals(instinct: Instinct) -> Iterator[Finding]:
    """Everything for which it is refused."""
    for field, text, most in texts(instinct):
        if len(text) > most:
            yield Finding(REFUSED, "too-long", field, f"{len(text):,} characters, where {most:,} are enough,")
        elif not _is_plain(text):
            yield from _of_text(field, text)
    if len(instinct.paths) > PATHS:
        yield Finding(REFUSED, "too-long", "paths", f"{len(instinct.paths)} globs, where {PATHS} are enough,")
    for glob in instinct.paths:
        for word in hidden.mixed_words(glob):
            yield Finding(REFUSED, "look-alike", "paths", f"{word!a}, which mixes two alphabets,")


def texts(instinct: Instinct) -> Iterator[tuple[str, str, int]]:
    """Every text that an agent reads or that decides when: its field, itself, and how long it may be."""
    yield "trigger", instinct.trigger, TRIGGER
    yield "title", instinct.title, TITLE
    yield "action", instinct.action, ACTION
    yield from (("paths", glob, GLOB) for glob in instinct.paths)
    for name in ("check", "anchors"):
        yield from ((name, text, LINE) for text in _strings(instinct.extra.get(name, "")))


def _strings(value: Value) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, one in value.items():
            yield key
            yield from _strings(one)
    else:
        for one in value:
            yield from _strings(one)


def _is_plain(text: str) -> bool:
    """Whether nothing of it needs a closer look: one line of visible ASCII without markup. Most texts are that."""
    return text.isascii() and text.isprintable() and not _SUSPECT.intersection(text) and " " * BLANKS not in text


_SUSPECT = frozenset("<>[`:")


def _of_text(field: str, text: str) -> Iterator[Finding]:
    for line in text.split("\n"):
        wrong = next((sign for sign in hidden.find(line) if not hidden.is_space(sign.sign)), None)
        if wrong is not None:
            spelled = hidden.smuggled(line)
            hides = f", spelling {shown(spelled)}," if spelled else ""
            yield Finding(REFUSED, "hidden", field, f"{wrong}{hides}")
    if _is_far_away(text):
        yield Finding(REFUSED, "out-of-sight", field, "text so far away that no reader sees it")
    mark = _mark(text)
    if mark:
        yield Finding(REFUSED, "markup", field, f"{shown(mark)}, which an agent could take for more than text,")


def _is_far_away(text: str) -> bool:
    return re.search(rf"(?:\n[ \t]*){{{BLANK_LINES + 1},}}\S|[ \t]{{{BLANKS},}}\S", text) is not None


def _mark(text: str) -> str:
    """The first mark that could end our block, begin another speaker's, or hide what stands behind it."""
    found = _anywhere().search(text) or _in_prose().search(_CODE.sub(lambda span: " " * len(span[0]), text))
    if found:
        return found[0].strip()
    return "```" if text.count("```") % 2 else ""


_CODE = re.compile(r"`[^`\n]+`")


@cache
def _anywhere() -> re.Pattern[str]:
    """Marks that are refused in code, too: tags in which harnesses and models put what is not a person's text."""
    return re.compile(
        r"""<\s*/?\s*(?:gitinstinct|system|assistant|human|antml|function_|tool_(?:use|result|call)|start_of_turn
              |end_of_turn|instructions?\b|important\b)[\w:.-]*
            | <\s*/\s*(?:user|context|prompt|notes?|memor(?:y|ies)|documents?|results?|output|data)\b
            | <\|\s*[\w-]{1,40}\s*\|> | \[/?INST\] | <</?SYS>> | \]\]> | <!\[CDATA\[
            | ^[ \t>*\#-]*(?:Human|Assistant)[ \t]*:""",
        re.VERBOSE | re.IGNORECASE | re.MULTILINE,
    )


@cache
def _in_prose() -> re.Pattern[str]:
    """Comments and elements of HTML: a page shows something other than what is written. As code they are shown."""
    return re.compile(
        r"""<!--
            | (?<!\w)</?(?:a|abbr|audio|b|base|body|br|button|center|details|div|em|embed|font|form|h[1-6]|head|hr|html
              |i|iframe|img|input|li|link|math|meta|noscript|object|ol|p|pre|s|script|select|span|strong|style|sub|summary
              |sup|svg|table|td|template|textarea|th|tr|u|ul|video)(?:\s[^<>]*)?/?>""",
        re.VERBOSE | re.IGNORECASE,
    )
