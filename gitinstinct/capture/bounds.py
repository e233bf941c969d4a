"""Keeps what is stored small: at most so many characters in one field, its structure kept.

Cutting comes in two steps around redaction. Before it, every text is capped to its share and a margin that is longer
than any token: the work is bounded, and the margin, in which a secret may be torn, is dropped afterwards. After it, the
texts are cut to their share. The longest texts are cut first; where there are many, the first ones are kept.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

LIMIT = 5_000
MARGIN = 4_096
_DEPTH = 100
_LEAST_SHARE = 200
_MOST_ITEMS = 500
_LONGEST_KEY = 100
_BLOB = 1_024
_BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=-_\r\n"


class _Budget:
    """What may still be kept, in characters and items; what each text may have; what was dropped."""

    __slots__ = ("dropped", "items", "left", "share")

    def __init__(self, value: Any) -> None:
        self.left, self.items, self.dropped = LIMIT, _MOST_ITEMS, 0
        self.share = share(lengths(value))


def bounded(
    value: Any, redact: Callable[[Any, Callable[[str], str]], Any], text: Callable[[str], str]
) -> tuple[Any, int]:
    """(the redacted value with at most `LIMIT` characters in its texts, how many characters were dropped).

    `redact` walks a value and puts every text through the function that it is given; `text` redacts one text.
    """
    first = _Budget(value)
    capped = _fitted(value, first, first.share + MARGIN)

    def clean(part: str) -> str:
        if len(part) <= first.share + MARGIN:
            return text(part)
        first.dropped += MARGIN + 1
        return text(part[:-1])[:-MARGIN]

    redacted = redact(capped, clean)
    second = _Budget(redacted)
    return _fitted(redacted, second, 0), first.dropped + second.dropped


def share(sizes: list[int]) -> int:
    """How many characters each text may keep so that all fit: short texts leave their rest to the long ones."""
    left, count = LIMIT, len(sizes)
    for size in sorted(sizes):
        if size * count > left:
            return max(left // count, _LEAST_SHARE)
        left -= size
        count -= 1
    return LIMIT


def lengths(value: Any, depth: int = _DEPTH) -> list[int]:
    """The lengths of all texts in a value, keys not counted."""
    if isinstance(value, str):
        return [len(value)]
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [length for item in items for length in lengths(item, depth - 1)] if depth else []


def cut(text: str, size: int) -> str:
    """The beginning of a text, not ending inside a placeholder of ours."""
    if len(text) <= size:
        return text
    opened = text.rfind("[", max(0, size - 60), size)
    if opened >= 0 and text.startswith(("[REDACTED:", "[blob "), opened) and text.find("]", opened) >= size:
        return text[:opened]
    return text[:size]


def _fitted(value: Any, budget: _Budget, cap: int, depth: int = _DEPTH) -> Any:
    """A copy within a budget. With a `cap`, texts too long for it keep one character more, to be told by."""
    budget.items -= 1
    if isinstance(value, str):
        return _text(value, budget, cap)
    if not isinstance(value, list | dict):
        return value
    if depth == 0:
        return "[nested deeper]"
    if isinstance(value, list):
        return [_fitted(item, budget, cap, depth - 1) for item in value if budget.items > 0]
    longest = cap + 1 if cap else _LONGEST_KEY
    return {cut(key, longest): _fitted(item, budget, cap, depth - 1) for key, item in value.items() if budget.items > 0}


def _text(text: str, budget: _Budget, cap: int) -> str:
    if cap and _is_blob(text):
        return f"[blob {len(text) * 3 // 4} bytes]"
    room = min(budget.share, budget.left)
    budget.left -= min(len(text), room)
    kept = "" if room <= 0 else text[: cap + 1] if cap else cut(text, room)
    budget.dropped += len(text) - len(kept)
    return kept


def _is_blob(text: str) -> bool:
    """Whether a long text is nothing but base64, told from its beginning and its end."""
    if len(text) < _BLOB:
        return False
    head = text[:2048].partition(";base64,")[2] if text.startswith("data:") else text[:2048]
    return bool(head) and not (head + text[-2048:]).strip(_BASE64) and len(set(head)) > 8
