"""Whether a file says of itself what its place says: scope and project follow from the store."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gitinstinct.check.rules import Found
from gitinstinct.check.subject import Readable, Subject
from gitinstinct.instinct.fields import shown

_SCOPES = ("project", "global")
_ID = re.compile(r"[0-9a-f]{12}")


def scope(subject: Subject, read: Readable) -> Iterator[Found]:
    """A scope that is not the store's, or none at all."""
    written, line, home = read.instinct.scope, read.line_of("scope"), subject.home
    if written and home is not None and written != home.scope:
        yield Found("wrong-scope", line, f"the scope is {shown(written)}; this is a {home.scope} store")
    elif written and written not in _SCOPES:
        yield Found("unknown-scope", line, f"{shown(written)} is no scope")


def project(subject: Subject, read: Readable) -> Iterator[Found]:
    """A project that is not the store's."""
    written, line, home = read.instinct.project_id, read.line_of("project_id"), subject.home
    if not written or home is None:
        return
    if not home.project_id:
        yield Found("project-in-global", line, f"it names the project {shown(written)}")
    elif written != home.project_id:
        yield Found("wrong-project", line, f"the project is {shown(written)}; this is the store of {home.project_id}")
