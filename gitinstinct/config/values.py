"""One value of the settings: taken if it is of the kind that its default is, else the default holds and is named."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from gitinstinct import hours
from gitinstinct.config.sections import REVIEW_ALL


def taken(default: Any, value: Any, name: str, problems: list[str]) -> Any:
    """The value as its default's type wants it, or the default."""
    found = _CONVERT[type(default)](value)
    form, meant = _FORMS.get(name, (bool, ""))
    if found is not None and found in _CHOICES.get(name, (found,)) and (not meant or form(found)):
        return found
    kind = meant or (" or ".join(_CHOICES[name]) if name in _CHOICES else _KINDS[type(default)])
    problems.append(f"{name} is not {kind}; the default {default!r} holds")
    return default


_CHOICES = {
    "trust.policy": ("review", "all"),
    "review": ("others", REVIEW_ALL),
    "observer.detector": ("local", "anthropic", "claude-cli"),
    "promote.land": ("auto", "main", "branch", "pr"),
    "team.host": ("auto", "github", "gitlab", "gitea", "bitbucket", "none"),
}
_FORMS: dict[str, tuple[Callable[[Any], object], str]] = {
    "observer.hours": (hours.parse, "active hours such as '08-23', '22:30-06:15' or 'always'"),
}
"""What a text has to look like, and how that is said."""


NUMBER = re.compile(r"[0-9]{1,9}")
_KINDS = {
    bool: "true or false",
    int: "a whole number of 0 or more",
    float: "a number of 0 or more",
    str: "a text",
    tuple: "a list of texts",
    dict: "a map of models to maps of numbers, such as {input: 1.0, output: 5.0}",
}


def _bool(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


def _int(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _str(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _float(value: Any) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and 0 <= value < 1e9 else None


def _prices(value: Any) -> dict[str, dict[str, float]] | None:
    """Model → kind of token → dollars for a million; `input` and `output` at least."""
    if not isinstance(value, dict) or not all(isinstance(one, dict) for one in value.values()):
        return None
    made = {str(model): {str(kind): _float(number) for kind, number in one.items()} for model, one in value.items()}
    is_whole = all({"input", "output"} <= one.keys() <= PRICED and None not in one.values() for one in made.values())
    return made if is_whole else None  # type: ignore[return-value]


PRICED = frozenset({"input", "output", "cache_read", "cache_write"})
"""The kinds of token that have a price."""


def _words(value: Any) -> tuple[str, ...] | None:
    listed = [value] if isinstance(value, str) else value
    if not isinstance(listed, list) or not all(isinstance(word, str) for word in listed):
        return None
    return tuple(word for word in (word.strip() for word in listed) if word)


_CONVERT: dict[type, Callable[[Any], Any]] = {
    bool: _bool, int: _int, float: _float, str: _str, tuple: _words, dict: _prices,
}  # fmt: skip
