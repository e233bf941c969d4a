"""Qoder: Claude Code's events and names; its editor variant leaves out some of the common fields."""

from __future__ import annotations

from gitinstinct.capture.payloads.claude_code import EVENT, EVENTS, FIELDS

__all__ = ["EVENT", "EVENTS", "FIELDS"]
