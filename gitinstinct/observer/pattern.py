"""What a detector says: which pattern, seen where.

A pattern's identity is its signature, a stable text that two machines make alike; its words are what a person will
read. A sighting is one occurrence, anchored at the observation that completed it. Both are plain data: the tally counts
them, and only what qualifies there ever becomes a file.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

CORRECTION = "correction"
ERROR_FIX = "error-fix"
WORKFLOW = "workflow"
PREFERENCE = "preference"

BASE = "base"
"""The family of mere occasions: counted so that others can be held against them, never an instinct."""

EDIT = "edit "
"""What the name of a workflow's step begins with where it is an edit: `edit *.py`."""

STEP = "step"
"""With a step of workflows, the signature of all its runs."""

FAMILIES = (CORRECTION, ERROR_FIX, WORKFLOW, PREFERENCE)

MODEL = "model "
"""What the family of a model's pattern begins with; one of the four follows. Its words are no templates of ours, so it
qualifies by plain counting, and what it calls a correction does not contradict at once."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """Something that recurs, and the words for it.

    `name` is the short text that an id is made from. `occasions` are the signatures whose sightings are the chances
    that this one had: a preference is held against all uses for the same need, a workflow against all runs of its first
    step. `specific` is False where the trigger is only a fallback, so that a sighting that knows better may give the
    words. `exact` is empty or (action, title): better words, for the case that all sightings were of one variant.
    """

    signature: str
    family: str
    trigger: str = ""
    action: str = ""
    title: str = ""
    name: str = ""
    domain: str = ""
    occasions: tuple[str, ...] = ()
    specific: bool = True
    exact: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sighting:
    """One occurrence in one session.

    `observations` are ids in the order of events; the last is the anchor, which completed the occurrence. `variant`
    tells uses with different arguments apart (a short hash, "" where that has no meaning).
    """

    pattern: Pattern
    session: str
    at: datetime
    observations: tuple[str, ...]
    variant: str = ""

    @property
    def anchor(self) -> str:
        """The id of the observation that completed it."""
        return self.observations[-1]
