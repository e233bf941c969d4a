"""Whether the words of a file try to steer an agent against its person, or break out of where an agent reads them."""

from __future__ import annotations

from collections.abc import Iterator

from gitinstinct.check.rules import Found
from gitinstinct.check.subject import Readable, Subject
from gitinstinct.instinct import steering
from gitinstinct.instinct.body import ACTION
from gitinstinct.instinct.fit import REFUSED, WARNING

_ELSEWHERE = frozenset({"hidden", "too-long", "out-of-sight", "look-alike", "odd-space", "too-wide"})
"""Families that `words` finds, with their lines."""


def words(subject: Subject, read: Readable) -> Iterator[Found]:
    """What nobody should be told, and what a person should look at twice."""
    for one in steering.findings(read.instinct):
        if one.family in _ELSEWHERE or one.level not in (REFUSED, WARNING):
            continue
        line = read.section_line(ACTION) if one.field == "action" else read.line_of(one.field)
        rule = "markup" if one.level == REFUSED else "steers"
        yield Found(rule, line, f"{one.family} in the {one.field}: {one.why}")
