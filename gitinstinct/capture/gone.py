"""Which sessions the observations were of that have been deleted, so that a back-fill does not tell them again.

One line for each session of a segment that goes, with the span of time that was captured. Reading never fails.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from gitinstinct import paths
from gitinstinct.clock import parse
from gitinstinct.errors import FatalError

NAME = "gone.jsonl"


def note(project: str, records: Iterable[Mapping[str, Any]]) -> None:
    """Adds the sessions of records that are about to be deleted.

    Raises:
        OSError: the disk does not take it.
    """
    spans: dict[tuple[str, str], tuple[str, str]] = {}
    for record in records:
        name, at = (str(record.get("harness", "")), str(record.get("session", ""))), str(record.get("at", ""))
        if name[1] and at:
            first, last = spans.get(name, (at, at))
            spans[name] = (min(first, at), max(last, at))
    lines = [json.dumps([*name, *span]) + "\n" for name, span in spans.items()]
    if lines:
        with (Path(paths.spool(project)) / NAME).open("a", encoding="ascii") as file:
            file.writelines(lines)


def sessions(project: str) -> Iterator[tuple[str, str, datetime, datetime]]:
    """(harness, session, first, last) of what is gone."""
    try:
        text = (Path(paths.spool(project)) / NAME).read_text("ascii", "replace")
    except OSError:
        return
    for line in text.splitlines():
        try:
            harness, session, first, last = json.loads(line)
            yield str(harness), str(session), parse(str(first)), parse(str(last))
        except (ValueError, TypeError, FatalError):
            continue
