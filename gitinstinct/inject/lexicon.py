"""Makes the index of words: what each instinct is about, as weights of its terms.

The terms of a trigger share a thousand among them, rare ones getting more: so half of a trigger's meaning in a prompt
is worth 500, however long the trigger is. What the instinct names besides (tools, tags, what its action speaks of, its
domain) adds to that, and alone never suffices. The sums are made here, so that a hook only has to look up and add.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from gitinstinct.inject import lookup, terms
from gitinstinct.instinct import globs
from gitinstinct.instinct.model import Instinct

TRIGGER, TOOL, ACTION, DOMAIN = 1_000, 260, 160, 90
"""What all terms of the trigger are worth together, and each single one of the others at most."""

_MOST_ACTION = 30  # terms
_CODE = re.compile(r"`([^`\n]+)`")
_DOMAINS = {
    "testing": "test coverage fixture mock assert", "git": "git commit branch merge rebase push",
    "security": "secret security vulnerability auth", "debugging": "debug error traceback",
    "code-style": "style format lint naming", "file-patterns": "file folder path",
}  # fmt: skip


def _beside(instinct: Instinct) -> dict[str, int]:
    """Term → what it is worth at most, the trigger's left out."""
    found: dict[str, int] = {}
    for worth, words in (
        (DOMAIN, terms.of(_DOMAINS.get(instinct.domain, ""))),
        (ACTION, [term for term in terms.of(f"{instinct.title} {instinct.action}")][:_MOST_ACTION]),
        (TOOL, [term for span in _CODE.findall(instinct.action) for term in terms.of(span)]),
        (TOOL, [term for tag in instinct.tags for term in terms.of(tag)]),
    ):
        found |= {word: worth for word in words}
    return found


def index(header: dict[str, Any], found: Sequence[tuple[Instinct, dict[str, Any]]]) -> bytes:
    """The index as `lookup` reads it.

    Args:
        header: what its first line says besides.
        found: each instinct with its entry, the surest first.
    """
    lines = [json.dumps(entry, separators=(",", ":")).encode() + b"\n" for _, entry in found]
    postings: dict[str, list[str]] = defaultdict(list)
    about = [(terms.of(instinct.trigger), _beside(instinct)) for instinct, _ in found]
    rarity = _rarity(about)
    most = max(rarity.values(), default=1.0)
    place = 0
    for (instinct, _), line, said in zip(found, lines, about, strict=True):
        for term, weight in _weights(*said, rarity, most).items():
            postings[term].append(f"{place}:{weight}")
        for suffix in dict.fromkeys(suffix for glob in instinct.paths for suffix in globs.suffixes(glob)):
            postings[lookup.FILE + suffix].append(f"{place}:0")
        place += len(line)
    listed = b"".join(f"{term}\t{' '.join(pairs)}\n".encode() for term, pairs in sorted(postings.items()))
    head = json.dumps(header | {"terms": len(listed) + 1}, separators=(",", ":")).encode()
    return head + b"\n" + listed + b"".join(lines)


def _weights(trigger: list[str], beside: dict[str, int], rarity: dict[str, float], most: float) -> dict[str, int]:
    """Term → what it is worth for an instinct with these terms; `most` is the greatest rarity of all."""
    asked = dict.fromkeys(trigger)
    total = sum(rarity[term] for term in asked) or 1.0
    made = {term: round(TRIGGER * rarity[term] / total) for term in asked}
    for term, worth in beside.items():
        made[term] = made.get(term, 0) + round(worth * rarity[term] / most)
    return {term: weight for term, weight in made.items() if weight >= _LEAST}


_LEAST = 5


def _rarity(about: Sequence[tuple[list[str], dict[str, int]]]) -> dict[str, float]:
    """Term → how much it tells, from the number of instincts that have it."""
    having: Counter[str] = Counter()
    for trigger, beside in about:
        having.update({*trigger, *beside})
    return {term: math.log(1 + (len(about) + 10) / number) for term, number in having.items()}
