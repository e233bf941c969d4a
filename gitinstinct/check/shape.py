"""Whether a file can be read, and is what its name and its fields claim."""

from __future__ import annotations

from collections.abc import Iterator

from gitinstinct.check.rules import Found
from gitinstinct.check.subject import Readable, Subject
from gitinstinct.instinct import fields
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.fields import shown

_MARKERS = ("<<<<<<<", ">>>>>>>", "|||||||")


def unreadable(subject: Subject, error: Invalid) -> Iterator[Found]:
    """The reader's own reason."""
    line = subject.lines[error.line - 1] if error.line and error.line <= len(subject.lines) else ""
    yield Found("conflict-marker" if line.startswith(_MARKERS) else "unreadable", error.line, error.reason)


def name(subject: Subject, read: Readable) -> Iterator[Found]:
    """The id is the file's name in a store, and had better be elsewhere."""
    found = read.instinct.id
    if found != subject.stem:
        rule = "name-not-id" if subject.home is None else "id-not-name"
        yield Found(rule, read.line_of("id"), f"the id is {shown(found)}, the file is called {shown(subject.stem)}")


def conflicts(subject: Subject, read: Readable) -> Iterator[Found]:
    """What two sides said differently and nobody settled."""
    line = read.line_of("conflicts")
    if line is None:
        return
    settled = read.instinct.conflicts
    for conflict in settled:
        values = conflict.get("values")
        texts = [shown(str(value)) for value in values] if isinstance(values, list) else []
        what = shown(str(conflict.get("field", "?")))
        yield Found("unsettled-conflict", line, f"{what} has two values: {' or '.join(texts) or 'none is told'}")
    if not settled and read.fields["conflicts"][1] not in ("", []):
        yield Found("unsettled-conflict", line, "`conflicts` is no list of fields with their values")


def look_alikes(subject: Subject, read: Readable) -> Iterator[Found]:
    """`Confidence` is not `confidence`: a reviewer reads one value and the program uses another."""
    known = {key.replace("_", ""): key for key in fields.KNOWN}
    for key, (line, _) in read.fields.items():
        meant = known.get("".join(sign for sign in key.lower() if sign.isalnum()))
        if meant is not None and key != meant:
            yield Found("look-alike-field", line, f"the key {shown(key)} is not the field `{meant}`")
