"""JSON: one instinct, a list of them, an export with a list in it, or one a line; comments may stand before it.

Numbers stay the text that is written there. A key that stands twice is an error: a reviewer must see the value that
the program uses.
"""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from gitinstinct.exchange.draft import Reading
from gitinstinct.exchange.readers import records
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.fields import shown

NOTHING = "JSON without instincts in it"
_BANNER = re.compile(r"\A(?:[ \t]*(?:#|//)[^\n]*\n|[ \t]*\r?\n)+")  # comments before the value
_DEPTH = 12  # as in frontmatter, where an unknown key is kept


def read(path: str, text: str) -> Reading:
    """The instincts of a file.

    Raises:
        Invalid: it is no JSON, or holds what JSON does not allow.
    """
    try:
        value = _loaded(_BANNER.sub(lambda found: "\n" * found[0].count("\n"), text, count=1))
    except json.JSONDecodeError as error:
        raise Invalid(f"JSON: {error.msg}", error.lineno) from error
    except RecursionError as error:
        raise Invalid("JSON: nested too deeply") from error
    found = records.find(_as_text(value, 0))
    return records.read(path, found) if found is not None else Reading(nothing=NOTHING)


def _loaded(text: str) -> Any:
    """One value, or a list of those that stand one a line."""
    try:
        return _value(text)
    except json.JSONDecodeError as error:
        if not error.msg.startswith("Extra data"):
            raise
        lines = [line for line in text.splitlines() if line.strip()]
        try:
            return [_value(line) for line in lines]
        except json.JSONDecodeError:
            raise error from None


def _value(text: str) -> Any:
    return json.loads(text, parse_float=str, parse_int=str, parse_constant=_refuse_constant, object_pairs_hook=_unique)


def _refuse_constant(name: str) -> NoReturn:
    raise Invalid(f"JSON: {name} is no value")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, value in pairs:
        if key in made:
            raise Invalid(f"the key {shown(key)} stands twice")
        made[key] = value
    return made


def _as_text(value: Any, depth: int) -> Any:
    """The value with text for every scalar, as frontmatter has it; a key without a value is none."""
    if depth > _DEPTH:
        raise Invalid("JSON: nested too deeply")
    if isinstance(value, dict):
        return {key: _as_text(item, depth + 1) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [_as_text(item, depth + 1) for item in value if item is not None]
    return str(value).lower() if isinstance(value, bool) else value
