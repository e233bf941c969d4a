"""Which words are measured: other words are another instinct, whose test begins anew."""

from __future__ import annotations

from gitinstinct.instinct import words
from gitinstinct.instinct.model import Instinct

_DIGITS = 16
LEAST = 8
"""Digits of a hash that tell two texts of one instinct apart."""


def of(instinct: Instinct) -> str:
    """The hash of an instinct's words, as the log has it."""
    return words.content_hash(instinct)[:_DIGITS]


def same(one: str, other: str) -> bool:
    """Whether two hashes are of the same words; one of them may be cut shorter."""
    return min(len(one), len(other)) >= LEAST and (one.startswith(other) or other.startswith(one))
