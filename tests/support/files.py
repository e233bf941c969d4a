"""Instinct files for tests."""

from __future__ import annotations

from gitinstinct.instinct import markdown
from gitinstinct.instinct.ledger import Entry

CANONICAL = """\
---
id: grep-before-edit
trigger: when modifying code in a file
confidence: 0.65
domain: workflow
source: session-observation
scope: project
project_id: a1b2c3d4e5f6
project_name: my-api
status: active
created: 2026-11-08
last_observed: 2026-11-12
confirmations: 8
contradictions: 0
---

# Grep Before Edit

## Action
Find the exact place with Grep, read it, then edit.

## Evidence
- 2026-11-08 observed 5: Grep, then Read, then Edit, 5 times in one session [01m6x9kf80-9f3ac1d0]
- 2026-11-10 confirmed 1: same order in another session [01m72cnze0-41b7e2aa]
- 2026-11-11 confirmed 1: same order in another session [01m75k3j80-c05d9b13]
- 2026-11-12 confirmed 1: same order in another session [01m77pxbv0-7e21f04c]
- Observed 8 times in session abc123 (2026-02-08)
"""

UNADOPTED = """\
---
id: prefer-rg   # short for ripgrep
trigger: 'when searching text'
confidence: "0.8"
status: pending
confirmations: 8
last_observed: 2026-02-08
evolved: true
---

# Prefer rg

## Action
Use `rg`.
"""


def made(
    name: str = "prefer-rg", trigger: str = "when searching text", action: str = "Use `rg`.", **more: object
) -> bytes:
    """A canonical file with one entry worth 0.50."""
    fields: dict[str, object] = {
        "id": name, "trigger": trigger, "domain": "workflow", "source": "session-observation", "scope": "project",
        "project_id": "a1b2c3d4e5f6", "project_name": "my-api",
    } | more  # fmt: skip
    entry = Entry("2026-11-08", "observed", 3, "seen", "01m6x9kf80-9f3ac1d0")
    return markdown.compose(fields, name.replace("-", " ").title(), action, [entry])
