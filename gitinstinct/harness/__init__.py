"""The agent programs that we install into: one small module each, and the safe editing of their settings.

`settings` and `jsontext` change text, `ownership` knows our entries, `caveats` tells what would keep them from running,
`installer` is the only module here that touches a file.
"""

from __future__ import annotations

from gitinstinct.errors import UsageError
from gitinstinct.harness.claude_code import CLAUDE_CODE
from gitinstinct.harness.model import Harness
from gitinstinct.harness.qoder import QODER

HARNESSES = {harness.name: harness for harness in (CLAUDE_CODE, QODER)}


def find(name: str) -> Harness:
    """The harness of that name.

    Raises:
        UsageError: we cannot install into such a harness.
    """
    if name not in HARNESSES:
        raise UsageError(f"cannot install into {name!r}", "one of: " + ", ".join(HARNESSES))
    return HARNESSES[name]
