"""Which texts on the person's side of a conversation the person did not write, and which in a program's they did."""

from __future__ import annotations

from collections.abc import Iterable

WORDLESS = "messages without text"
_COMMANDS = ("<command-name>", "<command-message>", "<local-command-", "<bash-input>", "<bash-stdout>", "<bash-stderr>")
_NOTICES = ("<task-notification", "<system-reminder", "<teammate-message", "<tick>", "<goal>", "<session-start-hook>")
_CONTEXT = (
    "<ide_opened_file>", "<ide_selection>", "<environment_context>", "<user_instructions>", "<INSTRUCTIONS>",
    "# AGENTS.md instructions", "<user_shell_command>", "<skill>", "<permissions",
)  # fmt: skip
_OBSERVERS = (
    "Hello memory agent", "You are a Claude-Mem,", "<observed_from_primary_session>",
    "IMPORTANT: You are running in non-interactive --print mode. You MUST use the Write tool",
    "You look at what happened while a coding agent worked with a person",
)  # fmt: skip

_REASONS = (
    (_COMMANDS, "commands and their output"),
    (_NOTICES, "notifications"),
    (_CONTEXT, "context that a program added"),
    (("[Request interrupted", "<turn_aborted>"), "interruptions"),
    (
        ("Caveat: ", "The user wants to clarify these questions", "The user has indicated they have provided enough"),
        "notes of the program",
    ),
    (("This session is being continued",), "summaries of compacted sessions"),
    (("[SUGGESTION MODE",), "suggestions of the program"),
)

_REFUSAL = "The user doesn't want to "
_ITS_WORDS = (
    "To tell you how to proceed, the user said:", "The user provided the following reason for the rejection:",
)  # fmt: skip
_ITS_END = "\n\nNote: The user's next message may contain a correction or preference."


def spoken(texts: Iterable[str]) -> tuple[str, str]:
    """(what a person wrote in the parts of a message, why nothing of it was). One of the two is ""."""
    kept, reason = [], WORDLESS
    for text in texts:
        begin = text.lstrip()
        found = next((why for marks, why in _REASONS if begin.startswith(marks)), "")
        if begin.strip() == "Warmup":
            found = "warm-ups"
        if found:
            reason = found
        elif begin:
            kept.append(text)
    return "\n".join(kept), "" if kept else reason


def foreign(text: str) -> bool:
    """Whether a session that begins with this text belongs to a program that observes: learning from it would be an
    echo. Known are claude-mem, the observer of everything-claude-code and our own."""
    return text.lstrip().startswith(_OBSERVERS)


def is_refusal(text: str) -> bool:
    """Whether it is what Claude Code gives the model as the result of a call that a person refused."""
    return text.removeprefix("Error: ").startswith(_REFUSAL)


def refusing(text: str) -> str:
    """What the person said in such a result, without the program's words around it; "" for nothing."""
    begins = [(text.find(mark), mark) for mark in _ITS_WORDS if mark in text]
    if not (begins and is_refusal(text)):
        return ""
    at, mark = min(begins)  # the first is the program's, a later one the person's own
    return text[at + len(mark) :].partition(_ITS_END)[0].strip()
