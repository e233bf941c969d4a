"""Active hours, as they are written in the settings: `08-23`, `8:30-17:45`, over midnight `22-06`, or `always`.

An hour alone as the end is meant as a whole: `08-23` ends at midnight. A minute given as the end is the first that is
no longer in it. All of it is wall clock time, so a change of zone or of summer time moves nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

_DAY = 24 * 60
_HOURS = re.compile(r"(\d{1,2})(?::(\d\d))?\s*[-\u2013]\s*(\d{1,2})(?::(\d\d))?", re.ASCII)
ALWAYS = "always"


@dataclass(frozen=True, slots=True)
class Hours:
    """A window of the day in minutes since midnight: from `first` on, `end` no longer. Over midnight if end ≤ first."""

    first: int
    end: int

    def hold(self, wall: datetime) -> bool:
        """Whether a moment of the wall clock lies in the window."""
        minute = wall.hour * 60 + wall.minute
        if self.first < self.end:
            return self.first <= minute < self.end
        return minute >= self.first or minute < self.end

    def begin(self, wall: datetime) -> datetime:
        """When the window next begins, by the wall clock and without a zone; not before `wall`."""
        midnight = wall.replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None)
        begins = midnight + timedelta(minutes=self.first)
        return begins if begins >= wall.replace(tzinfo=None) else begins + timedelta(days=1)


def parse(text: str) -> Hours | None:
    """The hours that a text names; None if it names none."""
    if text.strip().lower() == ALWAYS:
        return Hours(0, _DAY)
    found = _HOURS.fullmatch(text.strip())
    if found is None:
        return None
    first = _minute(found[1], found[2] or "00")
    end = _minute(found[3], found[4]) if found[4] else _whole_hour(found[3])
    if first is None or end is None or first in (_DAY, end):
        return None
    return Hours(first, end)


def _minute(hour: str, minute: str) -> int | None:
    """Minutes since midnight; `24:00` is the end of the day."""
    total = int(hour) * 60 + int(minute)
    return total if int(minute) < 60 and total <= _DAY else None


def _whole_hour(hour: str) -> int | None:
    """The end of an hour; of the 24th, as of the 23rd, midnight."""
    return min((int(hour) + 1) * 60, _DAY) if int(hour) <= 24 else None
