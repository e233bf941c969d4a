"""Whether an instinct's `check:` can be used to tell if it is followed."""

from __future__ import annotations

from collections.abc import Iterator

from gitinstinct.check.rules import Found
from gitinstinct.check.subject import Readable, Subject
from gitinstinct.measure import grammar as grammars
from gitinstinct.measure.errors import Malformed


def grammar(subject: Subject, read: Readable) -> Iterator[Found]:
    """A `check:` that says nothing, or might take too long."""
    line, written = read.line_of("check"), read.instinct.extra.get("check", "")
    if line is None:
        return
    try:
        grammars.read(written)
    except Malformed as error:
        yield Found("check-grammar", line, f"`check` {error}")
