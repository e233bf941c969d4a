"""Many instincts as JSON: their fields, their title and action for those who want these, and the whole body."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from gitinstinct.exchange.selection import Outgoing
from gitinstinct.instinct import dialect, fields, sheet
from gitinstinct.instinct.dialect import Value

MARK = b'"exported_by": "gitinstinct"'
_COUNTS = ("confirmations", "contradictions")


def render(items: Sequence[Outgoing]) -> bytes:
    """The file."""
    made = {"version": 1, "exported_by": "gitinstinct", "instincts": [_record(one) for one in items]}
    return (json.dumps(made, ensure_ascii=False, indent=2, allow_nan=False) + "\n").encode()


def _record(one: Outgoing) -> dict[str, Any]:
    document = sheet.split(one.data)
    values = {name: found.value for name, found in dialect.fields(document.fields).items()}
    ordered = [
        *(name for name in fields.ORDER if name in values),
        *(name for name in values if name not in fields.ORDER),
    ]
    made = {name: _number(name, values[name], values) for name in ordered}
    words = {"title": one.instinct.title, "action": one.instinct.action}
    return made | {name: text for name, text in words.items() if name not in made} | {"body": "".join(document.body)}


def _number(name: str, value: Value, values: Mapping[str, Value]) -> object:
    """Our own numbers as numbers."""
    found = fields.derived(values).get(name) if name in fields.DERIVED else None
    if not isinstance(found, int):
        return value
    return found / 100 if name == "confidence" else found
