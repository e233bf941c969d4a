"""The tally as text: what is written between two runs, and read with care.

One line of JSON a pattern, so that neither way ever holds more than one of them twice. Thousands were seen once; their
fields are written as lists, in the order of the classes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import astuple, replace
from datetime import datetime
from typing import Any

from gitinstinct.observer.pattern import Pattern
from gitinstinct.observer.tally import Evidence, Record, Tally

DAMAGE = (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError)
"""What reading text that is not what was written can raise."""


def lines(tally: Tally) -> Iterator[str]:
    """One line a pattern, each with its end."""
    for record in tally.records():
        yield json.dumps(_from_record(record), ensure_ascii=True, separators=(",", ":")) + "\n"


def read(text: Iterable[str]) -> Tally:
    """The tally of these lines.

    Raises:
        ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError: the text is damaged, see `DAMAGE`.
    """
    return Tally([_to_record(json.loads(line)) for line in text])


def _from_record(record: Record) -> dict[str, object]:
    item: dict[str, object] = {
        "pattern": astuple(record.pattern),
        "mark": record.mark,
        "sessions": [_from_evidence(evidence) for evidence in record.sessions.values()],
    }
    if record.variants != ("",):
        item["variants"] = record.variants
    if record.qualified:
        item["qualified"] = record.qualified.isoformat()
    return item


def _from_evidence(evidence: Evidence) -> list[object]:
    times = evidence.first.isoformat(), evidence.last.isoformat()
    return [evidence.session, evidence.count, *times, evidence.observations, int(evidence.is_founding)]


def _to_record(item: dict[str, Any]) -> Record:
    evidence = [_to_evidence(*entry) for entry in item["sessions"]]
    qualified = item.get("qualified")
    return Record(
        pattern=_to_pattern(*item["pattern"]),
        sessions={entry.session: entry for entry in evidence},
        variants=tuple(item.get("variants", [""])),
        qualified=_moment(qualified) if qualified else None,
        mark=tuple(int(part) for part in item["mark"]),
    )


def _to_pattern(*values: Any) -> Pattern:
    pattern = Pattern(*values)
    pattern = replace(pattern, occasions=tuple(pattern.occasions), exact=tuple(pattern.exact))
    if not all(isinstance(value, str) for value in (*values[:7], *pattern.exact)) or len(pattern.exact) not in (0, 2):
        raise TypeError("the words of a pattern are texts")
    return pattern


def _to_evidence(session: str, count: int, first: str, last: str, observations: list[str], founding: int) -> Evidence:
    return Evidence(session, int(count), _moment(first), _moment(last), tuple(observations), bool(founding))


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError("a time without zone")
    return moment
