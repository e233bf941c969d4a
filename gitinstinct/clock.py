"""The one clock. `GITINSTINCT_NOW` (ISO 8601) sets it for tests and replays."""

from __future__ import annotations

import os
from datetime import UTC, datetime

from gitinstinct.errors import UsageError


def now() -> datetime:
    """The present moment, aware, in UTC; what `GITINSTINCT_NOW` says when that is set.

    Raises:
        UsageError: `GITINSTINCT_NOW` is not an ISO 8601 time.
    """
    fixed = os.environ.get("GITINSTINCT_NOW")
    return parse(fixed) if fixed else datetime.now(UTC)


def parse(text: str) -> datetime:
    """An ISO 8601 time as an aware UTC datetime; without a zone it is taken as UTC.

    Raises:
        UsageError: the text is no such time.
    """
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError as error:
        raise UsageError(f"{text!r} is not an ISO 8601 time", "write it as 2026-11-29T10:00:00Z") from error
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def milliseconds(moment: datetime) -> int:
    """Milliseconds since 1970, without float rounding."""
    return int(moment.timestamp()) * 1000 + moment.microsecond // 1000
