"""Qoder: Claude Code's shape and event names in a folder of its own.

Source: docs.qoder.com/cli/hooks-reference. Its IDE knows five of the events and passes over the rest.
"""

from __future__ import annotations

from gitinstinct.harness.claude_code import EVENTS
from gitinstinct.harness.model import Harness

QODER = Harness(name="qoder", title="Qoder", folder=".qoder", events=EVENTS)
