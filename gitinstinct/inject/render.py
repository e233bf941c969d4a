"""The block that an agent reads: plain facts, each with its id, where it holds, and how sure it is."""

from __future__ import annotations

from collections.abc import Iterable

from gitinstinct.instinct.shelf import Item

_HEAD = "What earlier sessions showed here (gitinstinct):"


def block(chosen: Iterable[tuple[str, Item, int]]) -> str:
    """The text of a session start; empty if nothing was chosen. Triples of scope, item and hundredths."""
    lines = [line(scope, item, confidence) for scope, item, confidence in chosen]
    return "\n".join([_HEAD, *lines]) + "\n" if lines else ""


def line(scope: str, item: Item, confidence: int) -> str:
    """One instinct, its action whole; further lines of the action are indented."""
    instinct = item.instinct
    action = "\n  ".join(part.rstrip() for part in instinct.action.split("\n"))
    return f"- {instinct.trigger}: {action} [{instinct.id}, {scope}, {confidence / 100:.2f}]"
