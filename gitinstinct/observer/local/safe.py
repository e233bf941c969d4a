"""What may become part of an instinct's words at all.

Everything that a detector takes from a session passes here: one token, of the characters that tools and codes are made
of, that looks neither like a secret nor like somebody's folder. The rule is about shape alone, because redaction has
been done long before; this is the second fence.
"""

from __future__ import annotations

import re
from itertools import pairwise

TERM = r"[\w.+/-]{1,40}"
LONGEST = 200  # characters of a trigger, an action or a title

_PIECES = re.compile(r"[^A-Za-z0-9]+")
_HOME = re.compile(r"(?:^|/)(?:home|Users|root|tmp|var|private|Documents)/|^[~/]|\.\.", re.I)
_MIXED = 10  # a piece this long with letters and digits is a key or a hash, not a word
_LONG = 24
_CAMEL = re.compile(r"[a-z]{0,15}(?:[A-Z]{1,4}[a-z]{2,15}){2,6}")
_MIXED_SCRIPTS = re.compile(r"[A-Za-z].*[^\W\d_a-zA-Z\u00aa-\u024f]|[^\W\d_a-zA-Z\u00aa-\u024f].*[A-Za-z]")
_REDACTED = re.compile(r"redacted", re.I)


def is_word(text: str) -> bool:
    """Whether a token can be a tool's word: short pieces, no mix of letters, cases and digits as keys have it."""
    is_short = 0 < len(text) <= 40 and _HOME.search(text) is None and _MIXED_SCRIPTS.search(text) is None
    return is_short and all(map(_is_plain, _PIECES.split(text)))


def _is_plain(piece: str) -> bool:
    if _REDACTED.fullmatch(piece) or (len(piece) >= _LONG and _CAMEL.fullmatch(piece) is None):
        return False
    digits = sum(character.isdigit() for character in piece)
    is_code = 0 < digits < len(piece) and len(piece) >= _MIXED
    return digits <= 6 and not is_code and not _is_scrambled(piece)


def _is_scrambled(piece: str) -> bool:
    """Cases in no order that words have: fewer small letters than others beside capitals, or capitals without end."""
    small, large = sum(map(str.islower, piece)), sum(map(str.isupper, piece))
    changes = sum(a.islower() and b.isupper() for a, b in pairwise(piece))
    is_mixed = small > 0 and large > 0 and len(piece) >= 8 and (small * 2 < len(piece) or changes * 4 > len(piece))
    return is_mixed or large > 15


def code(text: str) -> str:
    """Text between backticks."""
    return f"`{text}`"


def listed(items: list[str], last: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} {last} {items[-1]}"


def fits(*texts: str) -> bool:
    """Whether texts are short enough to be a trigger, an action or a title."""
    return all(0 < len(text) <= LONGEST for text in texts)
