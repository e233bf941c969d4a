"""What harnesses say: one table each, from their event and field names to ours.

A table is a module with `EVENTS` (native name → our kind, or `IGNORED`), `EVENT` (the field with the native name) and
`FIELDS` (our name → their names, newest first). A new harness is a new module here and a line in `TABLES`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Protocol

    class Table(Protocol):
        """The names of one harness."""

        EVENT: str
        EVENTS: Mapping[str, str]
        FIELDS: Mapping[str, tuple[str, ...]]


KINDS = frozenset(
    "prompt tool_start tool_complete tool_failed denied session_start session_end stop compact unknown".split()
)
IGNORED = ""

TABLES = {"claude-code": "claude_code", "qoder": "qoder"}

# What is printed where there is nothing to say: some harnesses take an empty answer for a fault.
_SILENT = {"gemini": "{}", "cursor": "{}", "cline": '{"cancel":false}'}

_ALIASES = {"pre": "tool_start", "post": "tool_complete"}


def table(harness: str) -> Table | None:
    """The table of a harness, or None where it is not known."""
    name = TABLES.get(harness)
    return __import__(f"{__name__}.{name}", fromlist=[name]) if name else None


def silence(harness: str) -> str:
    """The answer of a hook that has nothing to say."""
    return _SILENT.get(harness, "")


def event(names: Table, payload: Mapping[str, Any], argument: str) -> tuple[str, str]:
    """(our kind, the native name): from the command line, else from the payload, else unknown; never guessed."""
    said = payload.get(names.EVENT)
    native = argument or (said if isinstance(said, str) else "")
    if native in names.EVENTS:
        return names.EVENTS[native], native
    kind = _ALIASES.get(native, native)
    return (kind if kind in KINDS else "unknown"), native


def field(names: Table, payload: Mapping[str, Any], name: str) -> Any:
    """The value of one of our fields: the first of its names that is there and not null; else None."""
    for native in names.FIELDS.get(name, ()):
        value = payload.get(native)
        if value is not None:
            return value
    return None
