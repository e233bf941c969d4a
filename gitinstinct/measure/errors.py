"""What may be wrong with a `check:`."""

from __future__ import annotations


class Malformed(ValueError):
    """A `check:` that cannot be used, and why: a phrase that follows `check` or the name of its key."""
