"""Exports for those who have no gitinstinct: files that other tools and agents read.

A rendering is pure: instincts in, text out. Two of them (`ecc`, `json`) are read back by our own import without loss of
a byte; the others are blocks in files that belong to somebody else.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from gitinstinct.errors import Found
from gitinstinct.exchange.rendering import blocks, jsons, managed
from gitinstinct.exchange.selection import Outgoing

FORMATS = ("ecc", "json", "agents", "claude", "cursor")
MANAGED = frozenset({"agents", "claude", "cursor"})
"""Formats that are a block in a file of somebody else's, and that an agent obeys."""


def format_of(file: PurePath) -> str:
    """The format that a file's name asks for."""
    if file.suffix.lower() == ".json":
        return "json"
    if file.suffix.lower() == ".mdc":
        return "cursor"
    if file.name.upper() == "AGENTS.MD":
        return "agents"
    is_rule = file.parent.parts[-2:] == (".claude", "rules")
    return "claude" if file.name.upper() == "CLAUDE.MD" or is_rule else "ecc"


def render(form: str, items: Sequence[Outgoing], before: bytes | None) -> bytes:
    """The bytes of an export.

    Args:
        form: one of `FORMATS`.
        items: what goes out.
        before: what the file holds now; None if there is none.

    Raises:
        Found: the file belongs to somebody else, or its block is damaged.
    """
    if form in MANAGED:
        return managed.placed(before, managed.block(items), is_rule=form == "cursor")
    made = jsons.render(items) if form == "json" else blocks.render(items)
    if before is not None and before.strip() and not _is_ours(form, before):
        raise Found("the file is there and was not written by gitinstinct export", "give another name, or move it away")
    return made


def _is_ours(form: str, before: bytes) -> bool:
    return jsons.MARK in before[:200] if form == "json" else before.startswith(blocks.BANNER.encode())
