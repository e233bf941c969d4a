"""Whether choosing between some values is consent to a whole instinct.

A merge takes words from both sides, and a person who settles its conflict has seen only what was in conflict. So their
choice lets the instinct reach an agent where everything else in it was let before; else it waits for `review`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import product

from gitinstinct.instinct import markdown, words
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.merge import settle
from gitinstinct.instinct.merge.rules import ACTION, TITLE
from gitinstinct.resolve.choosing import Choice

_FIELDS = ("trigger", TITLE, ACTION)
_MOST = 1_000  # combinations; nobody settles so much at once


def covers(data: bytes, choices: Sequence[Choice], approved: Collection[str]) -> bool:
    """Whether the settled file says what was approved, but for what was just chosen.

    Args:
        data: the file.
        choices: what was settled in it.
        approved: content hashes.
    """
    try:
        said, left = words.of(markdown.parse(data)), settle.disputes(data)
    except Invalid:
        return False
    chosen = {one.dispute.field: _values(one) for one in choices if one.dispute.field in _FIELDS}
    if left or not chosen:
        return False
    versions = list(product(*chosen.values()))[:_MOST]
    return any(said._replace(**dict(zip(chosen, one, strict=True))).hash in approved for one in versions)


def _values(choice: Choice) -> list[str]:
    """What may have stood in the field when the rest was approved."""
    dispute = choice.dispute
    return [*dispute.values, *([dispute.base] if dispute.base is not None else []), choice.value]
