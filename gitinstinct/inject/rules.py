"""Reads what decides beside the instincts themselves: the person's settings, their consent, the verdicts."""

from __future__ import annotations

from gitinstinct.config import Config
from gitinstinct.inject.select import Rules
from gitinstinct.measure import verdicts
from gitinstinct.trust import book


def read(settings: Config, project: str) -> Rules:
    """The rules as they stand for sessions of a project."""
    held: dict[str, list[tuple[str, str]]] = {}
    for (name, text), why in verdicts.held_back(project).items():
        held.setdefault(name, []).append((text, why))
    settled: dict[tuple[str, str], list[str]] = {}
    for name, text, model in verdicts.decided(project):
        settled.setdefault((name, text), []).append(model)
    return Rules(settings.inject, book.read(), settings.trust.policy, held, settled)
