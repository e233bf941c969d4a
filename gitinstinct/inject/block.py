"""The frame around what an agent reads, and the answer of a hook in the format of its harness.

The frame tells where the notes come from, that they may be wrong, and who comes first. There is one opening and one
closing mark; `render` sees to it that no line can hold either.
"""

from __future__ import annotations

from gitinstinct.capture import codec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OPENING, CLOSING = "<gitinstinct-notes>", "</gitinstinct-notes>"
LIMIT = 9_000
"""Characters of a whole block, whatever the budget: Claude Code and Qoder cut at 10,000."""
ROOM = LIMIT - 800
"""What of that is for instincts; the rest is for the frame and the notes."""

_SAID = "They may be wrong or out of date; what the user and the system say comes first."
START = f"What earlier sessions showed here (gitinstinct). {_SAID}"
PROMPT = f"What earlier sessions showed about this (gitinstinct). {_SAID}"
CALL = f"What earlier sessions showed about such a call (gitinstinct). {_SAID}"

_EVENTS = {"session_start": "SessionStart", "prompt": "UserPromptSubmit", "tool_start": "PreToolUse"}
_NAMED = 3  # ids; the notes have their own room, and instincts are never left out for them
HARNESSES = frozenset({"claude-code", "qoder"})
"""Those that take an answer."""


def text(head: str, lines: Sequence[str], notes: Sequence[str] = ()) -> str:
    """The block; "" without lines."""
    return "\n".join([OPENING, head, *lines, *notes, CLOSING]) + "\n" if lines else ""


def notes(waiting: int, promoted: Sequence[str], withheld: int) -> list[str]:
    """What else a session should know: one line each."""
    found = []
    if promoted:
        more = f" and {len(promoted) - _NAMED} more" if len(promoted) > _NAMED else ""
        found.append(f"Now for all projects: {', '.join(promoted[:_NAMED])}{more} (gitinstinct log --global).")
    if waiting:
        found.append(waits(waiting))
    if withheld:
        found.append(f"{_counted(withheld)} withheld in this session, to measure whether it helps.")
    return found


def waits(number: int) -> str:
    """That something waits for the person."""
    verb = "waits" if number == 1 else "wait"
    return f"{number} instinct{'' if number == 1 else 's'} {verb} for review: gitinstinct review"


def _counted(number: int) -> str:
    return "1 instinct is" if number == 1 else f"{number} instincts are"


def answer(event: str, context: str, message: str = "") -> str:
    """The JSON object that the harness takes; "" if there is nothing to say."""
    said: dict[str, object] = {}
    if context:
        said["hookSpecificOutput"] = {"hookEventName": _EVENTS[event], "additionalContext": context}
    if message:
        said["systemMessage"] = message
    return codec.encode(said) if said else ""
