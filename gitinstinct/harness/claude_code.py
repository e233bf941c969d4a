"""Claude Code: where its settings lie and which of its events we ask for.

Source: code.claude.com/docs/en/hooks and /settings, version 2.1.270.
"""

from __future__ import annotations

from gitinstinct.harness.model import Event, Harness

EVENTS = {
    # The answers to these two are what the agent learns from us; a prompt must not wait longer than it would notice.
    "SessionStart": Event(timeout=10, waits=True),
    "UserPromptSubmit": Event(timeout=5, waits=True),
    # All phases of a tool call: a failed one never reaches PostToolUse, and only the start tells what was then refused.
    "PreToolUse": Event(timeout=10),
    "PostToolUse": Event(timeout=10),
    "PostToolUseFailure": Event(timeout=10),
    "PermissionDenied": Event(timeout=10),
    "Stop": Event(timeout=10),
    # These two must be on disk before the context or the process goes away. Without a timeout of our own, all hooks
    # of SessionEnd together get 1.5 s.
    "PreCompact": Event(timeout=5, waits=True),
    "SessionEnd": Event(timeout=3, waits=True),
}
"""The events to register. Left out on purpose: `SubagentStop` (subagents are not observed unless asked for, and their
tool calls come through the tool events), `PostToolBatch` (repeats every output), `UserPromptExpansion` (the prompt
follows), `PermissionRequest` and `Notification` (say nothing that the tool events do not), `MessageDisplay` (runs for
every piece of text) and `WorktreeCreate` (a hook there *replaces* the creation of work trees)."""

CLAUDE_CODE = Harness(
    name="claude-code",
    title="Claude Code",
    folder=".claude",
    folder_variable="CLAUDE_CONFIG_DIR",
    events=EVENTS,
)
