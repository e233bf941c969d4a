"""What may not cross the border, in either direction: secrets, homes of people, signs that nobody sees.

The rules are those of `check`. What they call an error of words stops an instinct, because a history keeps it and is
shared; everything else is told.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gitinstinct.capture.redact import redact
from gitinstinct.check import inspection, words
from gitinstinct.check.rules import RULES, Found, Severity
from gitinstinct.check.subject import Readable, Subject

_ON_WORDS = (words.out_of_sight, words.domain, words.trigger, words.lengths)
_UNTOLD = frozenset({"no-domain", "placeholder"})  # of no harm to anybody, or judged already
_NAMED = 3


@dataclass(frozen=True, slots=True)
class Verdict:
    """Why an instinct is stopped, empty if it is not; and what else is odd about it."""

    stopped: str
    told: tuple[str, ...]


def judge(data: bytes, name: str) -> Verdict:
    """What the rules say about the words of an instinct that comes in or goes out."""
    found = list(dict.fromkeys(_found(Subject(name, data, name))))
    stopped = [_shown(one) for one in found if RULES[one.rule].severity is Severity.ERROR]
    told = tuple(_shown(one) for one in found if RULES[one.rule].severity is Severity.WARNING)
    return Verdict("; ".join(stopped[:_NAMED]), told)


def _found(subject: Subject) -> Iterator[Found]:
    for on_text in inspection.ON_TEXT:
        yield from on_text(subject)
    read = subject.read
    if isinstance(read, Readable):
        for on_words in _ON_WORDS:
            yield from (one for one in on_words(subject, read) if one.rule not in _UNTOLD)


def _shown(found: Found) -> str:
    """A finding may show a piece of the file, and a secret may be in it."""
    why = redact(found.why)
    return f"line {found.line}: {why}" if found.line else why
