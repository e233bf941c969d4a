"""Claude Code. Four fields are on every event; every other one is optional, unknown ones are normal.

A failed tool arrives as PostToolUseFailure and never as PostToolUse; only tools of MCP servers also report failures in
a result that is marked as one. Source: the hooks reference of Claude Code and its behaviour at 2.1.270.
"""

from __future__ import annotations

EVENT = "hook_event_name"

EVENTS = {
    "SessionStart": "session_start",
    "SessionEnd": "session_end",
    "UserPromptSubmit": "prompt",
    "PreToolUse": "tool_start",
    "PostToolUse": "tool_complete",
    "PostToolUseFailure": "tool_failed",
    "PermissionDenied": "denied",
    "Stop": "stop",
    "StopFailure": "stop",
    "SubagentStop": "stop",
    "PreCompact": "compact",
} | dict.fromkeys(
    # They repeat what another event tells (UserPromptExpansion, PostToolBatch, PostCompact) or tell nothing about how
    # the person works.
    "UserPromptExpansion PostToolBatch PostCompact PermissionRequest Notification SubagentStart TaskCreated"
    " TaskCompleted TeammateIdle Setup InstructionsLoaded ConfigChange CwdChanged DirectoryAdded FileChanged"
    " WorktreeCreate WorktreeRemove PreModelSwitch PostModelSwitch MessageDisplay Elicitation"
    " ElicitationResult".split(),
    "",
)

FIELDS = {
    "session": ("session_id",),
    "cwd": ("cwd",),
    "id": ("tool_use_id",),
    "agent": ("agent_id",),
    "tool": ("tool_name",),
    "input": ("tool_input",),
    "output": ("tool_response", "tool_output", "output"),
    "error": ("error", "reason"),
    "interrupted": ("is_interrupt",),
    "prompt": ("prompt",),
    "source": ("source", "reason", "trigger"),
}
