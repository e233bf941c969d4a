"""What keeps a store from being used or written."""

from __future__ import annotations

from gitinstinct.errors import EnvironmentFault


class Missing(EnvironmentFault):
    """There is no store at this place."""


class Waiting(EnvironmentFault):
    """Something that a person has begun must be ended first. Nothing was written and nothing is consumed."""
